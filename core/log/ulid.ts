/**
 * Ids: ULIDs, which sort by the time they were made.
 *
 * @module
 */
import { monotonicFactory } from "ulid";

/** Makes ids that grow even within one millisecond and when the clock is set back. */
export function idSource(now: () => Date = () => new Date()): () => string {
  const next = monotonicFactory();
  return () => next(now().getTime());
}
