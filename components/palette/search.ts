/**
 * The search of the palette: asks a moment after the last letter, lets go of the question before, and says how it stands.
 *
 * Invariants (tests/components/palette/search_test.ts pins each)
 * 1. Only the answer to the last question is shown: an older one is broken off, and dropped if it still comes.
 * 2. A search that fails leaves what is held to be found.
 *
 * @module
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import { type Found, NotConnected } from "../state/api.ts";

/** How the search stands. */
export type SearchState =
  | { readonly state: "rest" }
  | { readonly state: "asking"; readonly found: readonly Found[] }
  | { readonly state: "done"; readonly found: readonly Found[] }
  | { readonly state: "offline" }
  | { readonly state: "failed"; readonly reason: string };

export interface SearchOptions {
  readonly ask: (words: string, signal: AbortSignal) => Promise<readonly Found[]>;
  /** Calls back after some milliseconds, unless the function it gives back is called before. */
  readonly after: (ms: number, then: () => void) => () => void;
}

/** How long after the last letter the question goes out, in milliseconds. */
export const PAUSE = 150;

/** Words shorter than this are not looked for in what was said. */
const SHORTEST = 2;

export class Search {
  readonly #state = signal<SearchState>({ state: "rest" });
  readonly #options: SearchOptions;
  #words = "";
  #stop: () => void = () => {};

  constructor(options: SearchOptions) {
    this.#options = options;
  }

  get state(): ReadonlySignal<SearchState> {
    return this.#state;
  }

  /** What was found last, also while the next answer is awaited. */
  get found(): readonly Found[] {
    const state = this.#state.value;
    return state.state === "asking" || state.state === "done" ? state.found : [];
  }

  /** Looks for other words; none, or too few letters, puts the search at rest. */
  lookFor(words: string): void {
    if (words === this.#words) return;
    this.#words = words;
    this.#stop();
    if (words.length < SHORTEST) {
      this.#state.value = { state: "rest" };
      return;
    }
    this.#state.value = { state: "asking", found: this.found };
    const asked = new AbortController();
    const cancel = this.#options.after(PAUSE, () => void this.#ask(words, asked.signal));
    this.#stop = () => {
      cancel();
      asked.abort();
    };
  }

  /** Lets go of what is being asked. */
  close(): void {
    this.#stop();
    this.#words = "";
  }

  async #ask(words: string, asked: AbortSignal): Promise<void> {
    const next = await this.#options.ask(words, asked).then(
      (found): SearchState => ({ state: "done", found }),
      (error): SearchState =>
        error instanceof NotConnected
          ? { state: "offline" }
          : { state: "failed", reason: error instanceof Error ? error.message : String(error) },
    );
    if (!asked.aborted) this.#state.value = next;
  }
}
