/**
 * What an answer holds: by its content type, with what its bytes begin with as the tie-breaker (K-329).
 *
 * Invariants (tests/toolsets/web/classify_test.ts)
 * 1. A PDF is a PDF whatever the server calls it; its bytes are never given as text.
 * 2. What holds NUL bytes is no text.
 *
 * @module
 */
import { readPicture } from "../../core/log/mod.ts";

/** What an answer holds. */
export type Content =
  | { readonly kind: "html" | "text" | "pdf" }
  | { readonly kind: "image"; readonly mediaType: string; readonly size: string }
  /** `what` completes "This is …". */
  | { readonly kind: "other"; readonly what: string };

/** Beginnings of files that are often met under a wrong or empty type. */
const SIGNATURES: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], "a ZIP archive or an office document"],
  [[0x1f, 0x8b], "a gzip archive"],
  [[0x37, 0x7a, 0xbc, 0xaf], "a 7z archive"],
  [[0x7f, 0x45, 0x4c, 0x46], "a program"],
  [[0x4d, 0x5a], "a program"],
  [[0x49, 0x44, 0x33], "a sound"],
  [[0x4f, 0x67, 0x67, 0x53], "a sound or a film"],
  [[0x1a, 0x45, 0xdf, 0xa3], "a film"],
];

/** How far into a file its signature and NUL bytes are looked for. */
const LOOKED_AT = 1_024;

/** Classifies an answer by the value of its `content-type` and its bytes. */
export function classify(contentType: string, bytes: Uint8Array): Content {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const start = bytes.subarray(0, LOOKED_AT);
  const ascii = new TextDecoder("latin1").decode(start);
  if (ascii.includes("%PDF-") && (ascii.startsWith("%PDF-") || !isTextType(type))) return { kind: "pdf" };
  const picture = readPicture(bytes);
  if (picture?.whole && !isTextType(type)) {
    return { kind: "image", mediaType: picture.media_type, size: `${picture.width}×${picture.height}` };
  }
  const isWide = /^(?:\xfe\xff|\xff\xfe)/.test(ascii) || /utf-16/i.test(contentType);
  if (start.includes(0) && !isWide) return other(type, start);
  if (type === "text/html" || type === "application/xhtml+xml") return { kind: "html" };
  // Pictures that are text are worth reading.
  if (isTextType(type) || type === "image/svg+xml") return { kind: "text" };
  if (type === "" || type === "application/octet-stream" || type === "application/x-unknown") {
    if (SIGNATURES.some(([signature]) => begins(start, signature)) || controls(ascii) > 0.05) return other(type, start);
    return { kind: /^\s*(?:<!doctype html|<html[\s>]|<head[\s>]|<body[\s>])/i.test(ascii) ? "html" : "text" };
  }
  return other(type, start);
}

function isTextType(type: string): boolean {
  return type.startsWith("text/") ||
    /^application\/(?:.+\+)?(?:json|xml|yaml|x-yaml|javascript|ecmascript|toml|sql|x-sh|x-ndjson|graphql|x-www-form-urlencoded)$/
      .test(type) ||
    /^application\/(?:ld\+json|rss\+xml|atom\+xml|jsonl|x-tex|x-latex|rtf)$/.test(type);
}

function other(type: string, start: Uint8Array): Content {
  const found = SIGNATURES.find(([signature]) => begins(start, signature))?.[1];
  // A type may hold anything; only what a type is made of is repeated.
  const named = /^[\w.+-]{1,40}\/[\w.+-]{1,80}$/.test(type) ? ` (${type})` : "";
  if (found !== undefined) return { kind: "other", what: `${found}${named}` };
  const what = type.startsWith("image/")
    ? "a picture that cannot be shown"
    : type.startsWith("audio/")
    ? "a sound"
    : type.startsWith("video/")
    ? "a film"
    : "binary data";
  return { kind: "other", what: `${what}${named}` };
}

function begins(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, at) => bytes[at] === byte);
}

/** The share of characters that no text holds. */
function controls(text: string): number {
  // deno-lint-ignore no-control-regex
  return (text.match(/[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]/g)?.length ?? 0) / Math.max(1, text.length);
}
