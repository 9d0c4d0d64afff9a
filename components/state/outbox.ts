/**
 * Messages on their way: kept in this browser until the server has them, sent once.
 *
 * Each is kept under a name of its own, so that tabs do not write over each other's and one that is too long for the
 * storage costs the others nothing. Pictures and files are references to what the server has stored already.
 *
 * Invariants (tests/components/state/outbox_test.ts pins each)
 * 1. A message is kept before it is sent, and until the transcript shows it: neither a reload nor a lost connection loses
 *    it.
 * 2. Every try carries the token it was written with, so that the server runs it once however often it arrives.
 * 3. Messages of one conversation go out in the order they were written.
 * 4. What could not be sent because nothing answered is `stuck` until something does.
 * 5. A refusal (4xx) is not tried again; the message waits with the server's sentence until the person decides.
 * 6. Only what is not going out, and has not gone out, can be changed.
 *
 * @module
 */
import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import type { FileRef, ImageRef, Thinking } from "../../core/log/entry.ts";
import { type Api, ApiError, type Draft, NotConnected, type Receipt } from "./api.ts";
import type { Store } from "./store.ts";

/** What a person wrote, and how it is to be answered. */
export interface Message {
  readonly text: string;
  readonly images?: readonly ImageRef[];
  readonly files?: readonly FileRef[];
  readonly thinking?: Thinking;
  readonly plan?: boolean;
  /** A turn of its own, also while another one runs. */
  readonly queue?: boolean;
  /** Of the conversation it begins; absent: the agent's own. */
  readonly model?: string;
}

export interface Outgoing extends Message {
  readonly token: string;
  /** `null`: a conversation that has yet to be made. */
  readonly conversation: string | null;
  /** When it was written, ISO 8601. */
  readonly at: string;
  /** Its place in the order of all that were written. */
  readonly place: number;
  readonly state: "waiting" | "sent" | "refused";
  /** Why it was refused, in the server's words. */
  readonly problem?: string;
}

export interface OutboxOptions {
  readonly api: Api;
  readonly store: Store;
  /** A new token each time. */
  readonly token: () => string;
  readonly now: () => Date;
  /** Runs one at a time over all tabs of this browser. */
  readonly exclusive: <T>(work: () => Promise<T>) => Promise<T>;
  /** A message that began a conversation has got one. */
  readonly onBegun: (conversation: string) => void;
  readonly onReceipt: (conversation: string, receipt: Receipt) => void;
}

/** What the names of kept messages begin with. */
const KEPT = "outbox:";

export class Outbox {
  readonly #options: OutboxOptions;
  readonly #items = signal<readonly Outgoing[]>([]);
  readonly #unreachable = signal(false);
  readonly #loose = signal<ReadonlySet<string>>(new Set());
  readonly #mine = new Set<string>();
  readonly #going = signal<string | null>(null);
  /** Whether messages wait because nothing answered the last time. */
  readonly stuck: ReadonlySignal<boolean> = computed(() =>
    this.#unreachable.value && this.#items.value.some((item) => item.state === "waiting")
  );
  /** Whether an unsent message is held by this page alone, since the browser's storage is full or closed. */
  readonly fleeting: ReadonlySignal<boolean> = computed(() =>
    this.#items.value.some((item) => item.state !== "sent" && this.#loose.value.has(item.token))
  );
  #flushing: Promise<void> | null = null;
  #again = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Takes up what an earlier page left: what the server has already is let go. */
  open(): void {
    for (const item of this.#read()) if (item.state === "sent") this.#drop(item.token);
    this.reload();
  }

  get items(): ReadonlySignal<readonly Outgoing[]> {
    return this.#items;
  }

  /** The token of the message that is going out at this moment. */
  get going(): ReadonlySignal<string | null> {
    return this.#going;
  }

  /** Whether this very page wrote the message, rather than another tab or an earlier page. */
  wrote(token: string): boolean {
    return this.#mine.has(token);
  }

  /** Keeps a message and sends it as soon as it can be. */
  add(conversation: string | null, message: Message): Outgoing {
    const item: Outgoing = {
      ...message,
      token: this.#options.token(),
      conversation,
      at: this.#options.now().toISOString(),
      place: (this.#read().at(-1)?.place ?? 0) + 1,
      state: "waiting",
    };
    this.#mine.add(item.token);
    this.#keep(item);
    this.reload();
    return item;
  }

  /** Looks again at what is kept: another tab of this browser may have changed it. */
  reload(): void {
    this.#items.value = this.#read();
  }

  /** Tries a refused message once more. */
  retry(token: string): void {
    this.#change(token, { state: "waiting", problem: undefined });
  }

  /** Gives a message that has not gone out another text; it then waits. Gives whether it could. */
  edit(token: string, text: string): boolean {
    const item = this.#read().find((held) => held.token === token);
    if (!item || item.state === "sent" || this.#going.value === token) return false;
    this.#change(token, { text, state: "waiting", problem: undefined });
    return true;
  }

  /** Takes a message out, and gives it back. */
  take(token: string): Outgoing | undefined {
    const item = this.#read().find((held) => held.token === token);
    this.#drop(token);
    this.reload();
    return item;
  }

  /** The server shows these to be safe: they need not be kept any more. */
  confirm(tokens: ReadonlySet<string>): void {
    const done = this.#items.value.filter((item) => tokens.has(item.token));
    if (done.length === 0) return;
    for (const { token } of done) this.#drop(token);
    this.reload();
  }

  /** Sends what waits, in order. Resolves when nothing is left to send, or the server cannot be reached. */
  flush(): Promise<void> {
    if (this.#flushing) {
      this.#again = true;
      return this.#flushing;
    }
    this.#flushing = this.#options.exclusive(() => this.#sendAll()).finally(() => {
      this.#flushing = null;
      if (this.#again) {
        this.#again = false;
        this.flush().catch(() => {});
      }
    });
    return this.#flushing;
  }

  async #sendAll(): Promise<void> {
    for (let item = this.#next(); item; item = this.#next()) {
      this.#going.value = item.token;
      try {
        const conversation = item.conversation ?? await this.#begin(item);
        const receipt = await this.#options.api.send(conversation, draftOf(item));
        batch(() => {
          this.#unreachable.value = false;
          if (receipt.fate === "command") this.take(item.token);
          else this.#change(item.token, { state: "sent" });
        });
        this.#options.onReceipt(conversation, receipt);
      } catch (error) {
        this.#unreachable.value = error instanceof NotConnected;
        if (error instanceof ApiError && error.status >= 400 && error.status < 500 && !RETRIED.has(error.status)) {
          this.#change(item.token, { state: "refused", problem: error.message });
        } else if (error instanceof NotConnected || error instanceof ApiError) return;
        else throw error;
      } finally {
        this.#going.value = null;
      }
    }
  }

  #next(): Outgoing | undefined {
    return this.#read().find((item) => item.state === "waiting");
  }

  /** Makes the conversation a message begins, and notes it before the message goes out, so that it is made once. */
  async #begin(item: Outgoing): Promise<string> {
    const { id } = await this.#options.api.create(item.model);
    this.#change(item.token, { conversation: id });
    this.#options.onBegun(id);
    return id;
  }

  #change(token: string, change: Partial<Outgoing>): void {
    const item = this.#read().find((held) => held.token === token);
    if (item) this.#keep({ ...item, ...change });
    this.reload();
  }

  #read(): readonly Outgoing[] {
    const items = this.#options.store.names(KEPT).flatMap((name) => readOutgoing(this.#options.store.get(name)));
    return items.sort((a, b) => a.place - b.place || a.at.localeCompare(b.at));
  }

  #keep(item: Outgoing): void {
    const isKept = this.#options.store.set(KEPT + item.token, JSON.stringify(item));
    if (isKept === this.#loose.value.has(item.token)) this.#mark(item.token, !isKept);
  }

  #drop(token: string): void {
    this.#options.store.set(KEPT + token, null);
    if (this.#loose.value.has(token)) this.#mark(token, false);
  }

  #mark(token: string, isLoose: boolean): void {
    const loose = new Set(this.#loose.value);
    if (isLoose) loose.add(token);
    else loose.delete(token);
    this.#loose.value = loose;
  }
}

/** Signed out, too fast: the same message may go through later. */
const RETRIED: ReadonlySet<number> = new Set([401, 408, 425, 429]);

/** What of a message goes over the wire. */
function draftOf({ text, token, images, files, thinking, plan, queue }: Outgoing): Draft {
  return {
    text,
    token,
    ...images && images.length > 0 && { images },
    ...files && files.length > 0 && { files },
    ...thinking !== undefined && { thinking },
    ...plan && { plan },
    ...queue && { queue },
  };
}

/** One kept message; none where it cannot be read. */
function readOutgoing(kept: string | null): Outgoing[] {
  try {
    const item = JSON.parse(kept ?? "null");
    return isOutgoing(item) ? [item] : [];
  } catch {
    return [];
  }
}

function isOutgoing(value: unknown): value is Outgoing {
  const item = value as Partial<Outgoing> | null;
  return typeof item === "object" && item !== null && typeof item.token === "string" && typeof item.text === "string" &&
    typeof item.place === "number" && typeof item.at === "string" &&
    (item.conversation === null || typeof item.conversation === "string") &&
    (item.state === "waiting" || item.state === "sent" || item.state === "refused");
}
