/**
 * Anthropic's messages protocol.
 *
 * @module
 */
import { catalogueOf } from "../catalogue.ts";
import type { ModelRequest, ToolSpec } from "../contract.ts";
import { AnthropicDecoder } from "./anthropic_decoder.ts";
import { anthropicMessages, hasOpenThinking } from "./anthropic_content.ts";
import type { Body, Codec, Target } from "./codec.ts";
import { withExtras } from "./extras.ts";
import { generationFields } from "./generation.ts";
import { planThinking, thinkingBudget, type ThinkingPlan } from "./thinking.ts";

/** The codec. */
export const anthropic: Codec = {
  framing: "sse",
  url: (target) => `${target.baseUrl}/messages`,
  headers: (key) => ({ "anthropic-version": "2023-06-01", ...(key === undefined ? {} : { "x-api-key": key }) }),
  body: anthropicBody,
  decoder: (request, target, out) => new AnthropicDecoder(request, target, out, forcedTool(request, target)),
};

/** Marks the end of what is the same in the next request (FACTS 2.5): the system, the tools, the last message. */
const CACHED = { cache_control: { type: "ephemeral" } };

function anthropicBody(request: ModelRequest, target: Target): Body {
  const forced = forcedTool(request, target);
  const thinking = forced === undefined ? possibleThinking(request, target) : { mode: "unset" } as const;
  const tools = anthropicTools(request, forced);
  const { max_tokens, ...sampling } = generationFields(
    request.generation,
    "anthropic",
    target,
    thinking.mode === "on" ? WHILE_THINKING : {},
  );
  const fixed: Body = {
    model: target.model.id,
    max_tokens: answerLimit(max_tokens, thinking, target),
    stream: true,
    ...(request.system === "" ? {} : { system: [{ type: "text", text: request.system, ...CACHED }] }),
    ...(tools.length === 0 ? {} : { tools, ...toolChoice(request, forced) }),
    ...sampling,
    ...thinkingField(thinking, target),
    ...outputConfig(request, thinking, target, forced),
  };
  return { ...withExtras(fixed, target.model), messages: anthropicMessages(request.messages, target, CACHED) };
}

/** K-326: the model draws its words in its own way while it thinks. */
const WHILE_THINKING = {
  temperature: "leave it out while the model thinks",
  top_p: "leave it out while the model thinks",
  top_k: "leave it out while the model thinks",
};

/** K-326: what is asked for when nothing is known of the model. */
const FALLBACK_LIMIT = 1024;
/** A known model's whole room would be needless; past this an answer is not a reply any more. */
const ORDINARY_LIMIT = 32_000;

/** The limit counts thinking too, so a budget that would fill it raises it (K-327). */
function answerLimit(asked: number | undefined, thinking: ThinkingPlan, { info, quirks }: Target): number {
  const limit = asked ?? (info.maxOutput === undefined ? FALLBACK_LIMIT : Math.min(info.maxOutput, ORDINARY_LIMIT));
  if (thinking.mode !== "on" || quirks.adaptiveThinking === true) return limit;
  const budget = thinkingBudget(thinking.level);
  return limit > budget ? limit : budget + limit;
}

/**
 * A model that is given a budget refuses to think in the middle of a tool loop that it did not begin with thinking, as after
 * a change of model or settings; that one request is made without.
 */
function possibleThinking(request: ModelRequest, target: Target): ThinkingPlan {
  const plan = planThinking(request, target);
  const canJoin = target.quirks.adaptiveThinking === true || hasOpenThinking(request.messages, target);
  return plan.mode === "on" && !canJoin ? { mode: "unset" } : plan;
}

function thinkingField(plan: ThinkingPlan, { quirks }: Target): Body {
  const adaptive = quirks.adaptiveThinking === true;
  switch (plan.mode) {
    case "unset":
      return {};
    case "off":
      return { thinking: { type: "disabled" } };
    case "on":
      if (adaptive) return { thinking: { type: "adaptive", display: "summarized" } };
      return { thinking: { type: "enabled", budget_tokens: thinkingBudget(plan.level) } };
    default:
      return plan satisfies never;
  }
}

function outputConfig(
  request: ModelRequest,
  plan: ThinkingPlan,
  { quirks }: Target,
  forced: ToolSpec | undefined,
): Body {
  const effort = plan.mode === "on" && quirks.adaptiveThinking === true ? plan.word : undefined;
  const format = request.schema !== undefined && forced === undefined
    ? { type: "json_schema", schema: request.schema.schema }
    : undefined;
  if (effort === undefined && format === undefined) return {};
  return {
    output_config: { ...(effort === undefined ? {} : { effort }), ...(format === undefined ? {} : { format }) },
  };
}

/**
 * The tool that carries structured output for models that have no format of their own: those the catalogue does not know,
 * unless their string says `;structured`.
 */
function forcedTool(request: ModelRequest, { model }: Target): ToolSpec | undefined {
  if (request.schema === undefined) return undefined;
  const flag = model.flags.structured;
  const native = flag === undefined ? Object.hasOwn(catalogueOf(model.provider), model.id) : flag !== "false";
  if (native) return undefined;
  return { name: request.schema.name, description: "Gives the answer.", input: request.schema.schema };
}

function anthropicTools(request: ModelRequest, forced: ToolSpec | undefined): readonly Body[] {
  const tools = forced === undefined ? request.tools : [...request.tools, forced];
  return tools.map((tool, index) => ({
    name: tool.name,
    description: tool.description,
    input_schema: tool.input,
    ...(index === tools.length - 1 ? CACHED : {}),
  }));
}

function toolChoice(request: ModelRequest, forced: ToolSpec | undefined): Body {
  if (forced !== undefined) return { tool_choice: { type: "tool", name: forced.name } };
  return request.toolChoice === "none" ? { tool_choice: { type: "none" } } : {};
}
