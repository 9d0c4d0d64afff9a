/**
 * How earlier answers are written back into a request.
 *
 * @module
 */
import type { AssistantPart } from "../contract.ts";
import type { Signature } from "../../log/mod.ts";
import { signerOf, type Target } from "./codec.ts";
import { jsonText } from "./json_text.ts";

/** A call's arguments as an object, which every protocol demands: what was not JSON is shown to the model as such. */
export function argumentsObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return { malformed_arguments: value ?? "" };
}

/** A call's arguments as JSON text. */
export function argumentsText(value: unknown): string {
  return jsonText(argumentsObject(value));
}

/** The signature's data when this very model made it; another's would be refused. */
export function ownSignature(signature: Signature | undefined, target: Target): string | undefined {
  return signature?.provider === signerOf(target) ? signature.data : undefined;
}

/** The parts up to the last that says or calls something: thinking that led to nothing is refused by its provider. */
export function withoutTrailingThinking(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  const last = parts.findLastIndex((part) => part.type === "tool_call" || (part.type === "text" && part.text !== ""));
  return parts.slice(0, last + 1);
}

/** All text of an answer. */
export function joinedText(parts: readonly AssistantPart[]): string {
  return parts.map((part) => part.type === "text" ? part.text : "").join("");
}

/** All thinking of an answer. */
export function joinedThinking(parts: readonly AssistantPart[]): string {
  return parts.map((part) => part.type === "thinking" ? part.text : "").join("");
}

/** The calls of an answer, in order. */
export function callsOf(parts: readonly AssistantPart[]): readonly Extract<AssistantPart, { type: "tool_call" }>[] {
  return parts.filter((part) => part.type === "tool_call");
}
