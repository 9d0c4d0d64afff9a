/**
 * A conversation as the message list of chat completions.
 *
 * @module
 */
import type { ModelImage, ModelMessage, ModelRequest } from "../contract.ts";
import type { Body, Target } from "./codec.ts";
import { dataUrl } from "./preparation.ts";
import { argumentsText, callsOf, joinedText, joinedThinking, ownSignature, withoutTrailingThinking } from "./replay.ts";
import { systemWithSchema } from "./structured_output.ts";
import { asList } from "./wire_value.ts";

type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;
type ToolMessage = Extract<ModelMessage, { role: "tool" }>;

/** The list. With `schemaInSystem` the schema is written into the system message. */
export function chatMessages(request: ModelRequest, target: Target, schemaInSystem: boolean): readonly Body[] {
  const system = schemaInSystem ? systemWithSchema(request) : request.system;
  const list: Body[] = system === "" ? [] : [{ role: "system", content: system }];
  let pictures: ModelImage[] = [];
  const flush = () => {
    if (pictures.length > 0) list.push({ role: "user", content: withPictures(PICTURES_OF_TOOLS, pictures) });
    pictures = [];
  };
  for (const message of request.messages) {
    if (message.role !== "tool") flush();
    switch (message.role) {
      case "user":
        list.push({ role: "user", content: withPictures(message.text, message.images ?? []) });
        break;
      case "assistant":
        list.push(...assistantMessage(message, target));
        break;
      case "tool":
        list.push(toolMessage(message, target));
        pictures.push(...message.images ?? []);
        break;
      default:
        message satisfies never;
    }
  }
  flush();
  return list;
}

/** A tool message holds text alone, so its pictures follow in a message of their own. */
const PICTURES_OF_TOOLS = "Pictures from the tool results above:";

function withPictures(text: string, images: readonly ModelImage[]): string | readonly Body[] {
  if (images.length === 0) return text;
  return [
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...images.map((image) => ({ type: "image_url", image_url: { url: dataUrl(image) } })),
  ];
}

function assistantMessage(message: AssistantMessage, target: Target): readonly Body[] {
  const parts = withoutTrailingThinking(message.parts);
  if (parts.length === 0) return [];
  const text = joinedText(parts);
  const calls = callsOf(parts).map((part) => ({
    id: callId(part.call, target),
    type: "function",
    function: { name: part.name, arguments: argumentsText(part.arguments) },
  }));
  return [{
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...thinkingReplay(message, target),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }];
}

/** Thinking goes back only where it is asked for: signed details (OpenRouter), or the plain text (DeepSeek). */
function thinkingReplay(message: AssistantMessage, target: Target): Body {
  const details = message.parts.flatMap((part) => readDetails(ownSignature(part.signature, target)));
  if (details.length > 0) return { reasoning_details: details };
  if (target.quirks.replayThinking !== true) return {};
  return { reasoning_content: joinedThinking(message.parts) };
}

function readDetails(data: string | undefined): readonly unknown[] {
  if (data === undefined) return [];
  try {
    return asList(JSON.parse(data));
  } catch {
    return [];
  }
}

function toolMessage(message: ToolMessage, target: Target): Body {
  return { role: "tool", tool_call_id: callId(message.call, target), content: message.result };
}

const MISTRAL_ID = /^[A-Za-z0-9]{9}$/;

/** Mistral takes ids of nine letters and digits only; others are mapped to such, the same one each time. */
function callId(id: string, { model }: Target): string {
  if (model.provider !== "mistral" || MISTRAL_ID.test(id)) return id;
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(id)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(36).padStart(9, "0").slice(-9);
}
