/**
 * How numbers and times are said in an export. What is not known is said, never shown as zero (K-081).
 *
 * @module
 */
import type { Turn, Usage } from "../entry.ts";
import { code, words } from "./markdown_text.ts";
import { addUsage } from "./usage.ts";

/** Providers that run on one's own machine, or nowhere: what they answer costs nothing. */
const FREE = /^(?:demo|ollama|lmstudio|llamacpp|vllm):/;

/** `1,204` */
export function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** `1 call`, `3 calls` */
export function some(value: number, thing: string): string {
  return `${count(value)} ${thing}${value === 1 ? "" : "s"}`;
}

/** `0.1 s`, `14.2 s`, `1 min 4 s`, `2 h 5 min`. */
export function duration(seconds: number): string {
  if (seconds < 59.95) return `${Math.max(0, seconds).toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor(whole % 3600 / 60)} min`;
}

/** `2026-11-30 09:00` in that time zone; a time that cannot be read as it is. */
export function moment(iso: string, timeZone: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return words(iso);
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(date);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")} ${part("hour")}:${part("minute")}`;
}

/** US dollars, with as many places as the amount needs to say something. */
export function money(dollars: number): string {
  if (dollars === 0) return "no cost";
  return `about $${dollars < 0.001 ? dollars.toFixed(5) : dollars < 1 ? dollars.toFixed(3) : dollars.toFixed(2)}`;
}

/** Who answered a turn and what it used, on one line. */
export function usageLine(turn: Turn): string {
  const { usage, thinking } = turn;
  const models = modelsOf(turn);
  const effort = thinking === null ? [] : [effortOf(thinking)];
  const start = [models.map(code).join(", then "), ...effort];
  if (!usage) return [...start, turn.status === "running" ? "usage not known yet" : "usage not recorded"].join(" · ");
  return [...start, ...readings(usage), costOf(usage, models)].join(" · ");
}

/** What was called, how long it took, and the tokens. */
export function readings(usage: Usage): string[] {
  return [some(usage.calls, "call"), duration(usage.wall_seconds), ...tokens(usage)];
}

/** One line for each agent, where more than the entry agent ran. */
export function agentLines(usage: Usage): readonly string[] {
  const agents = Object.entries(usage.by_agent);
  if (agents.length < 2) return [];
  return agents.map(([agent, share]) => {
    const known = usage.reported_calls > 0 && share.input_tokens + share.output_tokens > 0;
    const used = known ? `${count(share.input_tokens)} in, ${count(share.output_tokens)} out` : "tokens not reported";
    return `- ${words(agent)}: ${some(share.calls, "call")}, ${used}`;
  });
}

/** What a whole conversation used: what is known of it, and of how many turns that is. */
export function totals(turns: readonly Turn[]): string {
  const usages = turns.flatMap(({ usage }) => usage === null ? [] : [usage]);
  if (turns.length === 0) return "no turns";
  if (usages.length === 0) return `${some(turns.length, "turn")}, usage not recorded`;
  const missing = turns.length - usages.length;
  return [
    some(turns.length, "turn"),
    ...readings(addUsage(usages)),
    totalCost(turns.filter(({ usage }) => usage !== null)),
    ...missing === 0 ? [] : [`usage of ${some(missing, "turn")} not known`],
  ].join(" · ");
}

function totalCost(turns: readonly Turn[]): string {
  const costs = turns.flatMap((turn) => turn.usage?.cost ?? (modelsOf(turn).every(isFree) ? 0 : []));
  if (costs.length === 0) return "cost not known";
  const sum = money(costs.reduce((total, cost) => total + cost, 0));
  return costs.length === turns.length
    ? sum
    : `${sum} for ${costs.length} of ${some(turns.length, "turn")}, the rest not known`;
}

function tokens(usage: Usage): string[] {
  if (usage.calls === 0) return [];
  if (usage.reported_calls === 0) return ["tokens not reported"];
  const part = (value: number, what: string) => value > 0 ? ` (${count(value)} ${what})` : "";
  const known = [
    `${count(usage.input_tokens)} in${part(usage.cached_tokens, "cached")}`,
    `${count(usage.output_tokens)} out${part(usage.reasoning_tokens, "thinking")}`,
  ];
  if (usage.reported_calls < usage.calls) known.push(`tokens of ${usage.reported_calls} of ${usage.calls} calls`);
  return known;
}

function costOf(usage: Usage, models: readonly string[]): string {
  if (usage.cost !== undefined) return money(usage.cost);
  return models.every(isFree) ? "no cost" : "cost not known";
}

function modelsOf({ usage, model }: Turn): readonly string[] {
  return usage?.models.length ? usage.models : [model];
}

function isFree(model: string): boolean {
  return FREE.test(model);
}

function effortOf(thinking: NonNullable<Turn["thinking"]>): string {
  if (thinking === false) return "without thinking";
  return thinking === true ? "thinking" : `thinking ${thinking}`;
}
