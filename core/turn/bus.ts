/**
 * The bus of one turn: what the person and the agents write to each other while it runs.
 *
 * Invariants (tests/core/turn/bus_test.ts)
 * 1. It is append-only: a message keeps its index; being read, taken back or put first is recorded beside it.
 * 2. Every reader's cursor passes every message once, whether it is for that reader or not (K-121).
 * 3. Delivery is recorded per message: one reader of a label is enough, and what nobody took is given by `close` (K-125).
 * 4. Nothing waits: `send`, `peek`, `drain` and `close` are synchronous, so a message is either taken or declined (K-107).
 * 5. The person's words are for the entry agent alone, and an agent's words are never given back as the person's (K-108).
 *
 * @module
 */
import { Addresses, EVERYONE, matches } from "./addresses.ts";

/** The sender of what a person wrote. */
export const PERSON = "person";

/** What is written on the bus. */
export interface BusMessage {
  readonly id: string;
  readonly text: string;
  /** `person`, or the address of an agent. */
  readonly sender: string;
  /** `everyone`, one address, or a label that covers all its runs (K-119). */
  readonly to: string;
  /** Of a person's message: the token it was sent with. */
  readonly token?: string;
}

/** A message as a reader takes it. */
export interface Drained extends BusMessage {
  /** Sent before this reader was opened. */
  readonly predates: boolean;
}

/** One run's end of the bus. */
export interface BusReader {
  /** What others write to; `null` for a run without a label, which hears `everyone` alone (K-120). */
  readonly address: string | null;
  /** Whether something is there for it. */
  readonly waits: boolean;
  /** Takes what is there for it: what was put first, then in the order of sending. */
  drain(): readonly Drained[];
}

/** What was left when a bus was closed. */
export interface Leftovers {
  /** The person's messages that the entry agent never read. */
  readonly unread: readonly BusMessage[];
  /** The agents' messages that nobody took. */
  readonly undelivered: readonly BusMessage[];
}

interface Line {
  message: BusMessage;
  /** Whether a reader took it. */
  isDrained: boolean;
  isWithdrawn: boolean;
  /** Above 0: it was put before all others, the highest number last. */
  precedence: number;
}

/** A place in the bus; shared by all readers of one source. */
interface Cursor {
  at: number;
}

export class MessageBus {
  readonly #lines: Line[] = [];
  readonly #byId = new Map<string, Line>();
  readonly #addresses = new Addresses();
  readonly #entryCursor: Cursor = { at: 0 };
  #precedence = 0;
  #isClosed = false;

  /** Whether it takes messages. */
  get isOpen(): boolean {
    return !this.#isClosed;
  }

  /** Every address that was opened, in that order; none is ever taken off (K-120). */
  get roster(): readonly string[] {
    return this.#addresses.all;
  }

  /** Writes a message; `false` when the bus is closed. `first` puts it before all that were not read yet. */
  send(message: BusMessage, { first = false }: { first?: boolean } = {}): boolean {
    if (this.#isClosed) return false;
    const line = { message, isDrained: false, isWithdrawn: false, precedence: first ? ++this.#precedence : 0 };
    this.#lines.push(line);
    this.#byId.set(message.id, line);
    return true;
  }

  /** Puts a message of the person that was not read yet before all others; `false` when it was read. */
  putFirst(id: string): boolean {
    const line = this.#unread(id);
    if (line) line.precedence = ++this.#precedence;
    return line !== undefined;
  }

  /** Changes a message of the person that was not read yet; `false` when it was read. */
  replace(id: string, text: string): boolean {
    const line = this.#unread(id);
    if (line) line.message = { ...line.message, text };
    return line !== undefined;
  }

  /** Takes back a message of the person that was not read yet; `false` when it was read. */
  withdraw(id: string): boolean {
    const line = this.#unread(id);
    if (line) line.isWithdrawn = true;
    return line !== undefined;
  }

  /** Undoes `withdraw`; `false` when the bus was closed meanwhile, and the message is not on it any more. */
  restore(id: string): boolean {
    const line = this.#byId.get(id);
    if (!line || this.#isClosed) return false;
    line.isWithdrawn = false;
    return true;
  }

  /** Gives back a message that was drained and could not be delivered after all: it counts as never read. */
  giveBack(id: string): void {
    const line = this.#byId.get(id);
    if (line) line.isDrained = false;
  }

  /** The person's messages that were not read yet, in the order they would be (K-129). */
  peek(): readonly BusMessage[] {
    return inOrder(this.#lines.filter((line) => line.message.sender === PERSON && isWaiting(line)));
  }

  /** The entry agent's reader. All of them share one cursor, and hear the person. */
  openEntry(name: string): BusReader {
    this.#addresses.enter(name);
    return this.#reader(name, this.#entryCursor, true);
  }

  /** A worker's reader, with a cursor of its own that begins at the first message, and an address of its own. */
  openWorker(label: string | null): BusReader {
    return this.#reader(label === null ? null : this.#addresses.mint(label), { at: 0 }, false);
  }

  /** Declines all that comes from now on, and gives what was not taken; nothing the second time. */
  close(): Leftovers {
    if (this.#isClosed) return { unread: [], undelivered: [] };
    const unread = this.peek();
    this.#isClosed = true;
    const undelivered = this.#lines.filter((line) => line.message.sender !== PERSON && isWaiting(line));
    return { unread, undelivered: inOrder(undelivered) };
  }

  #reader(address: string | null, cursor: Cursor, hearsPerson: boolean): BusReader {
    const opened = this.#lines.length;
    const isFor = ({ message, isWithdrawn }: Line) =>
      !isWithdrawn && (message.sender === PERSON ? hearsPerson : matches(message.to, address));
    const lines = this.#lines;
    return {
      address,
      get waits() {
        return lines.slice(cursor.at).some(isFor);
      },
      drain: () => {
        const passed = lines.slice(cursor.at).map((line, index) => ({ line, predates: cursor.at + index < opened }));
        cursor.at = lines.length;
        const mine = passed.filter(({ line }) => isFor(line));
        for (const { line } of mine) line.isDrained = true;
        return mine.sort((a, b) => b.line.precedence - a.line.precedence)
          .map(({ line, predates }) => ({ ...line.message, predates: predates && line.message.sender !== PERSON }));
      },
    };
  }

  #unread(id: string): Line | undefined {
    const line = this.#byId.get(id);
    return line && !this.#isClosed && line.message.sender === PERSON && isWaiting(line) ? line : undefined;
  }
}

function isWaiting({ isDrained, isWithdrawn }: Line): boolean {
  return !isDrained && !isWithdrawn;
}

function inOrder(lines: readonly Line[]): readonly BusMessage[] {
  return [...lines].sort((a, b) => b.precedence - a.precedence).map(({ message }) => message);
}

export { EVERYONE };
