/**
 * Makes few frames of many: growing text is sent at once, then at most once per entry in 40 ms.
 *
 * Invariants
 * 1. What is sent, put together, is what came in: no piece is lost, doubled or out of order within an entry
 *    ("pieces put together are the text", a property test).
 * 2. Whatever comes after a piece of text (a later entry, a patch, the end of the turn) is sent after it
 *    ("a piece that waits is sent before what comes after it").
 * 3. An entry makes one frame of text in 40 ms at most ("one frame in 40 ms").
 *
 * All in tests/web/coalescer_test.ts.
 *
 * @module
 */
import type { LogOperation } from "../core/log/mod.ts";
import type { Clock } from "./clock.ts";

/** The least time between two frames of text of one entry, in milliseconds. */
export const FRAME_MS = 40;

type Delta = Extract<LogOperation, { op: "delta" }>;

interface Slot {
  waiting: Delta | null;
  cancel: () => void;
}

/** Stands between the feed and one socket. */
export class Coalescer {
  readonly #send: (operation: LogOperation) => void;
  readonly #clock: Clock;
  /** By conversation, then `seq`: the entries that had a frame in the last 40 ms. */
  readonly #slots = new Map<string, Map<number, Slot>>();

  constructor(send: (operation: LogOperation) => void, clock: Clock) {
    this.#send = send;
    this.#clock = clock;
  }

  push(operation: LogOperation): void {
    switch (operation.op) {
      case "delta":
        return this.#pushDelta(operation);
      case "patch":
        this.#flushEntry(operation.conversation, operation.seq);
        return this.#send(operation);
      case "entries":
      case "turn":
      case "head":
      case "pending":
        this.flush(operation.conversation);
        return this.#send(operation);
      case "conversation":
      case "conversation_removed":
        return this.#send(operation);
      default:
        return operation satisfies never;
    }
  }

  /** Sends what waits of a conversation. */
  flush(conversation: string): void {
    for (const seq of this.#slots.get(conversation)?.keys() ?? []) this.#flushEntry(conversation, seq);
  }

  /** Forgets a conversation; what waits of it is not sent. */
  drop(conversation: string): void {
    for (const slot of this.#slots.get(conversation)?.values() ?? []) slot.cancel();
    this.#slots.delete(conversation);
  }

  /** Forgets everything. */
  close(): void {
    for (const conversation of [...this.#slots.keys()]) this.drop(conversation);
  }

  #pushDelta(delta: Delta): void {
    const slot = this.#slots.get(delta.conversation)?.get(delta.seq);
    if (!slot) {
      this.#hold(delta.conversation, delta.seq);
      return this.#send(delta);
    }
    const { waiting } = slot;
    if (waiting && waiting.at + waiting.text.length !== delta.at) this.#flushEntry(delta.conversation, delta.seq);
    slot.waiting = slot.waiting ? { ...slot.waiting, text: slot.waiting.text + delta.text } : delta;
  }

  /** Makes further text of an entry wait for 40 ms. */
  #hold(conversation: string, seq: number): void {
    let slots = this.#slots.get(conversation);
    if (!slots) this.#slots.set(conversation, slots = new Map());
    slots.set(seq, { waiting: null, cancel: this.#clock.after(FRAME_MS, () => this.#due(conversation, seq)) });
  }

  #due(conversation: string, seq: number): void {
    const slots = this.#slots.get(conversation);
    const waiting = slots?.get(seq)?.waiting;
    if (waiting) {
      this.#hold(conversation, seq);
      return this.#send(waiting);
    }
    slots?.delete(seq);
    if (slots?.size === 0) this.#slots.delete(conversation);
  }

  #flushEntry(conversation: string, seq: number): void {
    const slot = this.#slots.get(conversation)?.get(seq);
    if (!slot?.waiting) return;
    const { waiting } = slot;
    slot.waiting = null;
    this.#send(waiting);
  }
}
