/**
 * Files on their way out: stored pictures and payloads by hash, and generated files by name.
 *
 * Invariants
 * 1. A bare name only: nothing outside the one folder is ever opened, by no spelling, and no link is followed
 *    (tests/routes/files_test.ts, forty spellings).
 * 2. What a browser would run is an attachment, whatever its name says, and nothing is sniffed.
 *
 * @module
 */
import { extname, join } from "node:path";
import type { Storage } from "../core/storage/mod.ts";
import { notFound } from "./problem.ts";

/** Types by extension, for generated files. Anything else is bytes to save. */
const TYPES: Readonly<Record<string, string>> = {
  ".csv": "text/csv; charset=utf-8",
  ".gif": "image/gif",
  ".html": "text/html; charset=utf-8",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".jsonl": "application/jsonl",
  ".md": "text/markdown; charset=utf-8",
  ".mp3": "audio/mpeg",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wav": "audio/wav",
  ".webp": "image/webp",
  ".xml": "application/xml",
  ".zip": "application/zip",
};

/** What a browser shows without running it. */
const SHOWN = /^(?:image\/(?:png|jpeg|gif|webp|avif)|text\/(?:plain|csv|markdown)|application\/(?:json|jsonl)|audio\/)/;

/** Stored pictures that are shown as such. */
export const PICTURE = /^image\/(?:png|jpeg|gif|webp|avif)$/;

/** How a file is sent. */
export interface FileAnswer {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** Its size, where that is known before it is read. */
  readonly bytes?: number;
  /** The name to save it under; with it the browser saves instead of showing. */
  readonly download?: string;
  /** The same for clients that take ASCII only; made of the name by default. */
  readonly asciiName?: string;
  /** Its name where it is not saved under another. */
  readonly name?: string;
  /** Its bytes can never change: it may be kept. */
  readonly immutable?: boolean;
}

/** Sends a file. */
export function fileResponse(file: FileAnswer): Response {
  const headers = new Headers({
    "content-type": file.type,
    "x-content-type-options": "nosniff",
    // Even opened by itself, a file has no scripts and no reach.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "cache-control": file.immutable ? "private, max-age=31536000, immutable" : "no-store",
  });
  if (file.bytes !== undefined) headers.set("content-length", String(file.bytes));
  const name = safeName(file.download ?? file.name ?? "");
  if (file.download !== undefined || !SHOWN.test(file.type)) {
    headers.set("content-disposition", disposition(name, file.asciiName && safeName(file.asciiName)));
  }
  return new Response(file.body, { headers });
}

/** Which stored file, and whether it is to be saved under a name. */
interface BlobRequest {
  readonly params: { readonly hash: string };
  readonly query: { readonly download?: string };
  readonly state: { readonly assistant: { readonly storage: { readonly blobs: Pick<Storage["blobs"], "get"> } } };
}

/** Sends what is stored under a hash. Throws a 404 that calls it `what` when there is none, or none of a type that is let out. */
export async function blobAnswer(
  { params, query, state }: BlobRequest,
  what: "picture" | "payload",
  isLetOut: (mediaType: string) => boolean = () => true,
): Promise<Response> {
  const blob = await state.assistant.storage.blobs.get(params.hash);
  if (!blob || !isLetOut(blob.mediaType)) throw notFound(`No ${what} has this name`);
  return fileResponse({
    body: blob.bytes,
    type: blob.mediaType,
    bytes: blob.bytes.byteLength,
    name: params.hash,
    immutable: true,
    ...query.download !== undefined && { download: query.download },
  });
}

/** Opens a generated file by its bare name, or gives `null`. Makes no folder. */
export async function openDownload(folder: string, name: string): Promise<FileAnswer | null> {
  if (!isBareName(name)) return null;
  const path = join(folder, name);
  try {
    if (!(await Deno.lstat(path)).isFile) return null;
    const file = await Deno.open(path);
    const { size } = await file.stat();
    const type = TYPES[extname(name).toLowerCase()] ?? "application/octet-stream";
    return { body: file.readable, type, bytes: size, name };
  } catch {
    return null;
  }
}

/** Letters, digits and a few marks, not starting with a dot: no separator, no drive, no control character. */
function isBareName(name: string): boolean {
  return name.length <= 200 && /^[\p{L}\p{N}_][\p{L}\p{M}\p{N} ._()+,@=-]*$/u.test(name) && !name.includes("..");
}

function safeName(name: string): string {
  const cleaned = name.replaceAll(/[^\p{L}\p{M}\p{N} ._()+,@=-]/gu, "_").replace(/^\.+/, "").slice(0, 200);
  return cleaned || "download";
}

function disposition(name: string, asciiName = name): string {
  const ascii = asciiName.replaceAll(/[^\x20-\x7e]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
