/**
 * The slot of a conversation: one turn at a time, first come first served, and the bus into the turn that runs.
 *
 * Invariant: a message that found the slot taken is run or read by whoever holds it; between "nothing waits" and giving
 * the slot up there is no await, so none can fall between (K-107; tests/core/turn/runner_test.ts, "a message is never
 * lost").
 *
 * @module
 */
import { MessageBus } from "./bus.ts";
import { isShown, type WaitingMessage } from "./waiting_store.ts";

/** Why a running turn is being ended. */
export type EndedBy = "person" | "shutdown" | "deletion";

/** A message in line or on the bus, and the promise that it is durable. */
export interface InLine {
  message: WaitingMessage;
  readonly durable: Promise<unknown>;
  /** Whether that promise was kept: only then others are told of it. */
  isStored: boolean;
}

/** The turn that has the slot. */
export interface CurrentTurn {
  readonly turn: string;
  readonly message: string;
  readonly since: number;
  /** Resolves when the turn and its message are stored, or could not be. */
  readonly begun: Promise<void>;
  readonly bus: MessageBus;
  /** What is on the bus and was not read yet, by id. */
  readonly joined: Map<string, InLine>;
}

/** Makes an entry of a message and the promise that it is durable. */
export function inLine(message: WaitingMessage, durable: Promise<unknown>): InLine {
  const entry: InLine = { message, durable, isStored: false };
  durable.then(() => entry.isStored = true, () => {});
  return entry;
}

export class Slot {
  #line: InLine[] = [];
  /** Aborts the turn that runs now. */
  controller = new AbortController();
  endedBy: EndedBy | undefined;
  current: CurrentTurn | undefined;
  /** What the turn is doing, for the diagnostics. */
  phase = "starting";
  /** What the turn before left to the one that goes first now; told of until that one begins. */
  leftOver: readonly InLine[] = [];
  /** How many waiting messages were told of last. */
  told = 0;
  #markBegun = () => {};
  #idle: PromiseWithResolvers<void> = Promise.withResolvers<void>();

  /** Puts a message in line, by its place and then its age, as the store would order it. */
  enqueue(entry: InLine): void {
    const at = this.#line.findIndex(({ message }) => isBefore(entry.message, message));
    this.#line.splice(at === -1 ? this.#line.length : at, 0, entry);
  }

  /** The next in line, or `undefined`. */
  next(): InLine | undefined {
    return this.#line.shift();
  }

  /** Takes a message out of the line and gives it. */
  remove(id: string): InLine | undefined {
    const entry = this.find(id);
    this.#line = this.#line.filter((other) => other !== entry);
    return entry;
  }

  /** The message in line with this id. */
  find(id: string): InLine | undefined {
    return this.#line.find(({ message }) => message.id === id);
  }

  /** What a person is told waits: what the running turn is to read, then what is in line; each once it is stored. */
  get shown(): readonly WaitingMessage[] {
    const joined = this.current?.bus.peek().flatMap(({ id }) => this.current?.joined.get(id) ?? []) ?? [];
    return [...joined, ...this.leftOver, ...this.#line.filter(({ message }) => !message.merges)]
      .filter(({ isStored, message }) => isStored && isShown(message)).map(({ message }) => message);
  }

  /** Drops everything in line and gives what was dropped. */
  clear(): readonly InLine[] {
    return this.#line.splice(0);
  }

  /** What is in line, in order. */
  get line(): readonly InLine[] {
    return this.#line;
  }

  /** A place before all that wait here. */
  get firstPlace(): number {
    const held = [...this.#line, ...this.current?.joined.values() ?? []];
    return Math.min(0, ...held.map(({ message }) => message.place)) - 1;
  }

  /** Makes ready for another turn. */
  begin(turn: string, message: string, since: number): CurrentTurn {
    if (this.endedBy === "person") this.endedBy = undefined;
    if (this.endedBy === undefined) this.controller = new AbortController();
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    this.#markBegun = resolve;
    this.phase = "starting";
    return this.current = { turn, message, since, begun, bus: new MessageBus(), joined: new Map() };
  }

  /** Called when the turn is stored, or could not be. What was left over is in it, or waits in the store for the next start. */
  begun(): void {
    this.leftOver = [];
    this.#markBegun();
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

function isBefore(one: WaitingMessage, other: WaitingMessage): boolean {
  return one.place < other.place || one.place === other.place && one.id < other.id;
}
