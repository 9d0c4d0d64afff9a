/**
 * Being told to stop by the system.
 *
 * Invariant: one press of Ctrl-C counts once, though it arrives twice: from the terminal, and again from the task runner
 * above us, which passes on what it heard itself (tests/cli/signals_test.ts).
 *
 * @module
 */

/** Signals closer together than this are one, in milliseconds. */
const ECHO_MS = 500;

/** Gives each press once: `press()` is false for the echo of the one before. */
export class Presses {
  readonly #now: () => number;
  #last = -Infinity;

  /** `now` in milliseconds, never going back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  press(): boolean {
    const at = this.#now();
    if (at - this.#last < ECHO_MS) return false;
    this.#last = at;
    return true;
  }
}

/** Calls `heard` for each of the signals; the function it gives back ends that. */
export function onSignals(signals: readonly Deno.Signal[], heard: () => void): () => void {
  for (const signal of signals) Deno.addSignalListener(signal, heard);
  return () => {
    for (const signal of signals) Deno.removeSignalListener(signal, heard);
  };
}

/** What a system says to a process that should end, Ctrl-C left aside. */
export const END_SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows" ? ["SIGBREAK"] : ["SIGTERM", "SIGHUP"];
