/**
 * What a tool answered, as the log keeps it and the model reads it.
 *
 * @module
 */
import { type ImageRef, readPicture, type ToolData } from "../log/mod.ts";
import type { Blobs } from "../storage/mod.ts";

/** Longest result, in UTF-16 code units, that an entry holds and a model is sent. The rest is kept as a payload. */
export const RESULT_LIMIT = 50_000;

type Shaped = { readonly text: string } & Pick<ToolData, "result_ref" | "result_bytes" | "images">;

interface Picture {
  readonly media_type: string;
  readonly data: Uint8Array<ArrayBuffer>;
  readonly name?: string;
}

/** Text of any output; pictures and what is too long go to the blobs, held by the conversation. */
export async function shapeOutput(output: unknown, blobs: Blobs, conversation: string): Promise<Shaped> {
  const { text, pictures } = takeApart(output);
  const images = await Promise.all(pictures.map((picture, index) => keepPicture(picture, index, blobs, conversation)));
  const withImages = images.length > 0 ? { images } : {};
  if (text.length <= RESULT_LIMIT) return { text, ...withImages };
  const bytes = new TextEncoder().encode(text);
  const hash = await blobs.put(bytes, "text/plain; charset=utf-8", conversation);
  const cut = text.slice(0, RESULT_LIMIT).replace(/[\uD800-\uDBFF]$/, "");
  return {
    text: `${cut}\n[cut here: the result has ${text.length} characters, and ${cut.length} of them are shown]`,
    result_ref: `/payloads/${hash}`,
    result_bytes: bytes.byteLength,
    ...withImages,
  };
}

function takeApart(output: unknown): { text: string; pictures: readonly Picture[] } {
  if (typeof output === "string") return { text: output, pictures: [] };
  if (isTextWithPictures(output)) return { text: output.text, pictures: output.images ?? [] };
  return { text: JSON.stringify(output) ?? "", pictures: [] };
}

function isTextWithPictures(output: unknown): output is { text: string; images?: readonly Picture[] } {
  if (typeof output !== "object" || output === null || Array.isArray(output)) return false;
  const { text, images, ...rest } = output as Record<string, unknown>;
  if (typeof text !== "string" || Object.keys(rest).length > 0) return false;
  return images === undefined ||
    Array.isArray(images) && images.every((image) => image?.data instanceof Uint8Array && image.media_type);
}

async function keepPicture(picture: Picture, index: number, blobs: Blobs, conversation: string): Promise<ImageRef> {
  const hash = await blobs.put(picture.data, picture.media_type, conversation);
  const header = readPicture(picture.data);
  return {
    ref: `/images/${hash}`,
    name: picture.name ?? `picture-${index + 1}`,
    media_type: picture.media_type,
    bytes: picture.data.byteLength,
    ...header && { width: header.width, height: header.height },
  };
}
