/**
 * From `[memory] embedding` to what makes the vectors.
 *
 * @module
 */
import { BadModelString, parseModelString } from "../../model/mod.ts";
import type { Embedder } from "./embedder.ts";
import { FallbackEmbedder } from "./fallback.ts";
import { HashEmbedder } from "./hash.ts";
import { LocalEmbedder } from "./local.ts";
import { embeddingProtocol, ProviderEmbedder, type ProviderEmbedderOptions } from "./provider.ts";

export interface CreateEmbedderOptions extends ProviderEmbedderOptions {
  /** Told when the local model cannot work here. */
  readonly report: (message: string) => void;
}

/** What is wrong with a value of `[memory] embedding`, or `null`. */
export function embeddingProblem(setting: string): string | null {
  if (setting === "local" || setting === "hash") return null;
  try {
    const model = parseModelString(setting);
    if (embeddingProtocol(model) !== null) return null;
    return `"${setting}" has no embeddings: write "local", "hash", or a model such as ollama:nomic-embed-text`;
  } catch (error) {
    if (!(error instanceof BadModelString)) throw error;
    return `${error.message}. "local" and "hash" need no model`;
  }
}

/** Makes it; nothing is loaded or called before the first text. Throws what `embeddingProblem` would have told. */
export function createEmbedder(setting: string, options: CreateEmbedderOptions): Embedder {
  if (setting === "hash") return new HashEmbedder();
  if (setting === "local") return new FallbackEmbedder(new LocalEmbedder(), new HashEmbedder(), options.report);
  return new ProviderEmbedder(parseModelString(setting), options);
}
