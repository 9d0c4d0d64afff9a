import assert from "node:assert/strict";
import fc from "fast-check";
import type { CallUsage } from "../../../core/log/mod.ts";
import {
  catalogueOf,
  costOf,
  describeModel,
  isDemo,
  type ModelPrice,
  parseModelString,
  PROVIDERS,
  quirksOf,
} from "../../../core/model/mod.ts";

const describe = (text: string) => describeModel(parseModelString(text));
const quirks = (text: string) => quirksOf(parseModelString(text));
const usage = (input: number, output: number, cached = 0, written = 0): CallUsage => ({
  input_tokens: input,
  output_tokens: output,
  cached_tokens: cached,
  cache_write_tokens: written,
  reasoning_tokens: 0,
});

Deno.test("describeModel() takes a known id's abilities and price from the catalogue", () => {
  assert.deepEqual(describe("anthropic:claude-opus-5"), {
    string: "anthropic:claude-opus-5",
    provider: "anthropic",
    id: "claude-opus-5",
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    images: true,
    imageLimits: { count: 20, bytes: 20_000_000 },
    tools: true,
    thinking: true,
    price: { input: 5, output: 25, cache_read: 0.5, cache_write: 6.25 },
  });
});

Deno.test("describeModel() gives an unknown cloud id what its flags declare and no more (K-321)", () => {
  assert.deepEqual(describe("openai:gpt-99"), {
    string: "openai:gpt-99",
    provider: "openai",
    id: "gpt-99",
    images: false,
    tools: false,
    thinking: false,
  });
  const flagged = describe("openai:gpt-99;tools,vision,thinking,context=9000,max_output=100");
  assert.deepEqual([flagged.tools, flagged.images, flagged.thinking], [true, true, true]);
  assert.deepEqual([flagged.contextWindow, flagged.maxOutput], [9000, 100]);
});

Deno.test("describeModel() says how many pictures a request may hold, of models that see them", () => {
  assert.deepEqual(describe("groq:anything;vision").imageLimits, { count: 5, bytes: 3_000_000 });
  for (const provider of ["openai", "google", "mistral", "openrouter", "ollama"]) {
    const limits = describe(`${provider}:anything;vision`).imageLimits;
    assert.ok(limits && limits.count >= 5 && limits.bytes >= 3_000_000, provider);
  }
  assert.equal(describe("demo:tour").imageLimits, undefined);
});

Deno.test("describeModel() takes a local server to serve tools unless it is told otherwise", () => {
  assert.equal(describe("ollama:whatever").tools, true);
  assert.equal(describe("openai-compat:m@http://localhost:1/v1").tools, true);
  assert.equal(describe("ollama:whatever;tools=false").tools, false);
  assert.equal(describe("ollama:whatever").thinking, false);
  assert.equal(describe("ollama:whatever").price, undefined);
});

Deno.test("describeModel() lets a flag beat the catalogue", () => {
  const told = describe("anthropic:claude-opus-5;tools=false,vision=false,thinking=false,context=1000");
  assert.deepEqual([told.tools, told.images, told.thinking, told.contextWindow], [false, false, false, 1000]);
});

Deno.test("describeModel() lets a configured price beat the catalogue, and price what it does not know", () => {
  const price = { input: 1, output: 2 };
  const model = parseModelString("anthropic:claude-opus-5");
  assert.deepEqual(describeModel(model, { "anthropic:claude-opus-5": price }).price, price);
  assert.deepEqual(describeModel(parseModelString("ollama:q:8b"), { "ollama:q:8b": price }).price, price);
});

Deno.test("describeModel() knows a dated id by its undated one", () => {
  assert.equal(describe("anthropic:claude-opus-5-20270101").contextWindow, 1_000_000);
  assert.equal(describe("openai:gpt-4o-2030-01-01").contextWindow, 128_000);
  assert.equal(describe("openai:gpt-4o-mini-extra").contextWindow, undefined);
});

Deno.test("describeModel() knows a router's variant by its model, but not by its price", () => {
  const variant = describe("openrouter:z-ai/glm-4.7:nitro");
  assert.equal(variant.contextWindow, describe("openrouter:z-ai/glm-4.7").contextWindow);
  assert.equal(variant.tools, true);
  assert.equal(variant.price, undefined);
  assert.notEqual(describe("openrouter:z-ai/glm-4.7").price, undefined);
});

Deno.test("describeModel() is not fooled by the names every object has", () => {
  for (const id of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    assert.equal(describe(`openai:${id}`).tools, false, id);
    assert.deepEqual(quirks(`openai:${id}`), {}, id);
  }
});

Deno.test("describeModel() gives the demonstration tools and thinking, and no price", () => {
  const tour = describe("demo:tour");
  assert.deepEqual([tour.tools, tour.thinking, tour.images, tour.price], [true, true, false, undefined]);
  assert.equal(describe("demo:echo").tools, false);
  assert.equal(describe("demo:tour;tools=false").tools, false);
});

Deno.test("isDemo() is true of the demonstration alone", () => {
  for (const text of ["demo:tour", "demo:echo", "demo:script@x"]) assert.equal(isDemo(describe(text)), true);
  assert.equal(isDemo(describe("ollama:demo")), false);
});

Deno.test("quirksOf() reads a model's ways as data", () => {
  assert.equal(quirks("anthropic:claude-opus-5").adaptiveThinking, true);
  assert.equal(quirks("anthropic:claude-opus-5").noSampling, true);
  assert.equal(quirks("anthropic:claude-sonnet-4-5").adaptiveThinking, undefined);
  assert.deepEqual(quirks("openai:gpt-5.1").levels, { off: "none" });
  assert.equal(quirks("openai:gpt-5-pro").levels?.low, null);
  assert.equal(quirks("openai:o3").noSampling, true);
  assert.equal(quirks("openai:gpt-4.1").noSampling, undefined);
  assert.equal(quirks("deepseek:deepseek-v4-pro").thinkingFormat, "deepseek");
  assert.equal(quirks("deepseek:deepseek-v4-pro").replayThinking, true);
});

Deno.test("quirksOf() starts from the provider's ordinary ways", () => {
  assert.equal(quirks("openai-chat:anything").maxTokensField, "max_completion_tokens");
  assert.equal(quirks("openrouter:anything").thinkingFormat, "openrouter");
  assert.equal(quirks("vllm:anything").thinkingFormat, "template");
  assert.deepEqual(quirks("demo:tour"), {});
});

Deno.test("costOf() prices a call with cached and written tokens at their own rates", () => {
  const price = describe("anthropic:claude-opus-5").price;
  const cost = costOf(usage(100_000, 2_500, 80_000, 10_000), price);
  assert.equal(cost?.toFixed(4), "0.2150");
});

Deno.test("costOf() takes the tier the whole input falls in", () => {
  const price: ModelPrice = {
    input: 1,
    output: 10,
    tiers: [{ above: 200, input: 2, output: 20 }, { above: 100, input: 1.5, output: 15 }],
  };
  assert.equal(costOf(usage(100, 1), price), (100 * 1 + 10) / 1e6);
  assert.equal(costOf(usage(101, 1), price), (101 * 1.5 + 15) / 1e6);
  assert.equal(costOf(usage(201, 1), price), (201 * 2 + 20) / 1e6);
});

Deno.test("costOf() prices tokens without a cache rate as input", () => {
  assert.equal(costOf(usage(100, 0, 50, 20), { input: 3, output: 1 }), 300 / 1e6);
});

Deno.test("costOf() does not know what has no price", () => {
  assert.equal(costOf(usage(1, 1), undefined), undefined);
  assert.equal(costOf(usage(1, 1), describe("ollama:m").price), undefined);
});

Deno.test("costOf() is never negative, and more tokens never cost less within a tier", () => {
  const rate = fc.double({ min: 0, max: 100, noNaN: true });
  const count = fc.nat(1_000_000);
  fc.assert(fc.property(rate, rate, rate, count, count, count, (input, output, cached, total, more, out) => {
    const price = { input, output, cache_read: cached };
    const cost = costOf(usage(total, out), price) ?? -1;
    assert.ok(cost >= 0);
    assert.ok((costOf(usage(total + more, out), price) ?? -1) >= cost);
    // A provider that reports more cached tokens than input must not make the rest negative.
    assert.ok((costOf(usage(total, out, total + more), price) ?? -1) >= 0);
  }));
});

Deno.test("the catalogue holds only sound models", () => {
  for (const provider of PROVIDERS) {
    for (const [id, model] of Object.entries(catalogueOf(provider))) {
      const name = `${provider}:${id}`;
      assert.ok(Number.isInteger(model.window) && model.window > 0, name);
      assert.ok(model.output === undefined || model.output > 0, name);
      for (const rate of [model.price, ...(model.price?.tiers ?? [])]) {
        assert.ok(rate === undefined || (rate.input >= 0 && rate.output >= 0), name);
      }
      assert.equal(parseModelString(name).id, id);
      assert.equal(describe(name).tools, true, name);
    }
  }
});

Deno.test("the catalogue knows the main providers and stays small", async () => {
  for (const provider of ["openai", "anthropic", "google", "openrouter", "groq", "deepseek", "mistral"] as const) {
    assert.ok(Object.keys(catalogueOf(provider)).length > 0, provider);
  }
  const file = await Deno.stat(new URL("../../../core/model/catalogue.json", import.meta.url));
  assert.ok(file.size <= 120_000, `${file.size} bytes`);
});
