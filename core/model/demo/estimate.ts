/**
 * What a demonstration's call would have used: counted by length, as no tokeniser runs here.
 *
 * @module
 */
import type { CallUsage } from "../../log/mod.ts";
import type { Part } from "./playback.ts";

/** Characters a token holds on average, near enough for a demonstration. */
const CHARACTERS_PER_TOKEN = 4;

/** Tokens of a text, by its length. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** The usage of a call, from the body that went in and the parts that came out. */
export function estimateUsage(body: string, parts: readonly Part[]): CallUsage {
  const reasoning = sum(parts, (part) => part.type === "thinking" ? part.text : "");
  return {
    input_tokens: estimateTokens(body),
    output_tokens: reasoning + sum(parts, (part) => part.type === "thinking" ? "" : textOf(part)),
    cached_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: reasoning,
  };
}

function sum(parts: readonly Part[], text: (part: Part) => string): number {
  return parts.reduce((total, part) => total + estimateTokens(text(part)), 0);
}

function textOf(part: Part): string {
  switch (part.type) {
    case "thinking":
    case "text":
    case "refusal":
      return part.text;
    case "calls":
      return part.calls.map((call) => call.name + (call.malformed ?? JSON.stringify(call.arguments))).join("");
    case "wait":
    case "fail":
      return "";
    default:
      return part satisfies never;
  }
}
