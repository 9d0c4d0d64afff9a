/**
 * One request to one of the addresses that were checked: no name is resolved here, no proxy is asked, no cookie is kept.
 *
 * Invariants (tests/core/egress/egress_test.ts and tls_test.ts)
 * 1. The connection goes to the address given; the host's name serves the `Host` header and the certificate alone.
 * 2. The next address is tried only while nothing has been sent to the one before.
 *
 * @module
 */
import { type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { parseAddress } from "./address.ts";
import { hostName } from "./allow_list.ts";
import type { Destination } from "./check.ts";
import { HostUnreachable, TooSlow } from "./errors.ts";

/** Milliseconds for the connection to one address, when there is another to try. */
const CONNECT_MS = 4_000;

/** What is sent. */
export interface Outgoing {
  readonly method: string;
  readonly headers: Headers;
  readonly body?: Uint8Array;
  /** Milliseconds until the answer begins, over all addresses. */
  readonly firstByteMs: number;
  /** Ends the exchange, also while the body of the answer is read. */
  readonly signal: AbortSignal;
  /** Certificates to trust besides the system's own, as PEM. */
  readonly certificates?: readonly string[];
}

/** Sends the request; gives the answer once its headers are in. Throws `HostUnreachable`, `TooSlow`, and the signal's reason. */
export async function exchange(to: Destination, outgoing: Outgoing): Promise<IncomingMessage> {
  const deadline = performance.now() + outgoing.firstByteMs;
  let refused: unknown;
  for (const [at, address] of to.addresses.entries()) {
    outgoing.signal.throwIfAborted();
    const left = deadline - performance.now();
    if (left <= 0) break;
    const isLast = at === to.addresses.length - 1;
    const answer = await attempt(to, address, outgoing, { left, connect: isLast ? left : Math.min(left, CONNECT_MS) });
    if ("message" in answer) return answer.message;
    if (answer.failure instanceof TooSlow) throw answer.failure;
    refused = answer.failure;
    if (answer.sent) break;
  }
  outgoing.signal.throwIfAborted();
  if (refused === undefined) throw new TooSlow(to.url.href, "first byte", outgoing.firstByteMs);
  throw unreachable(to.url, refused);
}

type Attempt = { readonly message: IncomingMessage } | { readonly failure: unknown; readonly sent: boolean };

function attempt(
  to: Destination,
  address: string,
  outgoing: Outgoing,
  ms: { readonly left: number; readonly connect: number },
): Promise<Attempt> {
  const { promise, resolve } = Promise.withResolvers<Attempt>();
  const request = start(to, address, outgoing);
  let sent = false;
  const fail = (failure: unknown) => {
    resolve({ failure, sent });
    request.destroy();
  };
  const slow = setTimeout(() => fail(new TooSlow(to.url.href, "first byte", outgoing.firstByteMs)), ms.left);
  const stuck = setTimeout(() => fail(new Error("the connection timed out")), ms.connect);
  const stop = () => request.destroy(new Error("aborted"));
  outgoing.signal.addEventListener("abort", stop, { once: true });
  request.on("socket", (socket) => {
    socket.once(to.url.protocol === "https:" ? "secureConnect" : "connect", () => {
      sent = true;
      clearTimeout(stuck);
    });
  });
  request.on("error", fail);
  request.on("response", (message) => {
    message.once("close", () => outgoing.signal.removeEventListener("abort", stop));
    resolve({ message });
  });
  request.end(outgoing.body);
  return promise.then((result) => {
    clearTimeout(slow);
    clearTimeout(stuck);
    if ("failure" in result) outgoing.signal.removeEventListener("abort", stop);
    return result;
  });
}

function start({ url, port }: Destination, address: string, outgoing: Outgoing): ClientRequest {
  const host = hostName(url.hostname);
  const options = {
    host: address,
    port,
    method: outgoing.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...Object.fromEntries(outgoing.headers), host: url.host },
    setHost: false,
    agent: false as const,
  };
  if (url.protocol === "http:") return httpRequest(options);
  const isAddress = parseAddress(host) !== null;
  const ca = outgoing.certificates?.length ? { ca: [...outgoing.certificates] } : {};
  return httpsRequest({ ...options, ...ca, ...isAddress ? {} : { servername: host } });
}

function unreachable(url: URL, cause: unknown): HostUnreachable {
  const code = (cause as { code?: unknown } | null)?.code;
  const text = cause instanceof Error ? cause.message : String(cause);
  const isCertificate = /cert|self[- ]signed|altname/i.test(`${String(code)} ${text}`);
  const sentence = isCertificate
    ? `The certificate of ${url.host} is not valid for it, so nothing was fetched: use another source`
    : `${url.host} did not take the connection: check the address, or try again in a while`;
  return new HostUnreachable(url.href, sentence, { cause });
}
