/**
 * What comes in: checks a message before anything is written.
 *
 * @module
 */
import type { ImageRef } from "../log/mod.ts";
import type { Blobs } from "../storage/mod.ts";
import { BadRequest } from "../conversation/mod.ts";
import type { IncomingMessage } from "./contract.ts";

/** The most pictures one message may bring. */
export const MAX_IMAGES = 20;

/** The longest text, in UTF-16 code units. */
export const MAX_TEXT = 2_000_000;

/** The media types of pictures that every provider takes. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

/** Throws `BadRequest` on a message that says nothing or too much. */
export function checkMessage({ text, token, images = [] }: IncomingMessage): void {
  if (!text.trim() && images.length === 0) throw new BadRequest("text", "Write something, or add a picture");
  if (text.length > MAX_TEXT) {
    throw new BadRequest("text", `The message has ${text.length} characters: ${MAX_TEXT} is the most one may have`);
  }
  if (token !== undefined && /[\p{Cc}\p{Cs}]/u.test(token)) {
    // Columns end at such a character or replace it, and two tokens that are not the same would be.
    throw new BadRequest("token", "A token may hold no control characters and no halves of characters");
  }
  if (images.length > MAX_IMAGES) {
    throw new BadRequest(
      "images",
      `${images.length} pictures are too many: ${MAX_IMAGES} is the most one message takes`,
    );
  }
  images.forEach(({ media_type, data, name }, index) => {
    if (!(IMAGE_TYPES as readonly string[]).includes(media_type)) {
      throw new BadRequest(`images.${index}.media_type`, `"${name}" is ${media_type}: send PNG, JPEG, GIF or WebP`);
    }
    if (data.byteLength === 0) throw new BadRequest(`images.${index}.data`, `"${name}" is empty`);
  });
}

/** The text as it is kept and sent: half characters and the null character, which not every store and server takes, replaced. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

/** Stores the pictures once, by their hash, held by the conversation. */
export async function keepImages(
  images: IncomingMessage["images"],
  blobs: Blobs,
  conversation: string,
): Promise<ImageRef[]> {
  return await Promise.all((images ?? []).map(async ({ name, media_type, data }) => ({
    ref: `/images/${await blobs.put(data, media_type, conversation)}`,
    name,
    media_type,
    bytes: data.byteLength,
  })));
}
