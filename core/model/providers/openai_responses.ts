/**
 * OpenAI's responses protocol. Nothing is stored at the provider: thinking comes back to us encrypted and is sent again.
 *
 * @module
 */
import type { ModelImage, ModelMessage, ModelRequest, ToolSpec } from "../contract.ts";
import { bearer, type Body, type Codec, type Target } from "./codec.ts";
import { withExtras } from "./extras.ts";
import { generationFields } from "./generation.ts";
import { ResponsesDecoder } from "./openai_responses_decoder.ts";
import { dataUrl } from "./preparation.ts";
import { argumentsText, ownSignature, withoutTrailingThinking } from "./replay.ts";
import { allowsStrict } from "./structured_output.ts";
import { planThinking, type ThinkingPlan } from "./thinking.ts";
import { asRecord } from "./wire_value.ts";

/** The codec. */
export const openaiResponses: Codec = {
  framing: "sse",
  url: (target) => `${target.baseUrl}/responses`,
  headers: bearer,
  body: responsesBody,
  decoder: (request, target, out) => new ResponsesDecoder(request, target, out),
};

function responsesBody(request: ModelRequest, target: Target): Body {
  const tools = request.tools.map(responsesTool);
  const fixed: Body = {
    model: target.model.id,
    stream: true,
    store: false,
    ...(target.info.thinking ? { include: ["reasoning.encrypted_content"] } : {}),
    ...(request.cacheKey === undefined ? {} : { prompt_cache_key: request.cacheKey }),
    ...(request.system === "" ? {} : { instructions: request.system }),
    ...(tools.length === 0 ? {} : { tools }),
    ...(tools.length > 0 && request.toolChoice === "none" ? { tool_choice: "none" } : {}),
    ...generationFields(request.generation, "openai_responses", target),
    ...thinkingFields(planThinking(request, target)),
    ...(request.schema === undefined ? {} : { text: { format: responseFormat(request.schema) } }),
  };
  return {
    ...withExtras(fixed, target.model),
    input: request.messages.flatMap((message) => inputItems(message, target)),
  };
}

function responsesTool(tool: ToolSpec): Body {
  return { type: "function", name: tool.name, description: tool.description, parameters: tool.input, strict: false };
}

/** Without a summary no thinking text would come at all. */
function thinkingFields(plan: ThinkingPlan): Body {
  const effort = plan.mode === "unset" || plan.word === undefined ? {} : { effort: plan.word };
  switch (plan.mode) {
    case "unset":
      return {};
    case "off":
      return plan.word === undefined ? {} : { reasoning: effort };
    case "on":
      return { reasoning: { ...effort, summary: "auto" } };
    default:
      return plan satisfies never;
  }
}

function responseFormat(schema: NonNullable<ModelRequest["schema"]>): Body {
  return { type: "json_schema", name: schema.name, strict: allowsStrict(schema.schema), schema: schema.schema };
}

function inputItems(message: ModelMessage, target: Target): readonly Body[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: inputContent(message.text, message.images ?? []) }];
    case "tool": {
      const images = message.images ?? [];
      const output = images.length === 0 ? message.result : inputContent(message.result, images);
      return [{ type: "function_call_output", call_id: message.call, output }];
    }
    case "assistant":
      return withoutTrailingThinking(message.parts).flatMap((part): readonly Body[] => {
        switch (part.type) {
          case "thinking":
            return reasoningItem(ownSignature(part.signature, target), part.text);
          case "text":
            return part.text === "" ? [] : [assistantItem(part.text, ownSignature(part.signature, target))];
          case "tool_call":
            return [{
              type: "function_call",
              call_id: part.call,
              name: part.name,
              arguments: argumentsText(part.arguments),
            }];
          default:
            return part satisfies never;
        }
      });
    default:
      return message satisfies never;
  }
}

function inputContent(text: string, images: readonly ModelImage[]): readonly Body[] {
  return [
    ...(text === "" && images.length > 0 ? [] : [{ type: "input_text", text }]),
    ...images.map((image) => ({ type: "input_image", image_url: dataUrl(image) })),
  ];
}

function assistantItem(text: string, data: string | undefined): Body {
  const { phase } = asRecord(parse(data ?? ""));
  const content = [{ type: "output_text", text }];
  return { role: "assistant", ...(phase === undefined ? {} : { phase }), content };
}

/** Thinking that cannot be verified is refused, so only what this model signed goes back. */
function reasoningItem(data: string | undefined, text: string): readonly Body[] {
  if (data === undefined) return [];
  const { id, encrypted_content } = asRecord(parse(data));
  const summary = text === "" ? [] : [{ type: "summary_text", text }];
  return [{ type: "reasoning", id, summary, encrypted_content }];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
