/**
 * Deleting a conversation, and undoing that for a while.
 *
 * Invariants (tests/components/state/deletion_test.ts)
 * 1. An undo goes to the server only after its deletion was answered: it would be deleted once it is back otherwise.
 * 2. A conversation in view stays in view while its deletion can be undone, and is left when it no longer can.
 * 3. News of a deletion that comes after the undo does not leave the conversation: the server is asked.
 *
 * @module
 */
import { batch, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Conversation } from "../../core/log/entry.ts";
import type { Api } from "./api.ts";
import type { LiveView } from "./live_view.ts";

/** A conversation that was deleted a moment ago and can still be brought back. */
export interface Deleted {
  readonly row: Conversation;
  /** Whether it was the one in view. */
  readonly inView: boolean;
}

/** How long a deletion can be undone, in milliseconds. */
export const UNDO_MS = 10_000;

/** What a deletion works with. */
export interface DeletionServices {
  readonly api: Pick<Api, "remove" | "restore">;
  readonly live: Pick<LiveView, "takeRow" | "takeBack" | "dropRow" | "refresh"> & {
    readonly conversation: ReadonlySignal<{ readonly id: string } | null>;
  };
  /** Does it; what goes wrong is said and gives `undefined`. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<T | undefined>;
  /** Goes to the page without a conversation. */
  readonly leave: () => void;
  /** Calls back after so many milliseconds; gives what calls that off. */
  readonly after: (ms: number, then: () => void) => () => void;
}

export class Deletion {
  /** What the undo bar stands for. */
  readonly deleted: Signal<Deleted | null> = signal(null);
  readonly #services: DeletionServices;
  #callOff = () => {};
  /** Resolves, to whether it went well, when the newest deletion is answered. */
  #removed: Promise<boolean> = Promise.resolve(true);
  /** What was deleted here last and is not back: it is left when its bar goes, not at the news of its deletion. */
  #deletedHere: string | null = null;
  /** What was brought back here last: the news of its deletion may come after it. */
  #broughtBack: string | null = null;

  constructor(services: DeletionServices) {
    this.#services = services;
  }

  /** Deletes at once; for ten seconds it can be undone. */
  async remove(row: Conversation): Promise<void> {
    const { api, live, attempt, after } = this.#services;
    const inView = live.conversation.value?.id === row.id;
    this.#putAway({ leave: !inView });
    const deleted = { row, inView };
    batch(() => {
      this.deleted.value = deleted;
      live.dropRow(row.id);
    });
    this.#deletedHere = row.id;
    this.#removed = attempt(() => api.remove(row.id).then(() => true)).then((done) => done === true);
    const done = await this.#removed;
    const isStanding = this.deleted.value === deleted;
    if (isStanding && done) this.#callOff = after(UNDO_MS, () => this.#putAway({ leave: true }));
    if (isStanding && !done) this.deleted.value = null;
    if (done) return;
    live.takeRow(row);
    if (this.#deletedHere === row.id) this.#deletedHere = null;
  }

  /** Brings the conversation back that was deleted last. */
  async undo(): Promise<void> {
    const { api, live, attempt } = this.#services;
    const deleted = this.deleted.value;
    if (!deleted) return;
    const { id } = deleted.row;
    this.#putAway({ leave: false });
    const row = await this.#removed ? await attempt(() => api.restore(id)) : undefined;
    if (!row) return;
    this.#broughtBack = id;
    if (this.#deletedHere === id) this.#deletedHere = null;
    live.takeBack(row);
  }

  /** The conversation in view is gone, or was and is back. */
  gone(id: string): void {
    const { live, leave } = this.#services;
    if (this.#deletedHere === id) return;
    if (this.#broughtBack !== id) return leave();
    this.#broughtBack = null;
    live.refresh();
  }

  /** Puts the undo bar away; with `leave`, a deleted conversation that is still in view is left. */
  #putAway({ leave }: { readonly leave: boolean }): void {
    this.#callOff();
    this.#callOff = () => {};
    const isLeft = leave && this.deleted.value?.inView;
    this.deleted.value = null;
    if (isLeft) this.#services.leave();
  }
}
