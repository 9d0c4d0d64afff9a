/**
 * Time as the live socket needs it, handed in so that tests can move it.
 *
 * @module
 */

/** A clock and its timers. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /** Calls `action` once, `ms` from now; the function it gives back prevents that. */
  after(ms: number, action: () => void): () => void;
}

/** The machine's own clock; it never runs backwards. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};
