/**
 * Arguments as they are: what cannot be seen in a text is shown, so that nothing is allowed that was not read. Pure.
 *
 * @module
 */

/** Characters that show nothing or turn the order of what follows; not line ends, tabs, and what joins letters. */
const UNSEEN = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;
/** All of them but the line ends that JSON is set with. */
const ESCAPED = /(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** A piece of a text: as it is, or the name of something in it that cannot be seen. */
export interface SeenPiece {
  readonly text: string;
  readonly unseen: boolean;
}

/** The text in pieces; what cannot be seen is named, as `U+202E`. */
export function seenPieces(text: string): readonly SeenPiece[] {
  const pieces: SeenPiece[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(UNSEEN)) {
    if (index > from) pieces.push({ text: text.slice(from, index), unseen: false });
    pieces.push({ text: `U+${hex(found.codePointAt(0) ?? 0)}`, unseen: true });
    from = index + found.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), unseen: false });
  return pieces;
}

/** The value as JSON, set over lines, with everything that cannot be seen escaped: what is read is what is there. */
export function exactJson(value: unknown): string {
  const json = JSON.stringify(value, null, 2) ?? "null";
  return json.replace(
    ESCAPED,
    (found) => found.split("").map((unit) => `\\u${hex(unit.charCodeAt(0))}`).join("").toLowerCase(),
  );
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, "0");
}
