import assert from "node:assert/strict";
import { addUsage, type CallUsage, foldUsage } from "../../../../core/log/mod.ts";

const reported: CallUsage = {
  input_tokens: 100,
  output_tokens: 20,
  cached_tokens: 40,
  cache_write_tokens: 0,
  reasoning_tokens: 5,
};

Deno.test("foldUsage() of no call is nothing", () => {
  assert.equal(foldUsage([], 3), null);
});

Deno.test("foldUsage() adds up calls and says how many reported", () => {
  const usage = foldUsage([
    { agent: "a", model: "m", ms: 1000, usage: reported, cost: 0.5 },
    { agent: "b", model: "n", ms: 500 },
  ], 2);
  assert.deepEqual(usage, {
    calls: 2,
    reported_calls: 1,
    input_tokens: 100,
    output_tokens: 20,
    cached_tokens: 40,
    reasoning_tokens: 5,
    model_seconds: 1.5,
    wall_seconds: 2,
    models: ["m", "n"],
    by_agent: {
      a: { calls: 1, input_tokens: 100, output_tokens: 20 },
      b: { calls: 1, input_tokens: 0, output_tokens: 0 },
    },
  });
});

Deno.test("foldUsage() names a cost only when every call has one", () => {
  const priced = { agent: "a", model: "m", ms: 1, usage: reported, cost: 0.25 };
  assert.equal(foldUsage([priced, priced], 1)?.cost, 0.5);
  assert.equal(foldUsage([priced, { ...priced, cost: undefined }], 1)?.cost, undefined);
});

Deno.test("addUsage() adds turns up, agents included", () => {
  const one = foldUsage([{ agent: "a", model: "m", ms: 1000, usage: reported }], 2)!;
  const both = addUsage([one, one]);
  assert.equal(both.calls, 2);
  assert.equal(both.model_seconds, 2);
  assert.deepEqual(both.by_agent.a, { calls: 2, input_tokens: 200, output_tokens: 40 });
  assert.deepEqual(both.models, ["m"]);
});

Deno.test("addUsage() does not name a part of the cost as the whole", () => {
  const priced = foldUsage([{ agent: "a", model: "m", ms: 1, usage: reported, cost: 0.5 }], 1)!;
  const unpriced = foldUsage([{ agent: "a", model: "n", ms: 1, usage: reported }], 1)!;
  assert.equal(addUsage([priced, priced]).cost, 1);
  assert.equal(addUsage([priced, unpriced]).cost, undefined);
});
