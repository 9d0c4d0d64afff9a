/**
 * Turns that ended where nobody looked: who hears of them, and in which words (K-288).
 *
 * A turn is told when its conversation has come to rest, which its row says: one that is followed at once by the next is not
 * told on its own, and the title is the one that the row has by then.
 *
 * @module
 */
import type { Conversation, LogOperation, Turn } from "../core/log/mod.ts";

/** An `alert` frame (API.md, "Live socket"). */
export interface AlertFrame {
  readonly op: "alert";
  readonly id: string;
  readonly level: "info" | "error";
  readonly text: string;
  readonly conversation: string;
  readonly group: string;
  readonly [key: string]: unknown;
}

export class EndedTurns {
  /** By conversation: the turn that ended last and was not told yet. */
  readonly #ended = new Map<string, Turn>();

  /** Takes an announced operation in. Gives what is to be said now, if anything. */
  take(operation: LogOperation): AlertFrame | null {
    switch (operation.op) {
      case "turn":
        if (operation.turn.status === "running") this.#ended.delete(operation.conversation);
        else this.#ended.set(operation.conversation, operation.turn);
        return null;
      case "conversation":
        return this.#told(operation.conversation);
      case "conversation_removed":
        this.#ended.delete(operation.conversation);
        return null;
      default:
        return null;
    }
  }

  #told(row: Conversation): AlertFrame | null {
    const turn = this.#ended.get(row.id);
    if (!turn || row.running) return null;
    this.#ended.delete(row.id);
    const said = wordsFor(turn, row.title);
    return said && { op: "alert", id: turn.id, conversation: row.id, group: row.id, ...said };
  }
}

/** Nothing is said of a turn that a person stopped, or that a stop of the machine cut off. */
function wordsFor({ status, failure }: Turn, title: string): Pick<AlertFrame, "level" | "text"> | null {
  const why = failure ? `: ${failure}` : "";
  switch (status) {
    case "done":
      return { level: "info", text: `Reply ready in “${title}”` };
    case "failed":
      return { level: "error", text: `The turn in “${title}” failed${why}` };
    case "refused":
      return { level: "error", text: `The model declined to answer in “${title}”${why}` };
    case "running":
    case "stopped":
    case "interrupted":
      return null;
    default:
      return status satisfies never;
  }
}
