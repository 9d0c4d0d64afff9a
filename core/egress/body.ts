/**
 * An answer's bytes: unpacked, and never more of them than asked for.
 *
 * Invariants (tests/core/egress/body_test.ts)
 * 1. No more than `maxBytes` are kept, whatever the headers promise, before unpacking and after it.
 * 2. An answer that ends early is an error and never a short answer.
 *
 * @module
 */
import type { IncomingMessage } from "node:http";
import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { BadEncoding, EgressError, HostUnreachable, TooLarge } from "./errors.ts";

/** What is sent as `accept-encoding`: all that `readBody` unpacks. */
export const ACCEPTED_ENCODINGS = "gzip, deflate, br";

/** Most layers of compression that are undone. */
const LAYERS = 2;

/** How much of an answer is wanted. */
export interface BodyLimit {
  readonly maxBytes: number;
  /** What becomes of a longer one: `TooLarge`, or its beginning alone. */
  readonly onTooLarge: "fail" | "cut";
}

/** The unpacked bytes, and whether there were more. */
export interface Body {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly cut: boolean;
}

/** Reads an answer to its end or its limit. Throws `TooLarge`, `BadEncoding` and `HostUnreachable`. */
export async function readBody(url: string, message: IncomingMessage, limit: BodyLimit): Promise<Body> {
  const encoding = String(message.headers["content-encoding"] ?? "");
  const counted = countedChunks(url, message, limit);
  const stream = encoding === "" ? counted : unpacked(url, encoding, counted);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    if (size + chunk.byteLength > limit.maxBytes) {
      if (limit.onTooLarge === "fail") throw new TooLarge(url, limit.maxBytes);
      parts.push(chunk.subarray(0, limit.maxBytes - size));
      return { bytes: joined(parts), cut: true };
    }
    parts.push(chunk);
    size += chunk.byteLength;
  }
  return { bytes: joined(parts), cut: false };
}

/** What comes over the wire, a byte more than the limit at most. */
async function* countedChunks(url: string, message: IncomingMessage, limit: BodyLimit): AsyncGenerator<Uint8Array> {
  const promised = Number(message.headers["content-length"] ?? NaN);
  if (limit.onTooLarge === "fail" && promised > limit.maxBytes) throw new TooLarge(url, limit.maxBytes);
  let size = 0;
  try {
    for await (const chunk of message) {
      size += chunk.byteLength;
      yield chunk;
      if (size > limit.maxBytes) throw new TooLarge(url, limit.maxBytes);
    }
  } catch (cause) {
    if (cause instanceof EgressError) throw cause;
    throw endedEarly(url, cause);
  }
  if (!message.complete || size < promised) throw endedEarly(url);
}

function endedEarly(url: string, cause?: unknown): HostUnreachable {
  return new HostUnreachable(url, `${new URL(url).host} ended its answer early: try again`, { cause });
}

async function* unpacked(
  url: string,
  encoding: string,
  source: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const layers = encoding.toLowerCase().split(",").map((layer) => layer.trim()).filter((layer) =>
    layer !== "" && layer !== "identity"
  );
  if (layers.length > LAYERS) throw new BadEncoding(url, encoding);
  const first = await source.next();
  if (first.done) return;
  const whole = startingWith(first.value, source);
  if (layers.length === 0) return yield* whole;
  const transforms = layers.reverse().map((layer) => unpacker(url, layer, first.value));
  let failure: unknown;
  const end = transforms.at(-1);
  if (end === undefined) return;
  pipeline([Readable.from(whole), ...transforms], (error) => {
    failure = error;
  });
  try {
    for await (const chunk of end) yield chunk;
  } catch (cause) {
    const error = failure ?? cause;
    if (error instanceof EgressError) throw error;
    throw new BadEncoding(url, encoding, { cause: error });
  } finally {
    for (const transform of transforms) transform.destroy();
  }
}

async function* startingWith(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

function unpacker(url: string, layer: string, first: Uint8Array): Transform {
  switch (layer) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "deflate":
      // Meant is zlib; some servers send it without the two bytes in front.
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      throw new BadEncoding(url, layer);
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}
