/**
 * What the rest of the house asks of approvals.
 *
 * @module
 */
import type { ApprovalData, ApprovalRule, ApprovalScope } from "../../log/mod.ts";

/** A question as it is listed: the data of its entry, where it is, and what the tool does. */
export interface Approval extends ApprovalData {
  readonly conversation: string;
  /** Of the conversation. */
  readonly title: string;
  /** Of the question's own entry; `entry` is the call's. */
  readonly seq: number;
  readonly turn: string;
  /** The sub-agent's run that asks; `null` for the entry agent. */
  readonly run: string | null;
  /** What the tool says it does. */
  readonly about: string;
  /** When it was asked, ISO 8601. */
  readonly at: string;
}

/** What a person says to a question. */
export interface ApprovalAnswer {
  readonly decision: "allow" | "deny";
  /** Of an allowance; default `once`. */
  readonly scope?: ApprovalScope;
  /** Why not; the model reads it. */
  readonly reason?: string;
  /** Of an allowance: other arguments than the model gave. */
  readonly arguments?: unknown;
}

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
