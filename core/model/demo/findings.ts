/**
 * The answer after tools have run: what each gave, said in words where the tool is known, quoted where it is not.
 *
 * @module
 */
import { cell, clip } from "./answers.ts";
import { CLOCK_TOOL, CONVERT_TOOL, SPAWN_TOOL, SUM_TOOL } from "./openings.ts";
import { cityOf } from "./places.ts";
import type { Finding } from "./situation.ts";

/** Answers from what was found, round by round. `left` are the parts of the question no tool was found for. */
export function findingsAnswer(rounds: readonly (readonly Finding[])[], left: readonly string[] = []): string {
  const findings = rounds.flat();
  const failed = findings.find((finding) => finding.failed);
  const rest = left.filter((text) => text !== "");
  return [
    rounds.length > 1
      ? steps(rounds)
      : findings.length > 1
      ? table(findings)
      : findings.map((finding) => single(finding)).join(""),
    ...(failed === undefined ? [] : [failureNote(findings, failed)]),
    ...(rest.length === 0
      ? []
      : [`For “${clip(rest.join("; "), 80)}” I have no rule and no tool. A real model would.`]),
  ].join("\n\n");
}

function single(finding: Finding): string {
  if (finding.failed) return `\`${finding.name}\` did not give an answer:\n\n> ${clip(finding.result, 300)}`;
  const said = sentenceOf(finding);
  if (said === undefined) return `\`${finding.name}\` answered:\n\n${quoted(finding.result)}`;
  if (finding.name === SPAWN_TOOL) return `${said}\n\nA sub-agent worked that out. Its card above holds what it did.`;
  return `${said}\n\nThat is from the \`${finding.name}\` tool, run for real. Its line above holds what went in and what ` +
    "came out.";
}

function table(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => `| \`${finding.name}\` | ${cell(shortOf(finding))} |`);
  return `Both halves of that could run at the same time, so they did:\n\n| Tool | Answer |\n| --- | --- |\n${
    rows.join("\n")
  }\n\nThe lines above show each call, with how long it took.`
    .replace(
      "Both halves of that",
      findings.length === 2 ? "Both halves of that" : `All ${findings.length} parts of that`,
    );
}

function steps(rounds: readonly (readonly Finding[])[]): string {
  const lines = rounds.map((findings, index) => {
    return `${index + 1}. ${findings.map((finding) => shortOf(finding)).join(" ")}`;
  });
  return `One step after the other:\n\n${lines.join("\n")}\n\nEach step waited for the one before it.`;
}

function failureNote(findings: readonly Finding[], failed: Finding): string {
  const denied = /\b(?:denied|not approved|not allowed|refused)\b/i.test(failed.result);
  if (denied) return `You did not allow \`${failed.name}\`, so I stopped there. Nothing else was called.`;
  return findings.length === 1
    ? "I can only follow rules, so I leave it at that. A real model would try another way."
    : `\`${failed.name}\` failed, so I stopped there.`;
}

function shortOf(finding: Finding): string {
  if (finding.failed) return `\`${finding.name}\` failed: ${clip(finding.result, 160)}`;
  return sentenceOf(finding) ?? clip(finding.result, 160);
}

/** A sentence for a tool whose answers are known; the answer itself when it is already one short line. */
function sentenceOf(finding: Finding): string | undefined {
  switch (finding.name) {
    case CLOCK_TOOL:
      return clockSentence(finding.result) ?? finding.result;
    case SUM_TOOL:
      return sumSentence(finding.result) ?? finding.result;
    case SPAWN_TOOL:
      // The first paragraph is the answer; what follows is about the sub-agent's own lines.
      return finding.result.split("\n\n")[0];
    case CONVERT_TOOL:
      return finding.result.split("\n").filter((line) => !line.startsWith("ISO 8601")).join("\n\n");
    default:
      return undefined;
  }
}

const MOMENT = /\b(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2})\[([\w/+-]+)\]/;

function clockSentence(result: string): string | undefined {
  const found = result.match(MOMENT);
  if (found === null) return undefined;
  const moment = Temporal.ZonedDateTime.from(found[0]);
  const day = moment.toLocaleString("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  const time = moment.toLocaleString("en-GB", { hour: "2-digit", minute: "2-digit" });
  return `In ${cityOf(found[2] ?? "")} it is **${time}** on ${day}.`;
}

function sumSentence(result: string): string | undefined {
  const found = result.match(/^(.+?) ([=≈]) (-?[\d.]+(?:e[+-]?\d+)?)$/m);
  if (found === null) return undefined;
  return `\`${found[1]}\` ${found[2] === "=" ? "is" : "is about"} **${grouped(found[3] ?? "")}**.`;
}

/** A number with its thousands apart, so that a long one can be read. */
function grouped(number: string): string {
  if (number.includes("e")) return number;
  const [whole = "", fraction] = number.split(".");
  const parted = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? parted : `${parted}.${fraction}`;
}

function quoted(result: string): string {
  const text = result.length > 1500 ? `${result.slice(0, 1500)}\n…` : result;
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
