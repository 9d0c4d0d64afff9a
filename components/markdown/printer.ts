/**
 * Has the lines of a listing read while the machine is idle, a chunk at a time, so that nothing waits for it.
 *
 * @module
 */
import type { LineReader, State } from "./highlight/mod.ts";
import type { GrammarName } from "./highlight/tags.ts";
import type { PrintedLines } from "./printed_lines.ts";

/** A last line that has not grown for this long is taken for whole, in milliseconds. */
const QUIET_MS = 300;
/** Nothing waits longer than this for an idle moment, in milliseconds. */
const LATEST_MS = 500;

/** What is loaded on demand. */
interface Highlight {
  readonly readerOf: (name: GrammarName) => LineReader;
  readonly START: State;
}

export class Printer {
  readonly #lines: PrintedLines;
  readonly #highlight: Promise<Highlight>;
  readonly #grammar: GrammarName;
  readonly #redraw: () => void;
  #reader: LineReader | null = null;
  #cancel: (() => void) | null = null;
  #quiet: ReturnType<typeof setTimeout> | null = null;
  #isStopped = false;

  /** `redraw` is called after each chunk. */
  constructor(lines: PrintedLines, grammar: GrammarName, highlight: Promise<Highlight>, redraw: () => void) {
    this.#lines = lines;
    this.#grammar = grammar;
    this.#highlight = highlight;
    this.#redraw = redraw;
  }

  /** The listing has grown: what is new of it is read soon, its last line once nothing more comes. */
  wake(): void {
    if (this.#quiet !== null) clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#schedule(true), QUIET_MS);
    this.#schedule(false);
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#quiet !== null) clearTimeout(this.#quiet);
    this.#cancel?.();
  }

  #schedule(withLast: boolean): void {
    if (this.#isStopped || (this.#cancel && !withLast)) return;
    this.#cancel?.();
    this.#cancel = whenIdle(() => {
      this.#cancel = null;
      // Where it cannot be loaded, the listing stays plain.
      this.#read(withLast).catch(() => this.stop());
    });
  }

  async #read(withLast: boolean): Promise<void> {
    const { readerOf, START } = await this.#highlight;
    if (this.#isStopped) return;
    this.#reader ??= readerOf(this.#grammar);
    if (!this.#lines.readNext(this.#reader, START, withLast)) return;
    this.#redraw();
    this.#schedule(withLast);
  }
}

function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const handle = requestIdleCallback(work, { timeout: LATEST_MS });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(work, 16);
  return () => clearTimeout(timer);
}
