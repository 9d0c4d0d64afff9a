/**
 * What the rest of the house asks of approvals.
 *
 * @module
 */
import type { Approval, ApprovalAnswer, ApprovalRule } from "../../log/mod.ts";

/** A rule that is kept. Times are ISO 8601. */
export interface StoredRule extends ApprovalRule {
  readonly id: string;
  /** The one conversation it holds in; `null` holds everywhere. */
  readonly conversation: string | null;
  readonly created_at: string;
}

/** Questions that wait for a person, and the rules they left behind. */
export interface Approvals {
  /** Those waiting, over all conversations, oldest first. */
  waiting(): readonly Approval[];
  /**
   * Answers one and gives it as it was closed, durable. Throws `QuestionNotFound`, `AlreadyDecided`, and `BadRequest` on
   * arguments that do not fit the tool and on a scope no rule can have.
   */
  answer(conversation: string, seq: number, answer: ApprovalAnswer): Promise<Approval>;
  /** The rules that hold everywhere, or those of one conversation alone; oldest first. */
  rules(conversation?: string): Promise<readonly StoredRule[]>;
  /** Ends a rule. Throws `RuleNotFound`. */
  revoke(rule: string): Promise<void>;
  /** Brings back a rule that was ended in the last ten minutes, and gives it. Throws `RuleNotFound`. */
  restore(rule: string): Promise<StoredRule>;
  /** Calls `listener` with the list whenever it changes; the function it gives back ends that. */
  subscribe(listener: (waiting: readonly Approval[]) => void): () => void;
  /** Says who can tell whether a conversation is watched; the function it gives back takes that away. */
  attend(isWatched: (conversation: string) => boolean): () => void;
}

/** No question stands there. */
export class QuestionNotFound extends Error {
  override readonly name = "QuestionNotFound";
  constructor(readonly conversation: string, readonly seq: number) {
    super(`Entry ${seq} of this conversation is no question`);
  }
}

/** The question was decided before, or its turn is over. */
export class AlreadyDecided extends Error {
  override readonly name = "AlreadyDecided";
  constructor(readonly conversation: string, readonly seq: number) {
    super("This question does not wait any more: it was answered, its time was up, or its turn ended");
  }
}

/** No rule has this id. */
export class RuleNotFound extends Error {
  override readonly name = "RuleNotFound";
  constructor(readonly rule: string) {
    super(`There is no rule "${rule}": it was revoked already`);
  }
}
