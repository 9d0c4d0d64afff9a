/** What is particular to Anthropic's messages. */
import assert from "node:assert/strict";
import type { AssistantPart, ModelMessage } from "../../../../core/model/mod.ts";
import { Outbox } from "../../../../core/model/providers/outbox.ts";
import { at, listAt, startFakeProvider } from "../../../providers/mod.ts";
import { type Answer, bodyOf, clientFor, type Known, question, summary, take, targetOf } from "./rig.ts";

const MODEL = "anthropic:m;tools,thinking,vision";
const PLAIN: Known = { quirks: {} };
const MARK = { type: "ephemeral" };
const SIGNED = { provider: "anthropic:m", data: "sig" };

function decode(frames: readonly unknown[]): Answer {
  const { codec, target } = targetOf(MODEL);
  const out = new Outbox();
  const decoder = codec.decoder(question(), target, out);
  for (const frame of frames) if (decoder.frame(frame)) break;
  assert.ok(decoder.end());
  return summary(out.take());
}

function messagesOf(messages: readonly ModelMessage[]): readonly unknown[] {
  return listAt(bodyOf(MODEL, question({ messages }), PLAIN).body, "messages");
}

Deno.test("anthropic: the end of system, tools and messages is marked for the cache, and nothing else", () => {
  const { body, text } = bodyOf(MODEL, question(), PLAIN);
  assert.deepEqual(at(body, "system", -1, "cache_control"), MARK);
  assert.deepEqual(at(body, "tools", -1, "cache_control"), MARK);
  assert.deepEqual(at(body, "messages", -1, "content", -1, "cache_control"), MARK);
  assert.equal(text.split("cache_control").length - 1, 3);
});

Deno.test("anthropic: messages are written in the protocol's own shapes, results of a round as one", () => {
  const png = { media_type: "image/png", data: new Uint8Array([1, 2, 3]) };
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AQID" } };
  assert.deepEqual(
    messagesOf([
      { role: "user", text: "Look", images: [png] },
      {
        role: "assistant",
        parts: [
          { type: "thinking", text: "hm", signature: SIGNED },
          { type: "thinking", text: "", signature: { provider: "anthropic:m", data: "redacted:zz" } },
          { type: "thinking", text: "unsigned" },
          { type: "text", text: " " },
          { type: "tool_call", call: "functions.now:0", name: "now", arguments: { x: 1 } },
          { type: "tool_call", call: "b", name: "now", arguments: "{broken" },
        ],
      },
      { role: "tool", call: "functions.now:0", name: "now", result: "noon", images: [png] },
      { role: "tool", call: "b", name: "now", result: "no", failed: true },
      { role: "user", text: "  " },
    ]),
    [
      { role: "user", content: [image, { type: "text", text: "Look" }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "sig" },
          { type: "redacted_thinking", data: "zz" },
          { type: "tool_use", id: "functions_now_0", name: "now", input: { x: 1 } },
          { type: "tool_use", id: "b", name: "now", input: { malformed_arguments: "{broken" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "functions_now_0", content: [{ type: "text", text: "noon" }, image] },
          { type: "tool_result", tool_use_id: "b", content: "no", is_error: true },
        ],
      },
      { role: "user", content: [{ type: "text", text: "(nothing)", cache_control: MARK }] },
    ],
  );
});

Deno.test("anthropic: an answer that was only thought is left out", () => {
  const list = messagesOf([
    { role: "user", text: "a" },
    { role: "assistant", parts: [{ type: "thinking", text: "stopped here", signature: SIGNED }] },
    { role: "user", text: "b" },
  ]);
  assert.deepEqual(list.map((message) => at(message, "role")), ["user", "user"]);
});

Deno.test("anthropic: thinking is not asked for in a tool loop that began without it", () => {
  const loop = (parts: readonly AssistantPart[]): readonly ModelMessage[] => [
    { role: "user", text: "a" },
    { role: "assistant", parts: [...parts, { type: "tool_call", call: "c", name: "now", arguments: {} }] },
    { role: "tool", call: "c", name: "now", result: "noon" },
  ];
  const thinking = (parts: readonly AssistantPart[], known: Known = PLAIN) =>
    at(bodyOf(MODEL, question({ messages: loop(parts), thinking: "low" }), known).body, "thinking", "type");
  assert.equal(thinking([]), undefined);
  assert.equal(thinking([{ type: "thinking", text: "hm" }]), undefined);
  assert.equal(thinking([{ type: "thinking", text: "hm", signature: SIGNED }]), "enabled");
  assert.equal(thinking([], { quirks: { adaptiveThinking: true } }), "adaptive");
});

Deno.test("anthropic: hidden thinking becomes a signature of its own", () => {
  const answer = decode([
    { type: "content_block_start", index: 0, content_block: { type: "redacted_thinking", data: "zz" } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" } },
    { type: "message_stop" },
  ]);
  const signature = answer.events.find((event) => event.type === "signature");
  assert.deepEqual(signature, {
    type: "signature",
    of: "thinking",
    signature: { provider: "anthropic:m", data: "redacted:zz" },
  });
});

Deno.test("anthropic: the input's three parts add up, and later counts beat earlier ones", () => {
  const usage = { input_tokens: 10, cache_read_input_tokens: 80, cache_creation_input_tokens: 5, output_tokens: 1 };
  const answer = decode([
    { type: "message_start", message: { usage } },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { input_tokens: null, output_tokens: 33 } },
    { type: "message_stop" },
  ]);
  assert.deepEqual(answer.usage, {
    input_tokens: 95,
    output_tokens: 33,
    cached_tokens: 80,
    cache_write_tokens: 5,
    reasoning_tokens: 0,
  });
});

Deno.test("anthropic: a full window is cut short, a refusal without words gets some", () => {
  const end = (stop_reason: string) =>
    decode([{ type: "message_delta", delta: { stop_reason } }, { type: "message_stop" }]);
  assert.equal(end("model_context_window_exceeded").stop, "length");
  assert.equal(end("refusal").refusal, "The model declined to answer");
  assert.equal(end("stop_sequence").stop, "end");
});

Deno.test("anthropic: structured output is a format where the model has one", () => {
  const schema = { name: "title", schema: { type: "object" } };
  const { body } = bodyOf(`${MODEL},structured`, question({ schema, thinking: true }), PLAIN);
  assert.deepEqual(at(body, "output_config"), { format: { type: "json_schema", schema: schema.schema } });
  assert.equal(listAt(body, "tools").length, 2);
});

Deno.test("anthropic: elsewhere a tool is forced, and its arguments are the answer's text", async () => {
  await using provider = startFakeProvider("anthropic", [{
    toolCalls: [{ name: "title", arguments: { title: "Aloha" } }],
  }]);
  const schema = { name: "title", schema: { type: "object", properties: { title: { type: "string" } } } };
  const answer = await take(clientFor(provider.modelString), question({ schema, thinking: "high" }));
  assert.deepEqual(JSON.parse(answer.text), { title: "Aloha" });
  assert.deepEqual(answer.calls, []);
  assert.equal(answer.stop, "end");
  const body = provider.requests[0]?.json;
  assert.deepEqual(at(body, "tool_choice"), { type: "tool", name: "title" });
  assert.equal(at(body, "tools", -1, "name"), "title");
  assert.equal(at(body, "thinking"), undefined);
});

Deno.test("anthropic: tools stay in the body when they must not be called", () => {
  const { body } = bodyOf(MODEL, question({ toolChoice: "none" }), PLAIN);
  assert.deepEqual(at(body, "tool_choice"), { type: "none" });
  assert.equal(listAt(body, "tools").length, 2);
});

Deno.test("anthropic: the version and the key are headers", () => {
  const { codec } = targetOf(MODEL);
  assert.deepEqual(codec.headers("k"), { "anthropic-version": "2023-06-01", "x-api-key": "k" });
  assert.deepEqual(codec.headers(undefined), { "anthropic-version": "2023-06-01" });
});
