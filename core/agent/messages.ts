/**
 * From the log's context to a model's messages: the one place where provider messages are made.
 *
 * @module
 */
import type { ContextMessage, ImageRef } from "../log/mod.ts";
import type { ModelImage, ModelMessage } from "../model/mod.ts";
import type { Blobs } from "../storage/mod.ts";

/** Loads the pictures a context refers to; one that is gone gets a line of text. The codec leaves out what a model cannot see. */
export async function toModelMessages(
  context: readonly ContextMessage[],
  blobs: Blobs,
): Promise<ModelMessage[]> {
  const messages: ModelMessage[] = [];
  for (const message of context) {
    switch (message.role) {
      case "assistant":
        messages.push({ role: "assistant", parts: message.parts });
        break;
      case "user": {
        const { images, missing } = await loadImages(message.images, blobs);
        const text = [message.text, ...missing].filter((line) => line).join("\n");
        messages.push({ role: "user", text, ...(images.length > 0 ? { images } : {}) });
        break;
      }
      case "tool": {
        const { images, missing } = await loadImages(message.images, blobs);
        const { call, name, failed } = message;
        const result = [message.result, ...missing].join("\n");
        messages.push({ role: "tool", call, name, result, failed, ...(images.length > 0 ? { images } : {}) });
        break;
      }
      default:
        message satisfies never;
    }
  }
  return messages;
}

async function loadImages(
  refs: readonly ImageRef[],
  blobs: Blobs,
): Promise<{ images: ModelImage[]; missing: string[] }> {
  const images: ModelImage[] = [];
  const missing: string[] = [];
  for (const { ref, name, media_type } of refs) {
    const blob = await blobs.get(ref.slice("/images/".length));
    if (blob) images.push({ media_type, data: blob.bytes, name });
    else missing.push(`[a picture, ${name}, was attached and can no longer be read]`);
  }
  return { images, missing };
}
