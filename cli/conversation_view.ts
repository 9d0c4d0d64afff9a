/**
 * One conversation on the screen: its transcript, kept whole over lost connections, and printed as it grows.
 *
 * Invariants (tests/cli/chat_test.ts pins each)
 * 1. After every reconnect the transcript goes on from its cursor; nothing is printed twice and nothing is missing.
 * 2. A turn is drawn as ended only when all its entries are held.
 * 3. An answer that is older than what was announced meanwhile undoes nothing ("… an answer that was overtaken").
 * 4. A turn that begins while the conversation is opened is printed whole and once ("… just as a turn begins in it").
 *
 * @module
 */
import type { Conversation, Entry, LogOperation, PathTurn } from "../core/log/mod.ts";
import {
  cursorOf,
  emptyTranscript,
  foldOperation,
  foldPage,
  foldPath,
  type Transcript,
  type TranscriptPage,
} from "../core/log/mod.ts";
import { withoutControls } from "./control_filter.ts";
import { TranscriptWriter, type TranscriptWriterOptions } from "./transcript_writer.ts";
import { NotConnected, type Wire, WireError } from "./wire.ts";
import { clock, count } from "./words.ts";

/** Entries asked for at a time. */
const PAGE = 200;

/** A conversation with the turns from its root to its head. */
export interface ConversationDetail extends Conversation {
  readonly path: readonly PathTurn[];
}

/** What the live socket tells of one conversation. */
export type ConversationOperation = Extract<LogOperation, { op: "entries" | "delta" | "patch" | "turn" | "head" }>;

export interface ConversationViewOptions extends TranscriptWriterOptions {
  readonly wire: Wire;
  /** Transcript text to print. */
  readonly write: (text: string) => void;
  /** Called after anything may have changed. */
  readonly changed: () => void;
  /** The conversation is no longer there. */
  readonly gone: () => void;
}

export class ConversationView {
  readonly id: string;
  readonly #options: ConversationViewOptions;
  readonly #writer: TranscriptWriter;
  #transcript: Transcript;
  /** The next `entries` of this socket is the page asked for by `watch`. */
  #awaitsPage = false;
  #resyncing = false;
  #left = false;

  /** The view of a conversation that was just made. */
  constructor(id: string, options: ConversationViewOptions) {
    this.id = id;
    this.#options = options;
    this.#writer = new TranscriptWriter(options);
    this.#transcript = emptyTranscript(id);
  }

  /** Takes in a conversation that was there before, printing its last turn. */
  async load(detail: ConversationDetail): Promise<void> {
    const page = await this.#options.wire.get<TranscriptPage>(`${this.#address}/entries?limit=${PAGE}`);
    this.#transcript = foldPage(foldPath(this.#transcript, detail.path), page);
    this.#writer.skip(this.#transcript, 1);
    this.#print();
  }

  /** Every turn heard of. */
  get turns(): readonly PathTurn[] {
    return Object.values(this.#transcript.known);
  }

  /** The turn that runs, if one does. */
  get running(): PathTurn | undefined {
    return this.turns.find((turn) => turn.status === "running");
  }

  /** The questions of the newest turn, decided ones too. */
  get questions(): readonly Entry<"approval">[] {
    return this.#transcript.turns.at(-1)?.entries.filter((entry) => entry.kind === "approval") ?? [];
  }

  /** How the newest turn in view stands; `undefined` before there is one. */
  get lastStatus(): PathTurn["status"] | undefined {
    return this.#transcript.turns.at(-1)?.turn.status;
  }

  /** Watches from what is held already. `send` gives `false` when there is no connection; then `opened` comes later. */
  watch(send: (operation: Readonly<Record<string, unknown>>) => boolean): void {
    this.#awaitsPage = send({ op: "watch", conversation: this.id, after: cursorOf(this.#transcript) });
  }

  /** Nothing that arrives from now on is drawn. */
  leave(): void {
    this.#left = true;
  }

  take(operation: ConversationOperation): void {
    const isPage = operation.op === "entries" && this.#awaitsPage;
    if (isPage) this.#awaitsPage = false;
    this.#transcript = isPage ? foldPage(this.#transcript, operation) : foldOperation(this.#transcript, operation);
    if (this.#transcript.needs !== null) this.resync();
    this.#print();
  }

  /**
   * Asks for the path, then for every entry that is missing or was open. In this order, so that a turn the path calls
   * ended has all its entries before it is drawn as ended.
   */
  async resync(): Promise<void> {
    if (this.#resyncing) return;
    this.#resyncing = true;
    try {
      let asked: string | null;
      let path: readonly PathTurn[];
      let pages: readonly TranscriptPage[];
      // An answer made before the head moved, that comes after the move was announced, would undo it: ask again.
      do {
        asked = this.#transcript.head;
        ({ path } = await this.#options.wire.get<ConversationDetail>(this.#address));
        pages = await this.#pagesAfter(firstUnsure(this.#transcript) - 1);
        if (this.#left) return;
      } while (this.#transcript.head !== asked);
      this.#transcript = pages.reduce(foldPage, foldPath(this.#transcript, path));
      this.#print();
    } catch (error) {
      if (this.#left || error instanceof NotConnected) return;
      if (!(error instanceof WireError)) throw error;
      if (error.status === 404) this.#options.gone();
    } finally {
      this.#resyncing = false;
      if (!this.#left) this.#options.changed();
    }
  }

  /** What runs, in the words of the working row; `null` when nothing does. */
  working(now: Date): string | null {
    const turn = this.running;
    if (!turn) return null;
    const view = this.#transcript.turns.find((each) => each.turn.id === turn.id);
    const tools = (view?.entries ?? []).flatMap((entry) =>
      entry.kind === "tool" && entry.data.status === "running" ? [withoutControls(entry.data.name)] : []
    );
    const asked = this.questions.filter(({ state, data }) => state === "open" && data.decision === undefined).length;
    return [
      `Working, ${clock((now.getTime() - Date.parse(turn.started_at)) / 1000)}`,
      ...(view && view.rounds.length > 0 ? [count(view.rounds.length, "call")] : []),
      ...(asked > 0 ? [`${count(asked, "question")} ${asked === 1 ? "waits" : "wait"} for you`] : []),
      ...(tools.length > 0 ? [tools.join(", ")] : []),
    ].join(" · ");
  }

  get #address(): string {
    return `/api/conversations/${encodeURIComponent(this.id)}`;
  }

  async #pagesAfter(cursor: number): Promise<TranscriptPage[]> {
    const pages: TranscriptPage[] = [];
    for (let after = cursor;;) {
      const page = await this.#options.wire.get<TranscriptPage>(
        `${this.#address}/entries?after=${after}&limit=${PAGE}`,
      );
      pages.push(page);
      const last = page.items.at(-1)?.seq;
      if (last === undefined || page.items.length < PAGE || last >= page.last_seq) return pages;
      after = last;
    }
  }

  #print(): void {
    const text = this.#writer.update(this.#transcript);
    if (text !== "") this.#options.write(text);
  }
}

/** The first `seq` of which the transcript may not hold the last state: after its cursor, or still open. */
function firstUnsure(transcript: Transcript): number {
  const open = transcript.turns.flatMap(({ entries }) => entries).find(({ state }) => state === "open");
  return Math.min(cursorOf(transcript) + 1, open?.seq ?? Infinity);
}
