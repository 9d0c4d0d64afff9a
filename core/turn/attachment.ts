/**
 * Files that people attach: what one is, is decided by its bytes; a picture, or text.
 *
 * Invariants (tests/core/turn/attachment_test.ts)
 * 1. A picture is one of four types, whole, and not too large to be decoded; what says it is a picture and is none is refused.
 * 2. A name is a bare one: no folder, no control character, nothing that turns the direction of the text around.
 * 3. A text is kept as plain text, whatever its name says, so that no browser ever runs it.
 *
 * @module
 */
import { type FileRef, type ImageRef, type PictureHeader, readPicture } from "../log/mod.ts";
import type { Blobs } from "../storage/mod.ts";

/** The longest text file, in bytes. */
export const MAX_TEXT_FILE = 2_000_000;
/** The largest picture, in pixels: decoded it takes four bytes for each. */
export const MAX_PIXELS = 100_000_000;
/** The longest name, in UTF-16 code units. */
export const MAX_NAME = 255;
/** What a text file is kept as. */
export const TEXT_TYPE = "text/plain; charset=utf-8";

/** A file that was stored to be sent with a message. */
export type Attachment = ({ readonly kind: "image" } & ImageRef) | ({ readonly kind: "file" } & FileRef);

/** A file that cannot be sent. `message` says why, and what can. */
export class NotAttachable extends Error {
  override readonly name = "NotAttachable";
}

/** What a file is, before it is stored. */
export type FileKind = { readonly kind: "image"; readonly picture: PictureHeader } | { readonly kind: "file" };

/** Tells what these bytes are, and throws `NotAttachable` when they are nothing that can be sent. */
export function tellKind(bytes: Uint8Array, name: string, saidType = ""): FileKind {
  if (bytes.byteLength === 0) throw new NotAttachable(`"${name}" is empty`);
  const picture = readPicture(bytes);
  if (picture) {
    checkPicture(picture, name);
    return { kind: "image", picture };
  }
  if (/\.svgz?$/i.test(name) || /^image\/svg/i.test(saidType)) {
    throw new NotAttachable(`"${name}" is an SVG drawing, which no model takes: send it as PNG`);
  }
  if (/^image\//i.test(saidType) || /\.(?:png|jpe?g|gif|webp|heic|heif|avif|bmp|tiff?|ico)$/i.test(name)) {
    throw new NotAttachable(`"${name}" is no picture that can be sent: send PNG, JPEG, GIF or WebP`);
  }
  checkText(bytes, name);
  return { kind: "file" };
}

/** Throws `NotAttachable` on a picture that those who decode it would refuse. */
export function checkPicture({ width, height, whole }: PictureHeader, name: string): void {
  if (width * height > MAX_PIXELS) {
    const millions = Math.ceil(width * height / 1e6);
    throw new NotAttachable(
      `"${name}" has ${millions} megapixels: 100 is the most a picture may have. Make it smaller`,
    );
  }
  if (!whole) throw new NotAttachable(`"${name}" is cut short: its end is missing. Save it again, then send that`);
}

/** Throws `NotAttachable` on bytes that are no text a model can be given. */
export function checkText(bytes: Uint8Array, name: string): void {
  if (bytes.byteLength > MAX_TEXT_FILE) {
    throw new NotAttachable(`"${name}" is larger than 2 MB: send the part of it that matters`);
  }
  if (bytes.includes(0) || !isUtf8(bytes)) {
    throw new NotAttachable(
      `"${name}" is neither a picture (PNG, JPEG, GIF, WebP) nor UTF-8 text, so it cannot be sent`,
    );
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Stores a file that no conversation holds yet, for 24 hours. Throws `NotAttachable`. */
export async function storeAttachment(
  bytes: Uint8Array<ArrayBuffer>,
  { name: said, type, blobs }: { readonly name: string; readonly type?: string; readonly blobs: Blobs },
): Promise<Attachment> {
  const name = bareName(said);
  const found = tellKind(bytes, name, type);
  if (found.kind === "file") {
    const hash = await blobs.putLoose(bytes, TEXT_TYPE);
    return { kind: "file", ref: `/payloads/${hash}`, name, media_type: TEXT_TYPE, bytes: bytes.byteLength };
  }
  const { media_type, width, height } = found.picture;
  const hash = await blobs.putLoose(bytes, media_type);
  return { kind: "image", ref: `/images/${hash}`, name, media_type, bytes: bytes.byteLength, width, height };
}

/** Marks that are not seen and turn the direction of the text around them, so that `gnp.exe` reads `exe.png`. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The last part of a path, without what cannot be seen, at most 255 long with its extension. */
export function bareName(name: string): string {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? "";
  const cleaned = last.replaceAll(/[\p{Cc}\u2028\u2029\ufeff]/gu, "").replaceAll(TURNING, "").trim();
  if (/^\.*$/.test(cleaned)) return "file";
  if (cleaned.length <= MAX_NAME) return cleaned;
  const extension = /\.[^.\s]{1,16}$/u.exec(cleaned)?.[0] ?? "";
  const kept = cleaned.slice(0, MAX_NAME - extension.length).replace(/[\uD800-\uDBFF]$/, "");
  return kept.trimEnd() + extension;
}
