/**
 * A long text in pieces, each named by its number, so that a model can ask for the next one.
 *
 * Invariant: the pieces of a text joined are the text, and no pair of surrogates is parted (tests/toolsets/web/pieces_test.ts).
 *
 * @module
 */

/** One piece, and where it stands. */
export interface Piece {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  readonly of: number;
  /** The characters of the whole that it holds, from 1. */
  readonly from: number;
  readonly to: number;
  readonly total: number;
}

/** The piece of that number, or `null` when there are fewer. An empty text has one empty piece. */
export function pieceOf(text: string, number: number, size: number): Piece | null {
  const starts = startsOf(text, size);
  const start = starts[number - 1];
  if (start === undefined) return null;
  const end = starts[number] ?? text.length;
  return { text: text.slice(start, end), number, of: starts.length, from: start + 1, to: end, total: text.length };
}

/** Where pieces begin: after a line's end in the last fifth of one where there is such, so that lines stay whole. */
function startsOf(text: string, size: number): readonly number[] {
  const starts = [0];
  for (let at = 0; text.length - at > size;) {
    const line = text.lastIndexOf("\n", at + size - 1) + 1;
    let end = line > at + size * 0.8 ? line : at + size;
    if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end--;
    at = end;
    starts.push(at);
  }
  return starts;
}
