/**
 * One person talking on the wire: the conversation in view, and what was sent and is not done yet.
 *
 * Invariants (tests/cli/chat_test.ts pins each)
 * 1. A message is sent under one token until the server has taken it, so a lost connection never runs it twice.
 * 2. `settled()` resolves only when every message sent has had its turn and no turn runs in the conversation in view.
 *
 * @module
 */
import type { Conversation } from "../core/log/mod.ts";
import { withoutControls } from "./control_filter.ts";
import { type ConversationDetail, ConversationView } from "./conversation_view.ts";
import { LiveConnection } from "./live_connection.ts";
import { pause } from "./pause.ts";
import { NextMessage } from "./next_message.ts";
import { Questions } from "./questions.ts";
import type { Style } from "./style.ts";
import { type LiveOperation, NotConnected, type Wire, WireError } from "./wire.ts";

/** Where a session prints. */
export interface ChatScreen {
  readonly style: Style;
  /** Columns. */
  readonly width: number;
  /** Whether a person sits there, who can type an answer. */
  readonly interactive?: boolean;
  /** Whether an answer's Markdown is set, instead of printed as it was written. */
  readonly setsMarkdown?: boolean;
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

interface Receipt {
  readonly fate: "turn" | "joined" | "answered" | "command";
  readonly turn?: string;
  readonly text?: string;
}

export class ChatSession {
  readonly #options: ChatSessionOptions;
  /** What goes with the next message. */
  readonly next: NextMessage;
  /** The questions of the conversation in view. */
  readonly questions: Questions;
  readonly #live: LiveConnection;
  /** Tokens of messages whose text stands on the screen already. */
  readonly #typed = new Set<string>();
  /** Tokens of messages whose turn has not ended, with the turn where it is known. */
  readonly #pending = new Map<string, string | null>();
  #view: ConversationView | null = null;
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
    this.next = new NextMessage(options.wire);
    const { wire, screen } = options;
    this.questions = new Questions({
      wire,
      style: screen.style,
      interactive: screen.interactive ?? false,
      note: (text) => screen.note(text),
    });
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
    return this.#view?.id ?? null;
  }

  /** Whether something sent has not ended, or a turn runs in the conversation in view. */
  get busy(): boolean {
    return this.#pending.size > 0 || this.#view?.running !== undefined;
  }

  /** Whether the last message came to nothing: the server would not take it, or its turn failed or was refused. */
  get failed(): boolean {
    const status = this.#view?.lastStatus;
    return this.#rejected || status === "failed" || status === "refused";
  }

  /** Shows a conversation that exists, its last turn printed. Throws `WireError` when there is none with that id. */
  async open(id: string): Promise<Conversation> {
    const detail = await this.#options.wire.get<ConversationDetail>(`/api/conversations/${encodeURIComponent(id)}`);
    this.#leave();
    const view = this.#newView(detail.id);
    await view.load(detail);
    this.#show(view);
    return detail;
  }

  /** The next message begins a new conversation. */
  begin(): void {
    this.#leave();
    this.#changed();
  }

  /** Sends a message and resolves when the server has taken it. `shown`: its text stands on the screen already. */
  async send(text: string, shown: boolean): Promise<void> {
    const token = crypto.randomUUID();
    const extras = this.next.take();
    const message = { text, token, ...extras };
    if (shown) this.#typed.add(token);
    this.#pending.set(token, null);
    this.#rejected = false;
    this.#changed();
    try {
      const id = this.conversation ?? await this.#create();
      const receipt = await this.#patiently(() =>
        this.#options.wire.post<Receipt>(`/api/conversations/${id}/messages`, message)
      );
      if (receipt.fate === "turn" && receipt.turn !== undefined) this.#pending.set(token, receipt.turn);
      else if (receipt.fate !== "turn") this.#pending.delete(token);
      if (receipt.text !== undefined) this.#options.screen.note(withoutControls(receipt.text));
    } catch (error) {
      this.#pending.delete(token);
      if (!(error instanceof WireError)) throw error;
      this.next.putBack(extras);
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
    const { turn: id } = await this.#options.wire.post<{ readonly turn: string }>(
      `/api/conversations/${this.conversation}/continue`,
    );
    // It may be heard of later than it is answered; until then it is waited for like one that was sent.
    if (this.#view?.turns.every((turn) => turn.id !== id)) this.#pending.set(id, id);
    this.#changed();
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
    return this.#view?.working(this.#options.now()) ?? (this.#pending.size > 0 ? "Working" : null);
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
    this.#show(this.#newView(made.id));
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

  #newView(id: string): ConversationView {
    const { screen, wire } = this.#options;
    return new ConversationView(id, {
      wire,
      style: screen.style,
      width: screen.width,
      setsMarkdown: screen.setsMarkdown ?? false,
      typedHere: (token) => this.#typed.has(token),
      write: (text) => screen.write(text),
      changed: () => this.#changed(),
      gone: () => this.#gone(),
    });
  }

  #show(view: ConversationView): void {
    this.#view = view;
    view.watch((operation) => this.#live.send(operation));
    this.#changed();
  }

  /** Takes the conversation out of view. Its turn goes on where it runs. */
  #leave(): void {
    if (this.#view) this.#live.send({ op: "unwatch", conversation: this.#view.id });
    this.#view?.leave();
    this.#view = null;
    this.questions.clear();
    this.#pending.clear();
    this.#typed.clear();
  }

  #opened(): void {
    if (this.#told) this.#options.screen.note("Connected again");
    this.#told = false;
    this.#reconnecting.abort();
    this.#reconnecting = new AbortController();
    this.#view?.watch((operation) => this.#live.send(operation));
    this.#view?.resync();
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
        if (operation.conversation === this.conversation) this.#view?.take(operation);
        this.#changed();
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
      case "pending":
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

  /** The conversation in view is no longer there. */
  #gone(): void {
    this.#options.screen.note("This conversation was deleted elsewhere. The next message begins a new one");
    this.#rejected = this.#pending.size > 0;
    this.begin();
  }

  /** Lets go of messages whose turn has ended, then tells whoever waits. */
  #changed(): void {
    for (const turn of this.#view?.turns ?? []) {
      if (turn.status === "running") continue;
      for (const [token, id] of this.#pending) {
        if (id === turn.id || token === turn.token) this.#pending.delete(token);
      }
    }
    if (this.#view) this.questions.update(this.#view.questions, this.#view.running !== undefined);
    this.#options.screen.working(this.working());
    const wake = this.#wake;
    this.#wake = new Set();
    for (const each of wake) each();
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#wake.add(resolve));
  }
}
