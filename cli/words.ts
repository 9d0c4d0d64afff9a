/**
 * The terminal's short words: how long, how much, about what. Pure; LOOK's words, in plain text.
 *
 * @module
 */
import type { Turn, Usage } from "../core/log/mod.ts";
import { oneLine } from "./control_filter.ts";

/** Providers that run on one's own machine, or nowhere: what they answer costs nothing. */
const FREE_PROVIDERS = ["demo", "ollama", "lmstudio", "llamacpp", "vllm"];

/** `0.1 s`, `6 s`, `14.2 s`, `1 min 4 s`, `1 h 1 min`: the words of the page. What took no time to speak of is `0.1 s`. */
export function duration(seconds: number): string {
  if (seconds < 59.95) return `${seconds > 0 ? Math.max(Math.round(seconds * 10) / 10, 0.1) : 0} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return whole % 60 === 0 ? `${whole / 60} min` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(whole / 60);
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `0:52`, `1:02:03`: a running time. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = `${hours > 0 ? String(minutes).padStart(2, "0") : minutes}:${String(rest).padStart(2, "0")}`;
  return hours > 0 ? `${hours}:${tail}` : tail;
}

/** `1 call`, `3 calls`. */
export function count(n: number, thing: string): string {
  return `${n.toLocaleString("en")} ${thing}${n === 1 ? "" : "s"}`;
}

/** What a call is about: its one value, or its names and values, on one line of at most `length` characters. */
export function argumentSummary(args: unknown, length: number): string {
  if (typeof args !== "object" || args === null) return oneLine(value(args), length);
  const pairs = Object.entries(args);
  if (pairs.length === 1) return oneLine(value(pairs[0]![1]), length);
  return oneLine(pairs.map(([name, each]) => `${name} ${value(each)}`).join(", "), length);
}

function value(each: unknown): string {
  return typeof each === "string" ? each : JSON.stringify(each) ?? "";
}

/** The line under a turn: `demo:tour · 2 calls · 1.4 s · 8,412 in · 906 out · no cost`. What is not known is said. */
export function colophon(turn: Turn): string {
  const usage = turn.usage;
  const model = oneLine(turn.model, 60);
  if (usage === null) return model;
  const seconds = usage.wall_seconds > 0 ? usage.wall_seconds : usage.model_seconds;
  return [model, count(usage.calls, "call"), duration(seconds), ...tokens(usage), cost(usage, turn.model)].join(
    " · ",
  );
}

function tokens(usage: Usage): string[] {
  if (usage.reported_calls === 0) return ["tokens not reported"];
  const known = [`${usage.input_tokens.toLocaleString("en")} in`, `${usage.output_tokens.toLocaleString("en")} out`];
  if (usage.reported_calls < usage.calls) known.push(`tokens of ${usage.reported_calls} of ${usage.calls} calls`);
  return known;
}

function cost(usage: Usage, model: string): string {
  if (usage.cost !== undefined && usage.cost > 0) return `about $${usage.cost.toFixed(usage.cost < 0.1 ? 4 : 2)}`;
  const free = usage.cost === 0 || FREE_PROVIDERS.includes(model.split(":")[0]!);
  return free ? "no cost" : "cost not known";
}
