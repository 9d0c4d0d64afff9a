/**
 * From a sentence to tool calls: its clauses, matched by their words against the tools' names and descriptions.
 *
 * "… and then …" makes steps, each waiting for the one before; "… and also …" makes calls that run side by side.
 *
 * @module
 */
import type { ToolSpec } from "../contract.ts";
import { findArguments } from "./arguments.ts";
import { findExpression } from "./expression.ts";
import { CALCULATING_AGENT, canHandOver, SPAWN_TOOL } from "./openings.ts";
import type { PlayedCall } from "./playback.ts";

/** One step: calls that run together, and the clauses no tool was found for. */
export interface Step {
  readonly calls: readonly PlayedCall[];
  readonly left: readonly string[];
}

const SEQUENCE = /\s*[,;.]?\s*\b(?:and then|then|after that|afterwards)\b,?\s*/i;
const TOGETHER = /\s*[,;]?\s*\b(?:and also|as well as|and at the same time|at the same time)\b,?\s*|[?.;]\s+/i;
const AND = /\s*,?\s*\band\b\s*/i;

/**
 * The steps a question asks for; empty when no tool fits any of it. `it` is the newest result, for a step that goes on from
 * the one before.
 */
export function planSteps(question: string, tools: readonly ToolSpec[], it?: string): readonly Step[] {
  const steps = question.split(SEQUENCE).filter((text) => text.trim() !== "")
    .map((text, index) => planStep(text, tools, index === 0 ? undefined : it ?? "1"));
  return steps.some((step) => step.calls.length > 0) ? steps : [];
}

function planStep(text: string, tools: readonly ToolSpec[], it?: string): Step {
  const clauses = text.split(TOGETHER).filter((clause) => /[\p{L}\d]/u.test(clause)).flatMap((clause) => {
    const halves = clause.split(AND);
    // A plain "and" joins two requests only when each half is one by itself.
    return halves.length > 1 && halves.every((half) => callFor(half, tools, it) !== undefined) ? halves : [clause];
  });
  const calls: PlayedCall[] = [];
  const left: string[] = [];
  for (const clause of clauses) {
    const call = callFor(clause, tools, it);
    if (call === undefined) left.push(clause.trim());
    else if (!calls.some((each) => sameCall(each, call))) calls.push(call);
  }
  return { calls, left };
}

/** The call a clause asks for; where no tool fits a sum, it goes to the sub-agent that has one. */
function callFor(clause: string, tools: readonly ToolSpec[], it?: string): PlayedCall | undefined {
  return matchTool(clause, tools, it) ?? handOver(clause, tools, it);
}

function handOver(clause: string, tools: readonly ToolSpec[], it?: string): PlayedCall | undefined {
  const sum = canHandOver(tools) ? findExpression(clause, it) : undefined;
  if (sum === undefined) return undefined;
  return { name: SPAWN_TOOL, arguments: { agent_type: CALCULATING_AGENT, task: `What is ${sum}?` } };
}

function sameCall(left: PlayedCall, right: PlayedCall): boolean {
  return left.name === right.name && JSON.stringify(left.arguments) === JSON.stringify(right.arguments);
}

/** Points a tool needs: one word of its name. */
const THRESHOLD = 3;

/** The call a clause asks for, of the tool whose words fit best and whose required arguments were all found. */
export function matchTool(clause: string, tools: readonly ToolSpec[], it?: string): PlayedCall | undefined {
  const said = stems(clause);
  const isQuestion = QUESTION.test(clause);
  let best: { readonly call: PlayedCall; readonly score: number } | undefined;
  for (const tool of tools) {
    if (isQuestion && CHANGES.test(tool.name)) continue;
    const found = findArguments(tool.input, clause, it);
    if (!found.complete) continue;
    const named = overlap(stems(tool.name.replaceAll(/[_-]+|(?<=[a-z])(?=[A-Z])/g, " ")), said);
    const described = Math.min(2, overlap(stems(tool.description), said));
    if (named === 0 && !found.hasExpression) continue;
    const score = named * 3 + described + (found.hasExpression ? 6 : 0) + Object.keys(found.values).length;
    if (score >= THRESHOLD && score > (best?.score ?? 0)) {
      best = { call: { name: tool.name, arguments: found.values }, score };
    }
  }
  return best?.call;
}

/** How a clause begins that asks, and so wants nothing changed. */
const QUESTION = /^\W*(?:what|which|who|whose|when|where|why|how|do|does|did|have|has|is|are|was|were)\b/i;

/** Names of tools that change something. */
const CHANGES =
  /^(?:store|save|remember|remove|delete|update|edit|write|rename|set|add|create|send|run|execute)(?:_|$)/;

const SAME_WORD: Readonly<Record<string, string>> = {
  day: "date",
  today: "date",
  weekday: "date",
  clock: "time",
  hour: "time",
  compute: "calculat",
  evaluate: "calculat",
  reckon: "calculat",
  memorize: "rememb",
  memory: "rememb",
  memori: "rememb",
  look: "search",
  find: "search",
};

const EMPTY_WORDS = new Set(
  "a an the is it in on at of to for and or me my you your i we what which who how do does can could please get show tell give use not with from this that be are as by"
    .split(" "),
);

/** The words of a text that carry meaning, cut to their stems. */
function stems(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY_WORDS.has(word)).map(stem));
}

function stem(word: string): string {
  const cut = word.length > 5 ? word.replace(/(?:ations?|ation|ating|ings?|ers?|ed|es|e)$/, "") : word;
  const plain = cut.length > 3 ? cut.replace(/s$/, "") : cut;
  return SAME_WORD[word] ?? SAME_WORD[plain] ?? plain;
}

function overlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  return [...left].filter((word) => right.has(word)).length;
}
