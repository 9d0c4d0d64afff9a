/**
 * What this browser keeps for the page: drafts and unsent messages. Storage may be closed or full; then they live as long
 * as the page, and nothing fails.
 *
 * Invariants (tests/components/state/store_test.ts pins each)
 * 1. What was set last is what `get` gives, also where the storage was full and still holds something older.
 * 2. `names` lists what is held, wherever it is held.
 *
 * @module
 */

/** The few calls of `Storage` that are used. */
export type KeyValue = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

export class Store {
  readonly #prefix: string;
  readonly #storage: KeyValue | null;
  /** What the storage would not take; it goes before what the storage still has. */
  readonly #held = new Map<string, string>();

  constructor(basePath: string, storage: KeyValue | null) {
    this.#prefix = `malama:${basePath}:`;
    this.#storage = storage;
  }

  get(key: string): string | null {
    const held = this.#held.get(key);
    if (held !== undefined) return held;
    try {
      return this.#storage?.getItem(this.#prefix + key) ?? null;
    } catch {
      return null;
    }
  }

  /** `null` or an empty text removes it. Gives whether it outlives the page. */
  set(key: string, value: string | null): boolean {
    this.#held.delete(key);
    try {
      if (!value) this.#storage?.removeItem(this.#prefix + key);
      else this.#storage?.setItem(this.#prefix + key, value);
      if (this.#storage) return true;
    } catch { /* full or closed: kept below */ }
    if (value) this.#held.set(key, value);
    return false;
  }

  /** The names of what is held that begin so. */
  names(start: string): readonly string[] {
    const names = new Set([...this.#held.keys()].filter((name) => name.startsWith(start)));
    try {
      for (let n = 0; n < (this.#storage?.length ?? 0); n++) {
        const name = this.nameOf(this.#storage?.key(n) ?? null);
        if (name?.startsWith(start)) names.add(name);
      }
    } catch { /* closed: what the page holds is all there is */ }
    return [...names];
  }

  /** What a key of the storage is called here; `null` for one that is not ours. */
  nameOf(key: string | null): string | null {
    return key?.startsWith(this.#prefix) ? key.slice(this.#prefix.length) : null;
  }
}

/** The browser's storage, or `null` where it is closed to the page. */
export function browserStorage(): KeyValue | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/** The key of the draft of a conversation, or of the one that is not begun. */
export function draftKey(conversation: string | null): string {
  return `draft:${conversation ?? "new"}`;
}
