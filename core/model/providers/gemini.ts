/**
 * Google's Gemini protocol.
 *
 * @module
 */
import type { AssistantPart, ModelImage, ModelMessage, ModelRequest, ToolSpec } from "../contract.ts";
import type { Body, Codec, Target } from "./codec.ts";
import { withExtras } from "./extras.ts";
import { GeminiDecoder } from "./gemini_decoder.ts";
import { generationFields } from "./generation.ts";
import { argumentsObject, ownSignature } from "./replay.ts";
import { planThinking, thinkingBudget, type ThinkingPlan } from "./thinking.ts";

/** The codec. */
export const gemini: Codec = {
  framing: "sse",
  url: (target) => `${target.baseUrl}/models/${encodeURIComponent(target.model.id)}:streamGenerateContent?alt=sse`,
  headers: (key) => ({ ...(key === undefined ? {} : { "x-goog-api-key": key }) }),
  body: geminiBody,
  decoder: (request, target, out) => new GeminiDecoder(request, target, out),
};

function geminiBody(request: ModelRequest, target: Target): Body {
  const config = generationConfig(request, target);
  const fixed: Body = {
    ...(request.system === "" ? {} : { systemInstruction: { parts: [{ text: request.system }] } }),
    ...(request.tools.length === 0 ? {} : { tools: [{ functionDeclarations: request.tools.map(declaration) }] }),
    ...(request.tools.length > 0 && request.toolChoice === "none"
      ? { toolConfig: { functionCallingConfig: { mode: "NONE" } } }
      : {}),
    ...(Object.keys(config).length === 0 ? {} : { generationConfig: config }),
  };
  return { ...withExtras(fixed, target.model), contents: contents(request.messages, target) };
}

function declaration(tool: ToolSpec): Body {
  return { name: tool.name, description: tool.description, parametersJsonSchema: tool.input };
}

function generationConfig(request: ModelRequest, target: Target): Body {
  const thinking = thinkingConfig(planThinking(request, target), target);
  return {
    ...generationFields(request.generation, "google", target),
    ...(request.schema === undefined
      ? {}
      : { responseMimeType: "application/json", responseJsonSchema: request.schema.schema }),
    ...(thinking === undefined ? {} : { thinkingConfig: thinking }),
  };
}

/** Of the models with a budget only the small ones can stop thinking; the others refuse less than this. */
const LEAST_BUDGET = 128;

/** Models with named levels refuse a budget, and the other way round; which is which is data of the catalogue. */
function thinkingConfig(plan: ThinkingPlan, { model, quirks }: Target): Body | undefined {
  const named = quirks.levels !== undefined;
  switch (plan.mode) {
    case "unset":
      return undefined;
    case "off":
      if (named) return { thinkingLevel: plan.word ?? "minimal" };
      return { thinkingBudget: model.id.includes("flash") ? 0 : LEAST_BUDGET };
    case "on":
      if (plan.word === undefined) return { includeThoughts: true };
      return named
        ? { includeThoughts: true, thinkingLevel: plan.word }
        : { includeThoughts: true, thinkingBudget: thinkingBudget(plan.level) };
    default:
      return plan satisfies never;
  }
}

interface Content {
  readonly role: "user" | "model";
  readonly parts: Body[];
}

/** The results of one round are one message, in the order of the calls. */
function contents(messages: readonly ModelMessage[], target: Target): readonly Content[] {
  const list: Content[] = [];
  let results: Content | undefined;
  for (const message of messages) {
    if (message.role === "tool") {
      if (results === undefined) {
        results = { role: "user", parts: [] };
        list.push(results);
      }
      results.parts.push(...toolParts(message));
      continue;
    }
    results = undefined;
    const parts = message.role === "user" ? userParts(message) : modelParts(message.parts, target);
    if (parts.length > 0) list.push({ role: message.role === "user" ? "user" : "model", parts });
  }
  return list;
}

function userParts(message: Extract<ModelMessage, { role: "user" }>): Body[] {
  const images = (message.images ?? []).map(imagePart);
  return message.text === "" && images.length > 0 ? images : [...images, { text: message.text }];
}

function imagePart(image: ModelImage): Body {
  return { inlineData: { mimeType: image.media_type, data: image.data.toBase64() } };
}

function toolParts(message: Extract<ModelMessage, { role: "tool" }>): readonly Body[] {
  const response = message.failed ? { error: message.result } : { output: message.result };
  return [
    { functionResponse: { id: message.call, name: message.name, response } },
    ...(message.images ?? []).map(imagePart),
  ];
}

/**
 * Google's own stand-in for a signature that a history from another model cannot have; without one, its thinking models
 * refuse the first call of a step.
 */
const NO_SIGNATURE = "skip_thought_signature_validator";

function modelParts(parts: readonly AssistantPart[], target: Target): Body[] {
  const result: Body[] = [];
  let called = false;
  for (const part of parts) {
    const own = ownSignature(part.signature, target);
    switch (part.type) {
      case "thinking":
        // Thinking itself is not wanted back, only what signs it.
        if (own !== undefined) result.push({ text: part.text, thought: true, thoughtSignature: own });
        break;
      case "text":
        if (part.text === "" && own === undefined) break;
        result.push({ text: part.text, ...(own === undefined ? {} : { thoughtSignature: own }) });
        break;
      case "tool_call": {
        const signature = own ?? (called || !target.info.thinking ? undefined : NO_SIGNATURE);
        called = true;
        result.push({
          functionCall: { id: part.call, name: part.name, args: argumentsObject(part.arguments) },
          ...(signature === undefined ? {} : { thoughtSignature: signature }),
        });
        break;
      }
      default:
        part satisfies never;
    }
  }
  return result;
}
