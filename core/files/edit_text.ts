/**
 * Replacing a passage of a text by another, where it stands exactly once (K section 17.4). Pure.
 *
 * Invariants (tests/core/files/edit_text_test.ts)
 * 1. Nothing but the passage changes: every other character stays, line endings too.
 * 2. A line feed in what is looked for stands for either line ending, and what is put in gets the ending of the text.
 *
 * @module
 */

/** What became of an edit. `line` is where the passage begins, from 1. */
export type EditOutcome =
  | { readonly is: "done"; readonly text: string; readonly line: number }
  /** `near` is the line of a passage that differs in blanks alone, or `null`. */
  | { readonly is: "absent"; readonly near: number | null }
  /** The first lines it begins at. */
  | { readonly is: "ambiguous"; readonly count: number; readonly lines: readonly number[] };

/** Lines named of an ambiguous passage. */
const NAMED_LINES = 5;

/** Replaces `old`, which is not empty, by `fresh`. */
export function replaceOnce(text: string, old: string, fresh: string): EditOutcome {
  const plain = unified(text);
  const wanted = unified(old);
  const places = placesOf(plain, wanted);
  const [first, second] = places;
  if (first === undefined) return { is: "absent", near: nearPassage(plain, wanted) };
  if (second !== undefined) {
    const lines = places.slice(0, NAMED_LINES).map((place) => lineAt(plain, place));
    return { is: "ambiguous", count: places.length, lines };
  }
  const from = rawOffset(text, first);
  const to = rawOffset(text, first + wanted.length);
  const ending = lineEndingOf(text);
  return {
    is: "done",
    text: text.slice(0, from) + withEnding(fresh, ending) + text.slice(to),
    line: lineAt(plain, first),
  };
}

/** The ending most lines of a text have. */
export function lineEndingOf(text: string): "\n" | "\r\n" {
  const returns = text.split("\r\n").length - 1;
  const feeds = text.split("\n").length - 1;
  return returns > feeds - returns ? "\r\n" : "\n";
}

/** A text with all its lines ended alike. */
export function withEnding(text: string, ending: "\n" | "\r\n"): string {
  const plain = unified(text);
  return ending === "\n" ? plain : plain.replaceAll("\n", "\r\n");
}

function unified(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Where a passage begins, overlaps included. */
function placesOf(text: string, wanted: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) places.push(at);
  return places;
}

/** From an offset in the unified text to one in the text as it is. */
function rawOffset(text: string, offset: number): number {
  let raw = 0;
  let seen = 0;
  for (let pair = text.indexOf("\r\n"); pair !== -1; pair = text.indexOf("\r\n", raw)) {
    if (seen + (pair - raw) >= offset) break;
    seen += pair - raw + 1;
    raw = pair + 2;
  }
  return raw + (offset - seen);
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** The line at which the same words stand with other blanks, or `null`. */
function nearPassage(text: string, wanted: string): number | null {
  const bare = (line: string) => line.replaceAll(/\s+/g, " ").trim();
  const lines = text.split("\n").map(bare);
  const sought = wanted.split("\n").map(bare);
  while (sought.length > 1 && sought[0] === "") sought.shift();
  while (sought.length > 1 && sought.at(-1) === "") sought.pop();
  if (sought.join("") === "") return null;
  const found = lines.findIndex((_, at) => sought.every((line, index) => lines[at + index] === line));
  return found === -1 ? null : found + 1;
}
