/**
 * A strict client of the live socket: a delta that is not exactly at the end of what it holds fails the test.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Entry } from "../../core/log/mod.ts";

// deno-lint-ignore no-explicit-any -- frames are looked at field by field, as any program would
type Frame = any;

/** Deno's sockets take headers; the browser's declaration, which the compiler sees here, has no such parameter. */
const SocketWithHeaders = WebSocket as unknown as {
  new (url: string, options: { readonly headers: Readonly<Record<string, string>> }): WebSocket;
};

export class LiveClient {
  readonly held = new Map<number, Entry>();
  readonly frames: Frame[] = [];
  deltas = 0;
  #socket: WebSocket;
  #changed = Promise.withResolvers<void>();
  problem: unknown;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
    socket.onclose = () => this.#wake();
  }

  static async open(url: string, token: string): Promise<LiveClient> {
    const socket = new SocketWithHeaders(`${url.replace("http", "ws")}/live`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const client = new LiveClient(socket);
    await client.until(() => client.frames.some((frame) => frame.op === "hello"), "hello");
    return client;
  }

  /** The newest `seq` it holds: its cursor. */
  get cursor(): number {
    return Math.max(0, ...this.held.keys());
  }

  get entries(): readonly Entry[] {
    return [...this.held.values()].sort((a, b) => a.seq - b.seq);
  }

  /** Whether a turn has been heard to end. */
  hasEnded(turn: string): boolean {
    return this.frames.some((frame) =>
      frame.op === "turn" && frame.turn.id === turn && frame.turn.status !== "running"
    );
  }

  watch(conversation: string, after = this.cursor): void {
    this.send({ op: "watch", conversation, after });
  }

  send(frame: unknown): void {
    this.#socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  /** Cuts the connection where it stands. What arrives afterwards is not taken. */
  cut(): void {
    this.#socket.onmessage = null;
    this.#socket.close();
  }

  /** Takes over what another client held when it was cut. */
  resumeFrom(other: LiveClient): void {
    for (const [seq, entry] of other.held) this.held.set(seq, entry);
  }

  async until(holds: () => boolean, what: string): Promise<void> {
    const deadline = performance.now() + 20_000;
    while (!holds()) {
      if (this.problem) throw this.problem;
      if (performance.now() > deadline) throw new Error(`Waited 20 s for ${what}`);
      let timer: ReturnType<typeof setTimeout> | undefined;
      await Promise.race([this.#changed.promise, new Promise<void>((done) => timer = setTimeout(done, 1000))]);
      clearTimeout(timer);
    }
    if (this.problem) throw this.problem;
  }

  #take(frame: Frame): void {
    this.frames.push(frame);
    try {
      this.#fold(frame);
    } catch (error) {
      this.problem ??= error;
    }
    this.#wake();
  }

  #fold(frame: Frame): void {
    if (frame.op === "entries") { for (const entry of frame.items) this.held.set(entry.seq, entry); }
    if (frame.op === "patch") {
      const entry = this.held.get(frame.seq);
      assert.ok(entry, "a patch of an entry that was never sent");
      this.held.set(frame.seq, { ...entry, state: frame.state, data: frame.data });
    }
    if (frame.op === "delta") {
      this.deltas++;
      const entry = this.held.get(frame.seq) as Entry<"text"> | undefined;
      assert.ok(entry, "a delta of an entry that was never sent");
      assert.equal(entry.data.text.length, frame.at, "a delta that repeats or leaves a gap");
      this.held.set(frame.seq, { ...entry, data: { ...entry.data, text: entry.data.text + frame.text } });
    }
  }

  #wake(): void {
    const changed = this.#changed;
    this.#changed = Promise.withResolvers<void>();
    changed.resolve();
  }
}
