/** The server's side of chat completions. */
import { at, isObjectText, listAt, textAt } from "./json_path.ts";
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

export const chatProtocol: FakeProtocol = {
  contentType: "text/event-stream",
  provider: "openai-compat",
  base: "/v1",
  accepts: (path) => path === "/v1/chat/completions",
  problemIn,
  frames,
  overloaded: () => sse({ error: { message: "The engine is currently overloaded", type: "server_error", code: 503 } }),
  malformed: () => 'data: {"choices": [\n\n',
  errorBody: (_, message) => ({ error: { message, type: "error", code: null } }),
};

function chunk(delta: unknown, finish_reason: string | null = null): string {
  return sse({ id: "chatcmpl-1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] });
}

function frames(reply: Reply, turn: number): Frames {
  const calls = reply.toolCalls ?? [];
  const lists = calls.map((call, index) => [
    { index, id: idOf(call, turn, index), type: "function", function: { name: call.name, arguments: "" } },
    ...argumentPieces(call).map((text) => ({ index, function: { arguments: text } })),
  ]);
  const declined = reply.blocked ? "content_filter" : undefined;
  const reason = reply.finish === "length" ? "length" : declined ?? (calls.length > 0 ? "tool_calls" : "stop");
  const usage = usageOf(reply);
  return {
    content: [
      chunk({ role: "assistant", content: "" }),
      ": keep-alive\n\n",
      ...pieces(reply.thinking).map((reasoning_content) => chunk({ reasoning_content })),
      ...pieces(reply.text).map((content) => chunk({ content })),
      ...pieces(reply.blocked ? undefined : reply.refusal).map((refusal) => chunk({ refusal })),
      ...alternate(lists, reply.sequential ?? false).map((piece) => chunk({ tool_calls: [piece] })),
    ],
    finish: [
      chunk({}, reason),
      ...(usage === undefined ? [] : [sse({
        choices: [],
        usage: {
          prompt_tokens: usage.input,
          completion_tokens: usage.output,
          prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
          completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
        },
      })]),
      sse("[DONE]"),
    ],
  };
}

function problemIn(json: unknown): string | undefined {
  if (at(json, "stream") !== true) return "stream must be true";
  let open: readonly string[] = [];
  for (const message of listAt(json, "messages")) {
    if (at(message, "role") === "tool") {
      const id = textAt(message, "tool_call_id");
      if (!open.includes(id)) return `tool_call_id "${id}" answers no call`;
      open = open.filter((each) => each !== id);
      continue;
    }
    if (open.length > 0) return `tool call "${open[0]}" has no result`;
    const calls = listAt(message, "tool_calls");
    open = calls.map((call) => textAt(call, "id"));
    if (new Set(open).size !== open.length) return "tool call ids repeat";
    if (calls.some((call) => !isObjectText(textAt(call, "function", "arguments")))) return "arguments must be JSON";
  }
  return open.length > 0 ? `tool call "${open[0]}" has no result` : undefined;
}
