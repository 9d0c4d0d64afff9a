/**
 * An answer whose status is not success: its error, and how long it asks us to wait.
 *
 * @module
 */
import { Fault, reportedFault } from "./fault.ts";
import { asList, asRecord, asText, isPresent } from "./wire_value.ts";

/** How much of an error's body is kept. */
const LONGEST_DETAIL = 2000;

/** Reads the error out of a response. A body that cannot be read leaves the status alone. */
export async function refusedFault(
  response: Response,
  read: () => Promise<Uint8Array | undefined>,
  now: () => number,
): Promise<Fault> {
  const body = await readBody(read);
  const parsed = parse(body);
  const location = response.headers.get("location");
  const detail = location === null ? messageOf(parsed, body) : `it redirects to ${withoutQuery(location)}`;
  const noCredit = response.status === 429 && /insufficient_quota|billing/.test(body);
  return new Fault("status", {
    status: response.status,
    detail: detail.slice(0, LONGEST_DETAIL),
    retryAfterMs: retryAfter(response.headers, parsed, now),
    ...(noCredit ? { retryable: false } : {}),
  });
}

/** A success that is no stream: its error, or that it is none. */
export async function plainFault(read: () => Promise<Uint8Array | undefined>): Promise<Fault> {
  const body = await readBody(read);
  const parsed = asRecord(parse(body));
  const error = asRecord(parsed.error);
  if (!isPresent(parsed.error)) return new Fault("malformed", { detail: "it answered without a stream" });
  return reportedFault(error.code ?? error.status, asText(error.type), messageOf(parsed, body));
}

const LONGEST_BODY = 64 * 1024;

async function readBody(read: () => Promise<Uint8Array | undefined>): Promise<string> {
  const utf8 = new TextDecoder();
  let text = "";
  try {
    for (let bytes = await read(); bytes !== undefined && text.length < LONGEST_BODY; bytes = await read()) {
      text += utf8.decode(bytes, { stream: true });
    }
  } catch (error) {
    // The status is known; a body that breaks or stalls adds nothing. A stop is not a fault and goes on.
    if (!(error instanceof Fault)) throw error;
  }
  return text;
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Gemini wraps its error in a list when it was not asked for events.
    return Array.isArray(value) ? value[0] : value;
  } catch {
    return undefined;
  }
}

/** The provider's sentence, wherever it keeps it; of a page of HTML nothing. */
function messageOf(parsed: unknown, body: string): string {
  if (!isPresent(parsed)) return body.trimStart().startsWith("<") ? "" : body.trim();
  const root = asRecord(parsed);
  const error = asRecord(root.error);
  const detail = asList(root.detail).map((each) => asText(asRecord(each).msg)).filter((each) => each !== "");
  return asText(error.message) || asText(root.error) || asText(root.message) || asText(root.detail) ||
    detail.join(", ");
}

function withoutQuery(location: string): string {
  return location.replace(/[?#].*$/, "");
}

/** `retry-after-ms`, `retry-after` in seconds or as a date, or Google's `retryDelay`; `undefined` when none is given. */
function retryAfter(headers: Headers, parsed: unknown, now: () => number): number | undefined {
  const exact = Number(headers.get("retry-after-ms") ?? NaN);
  if (exact >= 0) return exact;
  const given = headers.get("retry-after");
  if (given !== null && given.trim() !== "") {
    const seconds = Number(given);
    if (seconds >= 0) return seconds * 1000;
    const date = Date.parse(given);
    if (!Number.isNaN(date)) return Math.max(0, date - now());
  }
  for (const each of asList(asRecord(asRecord(parsed).error).details)) {
    const delay = /^(\d+(?:\.\d+)?)s$/.exec(asText(asRecord(each).retryDelay))?.[1];
    if (delay !== undefined) return Number(delay) * 1000;
  }
  return undefined;
}
