/**
 * What every codec would otherwise do itself: leaving out what the model cannot take, before the body is made.
 *
 * Invariant: nothing a model once said makes a later request one that is refused, for that would end its conversation for
 * good (tests/core/model/providers/preparation_test.ts).
 *
 * @module
 */
import type { ModelImage, ModelMessage, ModelRequest } from "../contract.ts";
import type { Target } from "./codec.ts";

/** Stands where a picture was left out, so that a message is never empty and the model knows that it missed something. */
const LEFT_OUT = "[picture left out: this model cannot see]";

/** The request without tools or pictures that the model cannot take; each is said once, with the flag that helps. */
export function prepareRequest(request: ModelRequest, target: Target): ModelRequest {
  return withSafeNames(withoutPictures(withoutTools(request, target), target));
}

/** What every provider takes as the name of a tool. */
const SAFE_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** A model may call a tool there is not, by any name at all; its providers refuse most of them when they are sent back. */
function withSafeNames(request: ModelRequest): ModelRequest {
  if (request.messages.every((message) => namesOf(message).every((name) => SAFE_NAME.test(name)))) return request;
  return { ...request, messages: request.messages.map(withSafeNamesOf) };
}

function namesOf(message: ModelMessage): readonly string[] {
  if (message.role === "tool") return [message.name];
  if (message.role === "user") return [];
  return message.parts.flatMap((part) => part.type === "tool_call" ? [part.name] : []);
}

function withSafeNamesOf(message: ModelMessage): ModelMessage {
  if (message.role === "tool") return { ...message, name: safeName(message.name) };
  if (message.role === "user") return message;
  return {
    ...message,
    parts: message.parts.map((part) => part.type === "tool_call" ? { ...part, name: safeName(part.name) } : part),
  };
}

function safeName(name: string): string {
  if (SAFE_NAME.test(name)) return name;
  const cleaned = name.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, 63);
  return /^[A-Za-z_]/.test(cleaned) ? cleaned : `_${cleaned}`;
}

function withoutTools(request: ModelRequest, { info, warn }: Target): ModelRequest {
  if (info.tools || request.tools.length === 0) return request;
  warn(`${info.string} is not known to call tools, so none are sent; if it can, add ;tools to its string`);
  return { ...request, tools: [] };
}

function withoutPictures(request: ModelRequest, { info, warn }: Target): ModelRequest {
  if (info.images || !request.messages.some(hasPictures)) return request;
  warn(`${info.string} is not known to see pictures, so they are left out; if it can, add ;vision to its string`);
  return { ...request, messages: request.messages.map(withoutPicturesOf) };
}

function hasPictures(message: ModelMessage): boolean {
  return message.role !== "assistant" && (message.images?.length ?? 0) > 0;
}

function withoutPicturesOf(message: ModelMessage): ModelMessage {
  if (message.role === "assistant" || !hasPictures(message)) return message;
  if (message.role === "user") {
    return { ...message, text: message.text === "" ? LEFT_OUT : `${message.text}\n${LEFT_OUT}`, images: [] };
  }
  return { ...message, result: message.result === "" ? LEFT_OUT : `${message.result}\n${LEFT_OUT}`, images: [] };
}

/** A picture as a `data:` address. */
export function dataUrl(image: ModelImage): string {
  return `data:${image.media_type};base64,${image.data.toBase64()}`;
}
