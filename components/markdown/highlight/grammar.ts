/**
 * Reads a listing line by line: keywords, comments, strings, and the rest.
 *
 * A printed listing needs no more than these, and a reader that knows after each line where it stands can stop anywhere and
 * go on later, which no highlighter that takes whole texts can.
 *
 * Invariants (tests/components/markdown/highlight_test.ts pins each)
 * 1. The pieces of a line put together are the line.
 * 2. What a line is read as depends on it and on the state before it alone.
 * 3. A long line takes no longer than its length: each character is looked at a bounded number of times.
 *
 * @module
 */

/** What a piece of a line is: a keyword, a comment, a string, or the rest. The letters are the classes of LOOK.md. */
export type Kind = "k" | "c" | "s" | "";

/** A piece of a line. */
export type Piece = readonly [kind: Kind, text: string];

/** Something that begins and ends: a comment or a string. */
export interface Span {
  readonly kind: "c" | "s";
  /** A regular expression for its beginning, without groups. */
  readonly open: string;
  /** A regular expression for its end, without groups; without one it ends with its line. */
  readonly close?: string;
  /** Whether it may go on in the next line. */
  readonly lines?: boolean;
  /** Whether a backslash takes the next character with it. */
  readonly escapes?: boolean;
}

/** How a language is read. */
export interface Grammar {
  /** The first that fits counts. */
  readonly spans: readonly Span[];
  readonly isKeyword: (word: string) => boolean;
  /** A regular expression for a word, without groups. */
  readonly word?: string;
}

/** Where a line leaves off: the number of the span that goes on, or -1. */
export type State = number;

/** Before the first line. */
export const START: State = -1;

/** A longer line is not looked into: nobody reads it. In UTF-16 code units. */
const LONGEST_LINE = 2000;

/** Reads the lines of one language. */
export class LineReader {
  readonly #grammar: Grammar;
  readonly #begins: RegExp;
  readonly #ends: readonly (RegExp | null)[];

  constructor(grammar: Grammar) {
    this.#grammar = grammar;
    const opens = grammar.spans.map(({ open }) => `(${open})`);
    this.#begins = new RegExp([...opens, grammar.word ?? "[A-Za-z_$][\\w$]*"].join("|"), "gm");
    this.#ends = grammar.spans.map(({ close, escapes }) =>
      close === undefined ? null : new RegExp(escapes ? `\\\\.|(${close})` : `(${close})`, "g")
    );
  }

  /** The pieces of a line, without its line feed, and the state after it. */
  read(line: string, before: State): { readonly pieces: readonly Piece[]; readonly state: State } {
    if (line.length > LONGEST_LINE) return { pieces: [["", line]], state: before };
    const pieces: Piece[] = [];
    let at = 0;
    let state = before;
    if (state >= 0) {
      at = this.#end(line, 0, state);
      add(pieces, this.#grammar.spans[state]!.kind, line.slice(0, at < 0 ? line.length : at));
      if (at < 0) return { pieces, state };
      state = START;
    }
    for (;;) {
      const found = this.#next(line, at);
      if (!found) break;
      const { index, span, text } = found;
      add(pieces, "", line.slice(at, index));
      if (span < 0) {
        add(pieces, this.#grammar.isKeyword(text) ? "k" : "", text);
        at = index + text.length;
        continue;
      }
      const end = this.#end(line, index + text.length, span);
      const { kind, lines } = this.#grammar.spans[span]!;
      add(pieces, kind, line.slice(index, end < 0 ? line.length : end));
      if (end < 0) return { pieces, state: lines ? span : START };
      at = end;
    }
    add(pieces, "", line.slice(at));
    return { pieces, state };
  }

  /** The next word or beginning of a span; `span` is -1 for a word. */
  #next(line: string, from: number): { readonly index: number; readonly span: number; readonly text: string } | null {
    this.#begins.lastIndex = from;
    const match = this.#begins.exec(line);
    if (!match) return null;
    const span = match.slice(1).findIndex((group) => group !== undefined);
    return { index: match.index, span, text: match[0] };
  }

  /** Where a span that is open at `from` ends, or -1 when the line ends before it. */
  #end(line: string, from: number, span: State): number {
    const ends = this.#ends[span];
    if (!ends) return -1;
    ends.lastIndex = from;
    for (let match = ends.exec(line); match; match = ends.exec(line)) {
      if (match[1] !== undefined) return match.index + match[0].length;
    }
    return -1;
  }
}

/** Neighbours of a kind are one piece. */
function add(pieces: Piece[], kind: Kind, text: string): void {
  const last = pieces.at(-1);
  if (text === "") return;
  if (last?.[0] === kind) pieces[pieces.length - 1] = [kind, last[1] + text];
  else pieces.push([kind, text]);
}
