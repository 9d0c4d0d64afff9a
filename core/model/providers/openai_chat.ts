/**
 * OpenAI's chat completions, and the many servers that speak it: LM Studio, llama.cpp, vLLM, OpenRouter, Groq, DeepSeek,
 * Mistral. What sets them apart is data: `quirks.ts` of the catalogue, the dialect of `generation.ts`, and `SERVERS` here.
 *
 * @module
 */
import type { ModelRequest, ToolSpec } from "../contract.ts";
import type { ProviderName } from "../model_string.ts";
import { bearer, type Body, type Codec, type Target } from "./codec.ts";
import { withExtras } from "./extras.ts";
import { chatDialect, generationFields } from "./generation.ts";
import { ChatDecoder } from "./openai_chat_decoder.ts";
import { chatMessages } from "./openai_chat_messages.ts";
import { allowsStrict } from "./structured_output.ts";
import { planThinking, type ThinkingPlan } from "./thinking.ts";

/** Ways in which one server's requests differ, where no model does. */
interface ServerWays {
  /** Refuses `stream_options`, and reports usage without it. */
  readonly plainStream?: true;
  /** Promises some JSON, but not of a given shape. */
  readonly anyJson?: true;
  /** Takes a key that routes alike requests to the same cache. */
  readonly cacheKey?: true;
}

const SERVERS: Readonly<Partial<Record<ProviderName, ServerWays>>> = {
  "openai-chat": { cacheKey: true },
  mistral: { plainStream: true },
  deepseek: { anyJson: true },
};

/** The codec. */
export const openaiChat: Codec = {
  framing: "sse",
  url: (target) => `${target.baseUrl}/chat/completions`,
  headers: bearer,
  body: chatBody,
  decoder: (request, target, out) => new ChatDecoder(request, target, out),
};

function chatBody(request: ModelRequest, target: Target): Body {
  const ways = SERVERS[target.model.provider] ?? {};
  const anyJson = ways.anyJson === true || target.model.flags.structured === "false";
  const tools = request.tools.map(chatTool);
  const fixed: Body = {
    model: target.model.id,
    stream: true,
    ...(ways.plainStream ? {} : { stream_options: { include_usage: true } }),
    ...(ways.cacheKey && request.cacheKey !== undefined ? { prompt_cache_key: request.cacheKey } : {}),
    ...(tools.length === 0 ? {} : { tools }),
    ...(tools.length > 0 && request.toolChoice === "none" ? { tool_choice: "none" } : {}),
    ...limits(request, target),
    ...thinkingFields(planThinking(request, target), target),
    ...(request.schema === undefined ? {} : { response_format: responseFormat(request.schema, anyJson) }),
  };
  return { ...withExtras(fixed, target.model), messages: chatMessages(request, target, anyJson) };
}

function chatTool(tool: ToolSpec): Body {
  return {
    type: "function",
    function: { name: tool.name, description: tool.description, parameters: tool.input },
  };
}

function limits(request: ModelRequest, target: Target): Body {
  const dialect = chatDialect(target.model.provider, target.baseUrl);
  const { max_tokens, ...fields } = generationFields(request.generation, dialect, target);
  return max_tokens === undefined ? fields : { ...fields, [target.quirks.maxTokensField ?? "max_tokens"]: max_tokens };
}

function responseFormat(schema: NonNullable<ModelRequest["schema"]>, anyJson: boolean): Body {
  if (anyJson) return { type: "json_object" };
  return {
    type: "json_schema",
    json_schema: { name: schema.name, strict: allowsStrict(schema.schema), schema: schema.schema },
  };
}

/** Qwen's highest effort has a name of its own (K-327). */
const QWEN_HIGH = "xhigh";

function thinkingFields(plan: ThinkingPlan, { model, quirks }: Target): Body {
  if (plan.mode === "unset") return {};
  const on = plan.mode === "on";
  const format = quirks.thinkingFormat ?? "openai";
  switch (format) {
    case "openai":
      return plan.word === undefined ? {} : { reasoning_effort: plan.word };
    case "groq":
      return { reasoning_format: "parsed", ...(plan.word === undefined ? {} : { reasoning_effort: plan.word }) };
    case "deepseek":
      return {
        thinking: { type: on ? "enabled" : "disabled" },
        ...(on && plan.word !== undefined ? { reasoning_effort: plan.word } : {}),
      };
    case "openrouter":
      if (!on) return { reasoning: { effort: plan.word ?? "none" } };
      return { reasoning: plan.word === undefined ? { enabled: true } : { effort: plan.word } };
    case "template": {
      const qwen = on && plan.level === "high" && /qwen/i.test(model.id) ? QWEN_HIGH : undefined;
      const effort = on ? qwen ?? plan.word : undefined;
      return {
        chat_template_kwargs: { enable_thinking: on },
        ...(effort === undefined ? {} : { reasoning_effort: effort }),
      };
    }
    default:
      return format satisfies never;
  }
}
