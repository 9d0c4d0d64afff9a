/**
 * Reads the chunks of a Gemini answer.
 *
 * @module
 */
import type { CallUsage } from "../../log/mod.ts";
import type { ModelRequest, StopReason } from "../contract.ts";
import { CallAssembler } from "./call_assembler.ts";
import { type Decoder, signerOf, type Target } from "./codec.ts";
import { Fault, reportedFault } from "./fault.ts";
import type { Outbox } from "./outbox.ts";
import { asCount, asList, asRecord, asText, isPresent, type WireRecord } from "./wire_value.ts";

/** Reasons that mean the answer was declined rather than cut. */
const REFUSALS: ReadonlySet<string> = new Set([
  "SAFETY",
  "RECITATION",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "IMAGE_SAFETY",
  "LANGUAGE",
]);

/** A decoder of one answer. */
export class GeminiDecoder implements Decoder {
  readonly #out: Outbox;
  readonly #target: Target;
  readonly #calls: CallAssembler;
  #reason: string | undefined;
  #refused = false;
  #usage: WireRecord | undefined;

  constructor(request: ModelRequest, target: Target, out: Outbox) {
    this.#out = out;
    this.#target = target;
    this.#calls = new CallAssembler(out, request);
  }

  frame(value: unknown): boolean {
    const chunk = asRecord(value);
    if (isPresent(chunk.error)) throw errorOf(asRecord(chunk.error));
    if (isPresent(chunk.usageMetadata)) this.#usage = asRecord(chunk.usageMetadata);
    const candidate = asRecord(asList(chunk.candidates)[0]);
    for (const part of asList(asRecord(candidate.content).parts)) this.#part(asRecord(part));
    const blocked = asText(asRecord(chunk.promptFeedback).blockReason);
    if (blocked !== "") this.#refuse(blocked, `The provider blocked the message (${blocked})`);
    const reason = asText(candidate.finishReason);
    if (reason !== "") this.#finish(reason, asText(candidate.finishMessage));
    // Usage may still follow in a chunk of its own, so only the end of the stream ends it.
    return false;
  }

  end(): boolean {
    if (this.#reason === undefined) return false;
    if (this.#usage !== undefined) this.#out.push({ type: "usage", usage: readUsage(this.#usage) });
    this.#out.push({ type: "stop", reason: this.#stopReason(this.#reason), provider_reason: this.#reason });
    return true;
  }

  #part(part: WireRecord): void {
    const signature = asText(part.thoughtSignature);
    if (isPresent(part.functionCall)) return this.#call(asRecord(part.functionCall), signature);
    if (typeof part.text !== "string") return;
    const thought = part.thought === true;
    if (thought) this.#out.thinking(part.text);
    else this.#out.text(part.text);
    if (signature !== "") this.#sign({ of: thought ? "thinking" : "text" }, signature);
  }

  /** Calls come whole. The signature is given before the call is complete, so that it is known when the call is stored. */
  #call(call: WireRecord, signature: string): void {
    const key = this.#calls.count;
    const id = this.#calls.begin(key, asText(call.id), asText(call.name));
    if (signature !== "") this.#sign({ of: "tool_call", call: id }, signature);
    this.#calls.complete(key, JSON.stringify(call.args ?? {}));
  }

  #sign(
    part: { readonly of: "thinking" | "text" } | { readonly of: "tool_call"; readonly call: string },
    data: string,
  ): void {
    this.#out.push({ type: "signature", ...part, signature: { provider: signerOf(this.#target), data } });
  }

  #finish(reason: string, message: string): void {
    if (REFUSALS.has(reason)) return this.#refuse(reason, message || `The provider stopped the answer (${reason})`);
    // The model wrote a call that the provider could not read, and threw it away: asking again usually helps.
    if (reason === "MALFORMED_FUNCTION_CALL" || reason === "UNEXPECTED_TOOL_CALL") {
      throw new Fault("unfinished", { detail: message || reason, retryable: true });
    }
    this.#reason = reason;
  }

  #refuse(reason: string, text: string): void {
    if (!this.#refused) this.#out.push({ type: "refusal", text });
    this.#refused = true;
    this.#reason = reason;
  }

  #stopReason(reason: string): StopReason {
    if (this.#refused) return "refusal";
    if (reason === "STOP") return this.#calls.count > 0 ? "tool_calls" : "end";
    // MAX_TOKENS, and every reason that is not known to be a normal end.
    return "length";
  }
}

function errorOf(error: WireRecord): Error {
  return reportedFault(error.code, asText(error.status), asText(error.message));
}

/** Counts are running totals. The prompt's total holds the cached tokens; thinking is counted apart from the answer. */
function readUsage(usage: WireRecord): CallUsage {
  const thoughts = asCount(usage.thoughtsTokenCount);
  return {
    input_tokens: asCount(usage.promptTokenCount) + asCount(usage.toolUsePromptTokenCount),
    output_tokens: asCount(usage.candidatesTokenCount) + thoughts,
    cached_tokens: asCount(usage.cachedContentTokenCount),
    cache_write_tokens: 0,
    reasoning_tokens: thoughts,
  };
}
