/**
 * JSON as it is sent.
 *
 * @module
 */

/**
 * The JSON text of a value, with half characters (a surrogate without its other half) replaced. JavaScript writes those as
 * escapes that many servers refuse, and a text cut in the middle of an emoji is enough to have one: the request, and every
 * later one of its conversation, would be refused.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes("\\ud")) return text;
  // Whole pairs are written as they are, so every escape of a surrogate is half of one. An escaped backslash is skipped.
  return text.replace(
    /\\(?:u([0-9a-f]{4})|.)/g,
    (escape, code?: string) => /^d[89a-f]/.test(code ?? "") ? "\\ufffd" : escape,
  );
}
