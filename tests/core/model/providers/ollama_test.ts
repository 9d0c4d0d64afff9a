/** What is particular to Ollama's own protocol. */
import assert from "node:assert/strict";
import { Outbox } from "../../../../core/model/providers/outbox.ts";
import { at, listAt, startFakeProvider } from "../../../providers/mod.ts";
import { type Answer, bodyOf, clientFor, kindOf, question, summary, take, targetOf } from "./rig.ts";

const MODEL = "ollama:m;tools,vision,thinking";

function decode(lines: readonly unknown[], model = MODEL): Answer {
  const { codec, target } = targetOf(model);
  const out = new Outbox();
  const decoder = codec.decoder(question(), target, out);
  for (const line of lines) if (decoder.frame(line)) break;
  assert.ok(decoder.end());
  return summary(out.take());
}

Deno.test("ollama: messages are written in the protocol's own shapes, pictures inline", () => {
  const png = { media_type: "image/png", data: new Uint8Array([1, 2, 3]) };
  const { body } = bodyOf(
    MODEL,
    question({
      messages: [
        { role: "user", text: "Look", images: [png] },
        {
          role: "assistant",
          parts: [
            { type: "thinking", text: "hm" },
            { type: "text", text: "I look." },
            { type: "tool_call", call: "a", name: "now", arguments: { x: 1 } },
          ],
        },
        { role: "tool", call: "a", name: "now", result: "noon", images: [png] },
      ],
    }),
  );
  assert.deepEqual(at(body, "messages"), [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Look", images: ["AQID"] },
    {
      role: "assistant",
      content: "I look.",
      thinking: "hm",
      tool_calls: [{ id: "a", function: { name: "now", arguments: { x: 1 } } }],
    },
    { role: "tool", content: "noon", tool_name: "now", tool_call_id: "a", images: ["AQID"] },
  ]);
});

Deno.test("ollama: a model that does not think gets no thinking back", () => {
  const messages = [{
    role: "assistant" as const,
    parts: [{ type: "thinking" as const, text: "hm" }, { type: "text" as const, text: "a" }],
  }];
  const { text } = bodyOf("ollama:m", question({ messages }));
  assert.ok(!text.includes("hm"));
});

Deno.test("ollama: a round that must not call sees no tools, because there is no way to forbid it", () => {
  assert.equal(listAt(bodyOf(MODEL, question()).body, "tools").length, 2);
  assert.equal(at(bodyOf(MODEL, question({ toolChoice: "none" })).body, "tools"), undefined);
});

Deno.test("ollama: structured output is the format", () => {
  const schema = { type: "object", properties: {} };
  assert.deepEqual(at(bodyOf(MODEL, question({ schema: { name: "title", schema } })).body, "format"), schema);
});

Deno.test("ollama: extra fields join the body, and extra options join the options", () => {
  const { body } = bodyOf(
    'ollama:m;extra.keep_alive="5m",extra.options={"num_gpu":1,"seed":7}',
    question({ generation: { context_length: 4096 } }),
  );
  assert.equal(at(body, "keep_alive"), "5m");
  assert.deepEqual(at(body, "options"), { num_ctx: 4096, num_gpu: 1, seed: 7 });
});

Deno.test("ollama: think tags in the content are split under the flag", () => {
  const lines = [{ message: { content: "<think>hm</th" } }, { message: { content: "ink> yes" } }, { done: true }];
  const answer = decode(lines, `${MODEL},think_tags`);
  assert.deepEqual([answer.thinking, answer.text], ["hm", "yes"]);
});

Deno.test("ollama: arguments may be text, and may be missing", () => {
  const answer = decode([
    { message: { tool_calls: [{ function: { name: "now", arguments: '{"x":1}' } }, { function: { name: "now" } }] } },
    { done: true, done_reason: "stop" },
  ]);
  assert.deepEqual(answer.calls.map((call) => call.arguments), [{ x: 1 }, {}]);
  assert.deepEqual([answer.stop, answer.providerReason], ["tool_calls", "stop"]);
});

Deno.test("ollama: a prompt that was wholly cached has no count, and the rest still counts", () => {
  assert.equal(decode([{ done: true, eval_count: 4 }]).usage?.output_tokens, 4);
  assert.equal(decode([{ done: true }]).usage, undefined);
});

Deno.test("ollama: a model that takes no tools is refused with its own words", async () => {
  const message = "fake-1 does not support tools";
  await using provider = startFakeProvider("ollama", [{ status: { code: 400, message } }]);
  const { error } = await take(clientFor(provider.modelString));
  assert.equal(kindOf(error), "rejected");
  assert.match(String(error), /does not support tools/);
});
