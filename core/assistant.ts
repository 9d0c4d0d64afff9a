/**
 * The composition root: builds every room below and owns nothing else.
 *
 * @module
 */
import type { Config } from "./config/mod.ts";
import type { Storage } from "./storage/mod.ts";
import type { Feed, LogReader, Thinking, Usage } from "./log/mod.ts";
import type { ModelInfo } from "./model/mod.ts";
import type { Book } from "./conversation/mod.ts";
import type { Turns } from "./turn/mod.ts";

/** One declared agent, as `GET /api/agents` and `malama agents` show it. */
export interface AgentSummary {
  readonly name: string;
  readonly description: string;
  readonly entry: boolean;
  readonly model: string;
  readonly thinking: Thinking | null;
  readonly max_iterations: number;
  readonly delegates_to: readonly string[];
  readonly toolsets: readonly { readonly name: string; readonly resident: boolean }[];
  readonly tools: readonly { readonly name: string; readonly toolset: string; readonly description: string }[];
}

/** One installed toolset, as `GET /api/toolsets` shows it. */
export interface ToolsetSummary {
  readonly name: string;
  readonly provider: "built-in";
  readonly description: string;
  readonly permissions: Readonly<Record<string, readonly string[]>>;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

/** One model that can be chosen, as `GET /api/models` shows it. */
export interface ModelSummary extends ModelInfo {
  readonly source: "configured" | "local" | "demo" | "catalogue";
  /** `null` where nobody asked: a cloud provider is never called to find out. */
  readonly reachable: boolean | null;
  /** The environment variable that must hold a key first, when it is not set. */
  readonly needs_key: string | null;
}

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

/** One row of `GET /api/usage?by=`: the turns of a day, an agent or a model, added up. */
export interface UsageRow {
  readonly key: string;
  readonly turns: number;
  readonly usage: Usage;
}

/** Where the default model came from. */
export interface DefaultModel {
  readonly string: string;
  readonly source: "flag" | "config" | "environment" | "local" | "demo";
  readonly info: ModelInfo;
}

export interface Assistant {
  readonly version: string;
  readonly config: Config;
  readonly storage: Storage;
  readonly feed: Feed;
  readonly log: LogReader;
  readonly conversations: Book;
  readonly turns: Turns;
  /** True once the model is resolved and the tools are built. */
  readonly ready: boolean;
  /** Resolves when `ready` becomes true; rejects when the start failed. */
  readonly started: Promise<void>;
  readonly defaultModel: DefaultModel;
  agents(): readonly AgentSummary[];
  toolsets(): readonly ToolsetSummary[];
  models(): Promise<readonly ModelSummary[]>;
  diagnostics(): Diagnostics;
  usage(by: "day" | "agent" | "model"): Promise<readonly UsageRow[]>;
  /** Stops and records every running turn, then closes the store. */
  close(): Promise<void>;
}
