/**
 * The state of one page, shared by its islands: signals that they read, and the few things that a person can do.
 *
 * In the browser there is one of these a document (`pageOf`); on the server each island makes its own from the same
 * `Boot` and throws it away, so nothing of one request is ever seen by another.
 *
 * @module
 */
import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Conversation, LogOperation } from "../../core/log/entry.ts";
import {
  cursorOf,
  emptyTranscript,
  foldOperation,
  foldPage,
  foldPath,
  isRunning,
  type Transcript,
} from "../../core/log/folds/transcript.ts";
import { Alerts } from "./alerts.ts";
import { Api, ApiError } from "./api.ts";
import type { Boot } from "./boot.ts";
import { browserWorld, type Connection, type Frame, LiveSocket } from "./live_socket.ts";
import { Outbox, type Outgoing } from "./outbox.ts";
import { appendRows, refreshRows, removeRow, upsertRow } from "./rows.ts";
import { browserStorage, Store } from "./store.ts";
import { TokenMaker } from "./token.ts";

/** A conversation that was deleted a moment ago and can still be brought back. */
export interface Deleted {
  readonly row: Conversation;
  /** Whether it was the one in view. */
  readonly inView: boolean;
}

const UNDO_MS = 10_000;

export class Page {
  readonly boot: Boot;
  readonly api: Api;
  readonly store: Store;
  readonly outbox: Outbox;
  readonly alerts = new Alerts();
  readonly connection: Signal<Connection> = signal({ state: "connecting" });
  /** The conversation in view; `null` on the start page until the first message. */
  readonly conversation: Signal<Conversation | null>;
  readonly transcript: Signal<Transcript>;
  readonly rows: Signal<readonly Conversation[]>;
  readonly nextRows: Signal<string | null>;
  readonly older: Signal<number | null>;
  readonly deleted: Signal<Deleted | null> = signal(null);
  /** Whether there is text below what is in view; the jump button shows it. */
  readonly below: Signal<boolean> = signal(false);
  readonly running: ReadonlySignal<boolean>;
  /** Messages of the conversation in view that the transcript does not show yet. */
  readonly pending: ReadonlySignal<readonly Outgoing[]>;
  #socket: LiveSocket | null = null;
  #frames: Frame[] = [];
  #drawn = false;
  /** Whether `entries` are still the answer to a watch, which may come in pieces. */
  #awaitsPage = false;
  #headMoves = 0;
  #asksPath: ReturnType<typeof setTimeout> | null = null;
  #undo: ReturnType<typeof setTimeout> | null = null;
  #served: string | null = null;
  readonly #mine = new Set<string>();

  constructor(boot: Boot) {
    this.boot = boot;
    this.api = new Api(boot.basePath, (input, init) => fetch(input, init));
    this.store = new Store(boot.basePath, inBrowser() ? browserStorage() : null);
    this.conversation = signal(boot.conversation);
    this.transcript = signal(transcriptOf(boot));
    this.rows = signal(boot.rows.items);
    this.nextRows = signal(boot.rows.next);
    this.older = signal(boot.older);
    const tokens = new TokenMaker();
    this.outbox = new Outbox({
      api: this.api,
      store: this.store,
      token: () => tokens.next(),
      now: () => new Date(),
      exclusive: oneTabAtATime,
      onBegun: (id) => this.#begun(id),
      onReceipt: (_id, receipt) => {
        if (receipt.fate === "command" && receipt.text) this.alerts.say({ text: receipt.text, level: "info" });
      },
    });
    this.running = computed(() => isRunning(this.transcript.value));
    this.pending = computed(() => {
      const id = this.conversation.value?.id ?? null;
      const shown = tokensOf(this.transcript.value);
      return this.outbox.items.value.filter((item) => item.conversation === id && !shown.has(item.token));
    });
  }

  /** Opens the live socket and sends what waited. Once a page; more calls do nothing. */
  start(): void {
    if (this.#socket || !inBrowser()) return;
    this.outbox.open();
    const address = new URL(`${this.boot.basePath}/live`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = this.#socket = new LiveSocket({
      url: address.href,
      world: browserWorld,
      onConnection: (connection) => this.connection.value = connection,
      onFrame: (frame) => this.#take(frame),
    });
    addEventListener("online", () => socket.connect());
    addEventListener("pageshow", () => socket.connect());
    addEventListener("storage", () => this.outbox.reload());
    socket.connect();
  }

  /** Tries the connection now. */
  connectNow(): void {
    this.#socket?.connect();
  }

  /** Keeps a message, shows it, and sends it as soon as it can be. */
  say(text: string): void {
    const item = this.outbox.add(this.conversation.value?.id ?? null, text);
    this.#mine.add(item.token);
    this.#flush();
  }

  /** Takes an unsent message back into the composer. */
  takeBack(item: Outgoing): void {
    this.outbox.take(item.token);
    dispatchEvent(new CustomEvent("malama:take-back", { detail: item.text }));
  }

  async stop(): Promise<void> {
    const id = this.conversation.value?.id;
    if (id) await this.#try(() => this.api.stop(id));
  }

  /** Goes on after a turn that was stopped, interrupted or failed. */
  async goOn(): Promise<void> {
    const id = this.conversation.value?.id;
    if (id) await this.#try(() => this.api.goOn(id));
  }

  /** The title the person was shown goes with it, so that a newer one is never overwritten unseen. */
  async rename(row: Conversation, title: string): Promise<void> {
    const words = title.trim().replace(/\s+/g, " ");
    if (words === "" || words === row.title) return;
    this.#takeRow({ ...row, title: words });
    const kept = await this.#try(() => this.api.change(row.id, { title: words, expected_title: row.title }));
    this.#takeRow(kept ?? row);
  }

  async pin(row: Conversation): Promise<void> {
    const kept = await this.#try(() => this.api.change(row.id, { pinned: !row.pinned }));
    if (kept) this.#takeRow(kept);
  }

  /** Deletes at once; for ten seconds it can be undone. */
  async remove(row: Conversation): Promise<void> {
    const done = await this.#try(async () => {
      await this.api.remove(row.id);
      return true;
    });
    if (!done) return;
    if (this.#undo !== null) clearTimeout(this.#undo);
    this.#undo = setTimeout(() => this.forget(), UNDO_MS);
    batch(() => {
      this.rows.value = removeRow(this.rows.value, row.id);
      this.deleted.value = { row, inView: this.conversation.value?.id === row.id };
    });
  }

  /** Brings the conversation back that was deleted last. */
  async undo(): Promise<void> {
    const deleted = this.deleted.value;
    if (!deleted) return;
    this.forget(false);
    const row = await this.#try(() => this.api.restore(deleted.row.id));
    if (row) this.#takeRow(row);
  }

  /** Puts the undo bar away; a deleted conversation that is still in view is left. */
  forget(leave = true): void {
    if (this.#undo !== null) clearTimeout(this.#undo);
    this.#undo = null;
    const left = leave && this.deleted.value?.inView;
    this.deleted.value = null;
    if (left) location.assign(`${this.boot.basePath}/`);
  }

  async moreRows(): Promise<void> {
    const before = this.nextRows.value;
    if (before === null) return;
    this.nextRows.value = null;
    const page = await this.#try(() => this.api.list(before));
    batch(() => {
      this.nextRows.value = page ? page.next : before;
      if (page) this.rows.value = appendRows(this.rows.value, page.items);
    });
  }

  /** Loads the entries before those that are held. */
  async moreEntries(): Promise<void> {
    const before = this.older.value;
    const id = this.conversation.value?.id;
    if (before === null || !id) return;
    this.older.value = null;
    const page = await this.#try(() => this.api.entries(id, before));
    const first = page?.items[0]?.seq;
    batch(() => {
      if (page) this.transcript.value = foldPage(this.transcript.value, { items: page.items, last_seq: before - 1 });
      this.older.value = page ? (page.items.length < 200 || first === undefined ? null : first) : before;
    });
  }

  /** Frames are taken in together, once a drawing, so that a fast stream costs one drawing and not twenty. */
  #take(frame: Frame): void {
    this.#frames.push(frame);
    if (this.#drawn) return;
    this.#drawn = true;
    const take = () => {
      this.#drawn = false;
      const frames = this.#frames;
      this.#frames = [];
      batch(() => frames.forEach((one) => this.#apply(one)));
      this.#settle();
    };
    if (document.visibilityState === "visible") requestAnimationFrame(take);
    else setTimeout(take, 200);
  }

  #apply(frame: Frame): void {
    switch (frame.op) {
      case "hello":
        return this.#greeted(frame);
      case "entries":
      case "delta":
      case "patch":
      case "turn":
      case "head":
        return this.#fold(frame as unknown as LogOperation);
      case "conversation":
        return this.#takeRow(frame.conversation as Conversation);
      case "conversation_removed":
        return this.#rowGone(frame.conversation as string);
      case "alert":
        return this.alerts.take(frame);
      case "error":
        return this.alerts.say({
          text: String(frame.detail ?? frame.title ?? "Something was refused"),
          level: "error",
        });
    }
  }

  #fold(operation: LogOperation): void {
    if (operation.op === "head") this.#headMoves++;
    const held = this.transcript.value;
    if (operation.op !== "entries") this.#awaitsPage = false;
    this.transcript.value =
      operation.op === "entries" && this.#awaitsPage && operation.conversation === held.conversation
        ? foldPage(held, operation)
        : foldOperation(held, operation);
  }

  /** Another page was shipped since this one was loaded: it is loaded anew, once; drafts are kept in the browser. */
  #greeted(frame: Frame): void {
    const page = typeof frame.page === "string" ? frame.page : null;
    if (this.#served !== null && page !== null && page !== this.#served) return location.reload();
    this.#served = page;
    if (Array.isArray(frame.conversations)) {
      this.rows.value = refreshRows(this.rows.value, frame.conversations as Conversation[]);
    }
    this.#watch();
    this.#askPath(0);
    this.#flush();
  }

  #watch(): void {
    const id = this.conversation.value?.id;
    if (!id) return;
    this.#awaitsPage = this.#socket?.send({
      op: "watch",
      conversation: id,
      after: cursorOf(this.transcript.value),
    }) ?? false;
  }

  #settle(): void {
    const transcript = this.transcript.value;
    this.outbox.confirm(tokensOf(transcript));
    if (transcript.needs === "resync" && !this.#awaitsPage && this.connection.value.state === "live") {
      this.#socket?.send({ op: "unwatch", conversation: transcript.conversation });
      this.#watch();
    } else if (transcript.needs === "turns") this.#askPath(300);
  }

  /** Asks for the path after a while, unless it is asked for already. */
  #askPath(wait: number): void {
    if (this.#asksPath !== null) return;
    this.#asksPath = setTimeout(async () => {
      this.#asksPath = null;
      const id = this.conversation.value?.id;
      if (!id) return;
      const moves = this.#headMoves;
      const detail = await this.api.detail(id).catch((error) => error);
      if (detail instanceof ApiError && detail.status === 404) return this.#rowGone(id);
      if (detail instanceof Error || this.conversation.value?.id !== id) return;
      if (moves !== this.#headMoves) return this.#askPath(50);
      const { path, ...row } = detail;
      batch(() => {
        this.transcript.value = foldPath(this.transcript.value, path);
        this.#takeRow(row);
      });
    }, wait);
  }

  #takeRow(row: Conversation): void {
    if (this.deleted.value?.row.id === row.id) return;
    this.rows.value = upsertRow(this.rows.value, row);
    if (this.conversation.value?.id === row.id) this.conversation.value = row;
  }

  #rowGone(id: string): void {
    this.rows.value = removeRow(this.rows.value, id);
    if (this.conversation.value?.id === id && this.deleted.value?.row.id !== id) {
      location.assign(`${this.boot.basePath}/`);
    }
  }

  /** The first message of a new conversation got its conversation: the page becomes that conversation's, in place. */
  #begun(id: string): void {
    const mine = this.outbox.items.value.some((item) => item.conversation === id && this.#mine.has(item.token));
    if (!mine || this.conversation.value) return;
    const now = new Date().toISOString();
    const begun = { ...UNTITLED, id, created_at: now, updated_at: now };
    batch(() => {
      this.conversation.value = this.rows.value.find((row) => row.id === id) ?? begun;
      this.transcript.value = emptyTranscript(id);
    });
    history.pushState({ conversation: id }, "", `${this.boot.basePath}/c/${id}`);
    addEventListener("popstate", () => location.reload(), { once: true });
    this.#watch();
    this.#askPath(0);
  }

  #flush(): void {
    this.outbox.flush().catch((error) => this.alerts.say({ text: String(error), level: "error" }));
  }

  /** Does it; what goes wrong is said in an alert and gives `undefined`. */
  async #try<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) location.reload();
      const text = error instanceof Error ? error.message : String(error);
      this.alerts.say({ text, level: "error" });
    }
  }
}

const UNTITLED: Omit<Conversation, "id" | "created_at" | "updated_at"> = {
  title: "New conversation",
  agent: "",
  model: null,
  head: null,
  running: false,
  pinned: false,
  unread: false,
  task: null,
  graph: null,
  origin: null,
  turns: 0,
};

function transcriptOf(boot: Boot): Transcript {
  if (!boot.conversation) return emptyTranscript("");
  return foldPage(foldPath(emptyTranscript(boot.conversation.id), boot.conversation.path), boot.entries);
}

/** Tokens of the messages that the last turns show; only these can still be pending. */
function tokensOf(transcript: Transcript): ReadonlySet<string> {
  const tokens = new Set<string>();
  for (const view of transcript.turns.slice(-8)) {
    for (const entry of view.entries) if (entry.kind === "user" && entry.data.token) tokens.add(entry.data.token);
  }
  return tokens;
}

function inBrowser(): boolean {
  return typeof document !== "undefined" && !("Deno" in globalThis);
}

function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  const locks = (navigator as { locks?: LockManager }).locks;
  return locks ? locks.request("malama:outbox", work) as Promise<T> : work();
}

/** One page a document: the islands of a page are given the same `Boot` and find each other through the document. */
const pages = new WeakMap<object, Page>();

/** The page of this document in the browser; on the server a new one each time. */
export function pageOf(boot: Boot): Page {
  if (!inBrowser()) return new Page(boot);
  const held = pages.get(document);
  if (held) return held;
  const page = new Page(boot);
  pages.set(document, page);
  return page;
}
