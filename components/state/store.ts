/**
 * What this browser keeps for the page: drafts and unsent messages. Storage may be closed or full; then they live as long
 * as the page, and nothing fails.
 *
 * @module
 */

/** The few calls of `Storage` that are used. */
export type KeyValue = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export class Store {
  readonly #prefix: string;
  readonly #storage: KeyValue | null;
  readonly #held = new Map<string, string>();

  constructor(basePath: string, storage: KeyValue | null) {
    this.#prefix = `malama:${basePath}:`;
    this.#storage = storage;
  }

  get(key: string): string | null {
    try {
      return this.#storage?.getItem(this.#prefix + key) ?? this.#held.get(key) ?? null;
    } catch {
      return this.#held.get(key) ?? null;
    }
  }

  /** `null` or an empty text removes it. */
  set(key: string, value: string | null): void {
    try {
      if (!value) this.#storage?.removeItem(this.#prefix + key);
      else this.#storage?.setItem(this.#prefix + key, value);
      if (this.#storage) {
        this.#held.delete(key);
        return;
      }
    } catch { /* full or closed: kept below */ }
    if (!value) this.#held.delete(key);
    else this.#held.set(key, value);
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
