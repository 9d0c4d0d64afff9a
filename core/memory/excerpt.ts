/**
 * Parts of a text that cut no character in two.
 *
 * @module
 */

/** A part of a text and where it stands. */
export interface Excerpt {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** At most `length` characters from `offset` on. Between the halves of a character it begins before, and ends before. */
export function cut(text: string, offset: number, length: number): Excerpt {
  const from = whole(text, Math.min(Math.max(0, offset), text.length));
  const end = whole(text, Math.min(from + length, text.length));
  const to = end <= from && from < text.length ? Math.min(from + 2, text.length) : end;
  return { text: text.slice(from, to), from, to };
}

/** At most `length` characters around a place, a quarter of them before it, begun at a line or a word where one is near. */
export function around(text: string, place: number, length: number): Excerpt {
  if (text.length <= length) return { text, from: 0, to: text.length };
  const early = Math.min(Math.max(0, place - Math.floor(length / 4)), text.length - length);
  const before = text.slice(early, place);
  const line = before.indexOf("\n");
  const word = before.search(/\s/);
  const skip = early === 0 ? 0 : line >= 0 ? line + 1 : word + 1;
  return cut(text, early + skip, length);
}

function whole(text: string, at: number): number {
  const inside = at > 0 && at < text.length && isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1));
  return inside ? at - 1 : at;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
