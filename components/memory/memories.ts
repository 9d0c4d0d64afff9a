/**
 * What the memory page shows and does: a list, a search, one memory that is being written, and those that were just removed.
 *
 * Invariants (tests/components/memory/memories_test.ts)
 * 1. The answer to an older search never takes the place of a newer one.
 * 2. What is removed stays in its place until another list is shown, so that it can be brought back there.
 * 3. Older ones that arrive undo nothing that was done while they were on their way.
 *
 * @module
 */
import { batch, type ReadonlySignal, signal } from "@preact/signals";

/** A fact, as `GET /api/memories` tells it. */
export interface ShownMemory {
  readonly id: string;
  readonly text: string;
  /** The conversation it came from; `null` when a person wrote it. */
  readonly origin: string | null;
  /** ISO 8601. */
  readonly created_at: string;
  readonly updated_at: string;
}

/** A page of them. */
export interface MemoryRows {
  readonly items: readonly ShownMemory[];
  /** `before` of the next page. */
  readonly next: string | null;
  /** How many there are in all. */
  readonly count: number;
}

/** The calls that the page makes. */
export interface MemoryCalls {
  list(query: string, before: string | null, signal?: AbortSignal): Promise<MemoryRows>;
  add(text: string): Promise<ShownMemory>;
  change(id: string, text: string): Promise<ShownMemory>;
  remove(id: string): Promise<void>;
  restore(id: string): Promise<ShownMemory>;
}

export interface MemoriesOptions {
  readonly first: MemoryRows;
  /** What `first` was searched for; empty for the newest. */
  readonly query: string;
  readonly calls: MemoryCalls;
  /** Does it; what goes wrong is told and gives `undefined`. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<T | undefined>;
}

export class Memories {
  readonly #options: MemoriesOptions;
  readonly #rows = signal<MemoryRows>({ items: [], next: null, count: 0 });
  readonly #query = signal("");
  readonly #removed = signal<ReadonlySet<string>>(new Set());
  readonly #editing = signal<string | null>(null);
  readonly #busy = signal(false);
  #searching = new AbortController();

  constructor(options: MemoriesOptions) {
    this.#options = options;
    this.#rows.value = options.first;
    this.#query.value = options.query;
  }

  get rows(): ReadonlySignal<MemoryRows> {
    return this.#rows;
  }

  /** What the list answers; empty when it is all of them. */
  get query(): ReadonlySignal<string> {
    return this.#query;
  }

  /** The ids of those that were removed and can be brought back. */
  get removed(): ReadonlySignal<ReadonlySet<string>> {
    return this.#removed;
  }

  /** The one that is being written; `""` is a new one. */
  get editing(): ReadonlySignal<string | null> {
    return this.#editing;
  }

  /** Whether a change is on its way. */
  get busy(): ReadonlySignal<boolean> {
    return this.#busy;
  }

  /** Shows what answers a search, or all of them for an empty one. */
  async search(query: string): Promise<void> {
    this.#searching.abort();
    const { signal } = this.#searching = new AbortController();
    const found = await this.#options.attempt(async () => {
      try {
        return await this.#options.calls.list(query.trim(), null, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    });
    if (!found || signal.aborted) return;
    batch(() => {
      this.#query.value = query.trim();
      this.#rows.value = found;
      this.#removed.value = new Set();
      this.#editing.value = null;
    });
  }

  /** Adds older ones to the end of the list. */
  async more(): Promise<void> {
    const { next } = this.#rows.value;
    if (next === null) return;
    const older = await this.#options.attempt(() => this.#options.calls.list("", next));
    const now = this.#rows.value;
    if (older && now.next === next) {
      this.#rows.value = { items: [...now.items, ...older.items], next: older.next, count: now.count };
    }
  }

  edit(id: string | null): void {
    this.#editing.value = id;
  }

  /** Stores what was written: a new one, or a change. `true` when it is stored. */
  async keep(id: string, text: string): Promise<boolean> {
    if (text.trim() === "") return false;
    this.#busy.value = true;
    const { calls, attempt } = this.#options;
    const kept = await attempt(() => id === "" ? calls.add(text) : calls.change(id, text));
    batch(() => {
      this.#busy.value = false;
      if (!kept) return;
      this.#editing.value = null;
      this.#place(kept);
    });
    return kept !== undefined;
  }

  async remove(id: string): Promise<boolean> {
    const done = await this.#options.attempt(async () => {
      await this.#options.calls.remove(id);
      return true;
    });
    if (done) this.#mark(id, true);
    return done ?? false;
  }

  /** Brings a removed one back. */
  async undo(id: string): Promise<boolean> {
    const back = await this.#options.attempt(() => this.#options.calls.restore(id));
    if (!back) return false;
    this.#mark(id, false);
    return true;
  }

  /** A change stays where it is; a new one comes first, unless it was there already. */
  #place(memory: ShownMemory): void {
    const { items, count, next } = this.#rows.value;
    const isThere = items.some(({ id }) => id === memory.id);
    this.#rows.value = isThere
      ? { items: items.map((each) => each.id === memory.id ? memory : each), count, next }
      : { items: [memory, ...items], count: count + 1, next };
  }

  #mark(id: string, isRemoved: boolean): void {
    const ids = new Set(this.#removed.value);
    if (isRemoved) ids.add(id);
    else ids.delete(id);
    batch(() => {
      this.#removed.value = ids;
      this.#rows.value = { ...this.#rows.value, count: this.#rows.value.count + (isRemoved ? -1 : 1) };
    });
  }
}
