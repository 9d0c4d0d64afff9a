/** The server's side of Google's Gemini protocol. */
import { at, listAt, textAt } from "./json_path.ts";
import { type FakeProtocol, type Frames, pieces, type Reply, sse, usageOf } from "./script.ts";

export const geminiProtocol: FakeProtocol = {
  contentType: "text/event-stream",
  provider: "google",
  base: "/v1beta",
  accepts: (path) => /^\/v1beta\/models\/[^/]+:streamGenerateContent\?alt=sse$/.test(path),
  problemIn,
  frames,
  overloaded: () => sse({ error: { code: 503, status: "UNAVAILABLE", message: "The model is overloaded" } }),
  malformed: () => 'data: {"candidates": [{"content"\n\n',
  errorBody: (code, message) => ({ error: { code, message, status: "ERROR" } }),
};

function chunk(part: unknown): string {
  return sse({ candidates: [{ index: 0, content: { role: "model", parts: [part] } }] });
}

/** Calls come whole, each in a part of its own. */
function frames(reply: Reply, _turn: number): Frames {
  const usage = usageOf(reply);
  const usageMetadata = usage === undefined ? undefined : {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output - (usage.reasoning ?? 0),
    thoughtsTokenCount: usage.reasoning ?? 0,
    cachedContentTokenCount: usage.cached ?? 0,
  };
  if (reply.blocked) {
    return { content: [], finish: [sse({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, usageMetadata })] };
  }
  const finishReason = reply.finish === "length" ? "MAX_TOKENS" : reply.refusal !== undefined ? "SAFETY" : "STOP";
  return {
    content: [
      ...pieces(reply.thinking).map((text) => chunk({ text, thought: true })),
      ...(reply.thinking === undefined
        ? []
        : [chunk({ text: "", thought: true, thoughtSignature: reply.signature ?? "signed" })]),
      ...pieces(reply.text).map((text) => chunk({ text })),
      ...(reply.toolCalls ?? []).map((call) =>
        chunk({
          functionCall: {
            ...(typeof call.id === "string" ? { id: call.id } : {}),
            name: call.name,
            args: call.arguments ?? {},
          },
          ...(call.signature === undefined ? {} : { thoughtSignature: call.signature }),
        })
      ),
    ],
    finish: [sse({
      candidates: [{ index: 0, content: { role: "model", parts: [] }, finishReason, finishMessage: reply.refusal }],
      usageMetadata,
    })],
  };
}

function problemIn(json: unknown): string | undefined {
  const contents = listAt(json, "contents");
  if (contents.length === 0) return "contents must not be empty";
  let open: readonly string[] = [];
  for (const content of contents) {
    const parts = listAt(content, "parts");
    if (parts.length === 0) return "a content without parts";
    const answered = idsOf(parts, "functionResponse");
    if (answered.length !== open.length) return "function responses must match the function calls before them";
    if (answered.some((id) => !open.includes(id))) return "a function response for an unknown id";
    open = idsOf(parts, "functionCall");
  }
  return open.length > 0 ? "a function call without a response" : undefined;
}

function idsOf(parts: readonly unknown[], kind: string): readonly string[] {
  return parts.filter((part) => at(part, kind) !== undefined).map((part) => textAt(part, kind, "id"));
}
