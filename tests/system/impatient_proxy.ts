/**
 * A proxy that closes a connection on which nothing has come for a while in either direction, as those before a server do.
 *
 * @module
 */
export class ImpatientProxy implements AsyncDisposable {
  /** Connections it has closed because nothing came. */
  closed = 0;
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #target: Deno.ConnectOptions;
  readonly #idleMs: number;
  readonly #ends = new Set<Deno.Conn>();
  readonly #accepting: Promise<void>;

  /** A proxy of the server at that address. */
  constructor(url: string, idleMs: number) {
    const { hostname, port } = new URL(url);
    this.#target = { hostname, port: Number(port) };
    this.#idleMs = idleMs;
    this.#accepting = this.#accept();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#listener.addr as Deno.NetAddr).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const end of this.#ends) close(end);
    await this.#accepting;
  }

  async #accept(): Promise<void> {
    const joined: Promise<void>[] = [];
    for (;;) {
      const near = await this.#listener.accept().catch(() => null);
      if (near === null) break;
      joined.push(this.#join(near));
    }
    await Promise.all(joined);
  }

  async #join(near: Deno.Conn): Promise<void> {
    const far = await Deno.connect(this.#target);
    const ends = [near, far];
    for (const end of ends) this.#ends.add(end);
    const stop = () => {
      for (const end of ends) {
        close(end);
        this.#ends.delete(end);
      }
    };
    const idle = () =>
      setTimeout(() => {
        this.closed++;
        stop();
      }, this.#idleMs);
    let timer = idle();
    const watched = () =>
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(bytes, controller) {
          clearTimeout(timer);
          timer = idle();
          controller.enqueue(bytes);
        },
      });
    await Promise.allSettled([
      near.readable.pipeThrough(watched()).pipeTo(far.writable),
      far.readable.pipeThrough(watched()).pipeTo(near.writable),
    ]);
    clearTimeout(timer);
    stop();
  }
}

function close(end: Deno.Conn): void {
  try {
    end.close();
  } catch {
    // It was closed by the other side.
  }
}
