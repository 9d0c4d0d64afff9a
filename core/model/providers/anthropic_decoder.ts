/**
 * Reads the events of Anthropic's messages.
 *
 * @module
 */
import type { CallUsage } from "../../log/mod.ts";
import type { ModelRequest, StopReason, ToolSpec } from "../contract.ts";
import { REDACTED } from "./anthropic_content.ts";
import { CallAssembler } from "./call_assembler.ts";
import { type Decoder, signerOf, type Target } from "./codec.ts";
import { reportedFault } from "./fault.ts";
import type { Outbox } from "./outbox.ts";
import { asCount, asNumber, asRecord, asText, isPresent, type WireRecord } from "./wire_value.ts";

/** A decoder of one answer. */
export class AnthropicDecoder implements Decoder {
  readonly #out: Outbox;
  readonly #target: Target;
  readonly #calls: CallAssembler;
  /** The tool that carries structured output: its arguments are the answer's text. */
  readonly #forced: ToolSpec | undefined;
  /** Index of the block that is the forced tool. */
  #answer: number | undefined;
  #usage: WireRecord = {};
  #reason: string | undefined;
  #refusal = "";

  constructor(request: ModelRequest, target: Target, out: Outbox, forced: ToolSpec | undefined) {
    this.#out = out;
    this.#target = target;
    this.#calls = new CallAssembler(out, request);
    this.#forced = forced;
  }

  frame(value: unknown): boolean {
    const event = asRecord(value);
    const index = asNumber(event.index) ?? 0;
    switch (event.type) {
      case "message_start":
        this.#count(asRecord(asRecord(event.message).usage));
        return false;
      case "content_block_start":
        this.#blockBegins(index, asRecord(event.content_block));
        return false;
      case "content_block_delta":
        this.#delta(index, asRecord(event.delta));
        return false;
      case "content_block_stop":
        this.#calls.complete(index);
        return false;
      case "message_delta":
        this.#message(asRecord(event.delta));
        this.#count(asRecord(event.usage));
        return false;
      case "message_stop":
        return true;
      case "error":
        throw errorOf(event.error);
      default:
        if (event.type === undefined && isPresent(event.error)) throw errorOf(event.error);
        return false;
    }
  }

  end(): boolean {
    const said = this.#reason;
    if (said === undefined) return false;
    const reason = this.#stopReason(said);
    this.#calls.completeAll(reason === "length");
    if (reason === "refusal") {
      this.#out.push({ type: "refusal", text: this.#refusal || "The model declined to answer" });
    }
    if (Object.keys(this.#usage).length > 0) this.#out.push({ type: "usage", usage: readUsage(this.#usage) });
    this.#out.push({ type: "stop", reason, provider_reason: said });
    return true;
  }

  #blockBegins(index: number, block: WireRecord): void {
    switch (block.type) {
      case "text":
        this.#out.text(asText(block.text));
        return;
      case "thinking":
        this.#out.thinking(asText(block.thinking));
        return;
      case "redacted_thinking":
        this.#sign(`${REDACTED}${asText(block.data)}`);
        return;
      case "tool_use":
        if (block.name === this.#forced?.name) this.#answer = index;
        else this.#calls.begin(index, asText(block.id), asText(block.name));
        return;
      default:
        return;
    }
  }

  #delta(index: number, delta: WireRecord): void {
    switch (delta.type) {
      case "text_delta":
        this.#out.text(asText(delta.text));
        return;
      case "thinking_delta":
        this.#out.thinking(asText(delta.thinking));
        return;
      case "signature_delta":
        this.#sign(asText(delta.signature));
        return;
      case "input_json_delta":
        if (index === this.#answer) this.#out.text(asText(delta.partial_json));
        else this.#calls.append(index, asText(delta.partial_json));
        return;
      default:
        return;
    }
  }

  #message(delta: WireRecord): void {
    const reason = asText(delta.stop_reason);
    if (reason !== "") this.#reason = reason;
    this.#refusal ||= asText(asRecord(delta.stop_details).explanation);
  }

  /** Counts are running totals: the last one given counts. */
  #count(usage: WireRecord): void {
    const given = Object.entries(usage).filter(([, value]) => isPresent(value));
    if (given.length > 0) this.#usage = { ...this.#usage, ...Object.fromEntries(given) };
  }

  #sign(data: string): void {
    if (data === "") return;
    this.#out.push({ type: "signature", of: "thinking", signature: { provider: signerOf(this.#target), data } });
  }

  #stopReason(said: string): StopReason {
    switch (said) {
      case "max_tokens":
      case "model_context_window_exceeded":
        return "length";
      case "refusal":
        return "refusal";
      default:
        return this.#calls.count > 0 ? "tool_calls" : "end";
    }
  }
}

function errorOf(value: unknown): Error {
  const error = asRecord(value);
  return reportedFault(undefined, asText(error.type), asText(error.message));
}

/** The input comes in three parts that do not overlap; our total holds them all. */
function readUsage(usage: WireRecord): CallUsage {
  const cached = asCount(usage.cache_read_input_tokens);
  const written = asCount(usage.cache_creation_input_tokens);
  return {
    input_tokens: asCount(usage.input_tokens) + cached + written,
    output_tokens: asCount(usage.output_tokens),
    cached_tokens: cached,
    cache_write_tokens: written,
    reasoning_tokens: asCount(asRecord(usage.output_tokens_details).thinking_tokens),
  };
}
