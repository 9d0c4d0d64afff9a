import assert from "node:assert/strict";
import { formatCatalogue, readSource, toCatalogueModel } from "../../../core/model/catalogue_build.ts";

const source = (models: Record<string, unknown>[]) =>
  JSON.stringify({ "some-api": Object.fromEntries(models.map((model, index) => [`chat:${index}`, model])) });

const plain = {
  id: "m",
  type: "chat",
  reasoning: false,
  input: ["text"],
  cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1000,
  maxTokens: 100,
};

function only(model: Record<string, unknown>) {
  const [read] = readSource(source([model]));
  assert.ok(read !== undefined);
  return read;
}

Deno.test("readSource() keeps chat models and leaves out other kinds, batch variants and moving aliases", () => {
  const text = source([
    plain,
    { ...plain, id: "classifier", type: "classifier" },
    { ...plain, id: "m:batch" },
    { ...plain, id: "~maker/latest" },
    { ...plain, id: "untyped", type: undefined },
  ]);
  assert.deepEqual(readSource(text).map((model) => model.id), ["m", "untyped"]);
});

Deno.test("readSource() refuses a file of another shape", () => {
  assert.throws(() => readSource("[]"));
  assert.throws(() => readSource(source([{ ...plain, cost: "free" }])));
});

Deno.test("toCatalogueModel() leaves out cache prices that are zero", () => {
  assert.deepEqual(toCatalogueModel("openai", only(plain)), {
    window: 1000,
    output: 100,
    price: { input: 1, output: 2 },
  });
});

Deno.test("toCatalogueModel() knows no price where both are zero, save for a free variant", () => {
  const cost = { input: 0, output: 0 };
  assert.equal(toCatalogueModel("openrouter", only({ ...plain, cost })).price, undefined);
  assert.equal(toCatalogueModel("openrouter", only({ ...plain, cost: { input: -1, output: -1 } })).price, undefined);
  assert.deepEqual(toCatalogueModel("openrouter", only({ ...plain, id: "m:free", cost })).price, cost);
});

Deno.test("toCatalogueModel() keeps tiers and takes the noise off prices", () => {
  const cost = { input: 0.09999999999999999, output: 2, tiers: [{ inputTokensAbove: 500, input: 3, output: 4 }] };
  const made = toCatalogueModel("google", only({ ...plain, cost }));
  assert.deepEqual(made.price, { input: 0.1, output: 2, tiers: [{ above: 500, input: 3, output: 4 }] });
});

Deno.test("toCatalogueModel() turns compatibility marks into quirks", () => {
  const thinking = { ...plain, reasoning: true, input: ["text", "image"] };
  const claude = toCatalogueModel(
    "anthropic",
    only({ ...thinking, compat: { forceAdaptiveThinking: true, supportsTemperature: false } }),
  );
  assert.deepEqual([claude.images, claude.thinking], [true, true]);
  assert.deepEqual(claude.quirks, { adaptiveThinking: true, noSampling: true });
  assert.deepEqual(toCatalogueModel("openai", only(thinking)).quirks, { noSampling: true });
  assert.deepEqual(toCatalogueModel("groq", only(thinking)).quirks, { thinkingFormat: "groq" });
});

Deno.test("toCatalogueModel() keeps only the thinking levels that differ from their names", () => {
  const map = { off: "none", minimal: null, low: "low", medium: null, high: "high", xhigh: "xhigh" };
  const made = toCatalogueModel("mistral", only({ ...plain, reasoning: true, thinkingLevelMap: map }));
  assert.deepEqual(made.quirks?.levels, { off: "none", medium: null });
  const same = { low: "low", high: "high" };
  assert.equal(
    toCatalogueModel("mistral", only({ ...plain, reasoning: true, thinkingLevelMap: same })).quirks,
    undefined,
  );
});

Deno.test("formatCatalogue() writes one model a line, in order of ids, as JSON", () => {
  const text = formatCatalogue("a source", { openai: [only({ ...plain, id: "b" }), only({ ...plain, id: "a" })] });
  const parsed = JSON.parse(text);
  assert.equal(parsed.source, "a source");
  assert.deepEqual(Object.keys(parsed.openai), ["a", "b"]);
  assert.equal(text.split("\n").filter((line) => line.startsWith('    "')).length, 2);
});
