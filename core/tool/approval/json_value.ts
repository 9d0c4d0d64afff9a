/**
 * JSON values compared by what they say, not by how they are written.
 *
 * @module
 */

/** The text of a JSON value with the keys of every object in order: equal for equal values. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => isObject(part) ? sorted(part) : part) ?? "null";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  // Without a prototype, so that a key "__proto__" is a key.
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value).sort()) copy[key] = value[key];
  return copy;
}
