/**
 * Where models differ in ways a codec must know: data from the catalogue, never code (FACTS C0.13).
 *
 * @module
 */

/** How a chat-completions server is asked to think. */
export type ThinkingFormat =
  /** `reasoning_effort: "<level>"`. */
  | "openai"
  /** `reasoning_effort` with `reasoning_format: "parsed"`, so that thinking comes apart from the answer. */
  | "groq"
  /** `thinking: { type: "enabled" | "disabled" }`, and `reasoning_effort` for a level. */
  | "deepseek"
  /** `reasoning: { effort | enabled }`. */
  | "openrouter"
  /** `chat_template_kwargs: { enable_thinking }` and `reasoning_effort`: local servers (K-327). */
  | "template";

/**
 * What is sent for each thinking level. A level that is absent goes by its own name; `null` means the model does not have
 * it (for `off`: it cannot stop thinking).
 */
export interface ThinkingLevels {
  readonly off?: string | null;
  readonly low?: string | null;
  readonly medium?: string | null;
  readonly high?: string | null;
}

/** One model's quirks. Absent means the provider's ordinary way. */
export interface ModelQuirks {
  /** Decides for itself how long to think: it is sent an effort, never a budget (Anthropic). */
  readonly adaptiveThinking?: true;
  /** Refuses `temperature`, `top_p` and `top_k`: leave them out and say so once (K-326). */
  readonly noSampling?: true;
  /** The field that limits the answer on chat completions. Default `max_tokens`. */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** Default `openai`. */
  readonly thinkingFormat?: ThinkingFormat;
  /** Its earlier thinking must come back with each assistant message that called tools (DeepSeek). */
  readonly replayThinking?: true;
  readonly levels?: ThinkingLevels;
}
