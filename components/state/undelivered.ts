/**
 * Messages that a turn was stopped before it read: each ends in exactly one place, and the page says which.
 *
 * Invariants (tests/components/state/undelivered_test.ts pins each)
 * 1. The tab that sent it gets it back into its composer by itself, once, and only into an empty one.
 * 2. What became of it is kept: after a reload, and in another tab, nothing is offered or given back twice.
 *
 * @module
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { Entry } from "../../core/log/entry.ts";
import type { Transcript } from "../../core/log/folds/transcript.ts";
import type { Store } from "./store.ts";

/** Where an undelivered message went. */
export type Place = "composer" | "sent";

export interface UndeliveredOptions {
  readonly store: Store;
  /** Whether this tab sent it. */
  readonly isMine: (token: string) => boolean;
  readonly composerIsEmpty: () => boolean;
  readonly toComposer: (text: string) => void;
  readonly say: (text: string) => void;
}

const KEY = "undelivered";
/** So many are remembered: older ones are far up in a transcript. */
const REMEMBERED = 200;

export class Undelivered {
  readonly #options: UndeliveredOptions;
  readonly #places = signal<Readonly<Record<string, Place>>>({});
  readonly #seen = new Set<string>();

  constructor(options: UndeliveredOptions) {
    this.#options = options;
  }

  /** By token: where each went. */
  get places(): ReadonlySignal<Readonly<Record<string, Place>>> {
    return this.#places;
  }

  /** Takes up what an earlier page, or another tab, has noted. */
  open(): void {
    this.#places.value = this.#read();
  }

  /** Looks for messages that came back to this tab. */
  take(transcript: Transcript): void {
    const last = transcript.turns.at(-1);
    const back =
      last?.entries.filter((entry): entry is Entry<"undelivered"> =>
        entry.kind === "undelivered" && this.#isNew(entry.data.token)
      ) ?? [];
    if (back.length === 0) return;
    back.forEach((entry) => this.#seen.add(entry.data.token!));
    if (!this.#options.composerIsEmpty()) return;
    this.#options.toComposer(back.map((entry) => entry.data.text).join("\n\n"));
    this.#note(back.map((entry) => entry.data.token!), "composer");
  }

  /** Sends it as a new message. */
  sendNow(entry: Entry<"undelivered">): void {
    this.#options.say(entry.data.text);
    this.#note([entry.data.token ?? keyOf(entry)], "sent");
  }

  /** Puts it in the composer, above what stands there. */
  putBack(entry: Entry<"undelivered">): void {
    this.#options.toComposer(entry.data.text);
    this.#note([entry.data.token ?? keyOf(entry)], "composer");
  }

  /** Where an entry's message went, if anywhere. */
  placeOf(entry: Entry<"undelivered">): Place | undefined {
    return this.#places.value[entry.data.token ?? keyOf(entry)];
  }

  #isNew(token: string | undefined): boolean {
    return token !== undefined && this.#options.isMine(token) && !this.#seen.has(token) &&
      this.#read()[token] === undefined;
  }

  #note(tokens: readonly string[], place: Place): void {
    const all = { ...this.#read(), ...Object.fromEntries(tokens.map((token) => [token, place])) };
    const kept = Object.fromEntries(Object.entries(all).slice(-REMEMBERED));
    this.#options.store.set(KEY, JSON.stringify(kept));
    this.#places.value = kept;
  }

  #read(): Readonly<Record<string, Place>> {
    try {
      const held = JSON.parse(this.#options.store.get(KEY) ?? "{}");
      return typeof held === "object" && held !== null && !Array.isArray(held) ? held : {};
    } catch {
      return {};
    }
  }
}

function keyOf(entry: Entry): string {
  return `${entry.conversation}:${entry.seq}`;
}
