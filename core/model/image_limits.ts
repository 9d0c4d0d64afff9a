/**
 * How many pictures a request may hold, by whoever serves the model. A conversation may hold any number: the newest go.
 *
 * The counts are cautious: a request that is over its provider's limit is refused as a whole. They were not measured, and
 * providers change theirs. Bytes are those of the files: on the wire, in base64, they are a third more.
 *
 * @module
 */
import type { ImageLimits } from "./contract.ts";
import type { ProviderName } from "./model_string.ts";

const MB = 1_000_000;

/** What a model takes in one request where the catalogue says nothing of its own. */
export function imageLimitsOf(provider: ProviderName): ImageLimits {
  switch (provider) {
    // 100 pictures, but over 20 each may have 2,000 pixels a side only; 32 MB a request.
    case "anthropic":
      return { count: 20, bytes: 20 * MB };
    // 500 pictures and 50 MB a request; each costs a thousand tokens and more.
    case "openai":
    case "openai-chat":
      return { count: 50, bytes: 30 * MB };
    // 3,600 pictures, but 20 MB a request when they are sent in it.
    case "google":
      return { count: 50, bytes: 14 * MB };
    // 5 pictures, 4 MB of base64 a request.
    case "groq":
      return { count: 5, bytes: 3 * MB };
    // 8 pictures of 10 MB.
    case "mistral":
      return { count: 8, bytes: 20 * MB };
    // Whoever serves it behind the router decides; this is what most of them take.
    case "openrouter":
    case "deepseek":
      return { count: 16, bytes: 15 * MB };
    // On this machine or near it nothing is refused, and every picture is slow.
    case "ollama":
    case "lmstudio":
    case "llamacpp":
    case "vllm":
    case "openai-compat":
    case "demo":
      return { count: 10, bytes: 20 * MB };
    default:
      return provider satisfies never;
  }
}
