/**
 * A file of lines, read as it comes.
 *
 * Invariants (tests/core/conversation/import_lines_test.ts)
 * 1. However the bytes are cut into pieces, the lines are the same.
 * 2. No more than one line and one piece are in memory, and no line longer than the limit ever is.
 *
 * @module
 */
import { BadRequest } from "./errors.ts";

/** The longest line that is read, in bytes: 64 MiB. */
export const LONGEST_LINE = 64 * 1024 * 1024;

/** One line without its end, counted from 1. */
export interface TextLine {
  readonly number: number;
  readonly text: string;
}

/** How a line is named in an error. */
export function lineName(number: number): string {
  return `line ${number}`;
}

/**
 * The lines of a UTF-8 text, blank ones left out, a byte order mark at the front too. Throws `BadRequest` on a line that is
 * too long or is not UTF-8.
 */
export async function* linesOf(
  pieces: AsyncIterable<Uint8Array>,
  longest: number = LONGEST_LINE,
): AsyncGenerator<TextLine> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  let number = 0;
  const take = (end: Uint8Array): TextLine => {
    hold(end);
    const text = decoded(held, ++number);
    held = [];
    bytes = 0;
    return { number, text };
  };
  const hold = (piece: Uint8Array): void => {
    bytes += piece.byteLength;
    if (bytes > longest) {
      const most = Math.floor(longest / 1024 / 1024);
      throw new BadRequest(lineName(number + 1), `The line is longer than ${most} MiB: this is no export of Malama's`);
    }
    // A copy, since whoever gives the pieces may use their memory again.
    if (piece.byteLength > 0) held.push(piece.slice());
  };

  for await (const piece of pieces) {
    let from = 0;
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, from)) {
      const line = take(piece.subarray(from, at));
      from = at + 1;
      if (line.text.trim() !== "") yield line;
    }
    hold(piece.subarray(from));
  }
  if (bytes === 0) return;
  const last = take(new Uint8Array());
  if (last.text.trim() !== "") yield last;
}

const NEWLINE = 0x0a;

function decoded(pieces: readonly Uint8Array[], number: number): string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: number > 1 });
  try {
    return pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
  } catch {
    throw new BadRequest(lineName(number), "The line is not UTF-8 text: the file may have been changed on its way");
  }
}
