/**
 * What a page knows and hears: the conversation in view, its transcript, the list, and how the socket stands.
 *
 * Invariants (tests/components/state/live_view_test.ts pins each)
 * 1. After each greeting the transcript is watched again from its cursor; where turns may have moved on meanwhile (a second
 *    greeting, a turn that ran) the path is asked for again: nothing that happened while the page was cut off is missed.
 * 2. Frames are taken in together, once a drawing, in the order they came.
 * 3. When the head moves to another branch the path is asked for, and shown once its entries are there.
 *
 * @module
 */
import { batch, type Signal, signal } from "@preact/signals";
import type { Conversation, LogOperation, PendingMessage } from "../../core/log/entry.ts";
import {
  cursorOf,
  emptyTranscript,
  foldOperation,
  foldPage,
  foldPath,
  isRunning,
  type Transcript,
} from "../../core/log/folds/transcript.ts";
import { type Api, ApiError, type Detail } from "./api.ts";
import type { Boot } from "./boot.ts";
import { heldLeaf, History } from "./history.ts";
import { type Connection, type Frame, LiveSocket, type SocketWorld } from "./live_socket.ts";
import { appendRows, refreshRows, removeRow, upsertRow } from "./rows.ts";

/** What the view tells the page it belongs to. */
export interface LiveListener {
  /** The server said hello. */
  readonly onGreeted: () => void;
  /** Frames were taken in. */
  readonly onChanged: (transcript: Transcript) => void;
  /** The conversation in view is gone. */
  readonly onGone: (id: string) => void;
  /** Another page was shipped than the one that is open. */
  readonly onNewPage: () => void;
  /** `alert` and `error` frames. */
  readonly onSaid: (frame: Frame) => void;
  /** The questions that wait, over all conversations, as the server lists them. */
  readonly onApprovals: (items: unknown) => void;
  /** Rows that are not to come back, though the server may still name them. */
  readonly isHidden: (id: string) => boolean;
}

export interface LiveViewOptions {
  readonly boot: Boot;
  readonly api: Api;
  readonly listener: LiveListener;
  readonly world: SocketWorld;
  /** Calls back before the next drawing. */
  readonly beforeDrawing: (then: () => void) => void;
}

/** How long to wait before the path is asked for because something does not fit, in milliseconds. */
const SOON = 300;
/** How long to wait before entries that could not be loaded are asked for again, in milliseconds. */
const RETRY = 3000;

export class LiveView {
  readonly connection: Signal<Connection> = signal({ state: "connecting" });
  /** The conversation in view; `null` on the start page until the first message. */
  readonly conversation: Signal<Conversation | null>;
  readonly transcript: Signal<Transcript>;
  readonly rows: Signal<readonly Conversation[]>;
  /** Messages the server has accepted for the conversation in view and no transcript shows yet. */
  readonly accepted: Signal<readonly PendingMessage[]> = signal([]);
  /** The `before` of the next page of rows; `null` when there are no more. */
  readonly nextRows: Signal<string | null>;
  /** How much of the path is loaded. */
  readonly history: History;
  readonly #options: LiveViewOptions;
  #socket: LiveSocket | null = null;
  #frames: Frame[] = [];
  #drawingAsked = false;
  /** Whether `entries` are still the answer to a watch, which may come in pieces. */
  #awaitsPage = false;
  #headMoves = 0;
  #pathAsked: (() => void) | null = null;
  /** A hash of the page as it was when it greeted us first. */
  #served: string | null = null;

  constructor(options: LiveViewOptions) {
    const { boot } = options;
    this.#options = options;
    this.conversation = signal(boot.conversation);
    this.transcript = signal(transcriptOf(boot));
    this.rows = signal(boot.rows.items);
    this.nextRows = signal(boot.rows.next);
    this.history = new History(boot, options.api, this.transcript);
  }

  /** Opens the live socket at an address; once. */
  open(url: string): void {
    if (this.#socket) return;
    this.#socket = new LiveSocket({
      url,
      world: this.#options.world,
      onConnection: (connection) => this.connection.value = connection,
      onFrame: (frame) => this.#take(frame),
    });
    this.#socket.connect();
  }

  /** Tries to connect now, whatever the backoff says. */
  connectNow(): void {
    this.#socket?.connect();
  }

  /** Something could not be sent: the socket is asked whether it is still there. */
  doubt(): void {
    this.#socket?.doubt();
  }

  /** Puts another conversation in view, of which nothing is known but its row. */
  show(row: Conversation): void {
    batch(() => {
      this.conversation.value = this.rows.value.find((held) => held.id === row.id) ?? row;
      this.transcript.value = emptyTranscript(row.id);
      this.accepted.value = [];
      this.history.clear();
    });
    this.#watch();
    this.#askPath(0);
  }

  /** Takes in what a conversation's row now says. */
  takeRow(row: Conversation): void {
    if (this.#options.listener.isHidden(row.id)) return;
    this.rows.value = upsertRow(this.rows.value, row);
    if (this.conversation.value?.id === row.id) this.conversation.value = row;
  }

  /** Takes in a conversation that was brought back. The server let go of our watch when it was deleted. */
  takeBack(row: Conversation): void {
    this.takeRow(row);
    if (this.conversation.value?.id !== row.id) return;
    this.#headMoves++;
    this.#watch();
    this.#askPath(0);
  }

  /** Takes a row out of the list. */
  dropRow(id: string): void {
    this.rows.value = removeRow(this.rows.value, id);
  }

  /** Loads the next page of the list. Throws what the API throws; then it can be asked for again. */
  async moreRows(): Promise<void> {
    const before = this.nextRows.value;
    if (before === null) return;
    this.nextRows.value = null;
    try {
      const page = await this.#options.api.list(before);
      batch(() => {
        this.nextRows.value = page.next;
        this.rows.value = appendRows(this.rows.value, page.items);
      });
    } catch (error) {
      this.nextRows.value = before;
      throw error;
    }
  }

  /** Loads the entries before those that are held. Throws what the API throws; then they can be asked for again. */
  async moreEntries(): Promise<void> {
    await this.history.moreOlder();
    if (this.transcript.value.needs === "turns") await this.#fetchPath();
  }

  /** Shows a turn and the newest of what follows it, if all of that is held; the server has still to be asked. */
  showHeld(turn: string): void {
    const { conversation } = this.transcript.value;
    const head = heldLeaf(this.transcript.value, turn);
    if (head === null) return;
    batch(() => {
      this.transcript.value = foldOperation(this.transcript.value, { op: "head", conversation, head });
      this.history.newer.value = null;
    });
  }

  /** Takes in a conversation as a call that changed it answered, with entries that are not held yet. */
  async takeDetail({ path, ...row }: Detail): Promise<void> {
    if (this.conversation.value?.id !== row.id) return;
    this.#headMoves++;
    await this.history.takePath(path, () => this.takeRow(row));
  }

  /** Forgets a turn that was deleted, with all below it. */
  forgetTurn(turn: string): void {
    const { known, aside } = this.transcript.value;
    const gone = new Set([turn]);
    for (let size = 0; size !== gone.size;) {
      size = gone.size;
      for (const other of Object.values(known)) if (other.parent !== null && gone.has(other.parent)) gone.add(other.id);
    }
    const kept = <T>(held: Readonly<Record<string, T>>) =>
      Object.fromEntries(Object.entries(held).filter(([id]) => !gone.has(id)));
    this.transcript.value = { ...this.transcript.value, known: kept(known), aside: kept(aside) };
  }

  /** Asks for the path as the server has it. */
  async refresh(): Promise<void> {
    await this.#fetchPath();
  }

  #take(frame: Frame): void {
    this.#frames.push(frame);
    if (this.#drawingAsked) return;
    this.#drawingAsked = true;
    this.#options.beforeDrawing(() => {
      this.#drawingAsked = false;
      const frames = this.#frames;
      this.#frames = [];
      batch(() => frames.forEach((one) => this.#apply(one)));
      this.#settle();
    });
  }

  #apply(frame: Frame): void {
    const { listener } = this.#options;
    switch (frame.op) {
      case "hello":
        return this.#greeted(frame);
      case "entries":
      case "delta":
      case "patch":
      case "turn":
        return this.#fold(frame as unknown as LogOperation);
      case "head":
        return this.#moveHead(frame as unknown as Extract<LogOperation, { op: "head" }>);
      case "pending":
        if (frame.conversation === this.conversation.value?.id) this.accepted.value = frame.items as PendingMessage[];
        return;
      case "conversation":
        return this.takeRow(frame.conversation as Conversation);
      case "conversation_removed":
        return this.#rowGone(String(frame.conversation));
      case "approvals":
        return listener.onApprovals(frame.items);
      case "alert":
      case "error":
        return listener.onSaid(frame);
    }
  }

  #fold(operation: LogOperation): void {
    if (operation.op !== "entries") this.#awaitsPage = false;
    const held = this.transcript.value;
    const answers = operation.op === "entries" && this.#awaitsPage && operation.conversation === held.conversation;
    this.transcript.value = answers ? foldPage(held, operation) : foldOperation(held, operation);
  }

  /**
   * A turn that has just begun follows what is in view, and is shown. Everything else about the tree is asked for first:
   * a branch is not shown before its entries are there.
   */
  #moveHead(operation: Extract<LogOperation, { op: "head" }>): void {
    const held = this.transcript.value;
    if (operation.conversation !== held.conversation) return;
    this.#headMoves++;
    const begun = operation.head !== null && held.known[operation.head]?.status === "running";
    if (begun) this.#fold(operation);
    if (!begun || operation.head !== held.turns.at(-1)?.turn.id) this.#askPath(0);
  }

  #greeted(frame: Frame): void {
    const page = typeof frame.page === "string" ? frame.page : null;
    if (this.#served !== null && page !== null && page !== this.#served) return this.#options.listener.onNewPage();
    const again = this.#served !== null;
    this.#served = page ?? "";
    if (Array.isArray(frame.conversations)) {
      this.rows.value = refreshRows(this.rows.value, frame.conversations as Conversation[]);
    }
    this.#options.listener.onApprovals(frame.approvals);
    this.#watch();
    if (again || isRunning(this.transcript.value)) this.#askPath(0);
    this.#options.listener.onGreeted();
  }

  #watch(): void {
    const id = this.conversation.value?.id;
    if (!id) return;
    const after = cursorOf(this.transcript.value);
    this.#awaitsPage = this.#socket?.send({ op: "watch", conversation: id, after }) ?? false;
  }

  #settle(): void {
    const transcript = this.transcript.value;
    this.#options.listener.onChanged(transcript);
    if (transcript.needs === "turns") this.#askPath(SOON);
    if (transcript.needs !== "resync" || this.#awaitsPage || this.connection.value.state !== "live") return;
    this.#socket?.send({ op: "unwatch", conversation: transcript.conversation });
    this.#watch();
  }

  /** Asks for the path after a while, unless that is on its way already. */
  #askPath(wait: number): void {
    this.#pathAsked ??= this.#options.world.after(wait, async () => {
      this.#pathAsked = null;
      await this.#fetchPath();
    });
  }

  /** An answer that was overtaken, by a move of the head or a return from deletion, is asked for again. */
  async #fetchPath(): Promise<void> {
    const id = this.conversation.value?.id;
    if (!id) return;
    const moves = this.#headMoves;
    const detail = await this.#options.api.detail(id).catch((error) => error);
    if (this.conversation.value?.id !== id) return;
    if (moves !== this.#headMoves) return this.#askPath(SOON);
    if (detail instanceof ApiError && detail.status === 404) return this.#rowGone(id);
    if (detail instanceof Error) return;
    const { path, ...row } = detail;
    await this.history.takePath(path, () => this.takeRow(row)).catch((error) => {
      if (error instanceof ApiError && error.status === 404) return;
      this.#askPath(RETRY);
    });
  }

  #rowGone(id: string): void {
    this.dropRow(id);
    if (this.conversation.value?.id === id) this.#options.listener.onGone(id);
  }
}

function transcriptOf(boot: Boot): Transcript {
  if (!boot.conversation) return emptyTranscript("");
  return foldPage(foldPath(emptyTranscript(boot.conversation.id), boot.conversation.path), boot.entries);
}
