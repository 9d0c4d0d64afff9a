/**
 * One page, shared by its islands: what it shows (`live`), what is on its way (`outbox`), and what a person can do.
 *
 * In the browser there is one of these a document (`pageOf`); on the server each island makes its own from the same
 * `Boot` and throws it away, so nothing of one request is ever seen by another.
 *
 * @module
 */
import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Conversation } from "../../core/log/entry.ts";
import { isRunning, type Transcript } from "../../core/log/folds/transcript.ts";
import { Alerts } from "./alerts.ts";
import { Answering } from "./answering.ts";
import { Approvals, waitingSignal } from "./approvals.ts";
import { Api, ApiError } from "./api.ts";
import { Attachments, browserPreviews } from "./attachments.ts";
import type { Boot } from "./boot.ts";
import { Commands } from "./commands.ts";
import { Drafts } from "./drafts.ts";
import { browserWorld, type Connection } from "./live_socket.ts";
import { LiveView } from "./live_view.ts";
import { type Message, Outbox, type Outgoing } from "./outbox.ts";
import { Panel } from "./panel.ts";
import { Renaming } from "./renaming.ts";
import { Queue } from "./queue.ts";
import { browserStorage, Store } from "./store.ts";
import { TokenMaker } from "./token.ts";
import { Deletion } from "./deletion.ts";
import { Undelivered } from "./undelivered.ts";
import { Versions } from "./versions.ts";

/** After this long a message that could not be sent is tried again, in milliseconds. */
const RETRY_MS = 5000;

export class Page {
  readonly boot: Boot;
  readonly api: Api;
  readonly store: Store;
  readonly outbox: Outbox;
  readonly live: LiveView;
  readonly alerts = new Alerts();
  /** What is attached to the message being written. */
  readonly attachments: Attachments;
  /** How the next message is to be answered. */
  readonly answering: Answering;
  readonly drafts: Drafts;
  /** What is on its way and can still be changed. */
  readonly queue: Queue;
  readonly panel = new Panel();
  readonly commands = new Commands();
  readonly renaming: Renaming;
  readonly versions: Versions;
  /** The questions that wait for a person. */
  readonly approvals: Approvals;
  /** The `seq`s of those that wait in the conversation in view, oldest first. */
  readonly asked: ReadonlySignal<readonly number[]>;
  /** Messages that a turn was stopped before it read. */
  readonly undelivered: Undelivered;
  /** What the palette was opened with; `null` while it is closed. */
  readonly finding: Signal<string | null> = signal(null);
  readonly deletion: Deletion;
  /** The row that waits for a title from its content: this very object, which the next news of it replaces. */
  readonly naming: Signal<Conversation | null> = signal(null);
  /** Whether there is text below what is in view; the jump button shows it. */
  readonly below: Signal<boolean> = signal(false);
  /** A text that goes back into the composer. */
  readonly returned: Signal<string | null> = signal(null);
  /** As the socket says; while messages are stuck, though it looks open, they decide. */
  readonly connection: ReadonlySignal<Connection>;
  readonly running: ReadonlySignal<boolean>;
  /** Messages of the conversation in view that the transcript does not show yet. */
  readonly pending: ReadonlySignal<readonly Outgoing[]>;
  #started = false;
  #retry: ReturnType<typeof setTimeout> | null = null;
  readonly #retryAt = signal(0);

  constructor(boot: Boot) {
    this.boot = boot;
    this.api = new Api(boot.basePath, (input, init) => fetch(input, init));
    this.store = new Store(boot.basePath, inBrowser() ? browserStorage() : null);
    this.approvals = new Approvals(this.api);
    this.live = new LiveView({
      boot,
      api: this.api,
      world: browserWorld,
      beforeDrawing,
      listener: {
        onGreeted: () => this.#flush(),
        onChanged: (transcript) => {
          this.outbox.confirm(tokensOf(transcript));
          this.undelivered.take(transcript);
        },
        onGone: (id) => this.deletion.gone(id),
        onNewPage: () => location.reload(),
        onSaid: (frame) => this.alerts.take(frame),
        onApprovals: (items) => this.approvals.take(items),
        isHidden: (id) => this.deletion.deleted.value?.row.id === id,
      },
    });
    this.attachments = new Attachments({
      api: this.api,
      store: this.store,
      basePath: boot.basePath,
      conversation: computed(() => this.live.conversation.value?.id ?? null),
      model: computed(() => this.live.conversation.value?.model ?? boot.model),
      previews: browserPreviews,
      say: (text) => this.alerts.say({ text, level: "warning" }),
    });
    this.renaming = new Renaming({
      api: this.api,
      rowOf: (id) => [this.live.conversation.value, ...this.live.rows.value].find((row) => row?.id === id) ?? undefined,
      takeRow: (row) => this.live.takeRow(row),
      attempt: (work) => this.attempt(work),
    });
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
    this.connection = computed(() => {
      const socket = this.live.connection.value;
      const stuck = socket.state === "live" && this.outbox.stuck.value;
      return stuck ? { state: "waiting", retryAt: this.#retryAt.value } : socket;
    });
    this.running = computed(() => isRunning(this.live.transcript.value));
    this.pending = computed(() => {
      const id = this.live.conversation.value?.id ?? null;
      const shown = tokensOf(this.live.transcript.value);
      return this.outbox.items.value.filter((item) => item.conversation === id && !shown.has(item.token));
    });
    this.asked = waitingSignal(this.live.transcript, this.approvals.waiting);
    const attempt = <T>(work: () => Promise<T>) => this.attempt(work);
    this.drafts = new Drafts({ store: this.store, after: browserWorld.after });
    this.versions = new Versions({
      api: this.api,
      live: this.live,
      store: this.store,
      attempt,
      go: (path) => location.assign(boot.basePath + path),
    });
    this.undelivered = new Undelivered({
      store: this.store,
      isMine: (token) => this.outbox.wrote(token),
      composerIsEmpty: () => this.drafts.read(this.live.conversation.peek()?.id ?? null) === "",
      toComposer: (text) => this.giveBack({ text }),
      say: (text) => this.say(text),
    });
    this.answering = new Answering({
      api: this.api,
      store: this.store,
      conversation: this.live.conversation,
      model: boot.model,
      takeRow: (row) => this.live.takeRow(row),
      attempt,
    });
    this.deletion = new Deletion({
      api: this.api,
      live: this.live,
      attempt,
      leave: () => location.assign(`${boot.basePath}/`),
      after: browserWorld.after,
    });
    this.queue = new Queue({
      api: this.api,
      outbox: this.outbox,
      sources: computed(() => ({
        outgoing: this.pending.value,
        accepted: this.live.accepted.value,
        shown: tokensOf(this.live.transcript.value),
        running: this.running.value,
        offline: this.connection.value.state === "waiting",
        going: this.outbox.going.value,
      })),
      conversation: () => this.live.conversation.peek()?.id ?? null,
      attempt,
      flush: () => this.tryNow(),
      giveBack: (message) => this.giveBack(message),
    });
  }

  /** Opens the live socket and sends what waited. Once a page; more calls do nothing. */
  start(): void {
    if (this.#started || !inBrowser()) return;
    this.#started = true;
    this.outbox.open();
    this.undelivered.open();
    this.answering.open(this.boot.conversation?.id ?? null);
    this.#watchAccepted();
    const address = new URL(`${this.boot.basePath}/live`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    this.live.open(address.href);
    navigator.serviceWorker?.register(`${this.boot.basePath}/sw.js`).catch(() => {});
    addEventListener("online", () => this.tryNow());
    addEventListener("pageshow", () => this.live.connectNow());
    addEventListener("pagehide", () => this.drafts.settle());
    addEventListener("storage", ({ key }: StorageEvent) => {
      this.outbox.reload();
      this.drafts.heard(key);
      this.undelivered.open();
    });
  }

  /** Keeps a message, shows it, and sends it as soon as it can be. */
  say(text: string, how: Omit<Message, "text"> = {}): void {
    this.outbox.add(this.live.conversation.value?.id ?? null, { text, ...how });
    this.#flush();
  }

  /** Connects, and sends what waits, now. */
  tryNow(): void {
    this.live.connectNow();
    this.#flush();
  }

  /** Tries a refused message once more. */
  sayAgain(item: Outgoing): void {
    this.outbox.retry(item.token);
    this.#flush();
  }

  /** Takes an unsent message back into the composer. */
  takeBack(item: Outgoing): void {
    this.outbox.take(item.token);
    this.giveBack(item);
  }

  /** Puts what was written back into the composer, before what is there. */
  giveBack({ text, images = [], files = [] }: Pick<Outgoing, "text" | "images" | "files">): void {
    this.attachments.putBack(this.live.conversation.value?.id ?? null, { images, files });
    this.returned.value = [this.returned.value ?? "", text].filter((part) => part !== "").join("\n\n");
  }

  async stop(): Promise<void> {
    const id = this.live.conversation.value?.id;
    if (id) await this.attempt(() => this.api.stop(id));
  }

  /** Goes on after a turn that was stopped, interrupted or failed. */
  async goOn(): Promise<void> {
    const id = this.live.conversation.value?.id;
    if (id) await this.attempt(() => this.api.goOn(id));
  }

  /** Asks for a title from the conversation's content. The row says so until news of it arrives (K-070). */
  async nameFromContent(row: Conversation): Promise<void> {
    const waiting = { ...row };
    batch(() => {
      this.live.takeRow(waiting);
      this.naming.value = waiting;
    });
    const asked = await this.attempt(async () => {
      await this.api.name(row.id);
      return true;
    });
    if (!asked && this.naming.value === waiting) this.naming.value = null;
  }

  /** Makes a copy of a conversation and opens it. */
  async duplicate(row: Conversation): Promise<void> {
    const copy = await this.attempt(() => this.api.duplicate(row.id));
    if (copy) location.assign(`${this.boot.basePath}/c/${copy.id}`);
  }

  async pin(row: Conversation): Promise<void> {
    const kept = await this.attempt(() => this.api.change(row.id, { pinned: !row.pinned }));
    if (kept) this.live.takeRow(kept);
  }

  /** Does it; what goes wrong is said in an alert and gives `undefined`. Signed out: the page goes to the door. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) location.reload();
      this.alerts.say({ text: error instanceof Error ? error.message : String(error), level: "error" });
    }
  }

  /** The first message of a new conversation got its conversation: the page becomes that conversation's, in place. */
  #begun(id: string): void {
    const mine = this.outbox.items.value.some((item) => item.conversation === id && this.outbox.wrote(item.token));
    if (!mine || this.live.conversation.value) return;
    this.attachments.begun(id);
    this.answering.begun(id);
    this.drafts.begun(id);
    history.pushState({ conversation: id }, "", `${this.boot.basePath}/c/${id}`);
    addEventListener("popstate", () => location.reload(), { once: true });
    const now = new Date().toISOString();
    this.live.show({ ...UNTITLED, id, created_at: now, updated_at: now });
  }

  /** What the server had accepted and holds no more was read, run or taken back elsewhere: it is not ours to keep. */
  #watchAccepted(): void {
    let before = new Set<string>();
    this.live.accepted.subscribe((messages) => {
      const now = new Set(messages.flatMap(({ token }) => token ?? []));
      const left = before.difference(now);
      before = now;
      if (left.size > 0) this.outbox.confirm(left);
    });
  }

  /** What is still waiting (a server at its limit, a network that is gone) is tried again after a while. */
  async #flush(): Promise<void> {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    await this.attempt(() => this.outbox.flush());
    if (this.outbox.items.value.every((item) => item.state !== "waiting")) return;
    this.#retryAt.value = Date.now() + RETRY_MS;
    this.#retry = setTimeout(() => this.#flush(), RETRY_MS);
    if (this.outbox.stuck.value) this.live.doubt();
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

/** Tokens of the messages that the last turns show; only these can still be pending. */
function tokensOf(transcript: Transcript): ReadonlySet<string> {
  const tokens = new Set<string>();
  for (const view of transcript.turns.slice(-8)) {
    for (const entry of view.entries) {
      if (entry.kind !== "user" && entry.kind !== "inbox" && entry.kind !== "undelivered") continue;
      if (entry.data.token) tokens.add(entry.data.token);
      if (entry.kind === "user") { for (const token of entry.data.tokens ?? []) tokens.add(token); }
    }
  }
  return tokens;
}

function inBrowser(): boolean {
  return typeof document !== "undefined" && !("Deno" in globalThis);
}

/** A page that is not seen draws nothing: it takes in what came a few times a second. */
function beforeDrawing(then: () => void): void {
  if (document.visibilityState === "visible") requestAnimationFrame(then);
  else setTimeout(then, 200);
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
