/**
 * A window of lines of a text file, read as a stream: however large the file is, one window is in memory.
 *
 * Invariants (tests/core/files/window_test.ts)
 * 1. Windows that follow each other give every line once, in order.
 * 2. A line longer than a window is cut, and the window says so; no other line is.
 *
 * @module
 */
import { encodingOf, type TextEncoding } from "./binary.ts";

/** How lines end; `none` where there is one line at most. */
export type LineEnding = "lf" | "crlf" | "mixed" | "none";

/** Some lines of a file. */
export interface FileWindow {
  readonly lines: readonly string[];
  /** Number of the first line asked for, from 1. */
  readonly from: number;
  /** Lines of the whole file; `null` where it is so large that they were not counted. */
  readonly total: number | null;
  /** Whether the window reaches the last line. */
  readonly isEnd: boolean;
  /** Bytes of the file. */
  readonly bytes: number;
  readonly encoding: TextEncoding;
  /** Bytes that are none of the encoding's, each shown as U+FFFD. */
  readonly isDamaged: boolean;
  readonly ending: LineEnding;
  /** Characters of the one line of this window where only its beginning is shown. */
  readonly cutLine: number | null;
}

export interface WindowOptions {
  /** From 1. */
  readonly offset: number;
  readonly maxLines: number;
  /** Characters of all lines together. */
  readonly maxChars: number;
  readonly signal: AbortSignal;
}

/** Bytes up to which a file is read to its end for the number of its lines. */
const COUNTED_BYTES = 64 * 1024 * 1024;

const CHUNK = 64 * 1024;

/** Reads a window. The file stands at its beginning. Throws the signal's reason. */
export async function readWindow(file: Deno.FsFile, bytes: number, options: WindowOptions): Promise<FileWindow> {
  const collector = new Collector(options);
  const buffer = new Uint8Array(CHUNK);
  let encoding: TextEncoding | null = null;
  let decoder: TextDecoder | null = null;
  for (let read = await file.read(buffer); read !== null; read = await file.read(buffer)) {
    options.signal.throwIfAborted();
    const chunk = buffer.subarray(0, read);
    encoding ??= encodingOf(chunk);
    decoder ??= new TextDecoder(encoding);
    collector.add(decoder.decode(chunk, { stream: true }));
    if (collector.isFull && bytes > COUNTED_BYTES) break;
  }
  if (decoder !== null) collector.add(decoder.decode());
  const isWhole = !(collector.isFull && bytes > COUNTED_BYTES);
  return { ...collector.finish(isWhole), from: options.offset, bytes, encoding: encoding ?? "utf-8" };
}

/** Takes a text in pieces apart into lines, and keeps those of the window. */
class Collector {
  readonly #options: WindowOptions;
  readonly #lines: string[] = [];
  #chars = 0;
  /** Of the line that is being read; the first is 1. */
  #number = 1;
  /** What is kept of it, and how long it is so far. */
  #line = "";
  #length = 0;
  #endsInReturn = false;
  #isFull = false;
  #cutLine: number | null = null;
  #isDamaged = false;
  #returns = 0;
  #feeds = 0;

  constructor(options: WindowOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  add(text: string): void {
    for (let at = 0; at < text.length;) {
      const feed = text.indexOf("\n", at);
      const end = feed === -1 ? text.length : feed;
      this.#extend(text, at, end);
      if (feed !== -1) this.#endLine();
      at = end + 1;
    }
  }

  finish(isWhole: boolean): Omit<FileWindow, "from" | "bytes" | "encoding"> {
    const hasRest = this.#length > 0;
    // What no line feed ends keeps a return at its end: it is no line ending.
    if (hasRest) this.#keep(this.#line);
    const total = isWhole ? this.#number - (hasRest ? 0 : 1) : null;
    const { offset } = this.#options;
    return {
      lines: this.#lines,
      total,
      isEnd: total !== null && offset + this.#lines.length > total,
      isDamaged: this.#isDamaged,
      ending: this.#feeds === 0
        ? "none"
        : this.#returns === 0
        ? "lf"
        : this.#returns === this.#feeds
        ? "crlf"
        : "mixed",
      cutLine: this.#cutLine,
    };
  }

  #extend(text: string, from: number, to: number): void {
    if (to > from) this.#endsInReturn = text[to - 1] === "\r";
    this.#length += to - from;
    if (this.#isFull || this.#number < this.#options.offset) return;
    const room = this.#options.maxChars + 1 - this.#line.length;
    if (room > 0) this.#line += text.slice(from, Math.min(to, from + room));
  }

  #endLine(): void {
    this.#feeds++;
    if (this.#endsInReturn) this.#returns++;
    this.#keep(this.#endsInReturn && this.#line.endsWith("\r") ? this.#line.slice(0, -1) : this.#line);
    this.#number++;
    this.#line = "";
    this.#length = 0;
    this.#endsInReturn = false;
  }

  #keep(line: string): void {
    const { offset, maxLines, maxChars } = this.#options;
    if (this.#isFull || this.#number < offset) return;
    if (line.length > maxChars && this.#lines.length === 0) {
      this.#lines.push(line.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, ""));
      this.#cutLine = this.#length;
      this.#isFull = true;
    } else if (this.#chars + line.length > maxChars) {
      this.#isFull = true;
      return;
    } else {
      this.#lines.push(line);
      this.#chars += line.length + 1;
      this.#isFull = this.#lines.length >= maxLines;
    }
    this.#isDamaged ||= line.includes("\uFFFD");
  }
}
