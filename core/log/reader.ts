/**
 * What can be asked of the log without writing to it.
 *
 * @module
 */
import type { Entry } from "./entry.ts";
import type { FeedListener } from "./feed.ts";

/** Entries in order of `seq`, and the newest `seq` of the conversation. */
export interface EntryPage {
  readonly items: readonly Entry[];
  readonly last_seq: number;
}

/** The log to those who only read it. */
export interface LogReader {
  /**
   * A page of entries in order of `seq`: those with `after < seq < before`. With `after` the oldest `limit` of them,
   * with only `before` (or neither) the newest. `all: false` keeps to the path from the root to the head.
   */
  entries(
    conversation: string,
    options?: { after?: number; before?: number; limit?: number; all?: boolean },
  ): Promise<EntryPage>;
  /** Every entry of these turns, in order of `seq`. */
  entriesOfTurns(conversation: string, turns: readonly string[]): Promise<readonly Entry[]>;
  /**
   * Calls `listener` with one `entries` operation that holds everything after the cursor, and everything at or before it
   * that has changed since the cursor was the newest; then with each operation of that conversation, in order and without a gap.
   * The function it resolves to ends that. The caller has made sure that the conversation exists.
   */
  watch(conversation: string, after: number, listener: FeedListener): Promise<() => void>;
}
