/**
 * The one way to every provider: attempts, waits between them, and the error when there is none left.
 *
 * Invariants
 * 1. `request` comes first and once, and holds the very string that is sent (tests/core/model/providers/scenario_test.ts).
 * 2. Nothing is tried again once an event of the answer was given out (tests/core/model/providers/retry_test.ts).
 * 3. An abort ends any phase, waiting included, and is thrown as the signal's reason
 *    (tests/core/model/providers/cancellation_test.ts).
 *
 * @module
 */
import type { ModelError, ModelEvent } from "../contract.ts";
import { pause } from "../pause.ts";
import { backoff, LONGEST_WAIT_MS } from "./backoff.ts";
import { type Call, exchange, type ExchangeEnvironment } from "./exchange.ts";
import { Fault } from "./fault.ts";

/** How often and how patiently. */
export interface TransportOptions extends ExchangeEnvironment {
  readonly attempts: number;
  readonly backoffMs: number;
  readonly random: () => number;
  /** Connection failures are tried once only: a server on this machine either runs or does not. */
  readonly isLocal: boolean;
  /** `answered`: whether some of the answer had been given out. */
  readonly failure: (fault: Fault, answered: boolean) => ModelError;
}

/** Streams a call's events. Throws what `failure` makes of the last fault, or the signal's reason. */
export async function* transport(
  call: Call,
  options: TransportOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted();
  yield { type: "request", url: call.url, body: call.body };
  for (let attempt = 1;; attempt++) {
    let answered = false;
    try {
      for await (const batch of exchange(call, options, signal)) {
        answered = true;
        for (const event of batch) {
          // A stop takes effect between two events of one read, too.
          if (signal.aborted) throw signal.reason;
          yield event;
        }
      }
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Fault)) throw error;
      const wait = answered ? undefined : waitAfter(error, attempt, options);
      if (wait === undefined) throw options.failure(error, answered);
      await pause(wait, signal);
    }
  }
}

/** Milliseconds until the next attempt; `undefined` when there is none. */
function waitAfter(fault: Fault, attempt: number, options: TransportOptions): number | undefined {
  if (!fault.retryable || attempt >= options.attempts) return undefined;
  if (fault.kind === "no_connection" && options.isLocal) return undefined;
  const asked = fault.retryAfterMs;
  if (asked === undefined) return backoff(attempt, options.backoffMs, options.random());
  return asked > LONGEST_WAIT_MS ? undefined : asked;
}
