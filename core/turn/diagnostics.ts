/**
 * What runs and how it fares, answered from memory (K-309).
 *
 * @module
 */
import type { Thinking } from "../log/mod.ts";

/** What `/diag` and `GET /api/diagnostics` answer from memory, without waiting for a turn (K-309). */
export interface Diagnostics {
  readonly version: string;
  readonly ready: boolean;
  readonly started_at: string;
  readonly uptime_seconds: number;
  readonly pid: number;
  readonly memory: { readonly rss_bytes: number; readonly heap_used_bytes: number };
  readonly storage: { readonly state: "healthy" | "damaged"; readonly detail: string | null };
  readonly default_model: string;
  readonly agents: readonly { readonly name: string; readonly model: string; readonly thinking: Thinking | null }[];
  readonly turns: readonly {
    readonly conversation: string;
    readonly turn: string;
    readonly phase: string;
    readonly age_seconds: number;
    /** The first 120 characters of the message. */
    readonly message: string;
  }[];
  readonly queued: number;
}

/** The same as a few lines of text, for `/diag`. */
export function describeDiagnostics(facts: Diagnostics): string {
  const megabytes = Math.round(facts.memory.rss_bytes / 1_000_000);
  const minutes = Math.floor(facts.uptime_seconds / 60);
  return [
    `Malama ${facts.version}, ${
      facts.ready ? "ready" : "starting"
    }, up ${minutes} min, ${megabytes} MB, pid ${facts.pid}`,
    `Model: ${facts.default_model}`,
    ...facts.agents.map(({ name, model, thinking }) =>
      `Agent ${name}: ${model}${thinking === null ? "" : `, thinking ${thinking}`}`
    ),
    facts.storage.state === "healthy" ? "Storage: healthy" : `Storage: damaged, read-only: ${facts.storage.detail}`,
    facts.turns.length === 0 ? "No turn is running" : `${facts.turns.length} running, ${facts.queued} waiting:`,
    ...facts.turns.map(({ conversation, phase, age_seconds, message }) =>
      `  ${conversation} ${phase}, ${age_seconds.toFixed(1)} s: ${message}`
    ),
  ].join("\n");
}
