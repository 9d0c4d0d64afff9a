/** The server's side of Anthropic's messages. */
import { at, listAt, textAt } from "./json_path.ts";
import {
  alternate,
  argumentPieces,
  type FakeProtocol,
  type Frames,
  idOf,
  pieces,
  type Reply,
  sse,
  usageOf,
} from "./script.ts";

export const anthropicProtocol: FakeProtocol = {
  contentType: "text/event-stream",
  provider: "anthropic",
  base: "/v1",
  accepts: (path) => path === "/v1/messages",
  problemIn,
  frames,
  overloaded: () => event({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
  malformed: () => 'event: content_block_delta\ndata: {"type": "content_bl\n\n',
  errorBody: (code, message) => ({
    type: "error",
    error: { type: code === 429 ? "rate_limit_error" : "error", message },
  }),
};

function event(data: { readonly type: string; readonly [key: string]: unknown }): string {
  return sse(data, data.type);
}

function block(index: number, content_block: unknown, deltas: readonly unknown[], stops = true): readonly string[] {
  return [
    event({ type: "content_block_start", index, content_block }),
    ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
    ...(stops ? [event({ type: "content_block_stop", index })] : []),
  ];
}

function frames(reply: Reply, turn: number): Frames {
  const usage = usageOf(reply);
  const cached = usage?.cached ?? 0;
  const started = usage === undefined ? undefined : {
    input_tokens: usage.input - cached,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: 1,
  };
  const content = [
    event({ type: "message_start", message: { id: "msg_1", role: "assistant", content: [], usage: started } }),
    event({ type: "ping" }),
  ];
  let index = 0;
  if (reply.thinking !== undefined) {
    const deltas = pieces(reply.thinking).map((thinking) => ({ type: "thinking_delta", thinking }));
    const signature = { type: "signature_delta", signature: reply.signature ?? "signed" };
    content.push(...block(index++, { type: "thinking", thinking: "", signature: "" }, [...deltas, signature]));
  }
  if (reply.text !== undefined) {
    const deltas = pieces(reply.text).map((text) => ({ type: "text_delta", text }));
    content.push(...block(index++, { type: "text", text: "" }, deltas));
  }
  const calls = reply.toolCalls ?? [];
  const lists = calls.map((call, at) =>
    block(
      index + at,
      { type: "tool_use", id: idOf(call, turn, at), name: call.name, input: {} },
      argumentPieces(call).map((partial_json) => ({ type: "input_json_delta", partial_json })),
      reply.finish !== "length",
    )
  );
  content.push(...alternate(lists, reply.sequential ?? false));
  return { content, finish: finish(reply, calls.length > 0) };
}

function finish(reply: Reply, calls: boolean): readonly string[] {
  const usage = usageOf(reply);
  const declined = reply.refusal !== undefined || reply.blocked;
  const stop_reason = reply.finish === "length" ? "max_tokens" : declined ? "refusal" : calls ? "tool_use" : "end_turn";
  return [
    event({
      type: "message_delta",
      delta: { stop_reason, ...(declined ? { stop_details: { explanation: reply.refusal } } : {}) },
      ...(usage === undefined ? {} : {
        usage: { output_tokens: usage.output, output_tokens_details: { thinking_tokens: usage.reasoning ?? 0 } },
      }),
    }),
    event({ type: "message_stop" }),
  ];
}

function problemIn(json: unknown): string | undefined {
  const limit = Number(at(json, "max_tokens"));
  if (at(json, "stream") !== true || !(limit > 0)) return "stream must be true and max_tokens given";
  if (Number(at(json, "thinking", "budget_tokens") ?? 0) >= limit) {
    return "max_tokens must exceed thinking.budget_tokens";
  }
  const marks = JSON.stringify(json).split('"cache_control"').length - 1;
  if (marks > 4) return "at most 4 blocks may have cache_control";
  let open: readonly string[] = [];
  for (const message of listAt(json, "messages")) {
    const content = listAt(message, "content");
    if (content.length === 0) return "a message without content";
    const answered = idsOf(content, "tool_result", "tool_use_id");
    const stranger = answered.find((id) => !open.includes(id));
    if (stranger !== undefined) return `tool_result for unknown id "${stranger}"`;
    const missed = open.find((id) => !answered.includes(id));
    if (missed !== undefined) return `tool_use "${missed}" without a tool_result in the next message`;
    if (content.some((part) => at(part, "type") === "text" && textAt(part, "text").trim() === "")) {
      return "text blocks must be non-empty";
    }
    if (at(message, "role") === "assistant" && textAt(content, -1, "type").endsWith("thinking")) {
      return "the last block of an answer must not be thinking";
    }
    open = idsOf(content, "tool_use", "id");
    const bad = open.find((id) => !/^[a-zA-Z0-9_-]+$/.test(id));
    if (bad !== undefined) return `bad tool_use id "${bad}"`;
  }
  return open.length > 0 ? `tool_use "${open[0]}" without a tool_result in the next message` : undefined;
}

function idsOf(content: readonly unknown[], type: string, key: string): readonly string[] {
  return content.filter((part) => at(part, "type") === type).map((part) => textAt(part, key));
}
