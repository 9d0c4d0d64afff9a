/**
 * What went wrong in one attempt, before it is known whether it will be tried again: facts only, no sentence.
 *
 * @module
 */

/** Where an attempt failed. */
export type FaultKind =
  /** No connection could be made. */
  | "no_connection"
  /** The connection broke. */
  | "broken"
  /** The server answered with a status that is not success. */
  | "status"
  /** The server reported an error inside a stream that had begun well. */
  | "reported"
  /** Nothing came for longer than the stall timeout. */
  | "stalled"
  /** A frame could not be read. */
  | "malformed"
  /** The stream ended without a finish. */
  | "unfinished";

/** The facts of a fault. */
export interface FaultFacts {
  /** HTTP status, or the one that matches an error reported in the stream. */
  readonly status?: number;
  /** The provider's own words. */
  readonly detail?: string;
  /** Milliseconds the provider asked to wait. */
  readonly retryAfterMs?: number;
  /** Overrides what the kind and the status say. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/** A failed attempt. Never leaves `providers/`: `failure.ts` makes it a `ModelError` with a sentence. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly status?: number;
  readonly detail: string;
  readonly retryAfterMs?: number;
  readonly retryable: boolean;

  constructor(readonly kind: FaultKind, facts: FaultFacts = {}) {
    super(`${kind} ${facts.detail ?? ""}`, { cause: facts.cause });
    this.status = facts.status;
    this.detail = facts.detail ?? "";
    this.retryAfterMs = facts.retryAfterMs;
    this.retryable = facts.retryable ?? isRetryable(kind, facts.status);
  }
}

/** An attempt that failed this way may go well the next time. */
function isRetryable(kind: FaultKind, status: number | undefined): boolean {
  switch (kind) {
    case "no_connection":
    case "broken":
    case "stalled":
      return true;
    case "status":
    case "reported":
      return status === undefined || status >= 500 || [408, 409, 425, 429].includes(status);
    case "malformed":
    case "unfinished":
      return false;
    default:
      return kind satisfies never;
  }
}

/** Words in an error's type, code or status that tell which HTTP status it stands for; the first that fits counts. */
const STATUS_WORDS: readonly (readonly [RegExp, number])[] = [
  [/overloaded|unavailable|capacity/, 529],
  [/rate_?limit|resource_exhausted|too_many|quota/, 429],
  [/authentication|unauthenticated|api_key|unauthorized/, 401],
  [/permission|forbidden|billing/, 403],
  [/not_found/, 404],
  [/too_large/, 413],
  [/invalid|bad_request|failed_precondition|context_length|unsupported|content_filter|policy/, 400],
  [/timeout|deadline/, 408],
];

/**
 * An error that came inside a stream. `code` is a number or a word, as the provider has it; an unknown one counts as the
 * server's own failure.
 */
export function reportedFault(code: unknown, type: string, message: string): Fault {
  const number = typeof code === "number" ? code : typeof code === "string" && /^\d{3}$/.test(code) ? Number(code) : 0;
  const words = `${type} ${typeof code === "string" ? code : ""}`.toLowerCase();
  const status = number >= 400 && number < 600 ? number : STATUS_WORDS.find(([word]) => word.test(words))?.[1];
  return new Fault("reported", { status: status ?? 500, detail: message === "" ? words.trim() : message });
}
