/**
 * Messages on their way: kept in this browser until the server has them, sent once.
 *
 * Invariants (tests/components/state/outbox_test.ts pins each)
 * 1. A message is kept before it is sent, and until the transcript shows it: neither a reload nor a lost connection loses
 *    it.
 * 2. Every try carries the token it was written with, so that the server runs it once however often it arrives.
 * 3. Messages of one conversation go out in the order they were written.
 * 4. What could not be sent because nothing answered is `stuck` until something does.
 * 5. A refusal (4xx) is not tried again; the message waits with the server's sentence until the person decides.
 *
 * @module
 */
import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import { type Api, ApiError, NotConnected, type Receipt } from "./api.ts";
import type { Store } from "./store.ts";

export interface Outgoing {
  readonly token: string;
  /** `null`: a conversation that has yet to be made. */
  readonly conversation: string | null;
  readonly text: string;
  /** When it was written, ISO 8601. */
  readonly at: string;
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

const KEY = "outbox";

export class Outbox {
  readonly #options: OutboxOptions;
  readonly #items = signal<readonly Outgoing[]>([]);
  readonly #unreachable = signal(false);
  /** Whether messages wait because nothing answered the last time. */
  readonly stuck: ReadonlySignal<boolean> = computed(() =>
    this.#unreachable.value && this.#items.value.some((item) => item.state === "waiting")
  );
  #flushing: Promise<void> | null = null;
  #again = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Takes up what an earlier page left: what the server has already is let go. */
  open(): void {
    this.#write(this.#read().filter((item) => item.state !== "sent"));
  }

  get items(): ReadonlySignal<readonly Outgoing[]> {
    return this.#items;
  }

  /** Keeps a message and sends it as soon as it can be. */
  add(conversation: string | null, text: string): Outgoing {
    const item: Outgoing = {
      token: this.#options.token(),
      conversation,
      text,
      at: this.#options.now().toISOString(),
      state: "waiting",
    };
    this.#write([...this.#read(), item]);
    return item;
  }

  /** Looks again at what is kept: another tab of this browser may have changed it. */
  reload(): void {
    this.#items.value = this.#read();
  }

  /** Tries a refused message once more. */
  retry(token: string): void {
    this.#change(token, { state: "waiting" });
  }

  /** Takes a message out, and gives it back. */
  take(token: string): Outgoing | undefined {
    const items = this.#read();
    this.#write(items.filter((item) => item.token !== token));
    return items.find((item) => item.token === token);
  }

  /** The transcript shows these: they need not be kept any more. */
  confirm(tokens: ReadonlySet<string>): void {
    if (this.#items.value.some((item) => tokens.has(item.token))) {
      this.#write(this.#read().filter((item) => !tokens.has(item.token)));
    }
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
      try {
        const conversation = item.conversation ?? await this.#begin(item);
        const receipt = await this.#options.api.send(conversation, { text: item.text, token: item.token });
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
      }
    }
  }

  #next(): Outgoing | undefined {
    return this.#read().find((item) => item.state === "waiting");
  }

  /** Makes the conversation a message begins, and notes it before the message goes out, so that it is made once. */
  async #begin(item: Outgoing): Promise<string> {
    const { id } = await this.#options.api.create();
    this.#change(item.token, { conversation: id });
    this.#options.onBegun(id);
    return id;
  }

  #change(token: string, change: Partial<Outgoing>): void {
    this.#write(this.#read().map((item) => item.token === token ? { ...item, ...change } : item));
  }

  #read(): readonly Outgoing[] {
    try {
      const items = JSON.parse(this.#options.store.get(KEY) ?? "[]");
      return Array.isArray(items) ? items.filter(isOutgoing) : [];
    } catch {
      return [];
    }
  }

  #write(items: readonly Outgoing[]): void {
    this.#options.store.set(KEY, items.length > 0 ? JSON.stringify(items) : null);
    this.#items.value = items;
  }
}

/** Signed out, too fast: the same message may go through later. */
const RETRIED: ReadonlySet<number> = new Set([401, 408, 425, 429]);

function isOutgoing(value: unknown): value is Outgoing {
  const item = value as Partial<Outgoing> | null;
  return typeof item === "object" && item !== null && typeof item.token === "string" && typeof item.text === "string" &&
    (item.conversation === null || typeof item.conversation === "string") &&
    (item.state === "waiting" || item.state === "sent" || item.state === "refused");
}
