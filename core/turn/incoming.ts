/**
 * What comes in: checks a message before anything is written, and keeps what it brings.
 *
 * @module
 */
import { BadRequest } from "../conversation/mod.ts";
import { type FileRef, IMAGE_TYPES, type ImageRef, readPicture } from "../log/mod.ts";
import type { Blobs } from "../storage/mod.ts";
import { bareName, checkPicture, checkText, NotAttachable, TEXT_TYPE } from "./attachment.ts";
import type { IncomingImage, IncomingMessage } from "./contract.ts";

/** The most pictures one message may bring. */
export const MAX_IMAGES = 20;

/** The most files one message may bring. */
export const MAX_FILES = 20;

/** The longest text, in UTF-16 code units. */
export const MAX_TEXT = 2_000_000;

/** What a message brought, as its entry names it. */
export interface Brought {
  readonly images: readonly ImageRef[];
  readonly files: readonly FileRef[];
}

/** Throws `BadRequest` on a message that says nothing or too much. */
export function checkMessage({ text, token, images = [], files = [] }: IncomingMessage): void {
  if (!text.trim() && images.length === 0 && files.length === 0) {
    throw new BadRequest("text", "Write something, or add a picture or a file");
  }
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
  if (files.length > MAX_FILES) {
    throw new BadRequest("files", `${files.length} files are too many: ${MAX_FILES} is the most one message takes`);
  }
  images.forEach((image, index) => "data" in image ? checkData(image, index) : checkRef("images", image.ref, index));
  files.forEach(({ ref }, index) => checkRef("files", ref, index));
}

function checkData({ media_type, data, name: said }: Extract<IncomingImage, { data: unknown }>, index: number): void {
  const name = bareName(said);
  if (!(IMAGE_TYPES as readonly string[]).includes(media_type)) {
    throw new BadRequest(`images.${index}.media_type`, `"${name}" is ${media_type}: send PNG, JPEG, GIF or WebP`);
  }
  if (data.byteLength === 0) throw new BadRequest(`images.${index}.data`, `"${name}" is empty`);
  const picture = readPicture(data);
  if (picture?.media_type !== media_type) {
    const found = picture ? `its bytes are ${picture.media_type}` : "its bytes are no picture";
    throw new BadRequest(`images.${index}.data`, `"${name}" is sent as ${media_type} and ${found}`);
  }
  at(`images.${index}.data`, () => checkPicture(picture, name));
}

function checkRef(list: "images" | "files", ref: string, index: number): void {
  if (REFERENCE[list].test(ref)) return;
  const like = list === "images" ? "/images/<sha256>" : "/payloads/<sha256>";
  throw new BadRequest(`${list}.${index}.ref`, `"${ref.slice(0, 100)}" is no reference: one is like ${like}`);
}

const REFERENCE = { images: /^\/images\/[0-9a-f]{64}$/, files: /^\/payloads\/[0-9a-f]{64}$/ } as const;

/** The text as it is kept and sent: half characters and the null character, which not every store and server takes, replaced. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

/**
 * Stores the pictures that came with the message, finds what it names, and lets the conversation hold all of it. Throws
 * `BadRequest` when something it names is not there, or is not what it is named as; what it says of them is not believed.
 */
export async function keepAttachments(
  { images = [], files = [] }: Pick<IncomingMessage, "images" | "files">,
  blobs: Blobs,
  conversation: string,
): Promise<Brought> {
  const kept: { images: ImageRef[]; files: FileRef[] } = { images: [], files: [] };
  // One at a time: twenty large ones are not all in memory at once.
  for (const [index, image] of images.entries()) {
    kept.images.push(
      "data" in image
        ? await keepImage(image, blobs, conversation)
        : await findImage(image, `images.${index}.ref`, blobs, conversation),
    );
  }
  for (const [index, file] of files.entries()) {
    kept.files.push(await findFile(file, `files.${index}.ref`, blobs, conversation));
  }
  return kept;
}

async function keepImage(
  { name, media_type, data }: Extract<IncomingImage, { data: unknown }>,
  blobs: Blobs,
  conversation: string,
): Promise<ImageRef> {
  const { width, height } = readPicture(data) ?? {};
  return {
    ref: `/images/${await blobs.put(data, media_type, conversation)}`,
    name: bareName(name),
    media_type,
    bytes: data.byteLength,
    ...width !== undefined && { width },
    ...height !== undefined && { height },
  };
}

async function findImage(
  { ref, name }: Pick<ImageRef, "ref" | "name">,
  path: string,
  blobs: Blobs,
  conversation: string,
): Promise<ImageRef> {
  const bytes = await find(ref, name, path, blobs, conversation);
  const picture = readPicture(bytes);
  if (!picture) throw new BadRequest(path, `"${bareName(name)}" is no picture: send it as a file`);
  at(path, () => checkPicture(picture, bareName(name)));
  const { media_type, width, height } = picture;
  return { ref, name: bareName(name), media_type, bytes: bytes.byteLength, width, height };
}

async function findFile(
  { ref, name }: Pick<FileRef, "ref" | "name">,
  path: string,
  blobs: Blobs,
  conversation: string,
): Promise<FileRef> {
  const bytes = await find(ref, name, path, blobs, conversation);
  at(path, () => checkText(bytes, bareName(name)));
  return { ref, name: bareName(name), media_type: TEXT_TYPE, bytes: bytes.byteLength };
}

/** Held first, so that it cannot be swept while it is looked at. */
async function find(
  ref: string,
  name: string,
  path: string,
  blobs: Blobs,
  conversation: string,
): Promise<Uint8Array> {
  const hash = ref.slice(ref.lastIndexOf("/") + 1);
  const found = await blobs.hold(hash, conversation) ? await blobs.get(hash) : null;
  if (!found) throw new BadRequest(path, `"${bareName(name)}" was not stored or is gone: attach it again`);
  return found.bytes;
}

/** What is wrong with a file is said about the place where the message names it. */
function at(path: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof NotAttachable) throw new BadRequest(path, error.message);
    throw error;
  }
}
