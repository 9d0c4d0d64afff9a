/**
 * Model strings: `provider:model[@base_url][;flags]` (K-321).
 *
 * @module
 */

/** The providers a model string may name (CONFIG.md). The last seven are addresses of an OpenAI-compatible server. */
export type ProviderName =
  | "demo"
  | "openai"
  | "openai-chat"
  | "openai-compat"
  | "anthropic"
  | "google"
  | "ollama"
  | "lmstudio"
  | "llamacpp"
  | "vllm"
  | "openrouter"
  | "groq"
  | "deepseek"
  | "mistral";

/** A model string, taken apart. */
export interface ModelString {
  /** As it was written. */
  readonly string: string;
  readonly provider: ProviderName;
  readonly id: string;
  /** Without a trailing slash. */
  readonly baseUrl?: string;
  /** Bare flags are `true`; `k=v` keeps its text. Known ones: `tools`, `thinking`, `vision`, `audio`, `structured`, `think_tags`. */
  readonly flags: Readonly<Record<string, string | true>>;
}
