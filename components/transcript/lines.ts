/**
 * What a tool line says about its call, and which lines fold into one. Pure.
 *
 * @module
 */
import type { Entry, ToolData } from "../../core/log/entry.ts";
import type { Block } from "../../core/log/folds/transcript.ts";
import { interruptedWords } from "../../core/log/interrupted.ts";
import { isWaiting } from "../state/approvals.ts";
import { clip, firstSentence, size, some } from "../words.ts";

/** The call's arguments as names and values, each as text. Not an object: one nameless value. */
export function argumentsOf(value: unknown): readonly (readonly [string, string])[] {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.entries(value).map(([name, item]) => [name, textOf(item)] as const);
  }
  return value === undefined || value === null || value === "" ? [] : [["arguments", textOf(value)]];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 1)?.replace(/\n\s*/g, " ") ?? "";
}

/** What the call is about, on a line: its first value that says something, without the `https://`. */
export function subjectOf(value: unknown): string {
  const values = argumentsOf(value).map(([, text]) => text.trim()).filter((text) => text !== "");
  const first = values.find((text) => /[\p{L}\d]/u.test(text)) ?? "";
  return clip(first.replace(/\s+/g, " ").replace(/^https?:\/\//, ""), 160);
}

/** The outcome in two or three words: a short result itself, else how much it is. */
export function outcomeOf(data: ToolData): string {
  if (data.status === "interrupted") return interruptedWords(data);
  const result = (data.result ?? "").trim();
  if (data.status === "failed" || data.status === "denied") return firstSentence(reasonIn(result), 44);
  if (result === "") return data.images?.length ? some(data.images.length, "picture") : "";
  const bytes = data.result_bytes ?? result.length;
  if (!result.includes("\n") && result.length <= 36) return result;
  if (bytes >= 4000 || !result.includes("\n")) return size(bytes);
  return some(result.split("\n").length, "line");
}

/** `fetch_page failed: no answer in 20 s` → `no answer in 20 s`: the line has said the rest already. */
function reasonIn(result: string): string {
  return result.replace(/^\S{1,64} (?:failed|was denied|denied|timed out): +/, "");
}

export function isFinished(data: ToolData): boolean {
  return data.status !== "waiting" && data.status !== "running";
}

/**
 * The blocks as they are drawn: a question stands beside its call, and a call that opened a sub-agent is not shown beside
 * the card of it (K-219).
 */
export function arrangeBlocks(blocks: readonly Block[]): readonly Block[] {
  const questions = new Map<number, Block[]>();
  const opened = new Set<number>();
  for (const block of blocks) {
    if (block.kind === "approval") questions.set(block.data.entry, [...questions.get(block.data.entry) ?? [], block]);
    if (block.kind === "run" && block.entry.data.entry !== undefined) opened.add(block.entry.data.entry);
  }
  if (questions.size === 0 && opened.size === 0) return blocks;
  const calls = new Set(blocks.flatMap((block) => block.kind === "tool" ? [block.seq] : []));
  return blocks.flatMap((block) => {
    if (block.kind === "approval") return calls.has(block.data.entry) ? [] : [block];
    if (block.kind !== "tool") return [block];
    const asked = questions.get(block.seq) ?? [];
    return opened.has(block.seq) ? asked : [block, ...asked];
  });
}

/** The calls that wait because nobody has answered the question about them. */
export function askedCalls(blocks: readonly Block[]): ReadonlySet<number> {
  return new Set(blocks.flatMap((block) => block.kind === "approval" && isWaiting(block) ? [block.data.entry] : []));
}

/** Several tool lines in one. */
export interface ToolGroup {
  readonly kind: "tools";
  readonly seq: number;
  readonly calls: readonly Entry<"tool">[];
}

const MANY = 5;

/**
 * More than five finished tool lines in a row fold into one, once something else has followed them or the turn has
 * ended: a line never goes away under the reader while its neighbours still come.
 */
export function groupTools(blocks: readonly Block[], ended: boolean): readonly (Block | ToolGroup)[] {
  const shown: (Block | ToolGroup)[] = [];
  let calls: Entry<"tool">[] = [];
  const close = (over: boolean) => {
    if (over && calls.length > MANY) shown.push({ kind: "tools", seq: calls[0]!.seq, calls });
    else shown.push(...calls);
    calls = [];
  };
  for (const block of blocks) {
    if (block.kind === "tool" && isFinished(block.data)) calls.push(block);
    else {
      close(true);
      shown.push(block);
    }
  }
  close(ended);
  return shown;
}

/** `11 calls: read_file, fetch_page, run_code` */
export function groupSubject(calls: readonly Entry<"tool">[]): string {
  const names = [...new Set(calls.map((call) => call.data.name))];
  return `${some(calls.length, "call")}: ${names.slice(0, 3).join(", ")}${names.length > 3 ? "…" : ""}`;
}
