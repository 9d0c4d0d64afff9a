/** A request is a byte prefix of the next one, so that the provider's cache holds. */
import assert from "node:assert/strict";
import type { ModelMessage, ModelRequest } from "../../../../core/model/mod.ts";
import { bodyOf, question } from "./rig.ts";

const MODELS: Readonly<Record<string, string>> = {
  "openai-chat": "openai-compat:m@http://localhost:1/v1;tools,thinking,vision",
  "openai-responses": "openai:m;tools,thinking,vision",
  anthropic: "anthropic:m;tools,thinking,vision",
  ollama: "ollama:m;tools,thinking,vision",
  google: "google:m;tools,thinking,vision",
};

const PICTURE = { media_type: "image/png", data: new Uint8Array([1, 2, 3]) };

/** Three rounds of one conversation: a question, two results, another question. */
const GROWTH: readonly (readonly ModelMessage[])[] = [
  [{ role: "user", text: "What is in ʻāina?", images: [PICTURE] }],
  [
    {
      role: "assistant",
      parts: [
        { type: "thinking", text: "I look.", signature: { provider: "anthropic:m", data: "sig" } },
        { type: "text", text: "Let me look." },
        { type: "tool_call", call: "a", name: "now", arguments: { b: 1, a: 2 } },
        { type: "tool_call", call: "b", name: "calculate", arguments: "not JSON" },
      ],
    },
    { role: "tool", call: "a", name: "now", result: "noon", images: [PICTURE] },
    { role: "tool", call: "b", name: "calculate", result: "arguments were not JSON", failed: true },
  ],
  [
    { role: "assistant", parts: [{ type: "text", text: "It is noon." }] },
    { role: "user", text: "And now?" },
  ],
];

function requests(changes: Partial<ModelRequest> = {}): readonly ModelRequest[] {
  return GROWTH.map((_, at) => question({ messages: GROWTH.slice(0, at + 1).flat(), cacheKey: "c1", ...changes }));
}

for (const [protocol, model] of Object.entries(MODELS)) {
  Deno.test(`${protocol}: three successive bodies, each up to the end of its list, are prefixes of the next`, () => {
    const full = { thinking: "high", generation: { temperature: 0.5, max_tokens: 20_000 } } as const;
    for (const changes of [{}, full]) {
      const texts = requests(changes).map((request) => withoutMarkers(bodyOf(model, request).text));
      for (const [at, text] of texts.slice(0, -1).entries()) {
        assert.ok(text.endsWith("]}"), "the list is last");
        const next = texts[at + 1] ?? "";
        assert.ok(next.length > text.length);
        assert.equal(next.slice(0, text.length - 2), text.slice(0, -2));
      }
    }
  });

  Deno.test(`${protocol}: the same request gives the same bytes`, () => {
    for (const request of requests()) assert.equal(bodyOf(model, request).text, bodyOf(model, request).text);
  });
}

/** Anthropic's cache markers move to the new end, which is how they work; what they mark stays. */
function withoutMarkers(text: string): string {
  return text.replaceAll(',"cache_control":{"type":"ephemeral"}', "");
}
