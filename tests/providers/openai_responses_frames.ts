/** The server's side of the responses protocol. */
import { at, isObjectText, listAt, textAt } from "./json_path.ts";
import {
  alternate,
  argumentPieces,
  argumentText,
  type FakeProtocol,
  type Frames,
  idOf,
  pieces,
  type Reply,
  sse,
  usageOf,
} from "./script.ts";

export const responsesProtocol: FakeProtocol = {
  contentType: "text/event-stream; charset=utf-8",
  provider: "openai",
  base: "/v1",
  accepts: (path) => path === "/v1/responses",
  problemIn,
  frames,
  overloaded: () => event({ type: "error", code: "server_error", message: "The server is overloaded" }),
  malformed: () => 'event: response.output_text.delta\ndata: {"type": "response.out\n\n',
  errorBody: (_, message) => ({ error: { message, type: "error", code: null } }),
};

function event(data: { readonly type: string; readonly [key: string]: unknown }): string {
  return sse(data, data.type);
}

function frames(reply: Reply, turn: number): Frames {
  const content = [event({ type: "response.created", response: { id: "resp_1", status: "in_progress" } })];
  let output_index = 0;
  if (reply.thinking !== undefined) content.push(...reasoning(reply, output_index++));
  if (reply.text !== undefined) content.push(...message(reply, output_index++));
  if (reply.refusal !== undefined) {
    content.push(...pieces(reply.refusal).map((delta) => event({ type: "response.refusal.delta", delta })));
  }
  content.push(...calls(reply, turn, output_index));
  return { content, finish: [finish(reply)] };
}

function reasoning(reply: Reply, output_index: number): readonly string[] {
  const item = { type: "reasoning", id: "rs_1", summary: [] };
  return [
    event({ type: "response.output_item.added", output_index, item }),
    event({ type: "response.reasoning_summary_part.added", output_index, summary_index: 0 }),
    ...pieces(reply.thinking).map((delta) =>
      event({ type: "response.reasoning_summary_text.delta", output_index, summary_index: 0, delta })
    ),
    event({
      type: "response.output_item.done",
      output_index,
      item: { ...item, encrypted_content: reply.signature ?? "signed" },
    }),
  ];
}

function message(reply: Reply, output_index: number): readonly string[] {
  const item = { type: "message", id: "msg_1", role: "assistant", content: [] };
  return [
    event({ type: "response.output_item.added", output_index, item }),
    ...pieces(reply.text).map((delta) => event({ type: "response.output_text.delta", output_index, delta })),
    event({ type: "response.output_item.done", output_index, item }),
  ];
}

function calls(reply: Reply, turn: number, first: number): readonly string[] {
  const cut = reply.finish === "length";
  const lists = (reply.toolCalls ?? []).map((call, index) => {
    const output_index = first + index;
    const item = { type: "function_call", id: `fc_${index}`, call_id: idOf(call, turn, index), name: call.name };
    const text = argumentText(call);
    return [
      event({ type: "response.output_item.added", output_index, item: { ...item, arguments: "" } }),
      ...argumentPieces(call).map((delta) =>
        event({ type: "response.function_call_arguments.delta", output_index, item_id: item.id, delta })
      ),
      ...(cut ? [] : [event({ type: "response.function_call_arguments.done", output_index, arguments: text })]),
      event({
        type: "response.output_item.done",
        output_index,
        item: { ...item, arguments: text, status: cut ? "incomplete" : "completed" },
      }),
    ];
  });
  return alternate(lists, reply.sequential ?? false);
}

function finish(reply: Reply): string {
  const usage = usageOf(reply);
  const reported = usage === undefined ? null : {
    input_tokens: usage.input,
    output_tokens: usage.output,
    input_tokens_details: { cached_tokens: usage.cached ?? 0 },
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
  const reason = reply.finish === "length" ? "max_output_tokens" : reply.blocked ? "content_filter" : undefined;
  if (reason === undefined) {
    return event({ type: "response.completed", response: { status: "completed", usage: reported } });
  }
  return event({
    type: "response.incomplete",
    response: { status: "incomplete", incomplete_details: { reason }, usage: reported },
  });
}

function problemIn(json: unknown): string | undefined {
  if (at(json, "stream") !== true || at(json, "store") !== false) return "stream must be true and store false";
  const open = new Set<string>();
  const input = listAt(json, "input");
  for (const [index, item] of input.entries()) {
    const call = textAt(item, "call_id");
    switch (kindOf(item)) {
      case "function_call":
        if (!isObjectText(textAt(item, "arguments"))) return "arguments must be JSON";
        if (open.has(call)) return "call ids repeat";
        open.add(call);
        break;
      case "function_call_output":
        if (!open.delete(call)) return `output for unknown call "${call}"`;
        break;
      case "reasoning":
        if (!["function_call", "reasoning", "assistant"].includes(kindOf(input[index + 1]))) {
          return "a reasoning item without its following item";
        }
        break;
      case "user":
        if (open.size > 0) return "a call without output";
        break;
      default:
    }
  }
  return open.size > 0 ? "a call without output" : undefined;
}

function kindOf(item: unknown): string {
  return textAt(item, "type") || textAt(item, "role");
}
