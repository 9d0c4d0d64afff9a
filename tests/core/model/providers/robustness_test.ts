/** Whatever a server sends, a decoder ends in events or a `Fault`. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { Fault } from "../../../../core/model/providers/fault.ts";
import { Outbox } from "../../../../core/model/providers/outbox.ts";
import { PROTOCOLS, type Reply, startFakeProvider } from "../../../providers/mod.ts";
import { clientFor, kindOf, question, take, targetOf } from "./rig.ts";

const STREAM = { "content-type": "text/event-stream" };

const MODELS = [
  "openai-compat:m@http://localhost:1/v1;think_tags",
  "openai:m;thinking",
  "anthropic:m;thinking",
  "ollama:m;think_tags",
  "google:m;thinking",
];

/** Keys and values that decoders look for, in places where they do not belong. */
const WORDS = [
  "type",
  "choices",
  "delta",
  "content",
  "tool_calls",
  "function",
  "arguments",
  "index",
  "finish_reason",
  "usage",
  "error",
  "message",
  "done",
  "candidates",
  "parts",
  "functionCall",
  "thoughtSignature",
  "item",
  "response",
  "output_index",
  "status",
  "content_block",
  "stop_reason",
  "usageMetadata",
  "promptFeedback",
  "blockReason",
  "reasoning_details",
  "refusal",
  "name",
];
const TYPES = [
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "tool_use",
  "text_delta",
  "function_call",
  "response.output_item.added",
  "response.output_item.done",
  "response.function_call_arguments.delta",
  "response.completed",
  "response.failed",
  "error",
  "input_json_delta",
  "redacted_thinking",
  "stop",
  "length",
  "STOP",
];

const FRAME = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<unknown>(null, true, -1, 0, 1.5, "", "x", '{"a":1}'),
    fc.constantFrom(...TYPES),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...WORDS), tie("value"), { maxKeys: 5 }),
  ),
})).value;

for (const model of MODELS) {
  Deno.test(`${model}: no frame makes the decoder throw anything but a Fault, and every start has its end`, () => {
    fc.assert(
      fc.property(fc.array(FRAME, { maxLength: 8 }), (frames) => {
        const { codec, target } = targetOf(model);
        const out = new Outbox();
        const decoder = codec.decoder(question(), target, out);
        try {
          for (const frame of frames) decoder.frame(frame);
          if (!decoder.end()) return;
        } catch (error) {
          assert.ok(error instanceof Fault, String(error));
          return;
        }
        const events = out.take();
        assert.equal(events.filter((event) => event.type === "stop").length, 1);
        assert.equal(events.at(-1)?.type, "stop");
        const count = (type: string) => events.filter((event) => event.type === type).length;
        assert.equal(count("tool_start"), count("tool_call"));
      }),
      { numRuns: 400 },
    );
  });
}

const WHOLE: Reply = {
  thinking: "I wonder.",
  text: "Mālama 🌺 pono",
  toolCalls: [{ name: "now", arguments: { zone: "ʻāina" } }, { name: "calculate", arguments: { expression: "6*7" } }],
};

for (const protocol of PROTOCOLS) {
  Deno.test(`${protocol}: an answer cut at any byte is whole or an error, and never says more than was sent`, async () => {
    await using provider = startFakeProvider(protocol, [WHOLE]);
    let bytes = new Uint8Array();
    const recording: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      bytes = new Uint8Array(await response.arrayBuffer());
      return new Response(bytes, { headers: response.headers });
    };
    const whole = await take(clientFor(provider.modelString, { fetch: recording }));
    assert.equal(whole.stop, "tool_calls");
    for (let length = 0; length < bytes.length; length += 5) {
      const cut: typeof fetch = () => Promise.resolve(new Response(bytes.subarray(0, length), { headers: STREAM }));
      const answer = await take(clientFor(provider.modelString, { fetch: cut, attempts: 1 }));
      assert.ok(whole.text.startsWith(answer.text));
      assert.ok(whole.thinking.startsWith(answer.thinking));
      assert.deepEqual(answer.calls, whole.calls.slice(0, answer.calls.length));
      assert.equal(answer.error === undefined, answer.stop !== undefined);
      if (answer.error === undefined) assert.deepEqual(answer.calls, whole.calls);
      else assert.equal(kindOf(answer.error), "incomplete");
    }
  });

  Deno.test(`${protocol}: an answer that is a web page, or plain JSON, ends in a clear error`, async () => {
    for (const body of ["<html>Sign in</html>", '{"ok": true}', "", "data: hello\n\n"]) {
      await using provider = startFakeProvider(protocol, [{ status: { code: 200, body } }]);
      const { error } = await take(clientFor(provider.modelString));
      assert.equal(kindOf(error), "incomplete", `${body} ${error}`);
    }
  });
}

Deno.test("a success that holds an error instead of a stream is that error", async () => {
  const body = JSON.stringify({ error: { message: "model is loading", code: 503 } });
  await using provider = startFakeProvider("openai-chat", [{ status: { code: 200, body } }, { text: "Yes" }]);
  const answer = await take(clientFor(provider.modelString));
  assert.equal(answer.text, "Yes");
  assert.equal(provider.requests.length, 2);
});

Deno.test("counts that no model can have used are bounded, so that their sum can be stored", async () => {
  const usage = { prompt_tokens: 1.7e308, completion_tokens: -5, prompt_tokens_details: { cached_tokens: 1.5 } };
  const body = [
    { choices: [{ delta: { content: "Yes" }, finish_reason: "stop" }], usage },
  ].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
  const answering: typeof fetch = () => Promise.resolve(new Response(body, { headers: STREAM }));
  const answer = await take(clientFor("openai-compat:m@http://localhost:1/v1", { fetch: answering }));
  assert.deepEqual(answer.usage, {
    input_tokens: Number.MAX_SAFE_INTEGER,
    output_tokens: 0,
    cached_tokens: 2,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
  });
});

Deno.test("a frame nested past what a stack holds ends in a clear error", async () => {
  const deep = "[".repeat(50_000) + "]".repeat(50_000);
  const line = `{"message":{"tool_calls":[{"function":{"name":"now","arguments":{"a":${deep}}}}]},"done":true}\n`;
  const answering: typeof fetch = () => Promise.resolve(new Response(line));
  const { error } = await take(clientFor("ollama:m@http://localhost:1;tools", { fetch: answering, attempts: 1 }));
  assert.equal(kindOf(error), "incomplete");
  assert.match(String(error), /nested too deeply/);
});

Deno.test("a web page at the address of a model is told as such", async () => {
  const page = () => new Response("<html>Sign in</html>", { headers: { "content-type": "text/html; charset=utf-8" } });
  const { error } = await take(
    clientFor("openai-compat:m@http://localhost:1/v1", { fetch: () => Promise.resolve(page()) }),
  );
  assert.match(String(error), /could not be read: it answered with a web page\. Check that the address is right/);
});
