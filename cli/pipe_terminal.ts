/**
 * The terminal of a pipe: lines in, plain text out, notices on stderr (K-299).
 *
 * @module
 */
import { EventQueue } from "./event_queue.ts";
import { END_SIGNALS, onSignals, Presses } from "./signals.ts";
import { type Style, styleFor } from "./style.ts";
import type { Terminal, TerminalEvent } from "./terminal.ts";

export class PipeTerminal implements Terminal {
  readonly events = new EventQueue<TerminalEvent>();
  readonly interactive = false;
  readonly width = 100;
  readonly style: Style;
  readonly #encoder = new TextEncoder();
  readonly #forget: readonly (() => void)[];

  constructor(colour: boolean) {
    this.style = styleFor(colour);
    const presses = new Presses();
    this.#forget = [
      onSignals(["SIGINT"], () => void (presses.press() && this.events.push({ kind: "interrupt" }))),
      onSignals(END_SIGNALS, () => this.events.push({ kind: "leave" })),
    ];
    this.#read();
  }

  write(text: string): void {
    this.#put(Deno.stdout, text);
  }

  note(text: string): void {
    this.#put(Deno.stderr, `${text}\n`);
  }

  /** A pipe has no line to show it on. */
  working(): void {}

  close(): void {
    for (const forget of this.#forget) forget();
    this.events.end();
  }

  #put(file: { writeSync(bytes: Uint8Array): number }, text: string): void {
    const bytes = this.#encoder.encode(text);
    try {
      for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
    } catch (error) {
      // Whoever read our output has gone, as `head` does; there is nobody left to tell.
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
      this.events.push({ kind: "leave" });
    }
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    const buffer = new Uint8Array(64 * 1024);
    let rest = "";
    while (true) {
      const length = await Deno.stdin.read(buffer).catch(() => null);
      rest += length === null ? decoder.decode() : decoder.decode(buffer.subarray(0, length), { stream: true });
      const lines = rest.split(/\r?\n/);
      rest = length === null ? "" : lines.pop()!;
      for (const text of lines) this.events.push({ kind: "line", text });
      if (length === null) return this.events.push({ kind: "end" });
    }
  }
}
