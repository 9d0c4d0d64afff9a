/**
 * Folded contexts of the last few conversations, so that a long one is not read from the start for every turn. It may be
 * dropped at any moment: whatever is not here is folded from the log again (ARCHITECTURE section 12).
 *
 * @module
 */
import { foldLoaded } from "../agent/mod.ts";
import { type ContextMessage, foldContext, type Log } from "../log/mod.ts";
import { pathTo } from "../conversation/mod.ts";

/** What a conversation has come to. */
export interface History {
  /** What a model is sent of it. */
  readonly messages: readonly ContextMessage[];
  /** The toolsets its entry agent has loaded, in that order (K-179). */
  readonly loaded: readonly string[];
}

export class ContextCache {
  readonly #log: Log;
  /** By turn: what its conversation had come to after it. */
  readonly #contexts = new Map<string, History>();

  /** @param kept How many conversations are kept. */
  constructor(log: Log, readonly kept: number) {
    this.#log = log;
  }

  /** The history up to the end of that turn; empty for none. */
  async upTo(conversation: string, turn: string | null): Promise<History> {
    if (turn === null) return { messages: [], loaded: [] };
    const kept = this.#contexts.get(turn);
    if (kept) return kept;
    const path = pathTo(await this.#log.turns(conversation), turn);
    const entries = await this.#log.entriesOfTurns(conversation, path.map((each) => each.id));
    return { messages: foldContext(entries), loaded: foldLoaded(entries) };
  }

  /** Keeps what a turn ended with; the history it grew from is not needed any more. */
  keep(parent: string | null, turn: string, history: History): void {
    if (parent !== null) this.#contexts.delete(parent);
    this.#contexts.set(turn, history);
    for (const oldest of this.#contexts.keys()) {
      if (this.#contexts.size <= this.kept) break;
      this.#contexts.delete(oldest);
    }
  }
}
