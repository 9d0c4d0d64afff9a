/**
 * What is known of models before anyone asks them: windows, abilities, prices and quirks, from `catalogue.json`.
 *
 * Invariants
 * 1. A flag in the model string beats the catalogue, and a configured price beats the catalogue's
 *    (tests/core/model/catalogue_test.ts).
 * 2. What is not known is `undefined`, never zero: a model without a price has no cost (same file).
 *
 * @module
 */
import type { CallUsage } from "../log/mod.ts";
import type { ModelInfo, ModelPrice } from "./contract.ts";
import { imageLimitsOf } from "./image_limits.ts";
import { abilityFlag, isLocalProvider, type ModelString, type ProviderName } from "./model_string.ts";
import type { ModelQuirks } from "./quirks.ts";
import data from "./catalogue.json" with { type: "json" };

/** One model in `catalogue.json`. All of them take tools: the source lists no others. */
export interface CatalogueModel {
  /** Tokens. */
  readonly window: number;
  /** Tokens. */
  readonly output?: number;
  readonly images?: true;
  readonly thinking?: true;
  readonly price?: ModelPrice;
  readonly quirks?: ModelQuirks;
}

type Section = Readonly<Record<string, CatalogueModel>>;

/** Prices from the configuration, by `provider:model` (CONFIG.md, `[prices]`). */
export type Prices = Readonly<Record<string, ModelPrice>>;

/** The catalogue's models of a provider, by id; empty for a provider it does not know. */
export function catalogueOf(provider: ProviderName): Section {
  switch (provider) {
    case "openai":
    case "openai-chat":
      return data.openai as Section;
    case "anthropic":
      return data.anthropic as Section;
    case "google":
      return data.google as Section;
    case "groq":
      return data.groq as Section;
    case "deepseek":
      return data.deepseek as Section;
    case "mistral":
      return data.mistral as Section;
    case "openrouter":
      return data.openrouter as Section;
    case "demo":
    case "openai-compat":
    case "ollama":
    case "lmstudio":
    case "llamacpp":
    case "vllm":
      return {};
    default:
      return provider satisfies never;
  }
}

/**
 * What a model can do and costs. A known id takes its abilities from the catalogue; an unknown one has those its flags
 * declare and no others (K-321), with one exception: a local server, or one given by its address, is taken to serve tools
 * unless `;tools=false` says otherwise, because an assistant without tools is of little use and the server answers a tool it
 * cannot take with a clear error.
 */
export function describeModel(model: ModelString, prices: Prices = {}): ModelInfo {
  if (model.provider === "demo") return describeDemo(model);
  const known = lookUp(model);
  const price = prices[`${model.provider}:${model.id}`] ?? known?.price;
  const contextWindow = numberFlag(model, "context") ?? known?.window;
  const maxOutput = numberFlag(model, "max_output") ?? known?.output;
  const images = abilityFlag(model, "vision") ?? known?.images ?? false;
  return {
    string: model.string,
    provider: model.provider,
    id: model.id,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
    images,
    ...(images ? { imageLimits: imageLimitsOf(model.provider) } : {}),
    tools: abilityFlag(model, "tools") ?? (known !== undefined || isLocalProvider(model.provider)),
    thinking: abilityFlag(model, "thinking") ?? known?.thinking ?? false,
    ...(price === undefined ? {} : { price }),
  };
}

/** A model's quirks: its provider's ordinary ones, then its own from the catalogue. */
export function quirksOf(model: ModelString): ModelQuirks {
  return { ...providerQuirks(model.provider), ...lookUp(model)?.quirks };
}

/** Whether the model is one of the demonstration's: it follows rules, and never approves or reviews anything. */
export function isDemo(info: Pick<ModelInfo, "provider">): boolean {
  return info.provider === "demo";
}

/**
 * US dollars of one call, at the tier its whole input falls in; `undefined` when the price is not known. Cached tokens are
 * part of the input; a cache price that is absent means they cost what input costs.
 */
export function costOf(usage: CallUsage, price: ModelPrice | undefined): number | undefined {
  if (price === undefined) return undefined;
  const reached = (price.tiers ?? []).filter((each) => usage.input_tokens > each.above);
  const tier = reached.toSorted((a, b) => b.above - a.above)[0] ?? price;
  const plain = Math.max(0, usage.input_tokens - usage.cached_tokens - usage.cache_write_tokens);
  return (plain * tier.input + usage.cached_tokens * (tier.cache_read ?? tier.input) +
    usage.cache_write_tokens * (tier.cache_write ?? tier.input) + usage.output_tokens * tier.output) / 1e6;
}

/** The catalogue's record of a model: by its id, else by its id without a release date or a router's `:variant`. */
function lookUp(model: ModelString): CatalogueModel | undefined {
  const section = catalogueOf(model.provider);
  const exact = own(section, model.id);
  if (exact !== undefined) return exact;
  const undated = model.id.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  if (undated !== model.id) return own(section, undated);
  const colon = model.provider === "openrouter" ? model.id.lastIndexOf(":") : -1;
  if (colon < 0) return undefined;
  const base = own(section, model.id.slice(0, colon));
  if (base === undefined) return undefined;
  // A variant (`:free`, `:nitro`) can do what its model can, at a price of its own.
  const { price: _, ...abilities } = base;
  return abilities;
}

function own(section: Section, id: string): CatalogueModel | undefined {
  return Object.hasOwn(section, id) ? section[id] : undefined;
}

function numberFlag(model: ModelString, name: "context" | "max_output"): number | undefined {
  const value = model.flags[name];
  return typeof value === "string" ? Number(value) : undefined;
}

function describeDemo(model: ModelString): ModelInfo {
  const images = abilityFlag(model, "vision") ?? false;
  return {
    string: model.string,
    provider: "demo",
    id: model.id,
    contextWindow: numberFlag(model, "context") ?? 32_768,
    images,
    ...(images ? { imageLimits: imageLimitsOf(model.provider) } : {}),
    tools: abilityFlag(model, "tools") ?? model.id !== "echo",
    thinking: abilityFlag(model, "thinking") ?? model.id !== "echo",
  };
}

function providerQuirks(provider: ProviderName): ModelQuirks {
  switch (provider) {
    case "openai-chat":
      return { maxTokensField: "max_completion_tokens" };
    case "openrouter":
      return { thinkingFormat: "openrouter" };
    case "lmstudio":
    case "llamacpp":
    case "vllm":
    case "openai-compat":
      return { thinkingFormat: "template" };
    case "demo":
    case "openai":
    case "anthropic":
    case "google":
    case "ollama":
    case "groq":
    case "deepseek":
    case "mistral":
      return {};
    default:
      return provider satisfies never;
  }
}
