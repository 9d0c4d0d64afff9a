/**
 * Decisions about tool calls: the data of their entries, and how one that waits is listed and answered.
 *
 * @module
 */

/** How long an allowance holds: for this call, or for like calls of this turn, this conversation, or from now on. */
export type ApprovalScope = "once" | "turn" | "conversation" | "always";

/** What an allowance that outlives its call covers: calls of one tool by one agent, with these arguments alone if there are any. */
export interface ApprovalRule {
  /** The agent's name, or `composed:<name>`. */
  readonly agent: string;
  readonly toolset: string;
  readonly tool: string;
  /** Present where the tool is too mighty to be allowed whatever it is given. */
  readonly arguments?: unknown;
}

/** What a reviewer said of a call (K-199). */
export interface ReviewerVerdict {
  /** Name of its `[reviewers.<name>]` table. */
  readonly reviewer: string;
  readonly model: string;
  readonly approved: boolean;
  /** Its sentence, or what kept it from giving one. */
  readonly reason: string;
}

/** A decision about a tool call: waiting until `decision` is there. */
export interface ApprovalData {
  /** `seq` of the tool entry it is about. */
  readonly entry: number;
  readonly agent: string;
  readonly toolset?: string;
  readonly tool: string;
  readonly arguments: unknown;
  /** What the code behind the tool may reach, where it runs in a process of its own; empty lists are nothing. */
  readonly permissions?: Readonly<Record<string, readonly string[]>>;
  /** What "for this turn", "for this conversation" and "always" would cover; absent where only "once" can be chosen. */
  readonly rule?: ApprovalRule;
  /** `outside`: no gate covers it; it is asked because the turn has read what others wrote, and this would be kept. */
  readonly cause?: "outside";
  /** When it is denied if nobody answers, ISO 8601. */
  readonly expires_at?: string;
  /** What the reviewers said before a person was asked, or instead of one. */
  readonly verdicts?: readonly ReviewerVerdict[];
  readonly decision?: "allow" | "deny";
  readonly scope?: ApprovalScope;
  readonly by?: "person" | "reviewer" | "policy" | "timeout" | "restart";
  readonly reason?: string;
  /** What the call was run with, where a person changed its arguments. */
  readonly changed?: unknown;
}

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
