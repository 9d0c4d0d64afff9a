/**
 * A fault as a sentence the person can act on: which provider, which model, which address, and what to do (K-142).
 *
 * Invariants
 * 1. No key is ever in a message, whoever wrote it there (tests/core/model/providers/failure_test.ts).
 *
 * @module
 */
import { Incomplete, type ModelError, RateLimited, Rejected, Stalled, Unreachable } from "../contract.ts";
import type { ModelString } from "../model_string.ts";
import { LONGEST_WAIT_MS } from "./backoff.ts";
import { hostOf, isLoopback, keyVariables, providerLabel, startHint, UNNAMED } from "./endpoints.ts";
import type { Fault } from "./fault.ts";

/** What a sentence is about. */
export interface FailureContext {
  readonly model: ModelString;
  /** Without credentials. */
  readonly baseUrl: string;
  /** Only to take it out of what the provider says. */
  readonly key?: string;
  /** Whether some of the answer had come. */
  readonly answered: boolean;
  readonly stallTimeoutMs: number;
}

/** The error of a call that is not tried again. */
export function modelError(fault: Fault, context: FailureContext): ModelError {
  const sentence = redact(sentenceOf(fault, context), context.key);
  return make(fault, context, sentence);
}

/** The error of a call that is not even sent, because its provider takes none without a key. */
export function missingKey(model: ModelString): ModelError {
  const variables = keyVariables(model.provider).join(" or ");
  return new Rejected(
    `${
      providerLabel(model.provider)
    } needs a key for "${model.id}". Set ${variables} in the environment and start again`,
    model.provider,
  );
}

function make(fault: Fault, { model, answered }: FailureContext, sentence: string): ModelError {
  const options = { cause: fault };
  const { provider } = model;
  const { status } = fault;
  switch (fault.kind) {
    case "no_connection":
      return new Unreachable(sentence, provider, status, options);
    case "broken":
      return answered
        ? new Incomplete(sentence, provider, status, options)
        : new Unreachable(sentence, provider, status, options);
    case "stalled":
      return new Stalled(sentence, provider, status, options);
    case "malformed":
    case "unfinished":
      return new Incomplete(sentence, provider, status, options);
    case "status":
    case "reported":
      if (isOverLimit(status)) return new RateLimited(sentence, provider, status, options);
      if (status === undefined || status >= 500 || status === 408) {
        return answered
          ? new Incomplete(sentence, provider, status, options)
          : new Unreachable(sentence, provider, status, options);
      }
      return new Rejected(sentence, provider, status, options);
    default:
      return fault.kind satisfies never;
  }
}

function isOverLimit(status: number | undefined): boolean {
  return status === 429 || status === 503 || status === 529 || status === 425;
}

function sentenceOf(fault: Fault, context: FailureContext): string {
  const { model, baseUrl } = context;
  const at = hostOf(baseUrl);
  const label = providerLabel(model.provider);
  const who = `"${model.id}"${ofWhom(label)} at ${at}`;
  switch (fault.kind) {
    case "no_connection":
      return noConnection(fault, context, at, label);
    case "broken":
      return context.answered
        ? `The connection to ${who} broke in the middle of the answer. Send the message again`
        : `The connection to ${who} broke before an answer came. Check that the server runs, and try again`;
    case "stalled":
      return `Nothing came from ${who} for ${seconds(context.stallTimeoutMs)}. Try again, or choose another model`;
    case "malformed":
      return `The answer of ${who} could not be read: ${fault.detail}. Check that the address is right for ${label}`;
    case "unfinished":
      return fault.detail === ""
        ? `The answer of ${who} ended without a finish, so it may be cut off. Send the message again`
        : `The answer of ${who} could not be finished: ${trimEnd(fault.detail)}. Send the message again`;
    case "status":
    case "reported":
      return refused(fault, context, who);
    default:
      return fault.kind satisfies never;
  }
}

function noConnection(fault: Fault, { model, baseUrl }: FailureContext, at: string, label: string): string {
  const hint = startHint(model.provider);
  if (hint === undefined && !isLoopback(baseUrl)) {
    const why = fault.detail === "" ? "" : ` (${trimEnd(fault.detail)})`;
    return `The model "${model.id}"${ofWhom(label)} could not be reached at ${at}${why}. ` +
      "Check the network connection and try again";
  }
  const next = hint ?? "Start the server, or correct the address after the @ in the model string";
  return `The model "${model.id}"${ofWhom(label)} did not answer at ${at}. Is it running? ${next}`;
}

/** A server that nobody has a name for is known by its address alone. */
function ofWhom(label: string): string {
  return label === UNNAMED ? "" : ` of ${label}`;
}

function refused(fault: Fault, { model }: FailureContext, who: string): string {
  const said = fault.detail === "" ? "" : `: ${trimEnd(fault.detail)}`;
  const status = fault.status ?? 0;
  if (status >= 300 && status < 400) {
    return `The address of ${who} is not where it answers${said}. Write the right one after the @ in the model string`;
  }
  if (status === 401 || status === 403) {
    const variables = keyVariables(model.provider).join(" or ");
    return `${who} refused the key (${status}${said}). Set ${variables} to a key that may use this model`;
  }
  if (status === 404) return `${who} was not found (404${said}). ${otherModel(model)}`;
  if (isOverLimit(status)) return overLimit(fault, who, said);
  if (status === 413 || isTooLong(fault.detail)) {
    return `The conversation is too long for ${who} (${status}${said}). Start a new one, or choose a model with more room`;
  }
  if (status >= 500 || status === 408) return `${who} failed (${status}${said}). Try again in a while`;
  return `${who} rejected the request (${status}${said}). Change what it names, or choose another model`;
}

function otherModel(model: ModelString): string {
  if (model.provider === "ollama") return `Load it with "ollama pull ${model.id}", or choose another model`;
  return "Check the model's name and the address, or choose another model";
}

function overLimit(fault: Fault, who: string, said: string): string {
  const state = fault.status === 429 ? "is over its limit" : "is overloaded";
  if (fault.retryAfterMs !== undefined && fault.retryAfterMs > LONGEST_WAIT_MS) {
    return `${who} ${state} (${fault.status}${said}). It asks to wait ${duration(fault.retryAfterMs)}; try again then`;
  }
  const next = fault.retryable ? "Try again in a while" : "Check the account's credit and limits";
  return `${who} ${state} (${fault.status}${said}). ${next}, or choose another model`;
}

function isTooLong(detail: string): boolean {
  return /context.?(length|window)|too long|too many tokens|maximum.{0,20}tokens/i.test(detail);
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 1000)} s`;
}

function duration(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  if (milliseconds <= 120_000) return `${Math.ceil(milliseconds / 1000)} seconds`;
  return minutes <= 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** A provider's sentence goes into the middle of ours, on one line. */
function trimEnd(text: string): string {
  return text.replace(/\s+/g, " ").trim().replace(/[.!]+$/, "");
}

const KEY_LIKE = /\b(sk|gsk|key|pk|AIza)[-_A-Za-z0-9*]{12,}/g;

/** Some providers repeat the key they were given. */
function redact(text: string, key: string | undefined): string {
  const shown = key === undefined || key.length < 4 ? text : text.replaceAll(key, "…");
  return shown.replace(KEY_LIKE, "…");
}
