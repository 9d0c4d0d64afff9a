/**
 * Whether a model can be asked at all: providers elsewhere want a key.
 *
 * @module
 */
import { parseModelString, type ProviderName } from "./model_string.ts";
import { keyVariables, providerKey, type ReadEnv } from "./providers/mod.ts";

/** Providers that refuse every request without a key; the others are servers of one's own, which may ask for none. */
const KEYED: readonly ProviderName[] = [
  "openai",
  "openai-chat",
  "anthropic",
  "google",
  "openrouter",
  "groq",
  "deepseek",
  "mistral",
];

/**
 * The variable that should hold a model's key and does not; `null` when nothing is missing. A model with an address of its own
 * may need no key. Throws `BadModelString`.
 */
export function missingKey(model: string, env: ReadEnv): string | null {
  const { provider, baseUrl } = parseModelString(model);
  if (!KEYED.includes(provider) || baseUrl !== undefined || providerKey(provider, env) !== undefined) return null;
  return keyVariables(provider)[0] ?? null;
}
