/** What is particular to Gemini. */
import assert from "node:assert/strict";
import type { Signature } from "../../../../core/log/mod.ts";
import type { ModelMessage } from "../../../../core/model/mod.ts";
import { Outbox } from "../../../../core/model/providers/outbox.ts";
import { at, listAt } from "../../../providers/mod.ts";
import { type Answer, bodyOf, question, summary, targetOf } from "./rig.ts";

const MODEL = "google:m;tools,thinking,vision";

function decode(chunks: readonly unknown[]): Answer {
  const { codec, target } = targetOf(MODEL);
  const out = new Outbox();
  const decoder = codec.decoder(question(), target, out);
  for (const chunk of chunks) decoder.frame(chunk);
  assert.ok(decoder.end());
  return summary(out.take());
}

const parts = (...list: readonly unknown[]) => ({ candidates: [{ content: { parts: list } }] });
const stop = (finishReason: string) => ({ candidates: [{ finishReason }] });
const signed = (data: string): { readonly signature: Signature } => ({ signature: { provider: "google:m", data } });

function contentsOf(messages: readonly ModelMessage[], model = MODEL): readonly unknown[] {
  return listAt(bodyOf(model, question({ messages })).body, "contents");
}

Deno.test("gemini: system, tools and the choice of none are in their own places", () => {
  const { body } = bodyOf(MODEL, question({ toolChoice: "none" }));
  assert.deepEqual(at(body, "systemInstruction"), { parts: [{ text: "Be brief." }] });
  assert.equal(at(body, "tools", 0, "functionDeclarations", 1, "parametersJsonSchema", "type"), "object");
  assert.deepEqual(at(body, "toolConfig"), { functionCallingConfig: { mode: "NONE" } });
});

Deno.test("gemini: messages are written in the protocol's own shapes, results of a round as one", () => {
  const png = { media_type: "image/png", data: new Uint8Array([1, 2, 3]) };
  const image = { inlineData: { mimeType: "image/png", data: "AQID" } };
  assert.deepEqual(
    contentsOf([
      { role: "user", text: "Look", images: [png] },
      {
        role: "assistant",
        parts: [
          { type: "thinking", text: "not sent" },
          { type: "thinking", text: "sent", ...signed("t") },
          { type: "text", text: "I look.", ...signed("x") },
          { type: "tool_call", call: "a", name: "now", arguments: { x: 1 }, ...signed("c") },
          { type: "tool_call", call: "b", name: "now", arguments: "{broken" },
        ],
      },
      { role: "tool", call: "a", name: "now", result: "noon", images: [png] },
      { role: "tool", call: "b", name: "now", result: "no", failed: true },
    ]),
    [
      { role: "user", parts: [image, { text: "Look" }] },
      {
        role: "model",
        parts: [
          { text: "sent", thought: true, thoughtSignature: "t" },
          { text: "I look.", thoughtSignature: "x" },
          { functionCall: { id: "a", name: "now", args: { x: 1 } }, thoughtSignature: "c" },
          { functionCall: { id: "b", name: "now", args: { malformed_arguments: "{broken" } } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "a", name: "now", response: { output: "noon" } } },
          image,
          { functionResponse: { id: "b", name: "now", response: { error: "no" } } },
        ],
      },
    ],
  );
});

Deno.test("gemini: the first call of a history from another model gets Google's stand-in for a signature", () => {
  const messages: readonly ModelMessage[] = [{
    role: "assistant",
    parts: [
      { type: "tool_call", call: "a", name: "now", arguments: {}, signature: { provider: "openai:o", data: "x" } },
      { type: "tool_call", call: "b", name: "now", arguments: {} },
    ],
  }];
  const [answer] = contentsOf(messages);
  assert.equal(at(answer, "parts", 0, "thoughtSignature"), "skip_thought_signature_validator");
  assert.equal(at(answer, "parts", 1, "thoughtSignature"), undefined);
  assert.equal(at(contentsOf(messages, "google:m;tools")[0], "parts", 0, "thoughtSignature"), undefined);
});

Deno.test("gemini: a signature comes with its part: before a call is complete, after a text", () => {
  const answer = decode([
    parts({ text: "hm", thought: true }),
    parts({ text: "yes" }),
    parts({ text: "", thoughtSignature: "x" }),
    parts({ functionCall: { id: "own", name: "now", args: { x: 1 } }, thoughtSignature: "c" }),
    stop("STOP"),
  ]);
  assert.deepEqual(answer.events.map((event) => event.type === "signature" ? `signature of ${event.of}` : event.type), [
    "thinking",
    "text",
    "signature of text",
    "tool_start",
    "signature of tool_call",
    "tool_arguments",
    "tool_call",
    "stop",
  ]);
  const call = answer.events.find((event) => event.type === "tool_call");
  assert.equal(call?.call, "own");
});

Deno.test("gemini: structured output is a JSON schema", () => {
  const schema = { type: "object", properties: {} };
  const { body } = bodyOf("google:m", question({ schema: { name: "title", schema } }));
  assert.deepEqual(at(body, "generationConfig"), { responseMimeType: "application/json", responseJsonSchema: schema });
});

Deno.test("gemini: every reason that is not a normal end is told apart from one", () => {
  assert.equal(decode([stop("STOP")]).stop, "end");
  assert.equal(decode([stop("MAX_TOKENS")]).stop, "length");
  assert.equal(decode([stop("OTHER")]).stop, "length");
  for (const reason of ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"]) {
    const answer = decode([stop(reason)]);
    assert.deepEqual([answer.stop, answer.providerReason], ["refusal", reason]);
    assert.match(answer.refusal, new RegExp(reason));
  }
});

Deno.test("gemini: usage is a running total, and may come after the finish", () => {
  const usage = (candidatesTokenCount: number) => ({ usageMetadata: { promptTokenCount: 10, candidatesTokenCount } });
  const answer = decode([usage(1), stop("STOP"), usage(5)]);
  assert.deepEqual([answer.usage?.input_tokens, answer.usage?.output_tokens], [10, 5]);
});

Deno.test("gemini: the model and the event stream are in the address, the key is not", () => {
  const { codec, target } = targetOf("google:gemini-x@http://gpu:1");
  assert.equal(codec.url(target), "http://gpu:1/v1beta/models/gemini-x:streamGenerateContent?alt=sse");
  assert.deepEqual(codec.headers("k"), { "x-goog-api-key": "k" });
});
