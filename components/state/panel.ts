/**
 * The panel beside the log: which turn's model calls it shows, and which of them.
 *
 * Invariant: closing gives the focus back to what had it when the panel opened, if that is still there
 * (tests/islands/rounds_browser_test.ts, "Escape closes the panel and gives the focus back").
 *
 * @module
 */
import { type ReadonlySignal, signal } from "@preact/signals";

/** What stands in the panel. */
export interface OpenRounds {
  readonly turn: string;
  /** Position among the rounds, from 0. */
  readonly index: number;
  /** The sub-agent whose rounds they are; `null`: the agent that answers. */
  readonly run: string | null;
}

export class Panel {
  readonly #open = signal<OpenRounds | null>(null);
  #opener: Element | null = null;

  /** What is open; `null` while the panel is closed. */
  get open(): ReadonlySignal<OpenRounds | null> {
    return this.#open;
  }

  /** Shows the model calls of a turn, the first of them unless an `index` (from 0) says which. */
  openRounds(turn: string, index = 0, run: string | null = null): void {
    if (this.#open.value === null) this.#opener = globalThis.document?.activeElement ?? null;
    this.#open.value = { turn, index, run };
  }

  /** Shows another call of the same turn. */
  turnTo(index: number): void {
    const open = this.#open.value;
    if (open) this.#open.value = { ...open, index };
  }

  /** Puts the panel away; the focus goes back to what opened it. */
  close(): void {
    if (this.#open.value === null) return;
    this.#open.value = null;
    const opener = this.#opener;
    this.#opener = null;
    if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus();
    else globalThis.document?.getElementById("log")?.focus({ preventScroll: true });
  }
}
