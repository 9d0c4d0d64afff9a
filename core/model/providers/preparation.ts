/**
 * What every codec would otherwise do itself: leaving out what the model cannot take, before the body is made.
 *
 * @module
 */
import type { ModelImage, ModelMessage, ModelRequest } from "../contract.ts";
import type { Target } from "./codec.ts";

/** Stands where a picture was left out, so that a message is never empty and the model knows that it missed something. */
const LEFT_OUT = "[picture left out: this model cannot see]";

/** The request without tools or pictures that the model cannot take; each is said once, with the flag that helps. */
export function prepareRequest(request: ModelRequest, target: Target): ModelRequest {
  return withoutPictures(withoutTools(request, target), target);
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
