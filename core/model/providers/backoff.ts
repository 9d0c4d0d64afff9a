/**
 * How long to wait before the next attempt.
 *
 * @module
 */

/** No wait is longer; a provider that asks for more is not waited for. */
export const LONGEST_WAIT_MS = 60_000;

/** `base · 2ⁿ` spread by ±25 %, for the wait after the failed attempt number `attempt`, from 1. `random` is in [0, 1). */
export function backoff(attempt: number, baseMs: number, random: number): number {
  return Math.min(LONGEST_WAIT_MS, baseMs * 2 ** (attempt - 1) * (0.75 + random / 2));
}
