/**
 * A provider's client: a codec chosen by the provider's name, over the one transport.
 *
 * @module
 */
import type { ModelClient, ModelEvent, ModelInfo, ModelRequest } from "../contract.ts";
import type { ModelString, ProviderName } from "../model_string.ts";
import { quirksOf } from "../catalogue.ts";
import { anthropic } from "./anthropic_messages.ts";
import type { Codec, Target } from "./codec.ts";
import type { ProviderOptions } from "./contract.ts";
import { isLoopback, providerAddress, providerKey, splitCredentials, startHint } from "./endpoints.ts";
import { missingKey, modelError } from "./failure.ts";
import { gemini } from "./gemini.ts";
import { jsonText } from "./json_text.ts";
import { ollamaChat } from "./ollama_chat.ts";
import { openaiChat } from "./openai_chat.ts";
import { openaiResponses } from "./openai_responses.ts";
import { prepareRequest } from "./preparation.ts";
import { transport, type TransportOptions } from "./transport.ts";

/** The protocol a provider speaks. `demo` has none: it is no server. Throws `TypeError` for it. */
export function codecOf(provider: ProviderName): Codec {
  switch (provider) {
    case "openai":
      return openaiResponses;
    case "anthropic":
      return anthropic;
    case "google":
      return gemini;
    case "ollama":
      return ollamaChat;
    case "openai-chat":
    case "openai-compat":
    case "lmstudio":
    case "llamacpp":
    case "vllm":
    case "openrouter":
    case "groq":
    case "deepseek":
    case "mistral":
      return openaiChat;
    case "demo":
      throw new TypeError("The demonstration is not served over the network");
    default:
      return provider satisfies never;
  }
}

/**
 * A client for a model that is served over HTTP. Its streams throw a `ModelError`, or the signal's reason when that aborts.
 * Throws `TypeError` for a model without an address.
 */
export function createProvider(model: ModelString, info: ModelInfo, options: ProviderOptions): ModelClient {
  const codec = codecOf(model.provider);
  const { address: baseUrl, authorization } = splitCredentials(providerAddress(model, options.env));
  const target: Target = { model, info, quirks: quirksOf(model), baseUrl, warn: sayOnce(options.onWarning) };
  const stream = (request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> => {
    // Read for each call, so that a key set later is found without starting again.
    const key = providerKey(model.provider, options.env);
    if (key === undefined && needsKey(model)) return failing(model);
    const prepared = prepareRequest(request, target);
    const call = {
      url: codec.url(target),
      headers: { ...(authorization === undefined ? {} : { authorization }), ...codec.headers(key) },
      body: jsonText(codec.body(prepared, target)),
      framing: codec.framing,
      decoder: codec.decoder.bind(codec, prepared, target),
    };
    return transport(call, transportOptions(options, target, key), signal);
  };
  return { info, stream };
}

function transportOptions(options: ProviderOptions, target: Target, key: string | undefined): TransportOptions {
  const stallTimeoutMs = options.stallTimeoutMs ?? 120_000;
  const { model, baseUrl } = target;
  return {
    fetch: options.fetch ?? fetch,
    stallTimeoutMs,
    now: options.now ?? Date.now,
    attempts: options.attempts ?? 4,
    backoffMs: options.backoffMs ?? 500,
    random: options.random ?? Math.random,
    isLocal: isLoopback(baseUrl),
    failure: (fault, answered) => modelError(fault, { model, baseUrl, key, answered, stallTimeoutMs }),
  };
}

/** A provider elsewhere answers nobody without a key; one whose address the person gave may be their own. */
function needsKey(model: ModelString): boolean {
  return model.baseUrl === undefined && startHint(model.provider) === undefined;
}

// deno-lint-ignore require-yield
async function* failing(model: ModelString): AsyncGenerator<ModelEvent> {
  await Promise.resolve();
  throw missingKey(model);
}

/** Passes on each text once. */
function sayOnce(onWarning: ((text: string) => void) | undefined): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (said.has(text)) return;
    said.add(text);
    onWarning?.(text);
  };
}
