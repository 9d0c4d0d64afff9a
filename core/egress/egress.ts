/**
 * The one door out for what a model, a page or a third party names (ARCHITECTURE: one door out).
 *
 * Invariants (tests/core/egress/egress_test.ts)
 * 1. No connection is made to an address that was not checked, redirects included.
 * 2. Nothing of the person's goes along: no cookies, no proxy, no user information, and to another origin than the first none
 *    of the caller's headers but those of `ACROSS`.
 * 3. A request ends within `timeoutMs`, and with the signal.
 *
 * @module
 */
import { lookup } from "node:dns/promises";
import { AllowList } from "./allow_list.ts";
import { ACCEPTED_ENCODINGS, readBody } from "./body.ts";
import { checkDestination, readUrl, type Resolve } from "./check.ts";
import { TooManyRedirects, TooSlow } from "./errors.ts";
import { exchange } from "./exchange.ts";

/** One request. */
export interface EgressRequest {
  /** Default `GET`. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** Most bytes of the answer, unpacked; default 10 MB. */
  readonly maxBytes?: number;
  /** What becomes of a longer answer; default `fail`. */
  readonly onTooLarge?: "fail" | "cut";
  /** Milliseconds for all of it, redirects included; default 30,000. */
  readonly timeoutMs?: number;
  /** Milliseconds until each answer begins; default 15,000. */
  readonly firstByteMs?: number;
  /** Origins that a person configured (`http://localhost:8080`): for this request they may be private. */
  readonly trusted?: readonly string[];
}

/** The last answer of a request, whatever its status. */
export interface EgressResponse {
  /** Where it came from in the end, without a fragment. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** Unpacked. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether there was more than `maxBytes`. */
  readonly cut: boolean;
}

/** The door. */
export interface Egress {
  /** Fetches an address. Throws the errors of `errors.ts`, and the signal's reason. */
  fetch(url: string, request?: EgressRequest): Promise<EgressResponse>;
}

export interface EgressOptions {
  /** `[security] allow_private_network`. */
  readonly allow: readonly string[];
  /** What the host tells of itself. */
  readonly userAgent?: string;
  /** Resolves names; the system if absent. */
  readonly resolve?: Resolve;
  /** Certificates to trust besides the system's own, as PEM. */
  readonly certificates?: readonly string[];
}

const MAX_BYTES = 10_000_000;
const TIMEOUT_MS = 30_000;
const FIRST_BYTE_MS = 15_000;
const REDIRECTS = 5;

/** Headers that may go to another origin. */
const ACROSS: ReadonlySet<string> = new Set(["accept", "accept-language", "accept-encoding", "user-agent"]);

/** Headers of the connection, which are the door's own. */
const OWN: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "proxy-authorization",
  "upgrade",
  "te",
  "trailer",
  "expect",
  "accept-encoding",
]);

/** Makes the door. Throws `BadAllowEntry`. */
export function createEgress(options: EgressOptions): Egress {
  const allowed = new AllowList(options.allow);
  return {
    async fetch(url, request = {}) {
      const { timeoutMs = TIMEOUT_MS } = request;
      const first = readUrl(url);
      const ender = new AbortController();
      const late = setTimeout(() => ender.abort(new TooSlow(first.href, "whole answer", timeoutMs)), timeoutMs);
      const signal = request.signal ? AbortSignal.any([request.signal, ender.signal]) : ender.signal;
      try {
        return await untilAborted(follow(first, request, { options, allowed, signal }), signal);
      } catch (error) {
        // Whatever the end looked like from inside, the reason for it is the signal's.
        signal.throwIfAborted();
        throw error;
      } finally {
        clearTimeout(late);
        ender.abort();
      }
    },
  };
}

interface Way {
  readonly options: EgressOptions;
  readonly allowed: AllowList;
  readonly signal: AbortSignal;
}

async function follow(first: URL, request: EgressRequest, way: Way): Promise<EgressResponse> {
  const { options, allowed, signal } = way;
  const { maxBytes = MAX_BYTES, onTooLarge = "fail", firstByteMs = FIRST_BYTE_MS, trusted = [] } = request;
  let url = first;
  let headers = startHeaders(request, options);
  let method = (request.method ?? "GET").toUpperCase();
  let body = typeof request.body === "string" ? new TextEncoder().encode(request.body) : request.body;
  for (let hops = 0; hops <= REDIRECTS; hops++) {
    const to = await checkDestination(url, { allowed, resolve: options.resolve ?? resolveBySystem, trusted });
    const { certificates } = options;
    const message = await exchange(to, {
      method,
      headers,
      firstByteMs,
      signal,
      ...body && { body },
      ...certificates && { certificates },
    });
    const status = message.statusCode ?? 0;
    const location = message.headers.location;
    if (!isRedirect(status) || location === undefined) {
      try {
        const read = await readBody(url.href, message, { maxBytes, onTooLarge });
        return { url: url.href, status, headers: answerHeaders(message.rawHeaders), ...read };
      } finally {
        message.destroy();
      }
    }
    message.destroy();
    const next = readUrl(location, url);
    if (next.origin !== url.origin) headers = new Headers([...headers].filter(([name]) => ACROSS.has(name)));
    if (status === 303 && method !== "HEAD" || status < 303 && method === "POST") {
      method = "GET";
      body = undefined;
      headers.delete("content-type");
    }
    url = next;
  }
  throw new TooManyRedirects(first.href, REDIRECTS);
}

function startHeaders({ headers = {} }: EgressRequest, { userAgent = "Malama" }: EgressOptions): Headers {
  const given = new Headers({ "user-agent": userAgent, accept: "*/*", ...headers });
  for (const name of OWN) given.delete(name);
  given.set("accept-encoding", ACCEPTED_ENCODINGS);
  return given;
}

/** A header that breaks the rules is left out; it is the host's fault and no reason to lose the page. */
function answerHeaders(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    try {
      headers.append(raw[at] ?? "", raw[at + 1] ?? "");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  return headers;
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** All addresses of a name, as the rest of the system sees it. */
async function resolveBySystem(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** Stops waiting with the signal, even for what cannot be stopped, such as the system's resolver. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  work.catch(() => {});
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", stop));
}
