/**
 * Ollama's own chat protocol: one JSON value a line, options in a table of their own, pictures inline.
 *
 * @module
 */
import type { CallUsage } from "../../log/mod.ts";
import type { ModelImage, ModelMessage, ModelRequest, StopReason, ToolSpec } from "../contract.ts";
import { CallAssembler } from "./call_assembler.ts";
import { bearer, type Body, type Codec, type Decoder, type Target } from "./codec.ts";
import { withExtras } from "./extras.ts";
import { reportedFault } from "./fault.ts";
import { generationFields } from "./generation.ts";
import type { Outbox } from "./outbox.ts";
import { argumentsObject, callsOf, joinedText, joinedThinking, withoutTrailingThinking } from "./replay.ts";
import { planThinking, type ThinkingPlan } from "./thinking.ts";
import { ThinkSplitter } from "./think_tags.ts";
import { asCount, asList, asRecord, asText, isPresent, type WireRecord } from "./wire_value.ts";

/** The codec. */
export const ollamaChat: Codec = {
  framing: "ndjson",
  url: (target) => `${target.baseUrl}/api/chat`,
  headers: bearer,
  body: ollamaBody,
  decoder: (request, target, out) => new OllamaDecoder(request, target, out),
};

function ollamaBody(request: ModelRequest, target: Target): Body {
  // There is no way to forbid calling, so a round that must not call sees no tools.
  const tools = request.toolChoice === "none" ? [] : request.tools.map(ollamaTool);
  const options = generationFields(request.generation, "ollama", target);
  const think = thinkField(planThinking(request, target));
  const fixed: Body = {
    model: target.model.id,
    stream: true,
    ...(think === undefined ? {} : { think }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
    ...(request.schema === undefined ? {} : { format: request.schema.schema }),
    ...(tools.length === 0 ? {} : { tools }),
  };
  return { ...withExtras(fixed, target.model), messages: ollamaMessages(request, target) };
}

function thinkField(plan: ThinkingPlan): boolean | string | undefined {
  switch (plan.mode) {
    case "unset":
      return undefined;
    case "off":
      return false;
    case "on":
      return plan.word ?? true;
    default:
      return plan satisfies never;
  }
}

function ollamaTool(tool: ToolSpec): Body {
  return {
    type: "function",
    function: { name: tool.name, description: tool.description, parameters: tool.input },
  };
}

function ollamaMessages(request: ModelRequest, target: Target): readonly Body[] {
  const system: readonly Body[] = request.system === "" ? [] : [{ role: "system", content: request.system }];
  return [...system, ...request.messages.flatMap((message) => ollamaMessage(message, target))];
}

function ollamaMessage(message: ModelMessage, target: Target): readonly Body[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: message.text, ...pictures(message.images) }];
    case "tool":
      return [{
        role: "tool",
        content: message.result,
        tool_name: message.name,
        tool_call_id: message.call,
        ...pictures(message.images),
      }];
    case "assistant": {
      const parts = withoutTrailingThinking(message.parts);
      if (parts.length === 0) return [];
      const thinking = target.info.thinking ? joinedThinking(parts) : "";
      const calls = callsOf(parts).map((part) => ({
        id: part.call,
        function: { name: part.name, arguments: argumentsObject(part.arguments) },
      }));
      return [{
        role: "assistant",
        content: joinedText(parts),
        ...(thinking === "" ? {} : { thinking }),
        ...(calls.length === 0 ? {} : { tool_calls: calls }),
      }];
    }
    default:
      return message satisfies never;
  }
}

function pictures(images: readonly ModelImage[] | undefined): Body {
  if (images === undefined || images.length === 0) return {};
  return { images: images.map((image) => image.data.toBase64()) };
}

/** A decoder of one answer. */
class OllamaDecoder implements Decoder {
  readonly #out: Outbox;
  readonly #calls: CallAssembler;
  readonly #splitter: ThinkSplitter | undefined;
  #last: WireRecord | undefined;

  constructor(request: ModelRequest, target: Target, out: Outbox) {
    this.#out = out;
    this.#calls = new CallAssembler(out, request);
    const tags = target.model.flags.think_tags;
    if (tags !== undefined && tags !== "false") this.#splitter = new ThinkSplitter(out, false);
  }

  frame(value: unknown): boolean {
    const line = asRecord(value);
    if (isPresent(line.error)) throw errorOf(line.error);
    const message = asRecord(line.message);
    this.#out.thinking(asText(message.thinking));
    const content = asText(message.content);
    if (this.#splitter === undefined) this.#out.text(content);
    else this.#splitter.text(content);
    for (const call of asList(message.tool_calls)) this.#call(asRecord(call));
    if (line.done === true) this.#last = line;
    return line.done === true;
  }

  end(): boolean {
    const last = this.#last;
    if (last === undefined) return false;
    this.#splitter?.end();
    const said = asText(last.done_reason) || "stop";
    const usage = readUsage(last);
    if (usage !== undefined) this.#out.push({ type: "usage", usage });
    this.#out.push({ type: "stop", reason: this.#stopReason(said), provider_reason: said });
    return true;
  }

  /** Calls come whole, arguments as an object. */
  #call(call: WireRecord): void {
    const made = asRecord(call.function);
    const key = this.#calls.count;
    const given = made.arguments;
    this.#calls.begin(key, asText(call.id), asText(made.name));
    this.#calls.complete(key, typeof given === "string" ? given : JSON.stringify(given ?? {}));
  }

  #stopReason(said: string): StopReason {
    if (said === "length") return "length";
    return this.#calls.count > 0 ? "tool_calls" : "end";
  }
}

function errorOf(value: unknown): Error {
  if (typeof value === "string") return reportedFault(undefined, "", value);
  const error = asRecord(value);
  return reportedFault(error.code ?? error.status_code, asText(error.type), asText(error.message));
}

/** A prompt that was wholly cached is not counted, so either number may be missing. */
function readUsage(last: WireRecord): CallUsage | undefined {
  if (!isPresent(last.prompt_eval_count) && !isPresent(last.eval_count)) return undefined;
  return {
    input_tokens: asCount(last.prompt_eval_count),
    output_tokens: asCount(last.eval_count),
    cached_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
  };
}
