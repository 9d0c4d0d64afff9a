/**
 * The configuration as the rest of the house reads it: an immutable snapshot, defaults filled in, names in TypeScript's
 * spelling. The file's own spelling lives in `sections/`, and the mapping between the two is in `resolve.ts` alone.
 *
 * @module
 */

/** As `core/log` has it; the config room stands below the log and may not import it. */
export type ThinkingSetting = boolean | "low" | "medium" | "high";

/** Portable generation parameters, only those declared (K section 1.2). */
export interface GenerationSettings {
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly min_p?: number;
  readonly presence_penalty?: number;
  readonly repetition_penalty?: number;
  readonly max_tokens?: number;
  readonly context_length?: number;
}

/** One `[agents.<name>]` table with its own keys only; `undefined` defers to `[assistant]`. */
export interface AgentDeclaration {
  readonly name: string;
  readonly description?: string;
  readonly systemMessage?: string;
  readonly model?: string;
  readonly thinking?: ThinkingSetting;
  readonly maxIterations?: number;
  /** What one run of it may use, its own sub-agents included. */
  readonly budgetTokens?: number;
  readonly budgetCost?: number;
  readonly delegatesTo: readonly string[];
  readonly generation: GenerationSettings;
  readonly tools: {
    /** Toolset names, or `"all"`. */
    readonly available: readonly string[] | "all";
    readonly resident?: readonly string[];
    readonly confirm?: readonly string[];
    readonly review?: readonly string[];
  };
}

/** US dollars per million tokens, from `[prices]`. */
export interface PriceSetting {
  readonly input: number;
  readonly output: number;
  readonly cache_read?: number;
  readonly cache_write?: number;
}

/** One setting as it stands: what `GET /api/settings` is made of. */
export interface Setting {
  /** `section.key`; a segment that is no bare TOML key is quoted. */
  readonly name: string;
  /** As the file spells it; `null` when it is unset, and for a secret. */
  readonly value: unknown;
  /** Whether a change applies on the next use; otherwise it needs a restart. */
  readonly hot: boolean;
  readonly source: "file" | "default" | "flag";
}

/** The whole configuration, frozen. */
export interface Config {
  /** The file it was read from, its hash (the `version` of `GET /api/settings`), and the folders derived from it. */
  readonly file: string;
  readonly version: string;
  readonly dataDir: string;
  /** `$MALAMA_HOME` or `~/.malama`. */
  readonly root: string;
  /** What is odd but no fault (K-021), each a sentence. */
  readonly warnings: readonly string[];
  /** Every setting, in the order of the schema. */
  readonly settings: readonly Setting[];
  /**
   * Every section as the file spells it, checked and with defaults: also those no field below stands for (`mcp`,
   * `scheduling`, `reviewers`, `terrariums` …). Read one with `sectionOf`.
   */
  readonly sections: Readonly<Record<string, unknown>>;
  readonly assistant: {
    readonly model?: string;
    readonly thinking?: ThinkingSetting;
    readonly systemMessage: string;
    /** Name of the entry agent's table. */
    readonly agent: string;
    readonly concurrentTools: boolean;
    readonly maxIterations: number;
    readonly generateTitles: boolean;
    readonly captureRequests: boolean;
    readonly budgetTokens?: number;
    readonly budgetCost?: number;
    readonly agentCacheCap: number;
    readonly generation: GenerationSettings;
    /** The approval pair an agent that declares neither list inherits whole (K-183). */
    readonly tools: { readonly confirm: readonly string[]; readonly review: readonly string[] };
  };
  readonly agents: Readonly<Record<string, AgentDeclaration>>;
  readonly web: {
    readonly host: string;
    readonly port: number;
    readonly auth: "token" | "none";
    readonly allowedHosts: readonly string[];
    /** Empty, or a path that starts with `/` and does not end with one. */
    readonly basePath: string;
  };
  readonly storage: { readonly url?: string };
  readonly security: {
    readonly approvalTimeout: number;
    readonly allowPrivateNetwork: readonly string[];
    readonly lockedConfigKeys: readonly string[];
    readonly neverAutoApprove: readonly string[];
  };
  /** The services that lookups on the web ask. */
  readonly lookup: {
    readonly searchKind: "searxng" | "brave";
    readonly searchUrl?: string;
    readonly wikipediaUrl: string;
    readonly weatherUrl: string;
    readonly geocodingUrl: string;
  };
  readonly logging: { readonly level: "DEBUG" | "INFO" | "WARNING" | "ERROR" };
  readonly frontend: { readonly name: string };
  readonly prices: Readonly<Record<string, PriceSetting>>;
  /** Settings of toolsets: `[<toolset>]` sections, checked by the toolset's own schema, defaults filled in. */
  readonly toolsets: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
