/**
 * The readings of one model call. Pure. What is not known is left out or said, never shown as zero.
 *
 * @module
 */
import type { Entry } from "../../core/log/entry.ts";
import type { TurnView } from "../../core/log/folds/transcript.ts";
import { count, duration, isFree, money, size } from "../words.ts";

/** A line: a label and a value. */
export type Reading = readonly [label: string, value: string];

/** The entries that came of this call: those of its agent between the call before and it. */
export function cameOf(view: TurnView, rounds: readonly Entry<"round">[], index: number): readonly Entry[] {
  const round = rounds[index];
  const from = rounds[index - 1]?.seq ?? 0;
  if (!round) return [];
  return view.entries.filter((entry) => entry.seq > from && entry.seq < round.seq && entry.run === round.run);
}

/** When it began, in milliseconds: it is written when it ends. */
export function startOf(round: Entry<"round">): number {
  return Date.parse(round.at) - round.data.ms;
}

export function readingsOf(view: TurnView, round: Entry<"round">, came: readonly Entry[]): readonly Reading[] {
  const { data } = round;
  const { usage } = data;
  const list: Reading[] = [["Started", clock(startOf(round))]];
  const first = firstWord(round, came);
  if (first !== null) list.push(["First word after", duration(first)]);
  list.push(["Took", duration(data.ms)]);
  if (usage) {
    list.push(["Read", `${count(usage.input_tokens)} tokens`]);
    if (usage.cached_tokens > 0) list.push(["of these from the cache", count(usage.cached_tokens)]);
    if (usage.cache_write_tokens > 0) list.push(["of these kept for the cache", count(usage.cache_write_tokens)]);
    list.push(["Wrote", `${count(usage.output_tokens)} tokens${speed(usage.output_tokens, data.ms)}`]);
    if (usage.reasoning_tokens > 0) list.push(["of these thinking", count(usage.reasoning_tokens)]);
  } else list.push(["Tokens", "not reported"]);
  list.push(["Sent", size(data.request_bytes)]);
  const cost = view.turn.usage?.cost;
  if (isFree(data.model)) list.push(["Cost", "none, it ran here"]);
  else if (cost !== undefined) list.push(["Cost of the whole turn", money(cost)]);
  return list;
}

function firstWord(round: Entry<"round">, came: readonly Entry[]): number | null {
  const first = came.find(({ kind }) => kind === "thinking" || kind === "text" || kind === "tool");
  const after = first ? Date.parse(first.at) - startOf(round) : NaN;
  return after >= 0 && after <= round.data.ms ? after : null;
}

function speed(tokens: number, ms: number): string {
  return tokens > 0 && ms >= 500 ? `, ${count(Math.max(1, tokens * 1000 / ms))} a second` : "";
}

/** `09:20:14` */
function clock(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(ms)) return "not known";
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}
