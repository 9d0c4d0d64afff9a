/**
 * Reads the events of a response.
 *
 * @module
 */
import type { CallUsage } from "../../log/mod.ts";
import type { ModelRequest, StopReason } from "../contract.ts";
import { CallAssembler, type CallKey } from "./call_assembler.ts";
import { type Decoder, signerOf, type Target } from "./codec.ts";
import { reportedFault } from "./fault.ts";
import type { Outbox } from "./outbox.ts";
import { asCount, asNumber, asRecord, asText, isPresent, type WireRecord } from "./wire_value.ts";

/** A decoder of one answer. */
export class ResponsesDecoder implements Decoder {
  readonly #out: Outbox;
  readonly #target: Target;
  readonly #calls: CallAssembler;
  #finish: { readonly reason: StopReason; readonly said: string } | undefined;
  #usage: CallUsage | undefined;
  #refused = false;
  /** Parts of one summary are paragraphs. */
  #summaryParts = 0;

  constructor(request: ModelRequest, target: Target, out: Outbox) {
    this.#out = out;
    this.#target = target;
    this.#calls = new CallAssembler(out, request);
  }

  frame(value: unknown): boolean {
    const event = asRecord(value);
    switch (event.type) {
      case "response.output_text.delta":
        this.#out.text(asText(event.delta));
        return false;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        this.#out.thinking(asText(event.delta));
        return false;
      case "response.reasoning_summary_part.added":
        if (this.#summaryParts++ > 0) this.#out.thinking("\n\n");
        return false;
      case "response.refusal.delta":
        this.#refused = true;
        this.#out.push({ type: "refusal", text: asText(event.delta) });
        return false;
      case "response.output_item.added":
        this.#itemBegins(keyOf(event), asRecord(event.item));
        return false;
      case "response.function_call_arguments.delta":
        this.#calls.append(keyOf(event), asText(event.delta));
        return false;
      case "response.output_item.done":
        this.#itemEnds(keyOf(event), asRecord(event.item));
        return false;
      case "response.completed":
      case "response.incomplete":
        this.#over(asRecord(event.response));
        return true;
      case "response.failed":
      case "error":
        throw errorOf(event);
      default:
        if (event.type === undefined && isPresent(event.error)) throw errorOf(event);
        return false;
    }
  }

  end(): boolean {
    if (this.#finish === undefined) return false;
    this.#calls.completeAll(this.#finish.reason === "length");
    if (this.#usage !== undefined) this.#out.push({ type: "usage", usage: this.#usage });
    this.#out.push({ type: "stop", reason: this.#finish.reason, provider_reason: this.#finish.said });
    return true;
  }

  #itemBegins(key: CallKey, item: WireRecord): void {
    if (item.type === "reasoning") this.#summaryParts = 0;
    if (item.type !== "function_call") return;
    this.#calls.begin(key, asText(item.call_id) || asText(item.id), asText(item.name));
    this.#calls.append(key, asText(item.arguments));
  }

  #itemEnds(key: CallKey, item: WireRecord): void {
    switch (item.type) {
      case "function_call":
        // A cut-off call also ends as an item; it is not complete.
        if (item.status === "incomplete") return;
        if (this.#calls.wireId(key) === undefined) this.#itemBegins(key, { ...item, arguments: "" });
        this.#calls.complete(key, asText(item.arguments));
        return;
      case "reasoning": {
        const encrypted_content = asText(item.encrypted_content);
        if (encrypted_content !== "") this.#sign("thinking", { id: asText(item.id), encrypted_content });
        return;
      }
      case "message":
        // Whether it was said on the way or as the answer; models answer worse when they are not told it again.
        if (asText(item.phase) !== "") this.#sign("text", { phase: asText(item.phase) });
        return;
      default:
        return;
    }
  }

  #sign(of: "thinking" | "text", data: WireRecord): void {
    const signature = { provider: signerOf(this.#target), data: JSON.stringify(data) };
    this.#out.push({ type: "signature", of, signature });
  }

  #over(response: WireRecord): void {
    if (isPresent(response.usage)) this.#usage = readUsage(asRecord(response.usage));
    const cause = asText(asRecord(response.incomplete_details).reason);
    const said = cause === "" ? asText(response.status) || "completed" : cause;
    if (cause === "content_filter" && !this.#refused) {
      this.#refused = true;
      this.#out.push({ type: "refusal", text: "The provider's content filter stopped the answer" });
    }
    this.#finish = { reason: this.#reason(said), said };
  }

  #reason(said: string): StopReason {
    if (this.#refused) return "refusal";
    if (said !== "completed") return "length";
    return this.#calls.count > 0 ? "tool_calls" : "end";
  }
}

function keyOf(event: WireRecord): CallKey {
  return asNumber(event.output_index) ?? asText(event.item_id);
}

/** `response.failed` holds its error in the response, `error` in the event itself or under `error`. */
function errorOf(event: WireRecord): Error {
  const inResponse = asRecord(asRecord(event.response).error);
  const error = isPresent(inResponse.message) ? inResponse : isPresent(event.error) ? asRecord(event.error) : event;
  const type = error === event ? "" : asText(error.type);
  return reportedFault(error.code, type, asText(error.message) || "the response failed");
}

function readUsage(usage: WireRecord): CallUsage {
  const input = asRecord(usage.input_tokens_details);
  return {
    input_tokens: asCount(usage.input_tokens),
    output_tokens: asCount(usage.output_tokens),
    cached_tokens: asCount(input.cached_tokens),
    cache_write_tokens: asCount(input.cache_write_tokens),
    reasoning_tokens: asCount(asRecord(usage.output_tokens_details).reasoning_tokens),
  };
}
