/** What is particular to chat completions and the servers that speak it. */
import assert from "node:assert/strict";
import type { ModelEvent, ModelMessage } from "../../../../core/model/mod.ts";
import { Outbox } from "../../../../core/model/providers/outbox.ts";
import { at, listAt } from "../../../providers/mod.ts";
import { type Answer, bodyOf, type Known, question, summary, targetOf } from "./rig.ts";

const LOCAL = "openai-compat:m@http://localhost:1/v1;tools,vision";

/** The events of these chunks. */
function decode(chunks: readonly unknown[], model = LOCAL): Answer {
  const { codec, target } = targetOf(model);
  const out = new Outbox();
  const decoder = codec.decoder(question(), target, out);
  const events: ModelEvent[] = [];
  for (const chunk of chunks) {
    decoder.frame(chunk);
    events.push(...out.take());
  }
  assert.ok(decoder.end());
  return summary([...events, ...out.take()]);
}

const delta = (value: unknown) => ({ choices: [{ delta: value }] });
const stop = (finish_reason: string) => ({ choices: [{ delta: {}, finish_reason }] });
const piece = (value: Record<string, unknown>, made: Record<string, unknown>) =>
  delta({ tool_calls: [{ ...value, function: made }] });

function messagesOf(messages: readonly ModelMessage[], model = LOCAL, known: Known = {}): readonly unknown[] {
  return listAt(bodyOf(model, question({ messages }), known).body, "messages");
}

Deno.test("chat: thinking is read from reasoning_content and from reasoning, but not twice", () => {
  const answer = decode([
    delta({ reasoning_content: "a" }),
    delta({ reasoning: "b" }),
    delta({ reasoning_content: "c", reasoning: "c" }),
    stop("stop"),
  ]);
  assert.equal(answer.thinking, "abc");
});

Deno.test("chat: content may be a list of parts, thinking among them (Mistral)", () => {
  const answer = decode([
    delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] }),
    delta({ content: [{ type: "text", text: "yes" }] }),
    stop("stop"),
  ]);
  assert.deepEqual([answer.thinking, answer.text], ["hm", "yes"]);
});

Deno.test("chat: think tags are split under the flag, and left alone without it", () => {
  const chunks = [delta({ content: "<thi" }), delta({ content: "nk>hm</think>\n\nyes" }), stop("stop")];
  const split = decode(chunks, `${LOCAL},think_tags`);
  assert.deepEqual([split.thinking, split.text], ["hm", "yes"]);
  assert.equal(decode(chunks).text, "<think>hm</think>\n\nyes");
  assert.equal(decode(chunks, `${LOCAL},think_tags=false`).thinking, "");
});

Deno.test("chat: half a tag at the end is text, and comes before the stop", () => {
  const answer = decode([delta({ content: "a <thi" }), stop("stop")], `${LOCAL},think_tags`);
  assert.equal(answer.text, "a <thi");
  assert.equal(answer.events.at(-1)?.type, "stop");
});

Deno.test("chat: servers that give every call the index 0 are told apart by ids", () => {
  const answer = decode([
    piece({ index: 0, id: "a" }, { name: "now", arguments: '{"x":1}' }),
    piece({ index: 0, id: "b" }, { name: "now", arguments: '{"x":2}' }),
    stop("tool_calls"),
  ]);
  assert.deepEqual(answer.calls.map((call) => call.arguments), [{ x: 1 }, { x: 2 }]);
});

Deno.test("chat: servers that give neither index nor id are told apart by a name after whole arguments", () => {
  const answer = decode([
    piece({}, { name: "now", arguments: '{"x":1}' }),
    piece({}, { name: "calculate", arguments: '{"x":' }),
    piece({}, { arguments: "2}" }),
    stop("stop"),
  ]);
  assert.deepEqual(answer.calls, [{ name: "now", arguments: { x: 1 } }, { name: "calculate", arguments: { x: 2 } }]);
  assert.equal(answer.stop, "tool_calls");
});

Deno.test("chat: id and name repeated with every piece are one call", () => {
  const answer = decode([
    piece({ index: 0, id: "a" }, { name: "now", arguments: '{"x"' }),
    piece({ index: 0, id: "a" }, { name: "now", arguments: ":1}" }),
    stop("tool_calls"),
  ]);
  assert.deepEqual(answer.calls, [{ name: "now", arguments: { x: 1 } }]);
});

Deno.test("chat: arguments given as an object are taken as they are", () => {
  const answer = decode([piece({ index: 0, id: "a" }, { name: "now", arguments: { x: 1 } }), stop("tool_calls")]);
  assert.deepEqual(answer.calls[0]?.arguments, { x: 1 });
});

Deno.test("chat: a call is complete when the next one starts, and not before", () => {
  const answer = decode([
    piece({ index: 0, id: "a" }, { name: "now", arguments: "{}" }),
    piece({ index: 1, id: "b" }, { name: "now", arguments: "" }),
    piece({ index: 1 }, { arguments: '{"late": 1}' }),
    stop("tool_calls"),
  ]);
  const kinds = answer.events.map((event) => "call" in event ? `${event.type} ${event.call}` : event.type);
  assert.ok(kinds.indexOf("tool_call a") < kinds.indexOf("tool_start b"));
});

Deno.test("chat: the content filter is a refusal with words", () => {
  const answer = decode([delta({ content: "It beg" }), stop("content_filter")]);
  assert.equal(answer.stop, "refusal");
  assert.match(answer.refusal, /content filter/);
});

Deno.test("chat: usage is read wherever a server puts it", () => {
  const usage = { prompt_tokens: 5, completion_tokens: 2 };
  assert.equal(decode([stop("stop"), { choices: [], usage }]).usage?.input_tokens, 5);
  assert.equal(decode([{ ...stop("stop"), x_groq: { usage } }]).usage?.output_tokens, 2);
  assert.equal(decode([stop("stop"), { usage: { ...usage, prompt_cache_hit_tokens: 4 } }]).usage?.cached_tokens, 4);
});

Deno.test("chat: OpenRouter's signed thinking is kept with its part and sent back as it was", () => {
  const details = [{ type: "reasoning.text", index: 0, text: "I won", signature: null }];
  const answer = decode([
    delta({ reasoning: "I won", reasoning_details: details }),
    delta({ reasoning: "der", reasoning_details: [{ type: "reasoning.text", index: 0, text: "der", signature: "s" }] }),
    piece({ index: 0, id: "a" }, { name: "now", arguments: "{}" }),
    delta({ reasoning_details: [{ type: "reasoning.encrypted", index: 1, data: "zz" }] }),
    stop("tool_calls"),
  ], "openrouter:m;tools");
  const signatures = answer.events.filter((event) => event.type === "signature");
  assert.deepEqual(signatures.map((event) => [event.of, event.call]), [["thinking", undefined], ["tool_call", "a"]]);
  const kinds = answer.events.map((event) => event.type);
  assert.ok(kinds.lastIndexOf("signature") < kinds.indexOf("tool_call"));
  const [thinking, call] = signatures.map((event) => event.signature);
  const message: ModelMessage = {
    role: "assistant",
    parts: [
      { type: "thinking", text: "I wonder", ...(thinking ? { signature: thinking } : {}) },
      { type: "tool_call", call: "a", name: "now", arguments: {}, ...(call ? { signature: call } : {}) },
    ],
  };
  const [, back] = messagesOf([message], "openrouter:m");
  assert.deepEqual(at(back, "reasoning_details"), [
    { type: "reasoning.text", index: 0, text: "I wonder", signature: "s" },
    { type: "reasoning.encrypted", index: 1, data: "zz" },
  ]);
  assert.equal(at(messagesOf([message], "openrouter:other")[1], "reasoning_details"), undefined);
});

Deno.test("chat: messages are written in the protocol's own shapes", () => {
  const png = { media_type: "image/png", data: new Uint8Array([1, 2, 3]) };
  assert.deepEqual(
    messagesOf([
      { role: "user", text: "Look", images: [png] },
      {
        role: "assistant",
        parts: [
          { type: "thinking", text: "not sent" },
          { type: "text", text: "I look." },
          { type: "tool_call", call: "a", name: "now", arguments: { x: 1 } },
          { type: "tool_call", call: "b", name: "now", arguments: "{broken" },
        ],
      },
      { role: "tool", call: "a", name: "now", result: "noon", images: [png] },
      { role: "tool", call: "b", name: "now", result: "no" },
      { role: "assistant", parts: [{ type: "thinking", text: "stopped here" }] },
      { role: "user", text: "Go on" },
    ]),
    [
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [{ type: "text", text: "Look" }, {
          type: "image_url",
          image_url: { url: "data:image/png;base64,AQID" },
        }],
      },
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [
          { id: "a", type: "function", function: { name: "now", arguments: '{"x":1}' } },
          { id: "b", type: "function", function: { name: "now", arguments: '{"malformed_arguments":"{broken"}' } },
        ],
      },
      { role: "tool", tool_call_id: "a", content: "noon" },
      { role: "tool", tool_call_id: "b", content: "no" },
      {
        role: "user",
        content: [
          { type: "text", text: "Pictures from the tool results above:" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
        ],
      },
      { role: "user", content: "Go on" },
    ],
  );
});

Deno.test("chat: DeepSeek gets its thinking back, others do not", () => {
  const message: ModelMessage = {
    role: "assistant",
    parts: [{ type: "thinking", text: "hm" }, { type: "tool_call", call: "a", name: "now", arguments: {} }],
  };
  const known: Known = { quirks: { replayThinking: true } };
  assert.equal(at(messagesOf([message], "deepseek:m", known)[1], "reasoning_content"), "hm");
  assert.equal(at(messagesOf([message])[1], "reasoning_content"), undefined);
});

Deno.test("chat: Mistral's calls get ids of nine letters and digits, the same in call and result", () => {
  const list = messagesOf([
    { role: "assistant", parts: [{ type: "tool_call", call: "call_abc-1", name: "now", arguments: {} }] },
    { role: "tool", call: "call_abc-1", name: "now", result: "noon" },
    { role: "assistant", parts: [{ type: "tool_call", call: "AbCdEf123", name: "now", arguments: {} }] },
    { role: "tool", call: "AbCdEf123", name: "now", result: "noon" },
  ], "mistral:m");
  const id = at(list[1], "tool_calls", 0, "id");
  assert.match(String(id), /^[A-Za-z0-9]{9}$/);
  assert.equal(at(list[2], "tool_call_id"), id);
  assert.equal(at(list[4], "tool_call_id"), "AbCdEf123");
});

Deno.test("chat: structured output is a schema, strict where the schema allows; or any JSON with the schema said", () => {
  const strict = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };
  const format = (schema: { readonly [key: string]: unknown }, model = LOCAL) =>
    at(bodyOf(model, question({ schema: { name: "title", schema } })).body, "response_format");
  assert.deepEqual(format(strict), {
    type: "json_schema",
    json_schema: { name: "title", strict: true, schema: strict },
  });
  assert.equal(at(format({ type: "object", properties: {} }), "json_schema", "strict"), false);
  for (const model of ["deepseek:m", `${LOCAL},structured=false`]) {
    const { body } = bodyOf(model, question({ schema: { name: "title", schema: strict } }));
    assert.deepEqual(at(body, "response_format"), { type: "json_object" });
    assert.match(
      String(at(body, "messages", 0, "content")),
      /^Be brief\.\n\nAnswer with one JSON object.*additionalProperties/s,
    );
  }
});

Deno.test("chat: tools stay in the body when they must not be called", () => {
  const { body } = bodyOf(LOCAL, question({ toolChoice: "none" }));
  assert.equal(at(body, "tool_choice"), "none");
  assert.equal(listAt(body, "tools").length, 2);
  assert.equal(at(bodyOf(LOCAL, question({ toolChoice: "none", tools: [] })).body, "tool_choice"), undefined);
  assert.equal(at(bodyOf(LOCAL, question()).body, "tool_choice"), undefined);
});

Deno.test("chat: usage is asked for, and the cache key sent, only where the server takes it", () => {
  const body = (model: string) => bodyOf(model, question({ cacheKey: "c1" })).body;
  assert.deepEqual(at(body(LOCAL), "stream_options"), { include_usage: true });
  assert.equal(at(body("mistral:m"), "stream_options"), undefined);
  assert.equal(at(body("openai-chat:m"), "prompt_cache_key"), "c1");
  assert.equal(at(body(LOCAL), "prompt_cache_key"), undefined);
});

Deno.test("chat: no system text means no system message", () => {
  const { body } = bodyOf(LOCAL, question({ system: "" }));
  assert.equal(at(body, "messages", 0, "role"), "user");
});
