/**
 * What local servers offer, asked rarely and never waited for long: whoever opens the list of models must not wait for a server
 * that hangs.
 *
 * Invariants
 * 1. `models()` answers within a second; a server that is slower counts from the next time on (tests/core/model/local_cache_test.ts).
 * 2. However many ask at once, each server is asked once, and not again for `FRESH_MS` (same file).
 *
 * @module
 */
import { listLocalModels, type LocalModel, type LocalProbe } from "./local_servers.ts";

/** How long an answer holds, in milliseconds. */
export const FRESH_MS = 20_000;

/** How long the list is waited for, in milliseconds. */
export const PATIENCE_MS = 1_000;

export interface LocalModelCacheOptions extends Omit<LocalProbe, "signal"> {
  readonly now: () => Date;
  /** Milliseconds to wait. Default `PATIENCE_MS`. */
  readonly patienceMs?: number;
}

export class LocalModelCache {
  readonly #options: LocalModelCacheOptions;
  readonly #closing = new AbortController();
  #known: readonly LocalModel[] = [];
  #knownAt = -Infinity;
  #asking: Promise<readonly LocalModel[]> | null = null;

  constructor(options: LocalModelCacheOptions) {
    this.#options = options;
  }

  /** What is known, or found within the patience. */
  async models(): Promise<readonly LocalModel[]> {
    const age = this.#options.now().getTime() - this.#knownAt;
    if (age >= 0 && age < FRESH_MS) return this.#known;
    this.#asking ??= this.#ask();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, this.#options.patienceMs ?? PATIENCE_MS);
    try {
      return await Promise.race([this.#asking, late.promise.then(() => this.#known)]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends what is still being asked. */
  close(): void {
    this.#closing.abort();
  }

  async #ask(): Promise<readonly LocalModel[]> {
    try {
      this.#known = await listLocalModels({ ...this.#options, signal: this.#closing.signal });
      this.#knownAt = this.#options.now().getTime();
    } catch {
      // Nothing but our own closing ends a look around with an error.
    } finally {
      this.#asking = null;
    }
    return this.#known;
  }
}
