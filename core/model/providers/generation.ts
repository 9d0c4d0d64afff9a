/**
 * Portable generation parameters and what each kind of provider calls them: the table K-326 as data.
 *
 * @module
 */
import type { Generation } from "../contract.ts";
import type { ProviderName } from "../model_string.ts";
import type { Target } from "./codec.ts";
import { providerLabel } from "./endpoints.ts";

/** Providers that take the same parameters. */
export type Dialect = "ollama" | "local" | "llamacpp" | "openai_chat" | "openai_responses" | "anthropic" | "google";

type Parameter = keyof Generation;

/** The provider's name of a parameter, or where the setting belongs when it does not take it. */
type Rule = { readonly name: string } | { readonly drop: string };

const as = (name: string): Rule => ({ name });
const drop = (remedy: string): Rule => ({ drop: remedy });

const LOCAL_ONLY = drop("leave it out, or use a model that runs on your own server");
const SERVER_WINDOW = drop("set the window where the server loads the model");
const FIXED_WINDOW = drop("leave it out, the provider fixes the window");

const LOCAL: Readonly<Record<Parameter, Rule>> = {
  temperature: as("temperature"),
  top_p: as("top_p"),
  top_k: as("top_k"),
  min_p: as("min_p"),
  presence_penalty: as("presence_penalty"),
  repetition_penalty: as("repetition_penalty"),
  max_tokens: as("max_tokens"),
  context_length: SERVER_WINDOW,
};

const OPENAI_CHAT: Readonly<Record<Parameter, Rule>> = {
  ...LOCAL,
  top_k: LOCAL_ONLY,
  min_p: LOCAL_ONLY,
  repetition_penalty: LOCAL_ONLY,
  context_length: FIXED_WINDOW,
};

const TABLE: Readonly<Record<Dialect, Readonly<Record<Parameter, Rule>>>> = {
  ollama: {
    ...LOCAL,
    min_p: drop('set "PARAMETER min_p" in the Modelfile'),
    repetition_penalty: as("repeat_penalty"),
    max_tokens: as("num_predict"),
    context_length: as("num_ctx"),
  },
  local: LOCAL,
  llamacpp: { ...LOCAL, repetition_penalty: as("repeat_penalty") },
  openai_chat: OPENAI_CHAT,
  openai_responses: {
    ...OPENAI_CHAT,
    presence_penalty: drop("use openai-chat: in the model string"),
    max_tokens: as("max_output_tokens"),
  },
  anthropic: {
    ...OPENAI_CHAT,
    top_k: as("top_k"),
    presence_penalty: LOCAL_ONLY,
  },
  google: {
    ...OPENAI_CHAT,
    top_p: as("topP"),
    presence_penalty: as("presencePenalty"),
    max_tokens: as("maxOutputTokens"),
  },
};

const PARAMETERS: readonly Parameter[] = [
  "temperature",
  "top_p",
  "top_k",
  "min_p",
  "presence_penalty",
  "repetition_penalty",
  "max_tokens",
  "context_length",
];

/** Parameters that steer how words are drawn; some models refuse them all. */
const SAMPLING: readonly Parameter[] = ["temperature", "top_p", "top_k"];

/**
 * The parameters under the provider's own names, in a stable order. `refused` are left out besides those the dialect and the
 * model do not take. Each one left out is said once, with where the setting belongs.
 */
export function generationFields(
  generation: Generation | undefined,
  dialect: Dialect,
  target: Target,
  refused: Readonly<Partial<Record<Parameter, string>>> = {},
): Readonly<Record<string, number>> {
  const fields: Record<string, number> = {};
  for (const parameter of PARAMETERS) {
    const value = generation?.[parameter];
    if (value === undefined) continue;
    const rule = ruleOf(parameter, dialect, target, refused);
    if ("name" in rule) fields[rule.name] = value;
    else target.warn(leftOut(parameter, target, rule.drop));
  }
  return fields;
}

function ruleOf(
  parameter: Parameter,
  dialect: Dialect,
  target: Target,
  refused: Readonly<Partial<Record<Parameter, string>>>,
): Rule {
  if (target.quirks.noSampling === true && SAMPLING.includes(parameter)) {
    return drop("leave it out, this model chooses for itself");
  }
  const reason = refused[parameter];
  return reason === undefined ? TABLE[dialect][parameter] : drop(reason);
}

function leftOut(parameter: Parameter, { info, model }: Target, remedy: string): string {
  return `"${parameter}" is not sent to ${info.string}: ${providerLabel(model.provider)} does not take it; ${remedy}`;
}

/** The dialect of a chat-completions server. Ollama's own shim takes less than other local servers. */
export function chatDialect(provider: ProviderName, baseUrl: string): Dialect {
  switch (provider) {
    case "llamacpp":
      return "llamacpp";
    case "openai-compat":
      return URL.parse(baseUrl)?.port === "11434" ? "openai_chat" : "local";
    case "lmstudio":
    case "vllm":
    case "openrouter":
      return "local";
    case "demo":
    case "openai":
    case "openai-chat":
    case "groq":
    case "deepseek":
    case "mistral":
    case "anthropic":
    case "google":
    case "ollama":
      return "openai_chat";
    default:
      return provider satisfies never;
  }
}
