/**
 * Which models can be chosen, and what is known of each (`GET /api/models`).
 *
 * @module
 */
import { catalogueOf, describeModel, type Prices } from "./catalogue.ts";
import type { ModelInfo } from "./contract.ts";
import type { LocalModel, LocalProbe } from "./local_servers.ts";
import { isLocalProvider, parseModelString, type ProviderName } from "./model_string.ts";
import { keyVariables, providerAddress } from "./providers/mod.ts";
import { DEMO_MODEL, type ResolvedModel } from "./resolve.ts";

/** What is known of a model, in the wire's spelling. */
export interface ModelFacts extends Omit<ModelInfo, "contextWindow" | "maxOutput" | "imageLimits"> {
  /** Tokens. */
  readonly context_window?: number;
  /** Tokens. */
  readonly max_output?: number;
}

/** Why a model is in the list: it was named by the person, found on a local server, built in, or is known. */
export type ModelSource = "configured" | "local" | "demo" | "catalogue";

/** One model that can be chosen. */
export interface ModelSummary extends ModelFacts {
  readonly source: ModelSource;
  /** `null` where nobody asked: a cloud provider is never called to find out. */
  readonly reachable: boolean | null;
  /** The environment variable that must hold a key first, when it is not set. */
  readonly needs_key: string | null;
}

/** What the list is made from. */
export interface ModelListOptions {
  readonly env: LocalProbe["env"];
  /** The default model. */
  readonly chosen: string;
  /** What agents' tables name. */
  readonly declared: readonly string[];
  /** What local servers offer. */
  readonly served: readonly LocalModel[];
  readonly prices: Prices;
  /** Also the catalogue of providers that have no key and are not in use. */
  readonly all?: boolean;
}

/** Providers whose catalogue is listed. */
const LISTED = ["anthropic", "openai", "google", "mistral", "groq", "deepseek", "openrouter"] as const;

/** The default first, then the agents' own, what local servers have, the demonstration, and the catalogue. */
export function listModels(options: ModelListOptions): ModelSummary[] {
  const { chosen, declared, prices, env } = options;
  const served = options.served.map(({ string }) => string);
  const used = new Set([chosen, ...declared].map((model) => parseModelString(model).provider));
  const servedAt = new Set(served.map((model) => placeOf(model, env)));
  const list = new Map<string, Pick<ModelSummary, "source" | "reachable">>();
  const add = (model: string, source: ModelSummary["source"]) => {
    const isHere = servedAt.has(placeOf(model, env)) || parseModelString(model).provider === "demo";
    if (!list.has(model)) list.set(model, { source, reachable: isHere || null });
  };
  add(chosen, parseModelString(chosen).provider === "demo" ? "demo" : "configured");
  for (const model of declared) add(model, "configured");
  for (const model of served) add(model, "local");
  add(DEMO_MODEL, "demo");
  for (const provider of LISTED) {
    if (!options.all && !used.has(provider) && missingKey(provider, env) !== null) continue;
    for (const id of Object.keys(catalogueOf(provider))) add(`${provider}:${id}`, "catalogue");
  }
  return [...list].map(([model, fact]) => ({
    ...modelFacts(describeModel(parseModelString(model), prices)),
    ...fact,
    needs_key: missingKey(parseModelString(model).provider, env),
  }));
}

/** What became of the ways to name a default model, in the words of the list. */
export function sourceOfDefault(source: ResolvedModel["source"]): ModelSource {
  switch (source) {
    case "flag":
    case "config":
    case "environment":
      return "configured";
    case "local":
    case "demo":
      return source;
    default:
      return source satisfies never;
  }
}

/** From our spelling to the wire's: the one place where the two meet. */
export function modelFacts({ contextWindow, maxOutput, imageLimits: _, ...same }: ModelInfo): ModelFacts {
  return {
    ...same,
    ...(contextWindow === undefined ? {} : { context_window: contextWindow }),
    ...(maxOutput === undefined ? {} : { max_output: maxOutput }),
  };
}

/** The same model at the same address is the same, whatever flags it is written with. */
function placeOf(model: string, env: LocalProbe["env"]): string {
  const parsed = parseModelString(model);
  return `${parsed.provider}:${parsed.id}@${parsed.provider === "demo" ? "" : providerAddress(parsed, env)}`;
}

function missingKey(provider: ProviderName, env: LocalProbe["env"]): string | null {
  if (isLocalProvider(provider)) return null;
  const variables = keyVariables(provider);
  return variables.length === 0 || variables.some((name) => env(name)) ? null : variables[0] ?? null;
}
