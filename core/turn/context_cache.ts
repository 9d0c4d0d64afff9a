/**
 * Folded contexts of the last few conversations, so that a long one is not read from the start for every turn. It may be
 * dropped at any moment: whatever is not here is folded from the log again (ARCHITECTURE section 12).
 *
 * @module
 */
import { type ContextMessage, foldContext, type Log } from "../log/mod.ts";
import { pathTo } from "../conversation/mod.ts";

export class ContextCache {
  readonly #log: Log;
  /** By turn: what a model is sent after it. */
  readonly #contexts = new Map<string, readonly ContextMessage[]>();

  /** @param kept How many conversations are kept. */
  constructor(log: Log, readonly kept: number) {
    this.#log = log;
  }

  /** The context at the end of that turn; empty for none. */
  async upTo(conversation: string, turn: string | null): Promise<readonly ContextMessage[]> {
    if (turn === null) return [];
    const kept = this.#contexts.get(turn);
    if (kept) return kept;
    const path = pathTo(await this.#log.turns(conversation), turn);
    return foldContext(await this.#log.entriesOfTurns(conversation, path.map((each) => each.id)));
  }

  /** Keeps what a turn ended with; the context it grew from is not needed any more. */
  keep(parent: string | null, turn: string, context: readonly ContextMessage[]): void {
    if (parent !== null) this.#contexts.delete(parent);
    this.#contexts.set(turn, context);
    for (const oldest of this.#contexts.keys()) {
      if (this.#contexts.size <= this.kept) break;
      this.#contexts.delete(oldest);
    }
  }
}
