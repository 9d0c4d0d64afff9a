/**
 * The one name that is being written, in the head or in a row of the side.
 *
 * Invariants (tests/components/state/renaming_test.ts pins each)
 * 1. A title that was changed elsewhere meanwhile is never overwritten unseen: what it is now is shown beside what was
 *    written, which stays in the field (K-067).
 * 2. A name that was refused for any other reason leaves the row as it was, and the reason is said.
 *
 * @module
 */
import { type Signal, signal } from "@preact/signals";
import type { Conversation } from "../../core/log/entry.ts";
import { type Api, ApiError } from "./api.ts";

/** A name while it is written. */
export interface Name {
  readonly conversation: string;
  readonly place: "head" | "side";
  readonly text: string;
  /** The title the person was shown when they began. */
  readonly was: string;
  /** What it was changed to elsewhere, when that came between; else `null`. */
  readonly now: string | null;
}

export interface RenamingOptions {
  readonly api: Pick<Api, "change" | "detail">;
  /** The row as the page holds it. */
  readonly rowOf: (id: string) => Conversation | undefined;
  readonly takeRow: (row: Conversation) => void;
  /** Does it; what goes wrong is said and gives `undefined`. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<T | undefined>;
}

export class Renaming {
  readonly name: Signal<Name | null> = signal(null);
  readonly #options: RenamingOptions;

  constructor(options: RenamingOptions) {
    this.#options = options;
  }

  /** The name that is written for a conversation in that place; `null` when none is. */
  at(place: Name["place"], conversation: string | undefined): Name | null {
    const name = this.name.value;
    return name !== null && name.place === place && name.conversation === conversation ? name : null;
  }

  /** Opens the field with the title as it is. */
  open(row: Conversation, place: Name["place"]): void {
    this.name.value = { conversation: row.id, place, text: row.title, was: row.title, now: null };
  }

  type(text: string): void {
    const name = this.name.value;
    if (name) this.name.value = { ...name, text };
  }

  /** Puts the field away and leaves the title. */
  drop(): void {
    this.name.value = null;
  }

  /** Keeps what is written and puts the field away, at once. It comes back when the title was changed elsewhere. */
  async keep(): Promise<void> {
    const name = this.name.value;
    this.name.value = null;
    const { api, rowOf, takeRow, attempt } = this.#options;
    const row = name && rowOf(name.conversation);
    const words = name?.text.trim().replace(/\s+/g, " ") ?? "";
    if (!name || !row || words === "" || words === name.was) return;
    takeRow({ ...row, title: words });
    const kept = await attempt(() =>
      api.change(row.id, { title: words, expected_title: name.was }).catch((error) => {
        if (error instanceof ApiError && error.status === 409) return "moved" as const;
        throw error;
      })
    );
    if (kept !== "moved") return takeRow(kept ?? row);
    const newer = await attempt(() => api.detail(row.id));
    takeRow(newer ? rowIn(newer) : row);
    if (newer && newer.title !== words && this.name.value === null) {
      this.name.value = { ...name, was: newer.title, now: newer.title };
    }
  }
}

function rowIn({ path: _path, ...row }: Conversation & { readonly path: unknown }): Conversation {
  return row;
}
