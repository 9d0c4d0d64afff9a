/**
 * What a call without a result is answered with, and how that is told on a line. No imports but types: the page has it too.
 *
 * @module
 */
import type { ToolData } from "./entry.ts";

/** What a call that never got its result is answered with. */
export const INTERRUPTED = "interrupted; it may have run";

/** What a call is answered with that still waited to be allowed when its turn ended. */
export const NOT_RUN = "interrupted before it was allowed; it did not run";

/** Whether an interrupted call ran, as far as is known. */
export function interruptedWords({ result }: Pick<ToolData, "result">): string {
  return result === NOT_RUN ? "it did not run" : "it may have run";
}
