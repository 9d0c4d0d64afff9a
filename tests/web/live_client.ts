import type { TestServer } from "./test_server.ts";

/** A frame from the server. */
// deno-lint-ignore no-explicit-any
export type Frame = { readonly op: string; readonly [key: string]: any };

/** One tab's socket. Frames are read in order; each wait has a deadline. */
export class LiveClient {
  readonly #socket: WebSocket;
  readonly #frames: { frame: Frame; at: number }[] = [];
  #read = 0;
  #wake: () => void = () => {};
  readonly closed: Promise<CloseEvent>;

  constructor(url: string, headers: Record<string, string>) {
    const Socket = WebSocket as unknown as new (url: string, options: { headers: Record<string, string> }) => WebSocket;
    this.#socket = new Socket(url.replace(/^http/, "ws") + "/live", { headers });
    this.#socket.onmessage = ({ data }) => {
      this.#frames.push({ frame: JSON.parse(data), at: performance.now() });
      this.#wake();
    };
    this.closed = new Promise((resolve) =>
      this.#socket.onclose = (event) => {
        resolve(event);
        this.#wake();
      }
    );
  }

  /** Connects with the token and reads `hello`. */
  static async open(server: TestServer): Promise<{ client: LiveClient; hello: Frame }> {
    const client = new LiveClient(server.server.url, { authorization: `Bearer ${server.token}` });
    return { client, hello: await client.next() };
  }

  send(frame: unknown): void {
    this.#socket.send(
      typeof frame === "string" || frame instanceof Uint8Array ? frame as string : JSON.stringify(frame),
    );
  }

  /** The next frame, or the next of this kind; pings are passed over. */
  async next(op?: string): Promise<Frame> {
    for (;;) {
      const { frame } = await this.#take();
      if (op === undefined ? frame.op !== "ping" : frame.op === op) return frame;
    }
  }

  /** All frames up to the one that fits, with when each came, in milliseconds. */
  async until(fits: (frame: Frame) => boolean): Promise<{ frame: Frame; at: number }[]> {
    const taken = [];
    for (;;) {
      const next = await this.#take();
      taken.push(next);
      if (fits(next.frame)) return taken;
    }
  }

  /** Everything that came, read or not. */
  get heard(): readonly Frame[] {
    return this.#frames.map(({ frame }) => frame);
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.closed;
  }

  async #take(): Promise<{ frame: Frame; at: number }> {
    const deadline = performance.now() + 10_000;
    while (this.#read >= this.#frames.length) {
      if (this.#socket.readyState === WebSocket.CLOSED) throw new Error("The socket is closed");
      const left = deadline - performance.now();
      if (left <= 0) throw new Error("No frame came in time");
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, left);
      await promise;
      clearTimeout(timer);
    }
    return this.#frames[this.#read++]!;
  }
}
