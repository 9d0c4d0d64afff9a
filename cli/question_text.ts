/**
 * A question that waits, as the terminal prints it, and what a line that is typed then means. Pure.
 *
 * @module
 */
import { exactJson } from "../components/approval/exact.ts";
import { OUTSIDE_WORDS, reachWords, ruleWords } from "../components/approval/words.ts";
import type { ApprovalData, ApprovalScope, Entry } from "../core/log/mod.ts";
import { oneLine, withoutControls } from "./control_filter.ts";
import type { Style } from "./style.ts";

/** What a line says to a question. */
export type LineAnswer =
  | {
    readonly kind: "answer";
    readonly decision: "allow" | "deny";
    readonly scope?: ApprovalScope;
    readonly reason?: string;
  }
  /** It can be no answer to this one; `advice` says what can. */
  | { readonly kind: "advice"; readonly advice: string };

const SCOPES: Readonly<Record<string, ApprovalScope>> = {
  y: "once",
  yes: "once",
  t: "turn",
  turn: "turn",
  c: "conversation",
  conversation: "conversation",
  always: "always",
};

/** Reads a line: what is no allowance denies, and what is longer than `no` is the reason (B.1). */
export function readAnswer(line: string, { rule, tool }: ApprovalData): LineAnswer {
  const text = line.trim();
  const word = text.toLowerCase();
  const scope = Object.hasOwn(SCOPES, word) ? SCOPES[word] : undefined;
  if (scope !== undefined && scope !== "once" && !rule) {
    return { kind: "advice", advice: `${tool} can only be allowed once: y, or anything else to deny` };
  }
  if (scope !== undefined) return { kind: "answer", decision: "allow", scope };
  return { kind: "answer", decision: "deny", ...word !== "n" && word !== "no" && { reason: text } };
}

/** The whole question: who asks for what with which arguments, what the code may reach, what a reviewer said. */
export function questionText({ data, run }: Entry<"approval">, style: Style): string {
  const { toolset, permissions, verdicts = [], arguments: given } = data;
  const from = toolset ? `, of the toolset ${oneLine(toolset, 40)}` : "";
  const who = run === null ? "" : "The sub-agent ";
  return [
    style.ask(`waiting for you  ${who}${oneLine(data.agent, 60)} asks to run ${oneLine(data.tool, 60)}${from}`),
    ...data.cause === "outside" ? indented(OUTSIDE_WORDS) : [],
    ...indented(given === undefined ? "{}" : exactJson(given)),
    ...permissions ? indented(`It may reach: ${reachText(permissions)}`) : [],
    ...verdicts.flatMap(({ reviewer, reason }) => indented(`Passed on by the reviewer ${reviewer}: "${reason}"`)),
  ].join("\n");
}

/** The answers that can be typed, the rule in words before it is kept. */
export function choicesText({ rule }: ApprovalData): string {
  const longer = rule
    ? ` · t for this turn · c for this conversation · always, which keeps the rule: ${withoutControls(ruleWords(rule))}`
    : "";
  return `  y allows it once${longer} · anything else denies, and is the reason where it is more than "no"`;
}

function reachText(permissions: NonNullable<ApprovalData["permissions"]>): string {
  const parts = reachWords(permissions).flatMap(([name, what]) =>
    what.length === 0 ? [] : [`${name.toLowerCase()} ${what.join(", ")}`]
  );
  return parts.length === 0 ? "nothing" : `${parts.join("; ")}; nothing else`;
}

function indented(text: string): string[] {
  return text.split("\n").map((line) => `  ${withoutControls(line)}`);
}
