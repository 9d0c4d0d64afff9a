/**
 * The stream contract every model keeps, whoever serves it: one request in, one closed union of events out.
 *
 * Invariants
 * 1. A stream ends with exactly one `stop`, or throws a `ModelError`; a cut-off stream is never a normal end.
 * 2. `request` comes first and carries the exact body that is sent, byte for byte.
 * 3. Nothing upstream runs 250 ms after the signal aborts, whichever phase the call is in.
 *
 * tests/core/model/providers/scenario_test.ts pins 1 and 2 for every protocol, cancellation_test.ts beside it pins 3.
 *
 * @module
 */
import type { GenerationSettings } from "../config/mod.ts";
import type { CallUsage, ContextPart, Signature, Thinking } from "../log/mod.ts";

/** A JSON Schema object. */
export type JsonSchema = { readonly [key: string]: unknown };

/** A picture as bytes; `name` is for the person only. */
export interface ModelImage {
  readonly media_type: string;
  readonly data: Uint8Array;
  readonly name?: string;
}

/** What a model is shown of the conversation, in order. Every `tool_call` is answered by exactly one `tool` message. */
export type ModelMessage =
  | { readonly role: "user"; readonly text: string; readonly images?: readonly ModelImage[] }
  | { readonly role: "assistant"; readonly parts: readonly AssistantPart[] }
  | {
    readonly role: "tool";
    readonly call: string;
    readonly name: string;
    readonly result: string;
    readonly failed?: boolean;
    readonly images?: readonly ModelImage[];
  };

/** A part of what a model said. The arguments of a call are a string only when the model's text was not JSON. */
export type AssistantPart = ContextPart;

/** A tool as a model sees it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
}

/** Portable generation parameters; each codec drops what its provider cannot take and says so once (K-326). */
export type Generation = GenerationSettings;

/** What a model is asked. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** In a stable order, so that a request is a byte prefix of the next one. */
  readonly tools: readonly ToolSpec[];
  /** `none` keeps the tools in the body (for the cache) but forbids calling them. Default `auto`. */
  readonly toolChoice?: "auto" | "none";
  readonly thinking?: Thinking;
  readonly generation?: Generation;
  /** Asks for structured output of this shape. The caller validates the text that comes back. */
  readonly schema?: { readonly name: string; readonly schema: JsonSchema };
  /** A stable key (the conversation's id) that providers with keyed caches may use. */
  readonly cacheKey?: string;
}

/** What a stream is made of. */
export type ModelEvent =
  /** The exact body, with the address it goes to. Keys are never in it. */
  | { readonly type: "request"; readonly url: string; readonly body: string }
  | { readonly type: "thinking"; readonly text: string }
  /**
   * Opaque replay data for the part named; `call` when it belongs to a tool call, and then it comes before its `tool_call`.
   * For thinking and text it ends the part that is open: what follows begins a new part. With no such part open, it is a
   * part of its own with an empty text, which is kept and replayed like any other.
   */
  | {
    readonly type: "signature";
    readonly of: "thinking" | "text" | "tool_call";
    readonly call?: string;
    readonly signature: Signature;
  }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_start"; readonly call: string; readonly name: string }
  | { readonly type: "tool_arguments"; readonly call: string; readonly text: string }
  /**
   * The call's arguments are complete: `arguments` is parsed JSON, or `malformed` holds the text that is not (which
   * may be empty, so test for `undefined`; `arguments` is the same text then).
   */
  | {
    readonly type: "tool_call";
    readonly call: string;
    readonly name: string;
    readonly arguments: unknown;
    readonly malformed?: string;
  }
  | { readonly type: "refusal"; readonly text: string }
  | { readonly type: "usage"; readonly usage: CallUsage }
  | { readonly type: "stop"; readonly reason: StopReason; readonly provider_reason: string };

/** `end` is a normal end (with or without tool calls); `length` was cut by the provider; `refusal` was declined. */
export type StopReason = "end" | "tool_calls" | "length" | "refusal";

/** What a model can do and costs; `undefined` means not known. */
export interface ModelInfo {
  /** The whole model string it was made from. */
  readonly string: string;
  readonly provider: string;
  readonly id: string;
  /** Tokens. */
  readonly contextWindow?: number;
  /** Tokens. */
  readonly maxOutput?: number;
  readonly images: boolean;
  /** How many pictures one request may hold; absent where there is no limit. */
  readonly imageLimits?: ImageLimits;
  readonly tools: boolean;
  readonly thinking: boolean;
  readonly price?: ModelPrice;
}

/** The most pictures of one request, and the most bytes of all of them together. */
export interface ImageLimits {
  readonly count: number;
  readonly bytes: number;
}

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cache_read?: number;
  readonly cache_write?: number;
  readonly tiers?: readonly {
    readonly above: number;
    readonly input: number;
    readonly output: number;
    readonly cache_read?: number;
    readonly cache_write?: number;
  }[];
}

/** One model, ready to be asked. Stateless: any number of streams may run at once. */
export interface ModelClient {
  readonly info: ModelInfo;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** Why a call did not end normally. Each is a class below with a sentence the person can act on. */
export type ModelErrorKind = "unreachable" | "rate_limited" | "rejected" | "stalled" | "incomplete";

/** The base of all provider failures. `message` is for a person; `status` is the HTTP status where there was one. */
export abstract class ModelError extends Error {
  abstract readonly kind: ModelErrorKind;
  constructor(message: string, readonly provider: string, readonly status?: number, options?: ErrorOptions) {
    super(message, options);
  }
}

/** No connection could be made, or it broke before an answer. */
export class Unreachable extends ModelError {
  override readonly name = "Unreachable";
  override readonly kind = "unreachable";
}

/** The provider is over its limit or overloaded (429, 503, 529), and stayed so. */
export class RateLimited extends ModelError {
  override readonly name = "RateLimited";
  override readonly kind = "rate_limited";
}

/** The provider refused the request itself: bad key, unknown model, bad parameter, too long. */
export class Rejected extends ModelError {
  override readonly name = "Rejected";
  override readonly kind = "rejected";
}

/** Nothing arrived for longer than the stall timeout. */
export class Stalled extends ModelError {
  override readonly name = "Stalled";
  override readonly kind = "stalled";
}

/** The stream ended or broke without a finish, or held a frame that could not be read. */
export class Incomplete extends ModelError {
  override readonly name = "Incomplete";
  override readonly kind = "incomplete";
}
