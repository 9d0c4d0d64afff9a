/**
 * One HTTP exchange: a request out, batches of events back, and a socket that is always closed.
 *
 * Invariants
 * 1. When the signal aborts, or the consumer leaves, the socket is closed at once, whichever phase the exchange is in
 *    (tests/core/model/providers/cancellation_test.ts).
 * 2. The stall timer runs only while we wait for the network, never while the consumer works
 *    (tests/core/model/providers/stall_test.ts).
 * 3. Events decoded before a fault are given out before it is thrown (tests/core/model/providers/scenario_test.ts).
 *
 * @module
 */
import type { ModelEvent } from "../contract.ts";
import type { Decoder } from "./codec.ts";
import { Fault } from "./fault.ts";
import { createFramer, type Framing } from "./framing.ts";
import { DEEPEST, nestsDeeper } from "./json_scan.ts";
import { Outbox } from "./outbox.ts";
import { plainFault, refusedFault } from "./refused.ts";
import { SocketGuard } from "./socket_guard.ts";

/** A request ready to be sent, any number of times. */
export interface Call {
  readonly url: string;
  /** May hold a key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly framing: Framing;
  readonly decoder: (out: Outbox) => Decoder;
}

/** What an exchange needs from outside. */
export interface ExchangeEnvironment {
  readonly fetch: typeof fetch;
  readonly stallTimeoutMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** How long a finished answer may take to end its body; then the connection is given up instead of kept for reuse. */
const DRAIN_MS = 150;

/**
 * Sends the call once. Yields one batch for each network read that gave events; the last one ends in `stop`. Throws `Fault`,
 * or the signal's reason.
 */
export async function* exchange(
  call: Call,
  environment: ExchangeEnvironment,
  signal: AbortSignal,
): AsyncGenerator<readonly ModelEvent[]> {
  const guard = new SocketGuard(signal, environment.stallTimeoutMs);
  const out = new Outbox();
  try {
    const response = await connect(call, environment, guard);
    if (!response.ok) throw await refusedFault(response, () => guard.read(), environment.now);
    if (call.framing === "sse" && isPlainJson(response)) throw await plainFault(() => guard.read());
    if (isWebPage(response)) throw new Fault("malformed", { detail: "it answered with a web page" });
    yield* answer(call, guard, out);
  } finally {
    guard.close();
  }
}

async function connect(call: Call, environment: ExchangeEnvironment, guard: SocketGuard): Promise<Response> {
  const init: RequestInit = {
    method: "POST",
    headers: { "content-type": "application/json", ...call.headers },
    body: call.body,
    signal: guard.signal,
    // A redirect would carry the key to another host.
    redirect: "manual",
  };
  const pending = environment.fetch(call.url, init);
  // A response that comes after we stopped waiting is closed, too.
  pending.then((late) => {
    if (guard.signal.aborted) late.body?.cancel().catch(() => {});
  }, () => {});
  const response = await guard.wait(pending);
  guard.hold(response);
  return response;
}

function isPlainJson(response: Response): boolean {
  return response.headers.get("content-type")?.toLowerCase().startsWith("application/json") ?? false;
}

/** What a router, a sign-in page or a server's own page answers at an address where no model is. */
function isWebPage(response: Response): boolean {
  return response.headers.get("content-type")?.toLowerCase().startsWith("text/html") ?? false;
}

async function* answer(
  call: Call,
  guard: SocketGuard,
  out: Outbox,
): AsyncGenerator<readonly ModelEvent[]> {
  const decoder = call.decoder(out);
  try {
    if (yield* decode(call, guard, out, decoder)) return;
    throw new Fault("unfinished");
  } catch (error) {
    guard.throwIfAborted();
    // A connection that breaks after the finish took nothing from the answer.
    const over = error instanceof Fault && ["broken", "stalled", "unfinished"].includes(error.kind) && decoder.end();
    const rest = out.take();
    if (rest.length > 0) yield rest;
    if (!over) throw error;
  }
}

/** Reads to the end. `true` when the decoder finished, with its last batch given out. */
async function* decode(
  call: Call,
  guard: SocketGuard,
  out: Outbox,
  decoder: Decoder,
): AsyncGenerator<readonly ModelEvent[], boolean> {
  const framer = createFramer(call.framing);
  const utf8 = new TextDecoder();
  for (;;) {
    const bytes = await guard.read();
    const frames = bytes === undefined ? framer.end() : framer.push(utf8.decode(bytes, { stream: true }));
    const over = decodeFrames(frames, decoder);
    if (over) {
      if (!decoder.end()) return false;
      yield out.take();
      await guard.drain(DRAIN_MS);
      return true;
    }
    const batch = out.take();
    if (batch.length > 0) yield batch;
    if (bytes === undefined) return false;
  }
}

/** `true` when a frame was the last that matters. */
function decodeFrames(frames: readonly string[], decoder: Decoder): boolean {
  for (const frame of frames) {
    if (frame === "[DONE]") return true;
    // Some protocols send a call's arguments as a part of the frame itself.
    if (nestsDeeper(frame, 2 * DEEPEST)) throw new Fault("malformed", { detail: "a frame was nested too deeply" });
    let value: unknown;
    try {
      value = JSON.parse(frame);
    } catch (cause) {
      throw new Fault("malformed", { detail: "a frame was not JSON", cause });
    }
    if (decoder.frame(value)) return true;
  }
  return false;
}
