/**
 * Reading what a provider sent without trusting its shape: a field of the wrong type reads as absent, so a decoder never
 * throws on strange input and never passes it on. Plain functions instead of a schema, because they run once per token.
 *
 * @module
 */

/** A JSON object of unknown content. */
export type WireRecord = Readonly<Record<string, unknown>>;

const NOTHING: WireRecord = Object.freeze({});
const NONE: readonly unknown[] = Object.freeze([]);

/** The object, or an empty one. */
export function asRecord(value: unknown): WireRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value as WireRecord : NOTHING;
}

/** The list, or an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NONE;
}

/** The text, or an empty one. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The finite number, or `undefined`. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/**
 * A count of tokens: whole, never negative, zero where the provider did not say. It is bounded, because sums of counts are
 * stored as JSON, which cannot write what is not finite.
 */
export function asCount(value: unknown): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.round(asNumber(value) ?? 0)));
}

/** Whether the field is there at all (`null` counts as absent). */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
