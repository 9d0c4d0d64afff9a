/**
 * The slot of a conversation: one turn at a time, first come first served.
 *
 * Invariant: a message that found the slot taken is run by whoever holds it; between "nothing waits" and giving the slot
 * up there is no await, so none can fall between (K-107; tests/core/turn/runner_test.ts, "a message is never lost").
 *
 * @module
 */
import type { WaitingMessage } from "./turn_store.ts";

/** Why a running turn is being ended. */
export type EndedBy = "person" | "shutdown" | "deletion";

/** A message in line, and the promise that it is durable. */
export interface InLine {
  readonly message: WaitingMessage;
  readonly durable: Promise<unknown>;
}

export class Slot {
  readonly #line: InLine[] = [];
  /** Aborts the turn that runs now. */
  controller = new AbortController();
  endedBy: EndedBy | undefined;
  /** What runs now, for the diagnostics. */
  current: { readonly turn: string; readonly message: string; readonly since: number } | undefined;
  phase = "starting";
  #idle: PromiseWithResolvers<void> = Promise.withResolvers<void>();

  /** Puts a message at the end of the line. */
  enqueue(entry: InLine): void {
    this.#line.push(entry);
  }

  /** The next in line, or `undefined`. */
  next(): InLine | undefined {
    return this.#line.shift();
  }

  /** Drops everything in line and gives what was dropped. */
  clear(): readonly InLine[] {
    return this.#line.splice(0);
  }

  get waiting(): number {
    return this.#line.length;
  }

  /** Makes ready for another turn. */
  begin(turn: string, message: string, since: number): void {
    if (this.endedBy === "person") this.endedBy = undefined;
    if (this.endedBy === undefined) this.controller = new AbortController();
    this.current = { turn, message, since };
    this.phase = "starting";
  }

  /** Ends the turn that runs now. */
  end(by: EndedBy): void {
    this.endedBy = by;
    this.controller.abort(new DOMException(`Ended by ${by}`, "AbortError"));
  }

  /** Called when the turn that ran is closed. */
  turnOver(): void {
    this.current = undefined;
    const before = this.#idle;
    this.#idle = Promise.withResolvers<void>();
    before.resolve();
  }

  /** Resolves when the turn that runs now is closed. */
  get over(): Promise<void> {
    return this.#idle.promise;
  }
}
