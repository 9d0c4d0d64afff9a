/** The server's side of Ollama's own chat protocol. */
import { at, listAt } from "./json_path.ts";
import { type FakeProtocol, type Frames, pieces, type Reply, usageOf } from "./script.ts";

export const ollamaProtocol: FakeProtocol = {
  contentType: "application/x-ndjson",
  provider: "ollama",
  base: "",
  accepts: (path) => path === "/api/chat",
  problemIn,
  frames,
  overloaded: () => line({ error: "model runner has unexpectedly stopped" }),
  malformed: () => '{"message": {"role": "assi\n',
  errorBody: (_, message) => ({ error: message }),
};

function line(data: unknown): string {
  return `${JSON.stringify(data)}\n`;
}

function chunk(message: unknown): string {
  return line({ model: "fake", created_at: "2026-01-01T00:00:00Z", message, done: false });
}

/** Calls come whole, each in a line of its own. Ollama has no refusals; one is said in the answer. */
function frames(reply: Reply, _turn: number): Frames {
  const usage = usageOf(reply);
  return {
    content: [
      ...pieces(reply.thinking).map((thinking) => chunk({ role: "assistant", content: "", thinking })),
      ...pieces(reply.text).map((content) => chunk({ role: "assistant", content })),
      ...pieces(reply.refusal).map((content) => chunk({ role: "assistant", content })),
      ...(reply.toolCalls ?? []).map((call) => {
        const made = { name: call.name, arguments: call.raw ?? call.arguments ?? {} };
        return chunk({
          role: "assistant",
          content: "",
          tool_calls: [{ ...(typeof call.id === "string" ? { id: call.id } : {}), function: made }],
        });
      }),
    ],
    finish: [line({
      model: "fake",
      message: { role: "assistant", content: "" },
      done: true,
      done_reason: reply.finish === "length" ? "length" : "stop",
      ...(usage === undefined ? {} : { prompt_eval_count: usage.input, eval_count: usage.output }),
    })],
  };
}

function problemIn(json: unknown): string | undefined {
  if (at(json, "stream") !== true) return "stream must be true";
  const misplaced = ["temperature", "top_p", "num_ctx", "num_predict"].find((key) => at(json, key) !== undefined);
  if (misplaced !== undefined) return `${misplaced} belongs in options`;
  let open = 0;
  for (const message of listAt(json, "messages")) {
    if (at(message, "role") === "tool") {
      if (open-- <= 0) return "a result without a call";
      continue;
    }
    if (open > 0) return "a call without a result";
    const calls = listAt(message, "tool_calls");
    open = calls.length;
    if (calls.some((call) => typeof at(call, "function", "arguments") !== "object")) {
      return "arguments must be an object";
    }
  }
  return open > 0 ? "a call without a result" : undefined;
}
