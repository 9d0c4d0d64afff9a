/**
 * The fold that says what a turn used (K-303): its `round` entries, added up.
 *
 * @module
 */
import type { CallUsage, Usage } from "../entry.ts";

/** One model call, as far as usage goes. */
export interface CountedCall {
  readonly agent: string;
  readonly model: string;
  /** Milliseconds the model took. */
  readonly ms: number;
  /** Absent when the provider reported none. */
  readonly usage?: CallUsage;
  /** US dollars; absent when the price is not known. */
  readonly cost?: number;
}

/** What these calls used together; `null` for none at all (K-093). */
export function foldUsage(calls: readonly CountedCall[], wallSeconds: number): Usage | null {
  if (calls.length === 0) return null;
  const reported = calls.filter((call) => call.usage);
  const sum = (key: keyof CallUsage) => reported.reduce((total, call) => total + (call.usage?.[key] ?? 0), 0);
  const agents = [...new Set(calls.map((call) => call.agent))];
  const costs = calls.flatMap((call) => call.cost === undefined ? [] : [call.cost]);
  return {
    calls: calls.length,
    reported_calls: reported.length,
    input_tokens: sum("input_tokens"),
    output_tokens: sum("output_tokens"),
    cached_tokens: sum("cached_tokens"),
    reasoning_tokens: sum("reasoning_tokens"),
    model_seconds: round3(calls.reduce((total, call) => total + call.ms, 0) / 1000),
    wall_seconds: round3(wallSeconds),
    ...(costs.length === calls.length ? { cost: costs.reduce((total, cost) => total + cost, 0) } : {}),
    models: [...new Set(calls.map((call) => call.model))],
    by_agent: Object.fromEntries(agents.map((agent) => [agent, agentShare(calls, agent)])),
  };
}

/** Adds up the usage of several turns; like `foldUsage` it names a cost only when all of it is known. */
export function addUsage(all: readonly Usage[]): Usage {
  const sum = (pick: (usage: Usage) => number) => all.reduce((total, usage) => total + pick(usage), 0);
  const agents = [...new Set(all.flatMap((usage) => Object.keys(usage.by_agent)))];
  const costs = all.flatMap((usage) => usage.cost === undefined ? [] : [usage.cost]);
  return {
    calls: sum((u) => u.calls),
    reported_calls: sum((u) => u.reported_calls),
    input_tokens: sum((u) => u.input_tokens),
    output_tokens: sum((u) => u.output_tokens),
    cached_tokens: sum((u) => u.cached_tokens),
    reasoning_tokens: sum((u) => u.reasoning_tokens),
    model_seconds: round3(sum((u) => u.model_seconds)),
    wall_seconds: round3(sum((u) => u.wall_seconds)),
    ...(costs.length === all.length ? { cost: costs.reduce((total, cost) => total + cost, 0) } : {}),
    models: [...new Set(all.flatMap((u) => u.models))],
    by_agent: Object.fromEntries(agents.map((agent) => [agent, {
      calls: sum((u) => u.by_agent[agent]?.calls ?? 0),
      input_tokens: sum((u) => u.by_agent[agent]?.input_tokens ?? 0),
      output_tokens: sum((u) => u.by_agent[agent]?.output_tokens ?? 0),
    }])),
  };
}

function agentShare(calls: readonly CountedCall[], agent: string): Usage["by_agent"][string] {
  const own = calls.filter((call) => call.agent === agent);
  return {
    calls: own.length,
    input_tokens: own.reduce((total, call) => total + (call.usage?.input_tokens ?? 0), 0),
    output_tokens: own.reduce((total, call) => total + (call.usage?.output_tokens ?? 0), 0),
  };
}

function round3(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
