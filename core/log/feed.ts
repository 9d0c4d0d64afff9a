/**
 * The feed: everything the log and those above it announce, to whoever listens in this process.
 *
 * Invariant: listeners are called in the order things happened, synchronously; one that throws does not keep the
 * others from hearing (tests/core/log/feed_test.ts).
 *
 * @module
 */
import type { LogOperation } from "./entry.ts";

/** Hears one operation. It is called synchronously, so it must be quick. */
export type FeedListener = (operation: LogOperation) => void;

/** Where operations are announced and heard; one per process. */
export class Feed {
  readonly #listeners = new Set<FeedListener>();

  /** How many listen now. */
  get size(): number {
    return this.#listeners.size;
  }

  /** Tells every listener. */
  announce(operation: LogOperation): void {
    for (const listener of this.#listeners) {
      try {
        listener(operation);
      } catch (error) {
        reportError(error);
      }
    }
  }

  /** Calls `listener` for every operation from now on; the function it gives back ends that. */
  subscribe(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
