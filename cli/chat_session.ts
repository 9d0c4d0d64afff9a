/**
 * One person talking on the wire: the conversation in view, its transcript, what was sent and is not done yet.
 *
 * Invariants (tests/cli/chat_session_test.ts pins each)
 * 1. A message is sent under one token until the server has taken it, so a lost connection never runs it twice.
 * 2. After every reconnect the transcript goes on from its cursor; nothing is printed twice and nothing is missing.
 * 3. `settled()` resolves only when every message sent has had its turn and no turn runs in the conversation in view.
 *
 * @module
 */
import type { Conversation, PathTurn } from "../core/log/mod.ts";
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
import { LiveConnection } from "./live_connection.ts";
import { pause } from "./pause.ts";
import type { Style } from "./style.ts";
import { TranscriptWriter } from "./transcript_writer.ts";
import { type LiveOperation, NotConnected, type Wire, WireError } from "./wire.ts";
import { clock, count } from "./words.ts";

/** Where a session prints. */
export interface ChatScreen {
  readonly style: Style;
  /** Columns. */
  readonly width: number;
  /** Transcript text; it may end in the middle of a line. */
  write(text: string): void;
  /** One whole line of our own, not part of the conversation. */
  note(text: string): void;
  /** What runs now, or `null` when nothing does and the person may type. */
  working(text: string | null): void;
}

export interface ChatSessionOptions {
  readonly wire: Wire;
  readonly screen: ChatScreen;
  /** Model string of conversations that are begun here. */
  readonly model?: string;
  readonly now: () => Date;
  readonly pauses?: readonly [first: number, longest: number];
}

/** Entries asked for at a time. */
const PAGE = 200;

interface Detail extends Conversation {
  readonly path: readonly PathTurn[];
}

interface Receipt {
  readonly fate: "turn" | "joined" | "answered" | "command";
  readonly turn?: string;
  readonly text?: string;
}

export class ChatSession {
  readonly #options: ChatSessionOptions;
  readonly #live: LiveConnection;
  /** Tokens of messages whose text stands on the screen already. */
  readonly #typed = new Set<string>();
  /** Tokens of messages whose turn has not ended, with the turn where it is known. */
  readonly #pending = new Map<string, string | null>();
  #transcript: Transcript | null = null;
  #writer: TranscriptWriter;
  /** The next `entries` of this socket is the page asked for by `watch`. */
  #awaitsPage = false;
  #resyncing = false;
  /** Whether the last message was not taken. */
  #rejected = false;
  #wake: Set<() => void> = new Set();
  readonly #ending = new AbortController();
  /** Aborted when the live socket is there again, and then made anew. */
  #reconnecting = new AbortController();
  /** Whether the person was told that there is no connection. */
  #told = false;

  constructor(options: ChatSessionOptions) {
    this.#options = options;
    this.#writer = this.#newWriter();
    this.#live = new LiveConnection({
      connect: async () => {
        if (this.#told) await options.wire.relocate();
        return options.wire.socket();
      },
      listener: {
        opened: () => this.#opened(),
        operation: (operation) => this.#take(operation),
        lost: (seconds) => this.#lost(seconds),
      },
      pauses: options.pauses,
    });
  }

  /** The conversation in view; `null` before the first message of a new one. */
  get conversation(): string | null {
    return this.#transcript?.conversation ?? null;
  }

  /** Whether something sent has not ended, or a turn runs in the conversation in view. */
  get busy(): boolean {
    return this.#pending.size > 0 || this.#runningTurn() !== undefined;
  }

  /** Whether the last message came to nothing: the server would not take it, or its turn failed or was refused. */
  get failed(): boolean {
    const status = this.#transcript?.turns.at(-1)?.turn.status;
    return this.#rejected || status === "failed" || status === "refused";
  }

  /** Shows a conversation that exists, its last turn printed. Throws `WireError` when there is none with that id. */
  async open(id: string): Promise<Conversation> {
    const { wire } = this.#options;
    const detail = await wire.get<Detail>(`/api/conversations/${encodeURIComponent(id)}`);
    const page = await wire.get<TranscriptPage>(`/api/conversations/${detail.id}/entries?limit=${PAGE}`);
    if (this.#transcript) this.#live.send({ op: "unwatch", conversation: this.#transcript.conversation });
    this.#pending.clear();
    this.#typed.clear();
    this.#show(foldPage(foldPath(emptyTranscript(detail.id), detail.path), page));
    this.#writer.skip(this.#transcript!, 1);
    this.#print();
    this.#watch();
    return detail;
  }

  /** The next message begins a new conversation. */
  begin(): void {
    if (this.#transcript) this.#live.send({ op: "unwatch", conversation: this.#transcript.conversation });
    this.#transcript = null;
    this.#pending.clear();
    this.#writer = this.#newWriter();
    this.#changed();
  }

  /** Sends a message and resolves when the server has taken it. `shown`: its text stands on the screen already. */
  async send(text: string, shown: boolean): Promise<void> {
    const token = crypto.randomUUID();
    if (shown) this.#typed.add(token);
    this.#pending.set(token, null);
    this.#rejected = false;
    this.#changed();
    try {
      const id = this.conversation ?? await this.#create();
      const receipt = await this.#patiently(() =>
        this.#options.wire.post<Receipt>(`/api/conversations/${id}/messages`, { text, token })
      );
      if (receipt.fate === "turn" && receipt.turn !== undefined) this.#pending.set(token, receipt.turn);
      else if (receipt.fate !== "turn") this.#pending.delete(token);
      if (receipt.text !== undefined) this.#options.screen.note(withoutControls(receipt.text));
    } catch (error) {
      this.#pending.delete(token);
      if (!(error instanceof WireError)) throw error;
      this.#rejected = true;
      this.#options.screen.note(withoutControls(error.message));
    } finally {
      this.#changed();
    }
  }

  /** Stops the running turn of the conversation in view; `false` when none runs. */
  async stop(): Promise<boolean> {
    if (this.conversation === null) return false;
    const path = `/api/conversations/${this.conversation}/stop`;
    return (await this.#options.wire.post<{ readonly stopped: boolean }>(path)).stopped;
  }

  /** Goes on after a turn that was stopped, failed or interrupted. */
  async resume(): Promise<void> {
    if (this.conversation === null) throw new WireError("There is nothing to go on with yet", 400);
    await this.#options.wire.post(`/api/conversations/${this.conversation}/continue`);
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.busy) await this.#nextChange();
  }

  /** Shows the running time again. */
  tick(): void {
    this.#options.screen.working(this.working());
  }

  /** What runs now, in the words of the working row; `null` when nothing does. */
  working(): string | null {
    const turn = this.#runningTurn();
    if (!turn) return this.#pending.size > 0 ? "Working" : null;
    const view = this.#transcript?.turns.find((each) => each.turn.id === turn.id);
    const seconds = (this.#options.now().getTime() - Date.parse(turn.started_at)) / 1000;
    const tools = (view?.entries ?? []).filter((entry) => entry.kind === "tool" && entry.data.status === "running");
    const parts = [`Working, ${clock(seconds)}`];
    if (view && view.rounds.length > 0) parts.push(count(view.rounds.length, "call"));
    if (tools.length > 0) {
      parts.push(tools.map((entry) => entry.kind === "tool" ? withoutControls(entry.data.name) : "").join(", "));
    }
    return parts.join(" · ");
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#live.close();
  }

  async #create(): Promise<string> {
    const { wire, model } = this.#options;
    const made = await this.#patiently(() =>
      wire.post<Conversation>("/api/conversations", model === undefined ? {} : { model })
    );
    this.#show(emptyTranscript(made.id));
    this.#watch();
    return made.id;
  }

  /** Tries again while the server cannot be reached: after a pause, or as soon as the live socket is there again. */
  async #patiently<T>(attempt: () => Promise<T>): Promise<T> {
    const [first, longest] = this.#options.pauses ?? [500, 10_000];
    for (let delay = first;; delay = Math.min(delay * 2, longest)) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof NotConnected) || this.#ending.signal.aborted) throw error;
        await pause(delay, AbortSignal.any([this.#ending.signal, this.#reconnecting.signal]));
      }
    }
  }

  #newWriter(): TranscriptWriter {
    const { style, width } = this.#options.screen;
    return new TranscriptWriter({ style, width, typedHere: (token) => this.#typed.has(token) });
  }

  #show(transcript: Transcript): void {
    this.#transcript = transcript;
    this.#writer = this.#newWriter();
  }

  #watch(): void {
    if (!this.#transcript) return;
    const { conversation } = this.#transcript;
    this.#awaitsPage = this.#live.send({ op: "watch", conversation, after: cursorOf(this.#transcript) });
  }

  #opened(): void {
    if (this.#told) this.#options.screen.note("Connected again");
    this.#told = false;
    this.#reconnecting.abort();
    this.#reconnecting = new AbortController();
    this.#watch();
    if (this.#transcript) this.#resync();
    this.#changed();
  }

  #lost(seconds: number): void {
    if (!this.#told) {
      this.#options.screen.note(`Not connected, next try in ${seconds} s. What you send is kept and goes out once`);
    }
    this.#told = true;
    this.#changed();
  }

  #take(operation: LiveOperation): void {
    switch (operation.op) {
      case "entries":
      case "delta":
      case "patch":
      case "turn":
      case "head":
        this.#fold(operation);
        return;
      case "conversation_removed":
        if (operation.conversation !== this.conversation) return;
        this.#gone();
        return;
      case "alert":
        this.#options.screen.note(withoutControls(operation.text));
        return;
      case "error":
        this.#options.screen.note(withoutControls(operation.detail ?? operation.title));
        return;
      case "conversation":
      case "hello":
      case "ready":
      case "pong":
      case "tasks":
      case "approvals":
      case "channel":
      case "topology":
        return;
      default:
        operation satisfies never;
    }
  }

  #fold(operation: Extract<LiveOperation, { op: "entries" | "delta" | "patch" | "turn" | "head" }>): void {
    if (!this.#transcript || operation.conversation !== this.#transcript.conversation) return;
    const page = operation.op === "entries" && this.#awaitsPage;
    if (page) this.#awaitsPage = false;
    this.#transcript = page ? foldPage(this.#transcript, operation) : foldOperation(this.#transcript, operation);
    if (this.#transcript.needs !== null) this.#resync();
    this.#print();
    this.#changed();
  }

  /**
   * Asks for the path, then for every entry that is missing or was open. In this order, so that a turn the path calls
   * ended has all its entries before it is drawn as ended.
   */
  async #resync(): Promise<void> {
    if (this.#resyncing || !this.#transcript) return;
    this.#resyncing = true;
    const { conversation } = this.#transcript;
    const { wire } = this.#options;
    const address = `/api/conversations/${conversation}`;
    try {
      const { path } = await wire.get<Detail>(address);
      if (this.conversation !== conversation) return;
      const pages: TranscriptPage[] = [];
      let after = firstUnsure(this.#transcript) - 1;
      do {
        const page = await wire.get<TranscriptPage>(`${address}/entries?after=${after}&limit=${PAGE}`);
        pages.push(page);
        after = page.items.at(-1)?.seq ?? page.last_seq;
      } while (after < pages.at(-1)!.last_seq && pages.at(-1)!.items.length === PAGE);
      if (this.conversation !== conversation) return;
      this.#transcript = pages.reduce(foldPage, foldPath(this.#transcript, path));
      this.#print();
    } catch (error) {
      if (error instanceof WireError && error.status === 404) this.#gone();
      else if (!(error instanceof NotConnected) && !(error instanceof WireError)) throw error;
    } finally {
      this.#resyncing = false;
      this.#changed();
    }
  }

  /** The conversation in view is no longer there. */
  #gone(): void {
    this.#options.screen.note("This conversation was deleted elsewhere. The next message begins a new one");
    this.#rejected = this.#pending.size > 0;
    this.begin();
  }

  #print(): void {
    if (!this.#transcript) return;
    const text = this.#writer.update(this.#transcript);
    if (text !== "") this.#options.screen.write(text);
  }

  #runningTurn(): PathTurn | undefined {
    return Object.values(this.#transcript?.known ?? {}).find((turn) => turn.status === "running");
  }

  /** Lets go of messages whose turn has ended, then tells whoever waits. */
  #changed(): void {
    for (const turn of Object.values(this.#transcript?.known ?? {})) {
      if (turn.status === "running") continue;
      for (const [token, id] of this.#pending) {
        if (id === turn.id || token === turn.token) this.#pending.delete(token);
      }
    }
    this.#options.screen.working(this.working());
    const wake = this.#wake;
    this.#wake = new Set();
    for (const each of wake) each();
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#wake.add(resolve));
  }
}

/** The first `seq` of which the transcript may not hold the last state: after its cursor, or still open. */
function firstUnsure(transcript: Transcript): number {
  const open = transcript.turns.flatMap(({ entries }) => entries).find(({ state }) => state === "open");
  return Math.min(cursorOf(transcript) + 1, open?.seq ?? Infinity);
}
