/**
 * A conversation as Anthropic's messages.
 *
 * @module
 */
import type { AssistantPart, ModelImage, ModelMessage } from "../contract.ts";
import type { Body, Target } from "./codec.ts";
import { argumentsObject, ownSignature, withoutTrailingThinking } from "./replay.ts";

/** Marks the data of thinking that the provider keeps hidden; signatures are base64 and hold no colon. */
export const REDACTED = "redacted:";

/** The list, with `marker` on the last block that can carry it. Results of one round are one message. */
export function anthropicMessages(messages: readonly ModelMessage[], target: Target, marker: Body): readonly Body[] {
  const list: { readonly role: "user" | "assistant"; readonly content: Body[] }[] = [];
  let results: Body[] | undefined;
  for (const message of messages) {
    if (message.role === "tool") {
      if (results === undefined) {
        results = [];
        list.push({ role: "user", content: results });
      }
      results.push(toolResult(message));
      continue;
    }
    results = undefined;
    const content = message.role === "user" ? userBlocks(message) : assistantBlocks(message.parts, target);
    if (content.length > 0) list.push({ role: message.role, content });
  }
  const last = list.at(-1)?.content;
  const block = last?.at(-1);
  if (last !== undefined && block !== undefined) last[last.length - 1] = { ...block, ...marker };
  return list;
}

/** Whether thinking may be asked for: the tool loop that the messages end in, if any, began with thinking of this model. */
export function hasOpenThinking(messages: readonly ModelMessage[], target: Target): boolean {
  if (messages.at(-1)?.role !== "tool") return true;
  const answer = messages.findLast((message) => message.role === "assistant");
  const first = answer?.parts[0];
  return first?.type === "thinking" && ownSignature(first.signature, target) !== undefined;
}

/** Blank text blocks are refused. */
function isBlank(text: string): boolean {
  return text.trim() === "";
}

function userBlocks(message: Extract<ModelMessage, { role: "user" }>): Body[] {
  const images = (message.images ?? []).map(imageBlock);
  if (!isBlank(message.text)) return [...images, { type: "text", text: message.text }];
  return images.length > 0 ? images : [{ type: "text", text: "(nothing)" }];
}

function imageBlock(image: ModelImage): Body {
  return { type: "image", source: { type: "base64", media_type: image.media_type, data: image.data.toBase64() } };
}

function toolResult(message: Extract<ModelMessage, { role: "tool" }>): Body {
  const images = (message.images ?? []).map(imageBlock);
  const text = isBlank(message.result) ? [] : [{ type: "text", text: message.result }];
  return {
    type: "tool_result",
    tool_use_id: callId(message.call),
    content: images.length === 0 ? message.result : [...text, ...images],
    ...(message.failed ? { is_error: true } : {}),
  };
}

function assistantBlocks(parts: readonly AssistantPart[], target: Target): Body[] {
  return withoutTrailingThinking(parts).flatMap((part): Body[] => {
    switch (part.type) {
      case "thinking":
        return thinkingBlock(part.text, ownSignature(part.signature, target));
      case "text":
        return isBlank(part.text) ? [] : [{ type: "text", text: part.text }];
      case "tool_call":
        return [{
          type: "tool_use",
          id: callId(part.call),
          name: part.name,
          input: argumentsObject(part.arguments),
        }];
      default:
        return part satisfies never;
    }
  });
}

function thinkingBlock(text: string, data: string | undefined): Body[] {
  if (data === undefined) return [];
  if (data.startsWith(REDACTED)) return [{ type: "redacted_thinking", data: data.slice(REDACTED.length) }];
  return [{ type: "thinking", thinking: text, signature: data }];
}

/** Ids from other providers may hold characters that are refused here. */
function callId(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, "_");
}
