/**
 * Has the lines of a listing read while the machine is idle, a chunk at a time, so that nothing waits for it.
 *
 * @module
 */
import type { PrintedLines } from "../printed_lines.ts";
import { LineReader, START } from "./grammar.ts";
import { GRAMMARS } from "./languages.ts";
import type { GrammarName } from "../language_tags.ts";

/** A last line that has not grown for this long is taken for whole, in milliseconds. */
const QUIET_MS = 300;
/** Nothing waits longer than this for an idle moment, in milliseconds. */
const LATEST_MS = 500;

export class Printer {
  readonly #lines: PrintedLines;
  readonly #reader: LineReader;
  readonly #redraw: () => void;
  #cancel: (() => void) | null = null;
  #quiet: ReturnType<typeof setTimeout> | null = null;
  #isStopped = false;

  /** `redraw` is called after each chunk. */
  constructor(lines: PrintedLines, grammar: GrammarName, redraw: () => void) {
    this.#lines = lines;
    this.#reader = new LineReader(GRAMMARS[grammar]);
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
      if (!this.#lines.readNext(this.#reader, START, withLast)) return;
      this.#redraw();
      this.#schedule(withLast);
    });
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
