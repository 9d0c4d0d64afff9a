/**
 * Reading request bodies within a limit, whether or not their length was said beforehand.
 *
 * @module
 */
import { bodyTooLarge, invalidInput, MAX_BODY_BYTES, MAX_IMPORT_BYTES, problem, RequestProblem } from "./problem.ts";

/** A body past the limit is still taken in (and dropped) up to here, so that the sender reads our answer. */
const MAX_DRAIN_BYTES = 4 * MAX_BODY_BYTES;
/** A sender that is silent for so long, in milliseconds, is not waited for. */
const DRAIN_PAUSE_MS = 500;

/** A request whose body ends with an error past `limit` bytes, and whether that has happened. */
export interface LimitedRequest {
  readonly request: Request;
  exceeded(): boolean;
}

/** The most bytes a request to this address may have. Only an import is read without being held whole. */
export function bodyLimit(request: Request): number {
  return new URL(request.url).pathname.endsWith("/api/import") ? MAX_IMPORT_BYTES : MAX_BODY_BYTES;
}

/** Limits the body of a request that did not say its length; any other is handed on as it is. */
export function limitBody(request: Request, limit = MAX_BODY_BYTES): LimitedRequest {
  if (request.body === null || request.headers.has("content-length")) return { request, exceeded: () => false };
  let bytes = 0;
  const counted = request.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > limit) controller.error(bodyTooLarge(limit));
        else controller.enqueue(chunk);
      },
    }),
  );
  return { request: new Request(request, { body: counted }), exceeded: () => bytes > limit };
}

/** Whether a request says that it is longer than `limit` bytes. */
export function saysTooLarge(request: Request, limit = MAX_BODY_BYTES): boolean {
  return Number(request.headers.get("content-length") ?? 0) > limit;
}

/** Takes in and drops what is left of a body, up to a bound, while it keeps coming. */
export async function drainBody(request: Request): Promise<void> {
  if (request.body === null || request.body.locked) return;
  const reader = request.body.getReader();
  let bytes = 0;
  while (bytes <= MAX_DRAIN_BYTES) {
    const piece = await within(DRAIN_PAUSE_MS, reader.read());
    if (!piece || piece.done) return;
    bytes += piece.value.byteLength;
  }
}

/** The value, or `null` when it does not come in time or not at all: the sender left, and nobody is to be answered. */
async function within<T>(ms: number, value: Promise<T>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), ms);
  const found = await Promise.race([value.catch(() => null), late]);
  clearTimeout(timer);
  return found;
}

/**
 * The JSON of a body; an empty one is an empty object. Throws `RequestProblem`: 415 for another type, 400 for text that is
 * not JSON, 413 past the limit.
 */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.byteLength === 0) return {};
  if (!isJson(request.headers.get("content-type"))) {
    const detail = 'Send the body as JSON, with the header "Content-Type: application/json"';
    throw new RequestProblem(problem(415, "not-json", "The body is not JSON", detail));
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw invalidInput([{ path: "", message: "The body is not valid JSON" }]);
  }
}

/** The whole of a body. Throws `RequestProblem`: 400 when it ends too early, 413 past the limit. */
export async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await request.arrayBuffer());
  } catch (error) {
    if (error instanceof RequestProblem) throw error;
    throw invalidInput([{ path: "", message: "The body ended before it was whole" }]);
  }
}

function isJson(type: string | null): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type ?? "");
}
