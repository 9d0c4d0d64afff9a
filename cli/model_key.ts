/**
 * Whether a model can be asked at all: providers elsewhere want a key.
 *
 * @module
 */
import { keyVariables, parseModelString, providerKey, type ProviderName } from "../core/model/mod.ts";

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

/** What is missing for this model, as one line, or `null`. One with an address of its own may need no key. */
export function keyFault(model: string, env: (name: string) => string | undefined): string | null {
  const { provider, baseUrl } = parseModelString(model);
  if (!KEYED.includes(provider) || baseUrl !== undefined || providerKey(provider, env) !== undefined) return null;
  const variable = keyVariables(provider)[0];
  return `The model "${model}" needs a key: set ${variable}, or choose another model with --model`;
}
