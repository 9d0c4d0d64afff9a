/**
 * An entry that is still being written.
 *
 * Invariants
 * 1. Watchers hear of an entry only once it is in the database, and of its end only once that is (ARCHITECTURE section 4;
 *    tests/core/log/log_test.ts, "announces an entry once it is stored").
 * 2. Growing text reaches watchers at once and the database at most every 250 ms, at 4 KB, and when it closes.
 * 3. Every flush writes the whole text, so one waits for the one before it, and a long text is written at an eighth more of
 *    it instead of at 4 KB: neither the memory of what waits nor the work grows with the square of the length
 *    (tests/core/log/log_test.ts, "a text that grows faster than the database writes").
 *
 * @module
 */
import type { Statement } from "../storage/mod.ts";
import type { Entry, EntryData, EntryKind } from "./entry.ts";

/** Longest time, in milliseconds, that grown text stays out of the database. */
export const FLUSH_AFTER_MS = 250;

/** Most text, in UTF-16 code units, that stays out of the database. */
export const FLUSH_AFTER_LENGTH = 4096;

/** A long text is written when it has grown by this share of itself. */
const FLUSH_SHARE = 1 / 8;

/** What an open entry needs of the log it belongs to. */
export interface OpenEntryHost {
  /** Commits one change of the entry. Once it is stored, calls `done` before any write asked for later is announced. */
  commit(statement: Statement, done?: () => void): Promise<void>;
  /** The newest `seq` of the conversation. */
  lastSeq(): number;
  announceDelta(seq: number, at: number, text: string): void;
  announcePatch(entry: Entry): void;
  /** The entry is closed and need not be kept in memory. */
  forget(seq: number): void;
}

/** The end of an entry, before it is stored. */
export interface EntryEnding {
  readonly statement: Statement;
  /** Called once it is stored. */
  stored(): void;
  /** Called when it could not be. */
  failed(): void;
}

/** An entry that is to be closed, and what it closes with. Made by `closing()`. */
export interface Closing {
  readonly handle: OpenEntry;
  readonly data: EntryData[EntryKind];
}

/** Pairs an entry with what it closes with. */
export function closing<K extends EntryKind>(handle: OpenEntry<K>, data: EntryData[K]): Closing {
  return { handle: handle as unknown as OpenEntry, data };
}

/** The handle its one writer holds. */
export class OpenEntry<K extends EntryKind = EntryKind> {
  #entry: Entry;
  #stored = false;
  #unflushed = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isFlushing = false;
  /** More came while a flush was on its way. */
  #isDue = false;
  readonly #host: OpenEntryHost;
  /** Resolves when the entry is in the database; rejects when it could not be written. */
  readonly durable: Promise<void>;

  constructor(entry: Entry<K>, durable: Promise<void>, host: OpenEntryHost) {
    this.#entry = entry as Entry;
    this.#host = host;
    this.durable = durable;
    durable.catch(() => {});
  }

  get seq(): number {
    return this.#entry.seq;
  }

  /** The entry as it stands, text that is not in the database yet included. */
  get entry(): Entry {
    return this.#entry;
  }

  get data(): EntryData[K] {
    return this.#entry.data as EntryData[K];
  }

  get isOpen(): boolean {
    return this.#entry.state === "open";
  }

  /** Whether others were told of it: what changes from then on is announced as a change of it. */
  get isAnnounced(): boolean {
    return this.#stored;
  }

  /** Grows the text of a `text` or `thinking` entry. */
  extend(this: OpenEntry<"text"> | OpenEntry<"thinking">, piece: string): void {
    (this as OpenEntry).grow(piece);
  }

  /** Replaces the data; resolves when that is durable. */
  async patch(data: EntryData[K]): Promise<void> {
    this.#replace(data, "open");
    await this.#flush(() => {
      if (this.isOpen) this.#host.announcePatch(this.#entry);
    });
  }

  /** Closes the entry, with other data when given; resolves when that is durable. It never changes again. */
  async close(data: EntryData[K] = this.data): Promise<void> {
    const { statement, stored, failed } = this.ending(data);
    try {
      await this.#host.commit(statement, stored);
    } catch (error) {
      failed();
      throw error;
    }
  }

  /** @internal Closes the entry and gives what stores that, for the log to write together with the ends of others. */
  ending(data: EntryData[K]): EntryEnding {
    this.#replace(data, "done");
    const closed = this.#entry;
    return {
      statement: this.#statement(),
      stored: () => {
        this.#host.forget(this.seq);
        this.#host.announcePatch(closed);
      },
      failed: () => this.#host.forget(this.seq),
    };
  }

  /** @internal The log calls this as it announces the entry: from here on growth is announced piece by piece. */
  markStored(): Entry {
    this.#stored = true;
    return { ...this.#entry, state: "open" };
  }

  /** @internal */
  grow(piece: string): void {
    if (!this.isOpen) throw new Error(`Entry ${this.seq} is closed and cannot grow`);
    const { text, ...rest } = this.#entry.data as EntryData["text"];
    this.#entry = { ...this.#entry, data: { ...rest, text: text + piece } } as Entry;
    if (this.#stored) this.#host.announceDelta(this.seq, text.length, piece);
    this.#unflushed += piece.length;
    if (this.#unflushed >= Math.max(FLUSH_AFTER_LENGTH, text.length * FLUSH_SHARE)) this.#flushQuietly();
    else this.#timer ??= setTimeout(() => this.#flushQuietly(), FLUSH_AFTER_MS);
  }

  #replace(data: EntryData[K], state: "open" | "done"): void {
    if (!this.isOpen) throw new Error(`Entry ${this.seq} is closed and cannot change`);
    this.#entry = { ...this.#entry, data, state } as Entry;
  }

  #flush(done?: () => void): Promise<void> {
    return this.#host.commit(this.#statement(), done);
  }

  /** Writes the entry as it stands; nothing of it is left to flush then. */
  #statement(): Statement {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#unflushed = 0;
    const { conversation, seq, state, data } = this.#entry;
    return {
      sql: "update entries set data = ?, state = ?, touched = ? where conversation = ? and seq = ?",
      args: [JSON.stringify(data), state, this.#host.lastSeq(), conversation, seq],
    };
  }

  /** A failed flush in passing is not the end: the next one carries the same text, and closing reports the failure. */
  #flushQuietly(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = this.#isFlushing;
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    this.#flush().catch(() => {}).finally(() => {
      this.#isFlushing = false;
      if (this.#isDue && this.isOpen) this.#flushQuietly();
    });
  }
}
