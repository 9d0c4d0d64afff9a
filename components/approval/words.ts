/**
 * A decision in words: what is asked, what a rule covers, who decided and how. Pure.
 *
 * @module
 */
import type { ApprovalData, ApprovalRule, ApprovalScope } from "../../core/log/entry.ts";
import { elapsed } from "../words.ts";

/** What a rule covers, as the part of a sentence that follows "always" or "for this turn". */
export function ruleWords({ agent, tool, arguments: given }: ApprovalRule): string {
  return given === undefined
    ? `let ${agent} run ${tool}, whatever it is given`
    : `let ${agent} run ${tool} with exactly these arguments`;
}

/** Why something is asked that no gate covers. */
export const OUTSIDE_WORDS = "This turn has read what others wrote, and this would be remembered.";

/** How long an allowance holds, as it follows "You allowed send_mail". */
export function scopeWords(scope: ApprovalScope | undefined): string {
  switch (scope) {
    case "turn":
      return " for this turn";
    case "conversation":
      return " for this conversation";
    case "always":
      return " from now on";
    case "once":
    case undefined:
      return "";
    default:
      return scope satisfies never;
  }
}

/** Who decided what, and why, in a sentence without its end. Of a question that was never decided: what became of it. */
export function decidedWords(data: ApprovalData): string {
  const { tool, decision, by, reason } = data;
  const why = reason ? `: “${reason}”` : "";
  if (decision === undefined) return `The turn ended before anybody answered: ${tool} did not run`;
  const changed = data.changed === undefined ? "" : ", with other arguments";
  if (decision === "allow") {
    const who = by === "person" ? "You" : by === "reviewer" ? reviewerOf(data) : "A rule of yours";
    return `${who} allowed ${tool}${scopeWords(data.scope)}${changed}${by === "person" ? "" : why}`;
  }
  switch (by) {
    case "timeout":
      return `Nobody answered in time, so ${tool} was denied`;
    case "restart":
      return `Malama was started anew while this waited, so ${tool} did not run`;
    case "policy":
      return `${tool} was denied without asking${why}`;
    case "reviewer":
      return `${reviewerOf(data)} denied ${tool}${why}`;
    case "person":
    case undefined:
      return `You denied ${tool}${why}`;
    default:
      return by satisfies never;
  }
}

function reviewerOf({ verdicts = [] }: ApprovalData): string {
  const name = verdicts.findLast(({ approved }) => approved)?.reviewer ?? verdicts.at(-1)?.reviewer;
  return name === undefined ? "The reviewer" : `The reviewer ${name}`;
}

/** How long is left, as it follows "Denied by itself": whole minutes, then a clock; `null` when the time is up. */
export function timeLeft(ms: number): string | null {
  if (ms <= 0) return null;
  if (ms < 90_000) return `in ${elapsed(ms)}`;
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `in ${minutes} min` : `in ${Math.round(minutes / 60)} h`;
}

/** The kinds of things code may reach, as they are called on the page, in this order. */
const REACHES: readonly (readonly [key: string, name: string])[] = [
  ["net", "Network"],
  ["read", "Reads"],
  ["write", "Writes"],
  ["run", "Programs"],
  ["env", "Environment"],
];

/** What code may reach, kind by kind: every known kind is there, so that nothing is taken for granted. */
export function reachWords(
  permissions: Readonly<Partial<Record<string, readonly string[]>>>,
): readonly (readonly [name: string, what: readonly string[]])[] {
  const known = REACHES.map(([key, name]) => [name, permissions[key] ?? []] as const);
  const others = Object.entries(permissions).filter(([key]) => !REACHES.some(([name]) => name === key))
    .map(([key, what]) => [key, what ?? []] as const);
  return [...known, ...others];
}
