/**
 * The one lock that all unsafe tools share (`concurrent: false`).
 *
 * @module
 */

export class ToolLock {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when every earlier holder is done. Throws at once when `signal` aborts while waiting. */
  async hold<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const before = this.#last;
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    this.#last = before.then(() => done);
    try {
      await untilAborted(before, signal);
      return await work();
    } finally {
      release();
    }
  }
}

/** `work`, or the signal's reason as soon as it aborts, whichever is first. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // Whatever becomes of it after that is nobody's concern, also when the signal was there first.
  work.catch(() => {});
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
