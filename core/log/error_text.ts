/**
 * What an error says, in one line.
 *
 * @module
 */

/** The message of whatever was thrown, its name when it has none. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
