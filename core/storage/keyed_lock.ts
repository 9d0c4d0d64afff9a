/**
 * Work that must not overlap for the same key; different keys do not wait for each other.
 *
 * Invariants (tests/core/storage/keyed_lock_test.ts)
 * 1. Work on one key runs one after the other, in the order it was asked for, whether or not the earlier failed.
 * 2. A key nobody works on takes no memory.
 *
 * @module
 */
export class KeyedLock {
  readonly #last = new Map<string, Promise<void>>();

  /** How many keys are being worked on. */
  get size(): number {
    return this.#last.size;
  }

  /** Runs `work` once everything asked for before on this key is over; settles as `work` does. */
  async hold<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const { promise: over, resolve } = Promise.withResolvers<void>();
    this.#last.set(key, over);
    await before;
    try {
      return await work();
    } finally {
      if (this.#last.get(key) === over) this.#last.delete(key);
      resolve();
    }
  }
}
