/**
 * Reads the chunks of a chat completion.
 *
 * @module
 */
import type { CallUsage } from "../../log/mod.ts";
import type { ModelRequest, StopReason } from "../contract.ts";
import { CallAssembler } from "./call_assembler.ts";
import { type Decoder, signerOf, type Target } from "./codec.ts";
import { reportedFault } from "./fault.ts";
import type { Outbox } from "./outbox.ts";
import { ThinkSplitter } from "./think_tags.ts";
import { asCount, asList, asNumber, asRecord, asText, isPresent, type WireRecord } from "./wire_value.ts";

/** A decoder of one answer. */
export class ChatDecoder implements Decoder {
  readonly #out: Outbox;
  readonly #target: Target;
  readonly #calls: CallAssembler;
  readonly #splitter: ThinkSplitter | undefined;
  /** OpenRouter's signed thinking, to be sent back as it is. */
  #details: WireRecord[] = [];
  #lastIndex: number | undefined;
  #reason: string | undefined;
  #usage: CallUsage | undefined;
  #refused = false;

  constructor(request: ModelRequest, target: Target, out: Outbox) {
    this.#out = out;
    this.#target = target;
    this.#calls = new CallAssembler(out, request);
    const tags = target.model.flags.think_tags;
    if (tags !== undefined && tags !== "false") this.#splitter = new ThinkSplitter(out, false);
  }

  frame(value: unknown): boolean {
    const chunk = asRecord(value);
    if (isPresent(chunk.error)) throw errorFault(chunk.error);
    const usage = chunk.usage ?? asRecord(chunk.x_groq).usage;
    if (isPresent(usage)) this.#usage = readUsage(asRecord(usage));
    // One answer is asked for; a server that sends more has only its first read.
    const choice = asRecord(asList(chunk.choices)[0]);
    this.#delta(asRecord(choice.delta));
    const reason = asText(choice.finish_reason);
    if (reason !== "" && this.#reason === undefined) this.#finish(reason, asRecord(choice.error));
    return false;
  }

  end(): boolean {
    if (this.#reason === undefined) return false;
    this.#splitter?.end();
    this.#calls.completeAll(this.#reason === "length");
    if (this.#usage !== undefined) this.#out.push({ type: "usage", usage: this.#usage });
    this.#out.push({ type: "stop", reason: this.#stopReason(this.#reason), provider_reason: this.#reason });
    return true;
  }

  #delta(delta: WireRecord): void {
    this.#thinking(delta);
    this.#content(delta.content);
    const refusal = asText(delta.refusal);
    if (refusal !== "") {
      this.#refused = true;
      this.#out.push({ type: "refusal", text: refusal });
    }
    for (const piece of asList(delta.tool_calls)) this.#callPiece(asRecord(piece));
  }

  #thinking(delta: WireRecord): void {
    const text = asText(delta.reasoning_content) || asText(delta.reasoning);
    this.#out.thinking(text);
    for (const detail of asList(delta.reasoning_details)) joinDetail(this.#details, asRecord(detail));
  }

  /** Text, or a list of parts (Mistral) in which thinking and text are told apart. */
  #content(content: unknown): void {
    if (typeof content === "string") return this.#text(content);
    for (const each of asList(content)) {
      const part = asRecord(each);
      if (part.type === "text") this.#text(asText(part.text));
      if (part.type === "thinking") {
        for (const inner of asList(part.thinking)) this.#out.thinking(asText(asRecord(inner).text));
      }
    }
  }

  #text(piece: string): void {
    if (piece !== "") this.#sign({ of: "thinking" });
    if (this.#splitter === undefined) this.#out.text(piece);
    else this.#splitter.text(piece);
  }

  #callPiece(piece: WireRecord): void {
    const made = asRecord(piece.function);
    const id = asText(piece.id);
    const name = asText(made.name);
    const index = asNumber(piece.index) ?? this.#indexFor(id);
    this.#sign({ of: "thinking" });
    if (this.#beginsCall(index, id, name)) {
      if (this.#lastIndex !== undefined) this.#calls.settle(this.#lastIndex);
      this.#calls.begin(index, id, name);
    } else {
      if (this.#lastIndex !== undefined && index !== this.#lastIndex) this.#calls.settle(this.#lastIndex);
      this.#calls.rename(index, name);
    }
    this.#lastIndex = index;
    // Arguments are text; a few servers send the object itself.
    const given = made.arguments;
    this.#calls.append(index, typeof given === "object" && given !== null ? JSON.stringify(given) : asText(given));
  }

  /** Some servers give every parallel call the index 0: then only a new id, or a name after whole arguments, tells. */
  #beginsCall(index: number, id: string, name: string): boolean {
    const known = this.#calls.wireId(index);
    if (known === undefined) return true;
    return name !== "" && (id === "" ? this.#calls.isWhole(index) : id !== known);
  }

  /** Where a piece without an index belongs: a piece with an id begins a call, one without goes on with the last. */
  #indexFor(id: string): number {
    const last = this.#lastIndex ?? 0;
    return id === "" || this.#calls.wireId(last) === id ? last : this.#calls.count;
  }

  #finish(reason: string, error: WireRecord): void {
    if (reason === "error") throw reportedFault(error.code, "", asText(error.message));
    if (reason === "insufficient_system_resource") throw reportedFault(529, reason, "");
    this.#reason = reason;
    this.#splitter?.end();
    const call = this.#calls.lastId;
    this.#sign(call === undefined ? { of: "text" } : { of: "tool_call", call });
    this.#calls.completeAll(reason === "length");
    if (reason === "content_filter" && !this.#refused) {
      this.#out.push({ type: "refusal", text: "The provider's content filter stopped the answer" });
    }
  }

  /** The details so far go with the part that is open: thinking, until something else begins. */
  #sign(part: { readonly of: "thinking" | "text" } | { readonly of: "tool_call"; readonly call: string }): void {
    if (this.#details.length === 0) return;
    const data = JSON.stringify(this.#details);
    this.#details = [];
    this.#out.push({ type: "signature", ...part, signature: { provider: signerOf(this.#target), data } });
  }

  #stopReason(reason: string): StopReason {
    if (reason === "length") return "length";
    if (reason === "content_filter" || this.#refused) return "refusal";
    return this.#calls.count > 0 ? "tool_calls" : "end";
  }
}

function errorFault(value: unknown): Error {
  const error = asRecord(value);
  const message = typeof value === "string" ? value : asText(error.message);
  return reportedFault(error.code ?? error.status, asText(error.type), message);
}

/** Streamed details of one block come in pieces: their text is joined, other fields are taken from the last that has them. */
function joinDetail(details: WireRecord[], detail: WireRecord): void {
  const last = details.at(-1);
  if (last === undefined || last.type !== detail.type || last.index !== detail.index) {
    details.push(detail);
    return;
  }
  const joined: Record<string, unknown> = { ...last };
  for (const [key, value] of Object.entries(detail)) {
    if (!isPresent(value)) continue;
    const grows = ["text", "summary", "data"].includes(key) && typeof joined[key] === "string";
    joined[key] = grows ? `${joined[key]}${asText(value)}` : value;
  }
  details[details.length - 1] = joined;
}

function readUsage(usage: WireRecord): CallUsage {
  const prompt = asRecord(usage.prompt_tokens_details);
  const completion = asRecord(usage.completion_tokens_details);
  return {
    input_tokens: asCount(usage.prompt_tokens),
    output_tokens: asCount(usage.completion_tokens),
    cached_tokens: asCount(prompt.cached_tokens ?? usage.prompt_cache_hit_tokens),
    cache_write_tokens: asCount(prompt.cache_write_tokens),
    reasoning_tokens: asCount(completion.reasoning_tokens),
  };
}
