/**
 * What is being written: kept in this browser per conversation, and shared by all its tabs.
 *
 * Invariants (tests/components/state/drafts_test.ts pins each)
 * 1. What was typed last is what is kept; nothing but sending it or emptying the field removes it.
 * 2. A long text is written down a moment after the typing stops, or when the page goes; until then it is still what `read`
 *    gives.
 * 3. The draft of a conversation that is not begun goes along when it is begun.
 *
 * @module
 */
import { type Signal, signal } from "@preact/signals";
import { draftKey, type Store } from "./store.ts";

/** A text longer than this is not written down at each key, in UTF-16 code units. */
const LONG = 50_000;
/** How long after the last key it is, in milliseconds. */
const PAUSE_MS = 400;

export interface DraftsOptions {
  readonly store: Store;
  /** Runs something later; the function it gives back calls it off. */
  readonly after: (ms: number, then: () => void) => () => void;
}

/** A draft that was changed by another tab. */
export interface ForeignDraft {
  readonly conversation: string | null;
  readonly text: string;
}

export class Drafts {
  /** What another tab of this browser wrote last. */
  readonly foreign: Signal<ForeignDraft | null> = signal(null);
  readonly #options: DraftsOptions;
  #unwritten: ForeignDraft | null = null;
  #callOff: (() => void) | null = null;

  constructor(options: DraftsOptions) {
    this.#options = options;
  }

  read(conversation: string | null): string {
    if (this.#unwritten?.conversation === conversation) return this.#unwritten.text;
    return this.#options.store.get(draftKey(conversation)) ?? "";
  }

  /** Keeps what is in the field. */
  write(conversation: string | null, text: string): void {
    if (this.#unwritten && this.#unwritten.conversation !== conversation) this.settle();
    this.#callOff?.();
    this.#unwritten = { conversation, text };
    if (text.length <= LONG) this.settle();
    else this.#callOff = this.#options.after(PAUSE_MS, () => this.settle());
  }

  /** Writes down now what waits to be. */
  settle(): void {
    this.#callOff?.();
    this.#callOff = null;
    if (!this.#unwritten) return;
    const { conversation, text } = this.#unwritten;
    this.#unwritten = null;
    this.#options.store.set(draftKey(conversation), text);
  }

  /** The conversation that was not begun is begun. */
  begun(conversation: string): void {
    const text = this.read(null);
    this.write(null, "");
    if (text !== "") this.write(conversation, text);
  }

  /** Another tab changed what the storage has under a key; `null`: all of it. */
  heard(key: string | null): void {
    const name = this.#options.store.nameOf(key);
    if (!name?.startsWith(DRAFT)) return;
    const conversation = name === draftKey(null) ? null : name.slice(DRAFT.length);
    if (this.#unwritten?.conversation === conversation) return;
    this.foreign.value = { conversation, text: this.#options.store.get(name) ?? "" };
  }
}

const DRAFT = "draft:";
