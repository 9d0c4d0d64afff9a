/** The table K-326, as the bodies show it. */
import assert from "node:assert/strict";
import type { Generation } from "../../../../core/model/mod.ts";
import { at } from "../../../providers/mod.ts";
import { bodyOf, clientFor, type Known, question, take } from "./rig.ts";
import { startFakeProvider } from "../../../providers/mod.ts";

const ALL: Required<Generation> = {
  temperature: 0.5,
  top_p: 0.9,
  top_k: 40,
  min_p: 0.1,
  presence_penalty: 0.2,
  repetition_penalty: 1.1,
  max_tokens: 500,
  context_length: 8192,
};

/** Where the parameters are in the body, under which names, and what is left out. */
interface Row {
  readonly model: string;
  readonly known?: Known;
  readonly within?: string;
  readonly sent: Readonly<Record<string, number>>;
  readonly dropped: readonly (keyof Generation)[];
}

const PLAIN: Known = { quirks: {} };
const ROWS: Readonly<Record<string, Row>> = {
  "Ollama's own protocol": {
    model: "ollama:m",
    within: "options",
    sent: {
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      presence_penalty: 0.2,
      repeat_penalty: 1.1,
      num_predict: 500,
      num_ctx: 8192,
    },
    dropped: ["min_p"],
  },
  "a local OpenAI-compatible server": {
    model: "lmstudio:m",
    sent: {
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      min_p: 0.1,
      presence_penalty: 0.2,
      repetition_penalty: 1.1,
      max_tokens: 500,
    },
    dropped: ["context_length"],
  },
  "llama-server": {
    model: "llamacpp:m",
    sent: { top_k: 40, min_p: 0.1, repeat_penalty: 1.1, max_tokens: 500 },
    dropped: ["context_length"],
  },
  "Ollama's OpenAI shim": {
    model: "openai-compat:m@http://gpu:11434/v1",
    sent: { temperature: 0.5, presence_penalty: 0.2, max_tokens: 500 },
    dropped: ["top_k", "min_p", "repetition_penalty", "context_length"],
  },
  "Anthropic": {
    model: "anthropic:m",
    known: PLAIN,
    sent: { temperature: 0.5, top_p: 0.9, top_k: 40, max_tokens: 500 },
    dropped: ["min_p", "presence_penalty", "repetition_penalty", "context_length"],
  },
  "OpenAI chat": {
    model: "openai-chat:m",
    known: { quirks: { maxTokensField: "max_completion_tokens" } },
    sent: { temperature: 0.5, top_p: 0.9, presence_penalty: 0.2, max_completion_tokens: 500 },
    dropped: ["top_k", "min_p", "repetition_penalty", "context_length"],
  },
  "OpenAI responses": {
    model: "openai:m",
    known: PLAIN,
    sent: { temperature: 0.5, top_p: 0.9, max_output_tokens: 500 },
    dropped: ["top_k", "min_p", "presence_penalty", "repetition_penalty", "context_length"],
  },
  "Gemini": {
    model: "google:m",
    known: PLAIN,
    within: "generationConfig",
    sent: { temperature: 0.5, topP: 0.9, presencePenalty: 0.2, maxOutputTokens: 500 },
    dropped: ["top_k", "min_p", "repetition_penalty", "context_length"],
  },
  "a model that refuses sampling": {
    model: "openai:m",
    known: { quirks: { noSampling: true } },
    sent: { max_output_tokens: 500 },
    dropped: ["temperature", "top_p", "top_k", "min_p", "presence_penalty", "repetition_penalty", "context_length"],
  },
};

for (const [name, row] of Object.entries(ROWS)) {
  Deno.test(`${name}: takes what it can and says what it cannot (K-326)`, () => {
    const { body, warnings } = bodyOf(row.model, question({ generation: ALL }), row.known);
    const fields = row.within === undefined ? body : at(body, row.within);
    for (const [key, value] of Object.entries(row.sent)) assert.equal(at(fields, key), value, key);
    for (const key of row.dropped) {
      const warning = warnings.find((text) => text.startsWith(`"${key}"`));
      assert.ok(warning !== undefined, `a warning about ${key}`);
      assert.match(warning, /does not take it; \S/);
    }
    assert.equal(warnings.length, row.dropped.length, warnings.join("\n"));
    const values = Object.values(ALL).filter((value) => JSON.stringify(body).includes(`:${value}`));
    assert.equal(values.length, Object.keys(ALL).length - row.dropped.length);
  });
}

Deno.test("nothing is sent for parameters that nobody set", () => {
  for (const row of Object.values(ROWS)) {
    const { body, warnings } = bodyOf(row.model, question(), row.known);
    assert.deepEqual(warnings, []);
    assert.equal(at(body, "options"), undefined);
    assert.equal(at(body, "generationConfig"), undefined);
    assert.equal(at(body, "temperature"), undefined);
  }
});

Deno.test("zero is a value like any other", () => {
  assert.equal(at(bodyOf("ollama:m", question({ generation: { temperature: 0 } })).body, "options", "temperature"), 0);
});

Deno.test("Anthropic draws its words in its own way while it thinks", () => {
  const known: Known = { quirks: {}, info: { thinking: true } };
  const { body, warnings } = bodyOf("anthropic:m", question({ generation: ALL, thinking: "low" }), known);
  for (const key of ["temperature", "top_p", "top_k"]) {
    assert.equal(at(body, key), undefined);
    assert.ok(warnings.some((text) => text.startsWith(`"${key}"`) && text.includes("while the model thinks")));
  }
});

Deno.test("a warning is passed on once per client", async () => {
  await using provider = startFakeProvider("anthropic", () => ({ text: "Yes" }));
  const warnings: string[] = [];
  const client = clientFor(provider.modelString, { onWarning: (text) => void warnings.push(text) });
  const request = question({ generation: { min_p: 0.1, repetition_penalty: 1.1 } });
  for (let round = 0; round < 3; round++) await take(client, request);
  assert.equal(warnings.length, 2);
  await take(clientFor(provider.modelString, { onWarning: (text) => void warnings.push(text) }), request);
  assert.equal(warnings.length, 4);
});
