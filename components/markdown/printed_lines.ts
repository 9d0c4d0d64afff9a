/**
 * The lines of a listing in chunks, each with what is known of its keywords, comments and strings.
 *
 * Invariants (tests/components/markdown/printed_lines_test.ts pins each)
 * 1. The chunks put together are the text, and depend on it alone, however it grew.
 * 2. A chunk that did not change keeps its identity.
 * 3. Lines are read in order, each once, unless it changed.
 *
 * @module
 */
import type { LineReader, Piece, State } from "./highlight/mod.ts";

/** Lines in a chunk: few enough that one is drawn in a few milliseconds on a slow machine. */
export const CHUNK = 48;
/** Lines past this one stay plain. */
const MOST_LINES = 10_000;

/** Lines that are drawn together. */
export interface Chunk {
  readonly lines: readonly string[];
  /** The pieces of the first lines, as far as they are read. */
  readonly pieces: readonly (readonly Piece[])[];
  /** The state after each of these. */
  readonly states: readonly State[];
}

/** A listing as it grows. */
export class PrintedLines {
  #text = "";
  #chunks: readonly Chunk[] = [blank([""])];
  /** Where the last chunk begins in the text, in UTF-16 code units. */
  #last = 0;

  get chunks(): readonly Chunk[] {
    return this.#chunks;
  }

  /** How many lines there are. */
  get count(): number {
    return (this.#chunks.length - 1) * CHUNK + this.#chunks.at(-1)!.lines.length;
  }

  /** Takes the text as it is now in; one that goes on costs what is new of it. */
  take(text: string): void {
    if (text === this.#text) return;
    // A last line may also go again: a fence that was begun, until it was one.
    const goesOn = text.slice(0, this.#last) === this.#text.slice(0, this.#last);
    if (!goesOn) this.#last = 0;
    const before = goesOn ? this.#chunks.slice(0, -1) : [];
    const lines = text.slice(this.#last).split("\n");
    const added: Chunk[] = [];
    for (let at = 0; at < lines.length; at += CHUNK) added.push(blank(lines.slice(at, at + CHUNK)));
    added[0] = continued(this.#chunks[before.length]!, added[0]!.lines);
    for (const chunk of added.slice(0, -1)) this.#last += chunk.lines.reduce((sum, line) => sum + line.length + 1, 0);
    this.#chunks = [...before, ...added];
    this.#text = text;
  }

  /**
   * Reads the lines of the first chunk that has any to read; the very last line, which may still grow, only with
   * `withLast`. Gives whether there was one.
   */
  readNext(reader: LineReader, start: State, withLast: boolean): boolean {
    const last = this.#chunks.length - 1;
    const wanted = (index: number) => this.#chunks[index]!.lines.length - (index === last && !withLast ? 1 : 0);
    const index = this.#chunks.findIndex((chunk, at) => chunk.pieces.length < wanted(at));
    if (index < 0 || index * CHUNK >= MOST_LINES) return false;
    const before = index === 0 ? start : this.#chunks[index - 1]!.states.at(-1)!;
    this.#chunks = this.#chunks.with(index, readLines(this.#chunks[index]!, wanted(index), reader, before));
    return true;
  }
}

function blank(lines: readonly string[]): Chunk {
  return { lines, pieces: [], states: [] };
}

/** The chunk with other lines: what is read of it stays up to the first line that changed. */
function continued(chunk: Chunk, lines: readonly string[]): Chunk {
  const changed = chunk.lines.findIndex((line, index) => line !== lines[index]);
  if (changed < 0 && lines.length === chunk.lines.length) return chunk;
  const kept = changed < 0 ? chunk.pieces.length : Math.min(chunk.pieces.length, changed);
  return { lines, pieces: chunk.pieces.slice(0, kept), states: chunk.states.slice(0, kept) };
}

function readLines(chunk: Chunk, upto: number, reader: LineReader, before: State): Chunk {
  const pieces = [...chunk.pieces];
  const states = [...chunk.states];
  while (pieces.length < upto) {
    const read = reader.read(chunk.lines[pieces.length]!, states.at(-1) ?? before);
    pieces.push(read.pieces);
    states.push(read.state);
  }
  return { ...chunk, pieces, states };
}
