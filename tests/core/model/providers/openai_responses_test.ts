/** What is particular to the responses protocol. */
import assert from "node:assert/strict";
import type { ModelMessage } from "../../../../core/model/mod.ts";
import { Outbox } from "../../../../core/model/providers/outbox.ts";
import { at, listAt } from "../../../providers/mod.ts";
import { type Answer, bodyOf, question, summary, targetOf } from "./rig.ts";

const MODEL = "openai:m;tools,thinking,vision";

function decode(frames: readonly unknown[]): Answer {
  const { codec, target } = targetOf(MODEL);
  const out = new Outbox();
  const decoder = codec.decoder(question(), target, out);
  for (const frame of frames) if (decoder.frame(frame)) break;
  assert.ok(decoder.end());
  return summary(out.take());
}

const COMPLETED = { type: "response.completed", response: { status: "completed" } };

function inputOf(messages: readonly ModelMessage[]): readonly unknown[] {
  return listAt(bodyOf(MODEL, question({ messages })).body, "input");
}

Deno.test("responses: nothing is stored, the system text is the instructions, tools are flat", () => {
  const { body } = bodyOf(MODEL, question({ cacheKey: "c1", toolChoice: "none" }));
  assert.equal(at(body, "store"), false);
  assert.equal(at(body, "instructions"), "Be brief.");
  assert.equal(at(body, "prompt_cache_key"), "c1");
  assert.equal(at(body, "tool_choice"), "none");
  assert.equal(at(body, "tools", 1, "name"), "calculate");
  assert.equal(at(body, "tools", 1, "strict"), false);
});

Deno.test("responses: messages become items in the protocol's own shapes", () => {
  const png = { media_type: "image/png", data: new Uint8Array([1, 2, 3]) };
  const signature = { provider: "openai:m", data: JSON.stringify({ id: "rs_1", encrypted_content: "zz" }) };
  assert.deepEqual(
    inputOf([
      { role: "user", text: "Look", images: [png] },
      {
        role: "assistant",
        parts: [
          { type: "thinking", text: "hm", signature },
          { type: "thinking", text: "another model's", signature: { provider: "openai:other", data: "{}" } },
          { type: "text", text: "I look." },
          { type: "tool_call", call: "a", name: "now", arguments: { x: 1 } },
        ],
      },
      { role: "tool", call: "a", name: "now", result: "noon", images: [png] },
      { role: "assistant", parts: [{ type: "thinking", text: "stopped here", signature }] },
    ]),
    [
      {
        role: "user",
        content: [
          { type: "input_text", text: "Look" },
          { type: "input_image", image_url: "data:image/png;base64,AQID" },
        ],
      },
      {
        type: "reasoning",
        id: "rs_1",
        summary: [{ type: "summary_text", text: "hm" }],
        encrypted_content: "zz",
      },
      { role: "assistant", content: [{ type: "output_text", text: "I look." }] },
      { type: "function_call", call_id: "a", name: "now", arguments: '{"x":1}' },
      {
        type: "function_call_output",
        call_id: "a",
        output: [
          { type: "input_text", text: "noon" },
          { type: "input_image", image_url: "data:image/png;base64,AQID" },
        ],
      },
    ],
  );
});

Deno.test("responses: structured output is a text format", () => {
  const schema = { type: "object", properties: {}, additionalProperties: false };
  const { body } = bodyOf(MODEL, question({ schema: { name: "title", schema } }));
  assert.deepEqual(at(body, "text", "format"), { type: "json_schema", name: "title", strict: true, schema });
});

Deno.test("responses: the paragraphs of a summary are parted, and its signature ends the thinking", () => {
  const item = { type: "reasoning", id: "rs_1" };
  const answer = decode([
    { type: "response.output_item.added", output_index: 0, item },
    { type: "response.reasoning_summary_part.added", output_index: 0 },
    { type: "response.reasoning_summary_text.delta", output_index: 0, delta: "one" },
    { type: "response.reasoning_summary_part.added", output_index: 0 },
    { type: "response.reasoning_summary_text.delta", output_index: 0, delta: "two" },
    { type: "response.output_item.done", output_index: 0, item: { ...item, encrypted_content: "zz" } },
    { type: "response.output_text.delta", output_index: 1, delta: "yes" },
    COMPLETED,
  ]);
  assert.equal(answer.thinking, "one\n\ntwo");
  assert.deepEqual(answer.events.map((event) => event.type), ["thinking", "signature", "text", "stop"]);
});

Deno.test("responses: a call that comes only as a finished item is whole", () => {
  const item = { type: "function_call", id: "fc_1", call_id: "a", name: "now", arguments: '{"x":1}' };
  const answer = decode([{ type: "response.output_item.done", output_index: 0, item }, COMPLETED]);
  assert.deepEqual(answer.calls, [{ name: "now", arguments: { x: 1 } }]);
  assert.equal(answer.stop, "tool_calls");
});

Deno.test("responses: incomplete for the content filter is a refusal, for anything else cut short", () => {
  const incomplete = (reason: string) => ({
    type: "response.incomplete",
    response: { status: "incomplete", incomplete_details: { reason } },
  });
  assert.equal(decode([incomplete("content_filter")]).stop, "refusal");
  const cut = decode([incomplete("max_output_tokens")]);
  assert.deepEqual([cut.stop, cut.providerReason], ["length", "max_output_tokens"]);
});

Deno.test("responses: a failed response is the error it holds", () => {
  const { codec, target } = targetOf(MODEL);
  const decoder = codec.decoder(question(), target, new Outbox());
  const failed = {
    type: "response.failed",
    response: { error: { code: "rate_limit_exceeded", message: "slow down" } },
  };
  assert.throws(() => decoder.frame(failed), { status: 429, detail: "slow down", retryable: true });
  const invalid = { type: "error", error: { type: "invalid_request_error", message: "no" } };
  assert.throws(() => decoder.frame(invalid), { status: 400, retryable: false });
});

Deno.test("responses: the phase of a message is kept with its text and sent back", () => {
  const answer = decode([
    { type: "response.output_text.delta", output_index: 0, delta: "Wait." },
    { type: "response.output_item.done", output_index: 0, item: { type: "message", phase: "commentary" } },
    { type: "response.output_text.delta", output_index: 1, delta: "Done." },
    { type: "response.output_item.done", output_index: 1, item: { type: "message" } },
    COMPLETED,
  ]);
  assert.deepEqual(answer.events.map((event) => event.type), ["text", "signature", "text", "stop"]);
  const signed = answer.events.find((event) => event.type === "signature");
  assert.ok(signed?.type === "signature" && signed.of === "text");
  const [item, plain] = inputOf([{
    role: "assistant",
    parts: [{ type: "text", text: "Wait.", signature: signed.signature }, { type: "text", text: "Done." }],
  }]);
  assert.deepEqual(item, { role: "assistant", phase: "commentary", content: [{ type: "output_text", text: "Wait." }] });
  assert.deepEqual(plain, { role: "assistant", content: [{ type: "output_text", text: "Done." }] });
});
