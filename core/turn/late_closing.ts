/**
 * Turns that ended while nothing could be stored: on disk they run on. They are closed as soon as something can be stored
 * again, and before anything else is written to their conversation.
 *
 * Invariant: once the store takes writes again, no turn that ended is left running, without a restart
 * (tests/core/turn/late_closing_test.ts).
 *
 * @module
 */
import type { EntryDraft, Feed, Log, NoticeData, Turn } from "../log/mod.ts";
import type { Database, Statement } from "../storage/mod.ts";
import { closeTurn } from "./recovery.ts";

/** How long until it is tried again, in milliseconds. */
export const TRY_AGAIN_MS = 5000;

/** What the person is told where nothing else says why. */
export const UNSTORED_NOTICE =
  "The end of this turn could not be stored when it happened, and part of it may be missing";

/** What belongs to the end of a turn besides its row and its notice. */
export interface EndParts {
  readonly records: readonly EntryDraft[];
  readonly also: readonly Statement[];
}

interface Left extends EndParts {
  readonly turn: Turn;
  readonly notice: NoticeData;
}

export interface LateClosingServices {
  readonly database: Database;
  readonly log: Log;
  readonly feed: Feed;
  readonly now: () => Date;
  readonly tryAgainMs?: number;
}

export class LateClosing {
  readonly #services: LateClosingServices;
  /** By conversation, the one that ended first at the front. */
  readonly #left = new Map<string, Left[]>();
  readonly #settling = new Map<string, Promise<void>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(services: LateClosingServices) {
    this.#services = services;
  }

  /** Takes over a turn whose end could not be stored. */
  add(turn: Turn, notice: NoticeData | null, { records, also }: EndParts = { records: [], also: [] }): void {
    const left = this.#left.get(turn.conversation) ?? [];
    this.#left.set(turn.conversation, [...left, {
      turn,
      records,
      also,
      notice: notice ?? { text: UNSTORED_NOTICE, level: "warning" },
    }]);
    this.#tryAgainLater();
  }

  /** Whether something of the conversation is left to close. */
  holds(conversation: string): boolean {
    return this.#left.has(conversation);
  }

  /** Closes what is left of a conversation, before it is written to. Throws what the store throws. */
  async settle(conversation: string): Promise<void> {
    if (!this.#left.has(conversation)) return;
    const settling = this.#settling.get(conversation) ??
      this.#settle(conversation).finally(() => this.#settling.delete(conversation));
    this.#settling.set(conversation, settling);
    await settling;
  }

  /** Tries no more; the next start closes what is left. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #settle(conversation: string): Promise<void> {
    const { database, log, feed, now } = this.#services;
    for (const { turn, notice, records, also } of this.#left.get(conversation) ?? []) {
      // Deleted meanwhile, or closed by another, it needs no end.
      const running = await database.read("select 1 from turns where id = ? and status = 'running'", [turn.id]);
      if (running.length > 0) {
        await closeTurn(database, turn, { notice, records, also }, now().toISOString());
      }
      // It was written past the log's own numbering, which is read anew.
      log.release(conversation);
      const items = await log.entriesOfTurns(conversation, [turn.id]);
      const last_seq = items.at(-1)?.seq;
      if (last_seq !== undefined) feed.announce({ op: "entries", conversation, items, last_seq });
      feed.announce({ op: "turn", conversation, turn });
      const [, ...rest] = this.#left.get(conversation) ?? [];
      if (rest.length > 0) this.#left.set(conversation, rest);
      else this.#left.delete(conversation);
    }
  }

  #tryAgainLater(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#tryAll(), this.#services.tryAgainMs ?? TRY_AGAIN_MS);
    Deno.unrefTimer(this.#timer);
  }

  async #tryAll(): Promise<void> {
    await Promise.allSettled([...this.#left.keys()].map((conversation) => this.settle(conversation)));
    if (this.#left.size > 0) this.#tryAgainLater();
  }
}
