/**
 * `demo:tour`: the model of a fresh machine. It follows rules, and says so; the loop, the tools and the log it drives are
 * the real ones, so that everything can be seen working before a model is connected.
 *
 * Invariants
 * 1. The same request gives the same answer: no clock, no chance, no network (tests/core/model/demo/tour_test.ts).
 * 2. It calls only tools it was given, and none when `toolChoice` forbids it (same file).
 * 3. It never approves anything (`structured.ts`).
 *
 * @module
 */
import type { ModelRequest, ToolSpec } from "../contract.ts";
import { beyondAnswer, connectAnswer, FORMATTED_ANSWER, greetingAnswer, helpAnswer, WELCOME } from "./answers.ts";
import { findingsAnswer } from "./findings.ts";
import { SPAWN_TOOL, SUM_TOOL } from "./openings.ts";
import { planSteps, type Step } from "./plan.ts";
import type { Part, Play } from "./playback.ts";
import { notedAnswer, recallAnswer } from "./recall.ts";
import { type Finding, readSituation, type Situation } from "./situation.ts";
import { denyingInstance } from "./structured.ts";
import { isTitleRequest, titleOf } from "./title.ts";

/** The tour's answer to a request. */
export function tour(request: ModelRequest): Play {
  const parts = request.schema !== undefined
    ? structured(request, request.schema)
    : isTitleRequest(request)
    ? [{ type: "text", text: titleOf(readSituation(request).question) } satisfies Part]
    : converse(request);
  return { parts: request.thinking === false ? parts.filter((part) => part.type !== "thinking") : parts };
}

function structured(request: ModelRequest, wanted: NonNullable<ModelRequest["schema"]>): readonly Part[] {
  const made = denyingInstance(wanted.schema, { title: titleOf(readSituation(request).question) });
  if (made !== undefined) return [{ type: "text", text: JSON.stringify(made) }];
  return [{
    type: "refusal",
    text: "The demonstration model approves nothing. Connect a real model for what needs a judgement",
  }];
}

function converse(request: ModelRequest): readonly Part[] {
  const situation = readSituation(request);
  const before: readonly Part[] = situation.unanswered.length === 0
    ? []
    : [{ type: "text", text: `${findingsAnswer([situation.unanswered])}\n\n` }];
  const said = ownAnswer(situation, request.tools);
  if (said !== undefined) {
    return [...before, { type: "thinking", text: said.thought }, { type: "text", text: said.text }];
  }
  return [...before, ...callOrAnswer(request, situation)];
}

/** Answers that need no tool, tried in order before the tools are. */
function ownAnswer(
  { question, earlier }: Situation,
  tools: readonly ToolSpec[],
): { readonly thought: string; readonly text: string } | undefined {
  if (HELP.test(question)) {
    return { thought: "They ask what works here. I list what I was given.", text: helpAnswer(tools) };
  }
  if (CONNECT.test(question)) {
    return { thought: "They want a real model. I say how, for this machine and with a key.", text: connectAnswer() };
  }
  if (FORMATTED.test(question)) {
    return { thought: "They want to see an answer with structure. I have one prepared.", text: FORMATTED_ANSWER };
  }
  const recalled = recallAnswer(question, earlier);
  if (recalled !== undefined) {
    return { thought: "They ask about this conversation. Everything said in it is in front of me.", text: recalled };
  }
  if (/^(?:hi|hello|hey|good (?:morning|afternoon|evening)|aloha)\b[^?]{0,20}$/i.test(question)) {
    return { thought: "A greeting.", text: greetingAnswer(tools) };
  }
  if (/^(?:thanks|thank you|great|nice|cheers)\b[^?]{0,30}$/i.test(question)) {
    return { thought: "Thanks.", text: WELCOME };
  }
  return undefined;
}

const HELP =
  /\bwhat (?:can|do) you (?:do|know)\b|^\s*(?:help|what is this|who are you|what are you)\b[^?]{0,12}\??\s*$/i;
const CONNECT =
  /\b(?:connect|use|add|set ?up|configure|install|switch to)\b.{0,30}\b(?:models?|llm|ollama|openai|anthropic|claude|gpt|gemini)\b|\bapi key\b/i;
const FORMATTED =
  /\b(?:table|formatted|formatting|markdown)\b.{0,40}\b(?:code|formula|maths?|answer|text)\b|\bformatted answer\b/i;

function callOrAnswer(request: ModelRequest, { question, rounds }: Situation): readonly Part[] {
  const steps = planSteps(question, request.tools, newestValue(rounds.flat()));
  const left = steps.flatMap((step) => step.left);
  const next = steps.filter((step) => step.calls.length > 0)[rounds.length];
  const stopped = rounds.flat().some((finding) => finding.failed);
  if (next !== undefined && !stopped && request.toolChoice !== "none") {
    return [
      { type: "thinking", text: thoughtBefore(next, rounds.length > 0) },
      { type: "calls", calls: next.calls, interleaved: next.calls.length > 1 },
    ];
  }
  if (rounds.length > 0) {
    return [{ type: "thinking", text: thoughtAfter(rounds.flat()) }, {
      type: "text",
      text: findingsAnswer(rounds, left),
    }];
  }
  const noted = notedAnswer(question);
  if (noted !== undefined) {
    return [{ type: "thinking", text: "They tell me something. The conversation keeps it." }, {
      type: "text",
      text: noted,
    }];
  }
  return [
    { type: "thinking", text: "No rule of mine fits this, and I do not guess." },
    { type: "text", text: beyondAnswer(question, request.tools) },
  ];
}

function thoughtBefore(step: Step, isLater: boolean): string {
  const names = step.calls.map((call) => call.name);
  const [first = ""] = names;
  if (names.length > 1) {
    return `There are ${names.length} requests in that, and neither needs the other. I call ${
      names.slice(0, -1).join(", ")
    } and ${names.at(-1)} side by side.`.replace(
      names.length > 2 ? "neither needs the other" : "\0",
      "none needs another",
    );
  }
  return isLater ? `The first step is done. The next one is for ${first}.` : `This is something ${first} can answer.`;
}

function thoughtAfter(findings: readonly Finding[]): string {
  if (findings.some((finding) => finding.failed)) return "That did not work. I say what happened, and stop.";
  return findings.length > 1
    ? "All answers are here. I put them together."
    : "The answer is here. I put it into words.";
}

/** What "that" stands for in a later step: the newest sum's result. */
function newestValue(findings: readonly Finding[]): string | undefined {
  const sum = findings.findLast(({ name, failed }) => (name === SUM_TOOL || name === SPAWN_TOOL) && !failed);
  const value = sum?.name === SPAWN_TOOL
    ? sum.result.match(/\*\*(-?[\d,.]+(?:e[+-]?\d+)?)\*\*/)?.[1]?.replaceAll(",", "")
    : sum?.result.match(/[=≈] (-?[\d.]+(?:e[+-]?\d+)?)$/m)?.[1];
  return value?.startsWith("-") ? `(${value})` : value;
}
