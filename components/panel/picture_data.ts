/**
 * Pictures inside a request: long strings of Base64, told by how their bytes begin. Pure.
 *
 * @module
 */

/** What such a string is. */
export interface PictureData {
  readonly mediaType: string;
  readonly bytes: number;
}

/** Shorter strings are shown as text, whatever they hold, in characters. */
const SHORTEST = 64;

const BEGINNINGS: readonly (readonly [start: string, mediaType: string])[] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
];

/** What picture a string of the request holds, quotes not included; `null` when it is text. */
export function pictureIn(text: string, start: number, end: number): PictureData | null {
  if (end - start < SHORTEST) return null;
  const head = /^data:(image\/[\w.+-]+);base64,/.exec(text.slice(start, start + SHORTEST));
  const from = start + (head?.[0].length ?? 0);
  const mediaType = head?.[1] ?? BEGINNINGS.find(([first]) => text.startsWith(first, from))?.[1];
  if (mediaType === undefined) return null;
  if (!/^[A-Za-z0-9+/]+$/.test(text.slice(from, Math.min(end, from + SHORTEST)).replace(/=+$/, ""))) return null;
  const padding = /=*$/.exec(text.slice(end - 2, end))?.[0].length ?? 0;
  return { mediaType, bytes: Math.floor((end - from) * 3 / 4) - padding };
}
