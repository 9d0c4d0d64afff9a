/**
 * A limit on failures per address: each one uses up a little, and time gives it back.
 *
 * Only failures are refused. A right secret is let in however many wrong ones came before it from the same address, so
 * that nobody can lock the person out (behind a proxy everybody has one address); the secrets are too long to guess.
 *
 * @module
 */

/** Addresses remembered at most; the ones that waited longest are forgotten first. */
const MOST_ADDRESSES = 1000;

/** Counts the failures of each address. */
export class FailureLimit {
  readonly #most: number;
  readonly #windowMs: number;
  readonly #now: () => number;
  readonly #used = new Map<string, { count: number; at: number }>();

  /** Allows `most` failures at once and as many again in each `windowMs`. */
  constructor(most: number, windowMs: number, now: () => number = Date.now) {
    this.#most = most;
    this.#windowMs = windowMs;
    this.#now = now;
  }

  /** Notes a failure. `0` while there is room, else the whole seconds until there is. */
  fail(address: string): number {
    const count = this.#usedNow(address);
    if (count + 1 > this.#most) return Math.max(1, Math.ceil(((count + 1 - this.#most) * this.#perFailureMs) / 1000));
    this.#used.delete(address);
    this.#used.set(address, { count: count + 1, at: this.#now() });
    const oldest = this.#used.keys().next().value;
    if (this.#used.size > MOST_ADDRESSES && oldest !== undefined) this.#used.delete(oldest);
    return 0;
  }

  get #perFailureMs(): number {
    return this.#windowMs / this.#most;
  }

  #usedNow(address: string): number {
    const used = this.#used.get(address);
    if (!used) return 0;
    return Math.max(0, used.count - Math.max(0, this.#now() - used.at) / this.#perFailureMs);
  }
}
