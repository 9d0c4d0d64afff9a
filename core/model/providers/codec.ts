/**
 * What a protocol is to the transport: a pure pair of functions, request to body and frames to events.
 *
 * Invariants every codec keeps
 * 1. The growing list of messages is the last field of the body, and what came before is written the same way again, so a
 *    body up to the end of its list is a prefix of the next one (tests/core/model/providers/prefix_test.ts).
 * 2. A decoder never throws anything but a `Fault`, whatever it is fed (tests/core/model/providers/robustness_test.ts).
 *
 * @module
 */
import type { ModelInfo, ModelRequest } from "../contract.ts";
import type { ModelString } from "../model_string.ts";
import type { ModelQuirks } from "../quirks.ts";
import type { Framing } from "./framing.ts";
import type { Outbox } from "./outbox.ts";

/** The model a request is for, with what is known of it. */
export interface Target {
  readonly model: ModelString;
  readonly info: ModelInfo;
  readonly quirks: ModelQuirks;
  /** Without credentials and without a trailing slash. */
  readonly baseUrl: string;
  /** Says that something was left out; the same words are passed on once per client (K-312, K-326). */
  readonly warn: (text: string) => void;
}

/** A body before it is written as JSON; its keys keep their order. */
export type Body = Readonly<Record<string, unknown>>;

/** Reads one answer. Made anew for each attempt. */
export interface Decoder {
  /** One frame, parsed. `true` when the provider sends nothing after it that matters. Throws `Fault`. */
  frame(value: unknown): boolean;
  /**
   * The stream is over: emits what was held back, then `usage` and `stop`. `false`, with nothing emitted, when the provider
   * never said that it finished.
   */
  end(): boolean;
}

/** One wire protocol. */
export interface Codec {
  readonly framing: Framing;
  /** The address a request goes to. */
  url(target: Target): string;
  /** Headers besides `content-type`. Only here does a key appear. */
  headers(key: string | undefined): Readonly<Record<string, string>>;
  body(request: ModelRequest, target: Target): Body;
  decoder(request: ModelRequest, target: Target, out: Outbox): Decoder;
}

/** `authorization: Bearer …`, as most protocols want a key. */
export function bearer(key: string | undefined): Readonly<Record<string, string>> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

/** The signer's name in a `Signature`: only the same model of the same provider can read what it signed. */
export function signerOf(target: Target): string {
  return `${target.model.provider}:${target.model.id}`;
}
