import assert from "node:assert/strict";
import { z } from "zod";
import { BadTool, tool } from "../../../core/tool/mod.ts";
import { callContext } from "../../toolsets/toolset_fixture.ts";

const context = callContext();

const add = tool({
  name: "add",
  description: "Adds.",
  input: z.object({
    left: z.number().describe("The first"),
    right: z.number().default(1),
    note: z.string().optional(),
  }),
  run: ({ left, right }) => left + right,
});

Deno.test("tool() shows the model its input as JSON Schema", () => {
  assert.deepEqual(add.spec, {
    name: "add",
    description: "Adds.",
    input: {
      type: "object",
      properties: {
        left: { type: "number", description: "The first" },
        right: { type: "number", default: 1 },
        note: { type: "string" },
      },
      required: ["left"],
    },
  });
});

Deno.test("tool() runs side by side with others for a minute, unless it says otherwise", () => {
  assert.deepEqual([add.concurrent, add.timeoutMs], [true, 60_000]);
  const slow = tool({
    name: "slow",
    description: "",
    input: z.object({}),
    run: () => null,
    concurrent: false,
    timeoutSeconds: 600,
  });
  assert.deepEqual([slow.concurrent, slow.timeoutMs], [false, 600_000]);
});

Deno.test("check() fills in defaults and hands on what fits", async () => {
  const checked = add.check({ left: 2 });
  assert.deepEqual(checked, { ok: true, value: { left: 2, right: 1 } });
  assert.equal(await add.run(checked.ok ? checked.value : null, context), 3);
});

Deno.test("check() reads arguments as models write them (K-148)", () => {
  assert.deepEqual(add.check({ left: "2", right: "3.5", note: null }), { ok: true, value: { left: 2, right: 3.5 } });
});

Deno.test("check() says what does not fit, as a sentence and not as an exception (K-148)", () => {
  for (const wrong of [{}, { left: "two" }, { left: true }, null, "left=2", [], 7, undefined]) {
    const checked = add.check(wrong);
    assert.equal(checked.ok, false);
    assert.ok(!checked.ok && checked.problem.length > 0);
  }
  const checked = add.check({ left: "two" });
  assert.match(checked.ok ? "" : checked.problem, /left/);
});

Deno.test("check() may be asked again: nothing is kept between calls", () => {
  assert.equal(add.check({}).ok, false);
  assert.equal(add.check({ left: 1 }).ok, true);
});

Deno.test("tool() refuses a name no provider takes", () => {
  for (const name of ["", "two words", "a.b", "ä", "x".repeat(65)]) {
    assert.throws(() => tool({ name, description: "", input: z.object({}), run: () => null }), BadTool, name);
  }
});

Deno.test("a tool's run may be a promise, and is given its context", async () => {
  const seen = tool({
    name: "seen",
    description: "",
    input: z.object({}),
    run: (_input, given) => Promise.resolve(given.conversation),
  });
  assert.equal(await seen.run({}, context), "C");
});

Deno.test("a tool may declare its arguments as JSON Schema: checked, coerced and shown as it was written", () => {
  const input = { type: "object", properties: { n: { type: "integer", minimum: 1 } }, required: ["n"] } as const;
  const counted = tool({ name: "count", description: "Counts.", input, run: ({ n }) => `${n}` });
  assert.deepEqual(counted.spec.input, input);
  assert.deepEqual(counted.check({ n: "3" }), { ok: true, value: { n: 3 } });
  assert.equal(counted.check({ n: 0 }).ok, false);
  assert.equal(counted.check({}).ok, false);
});

Deno.test("a tool whose schema is none is refused with its name (bad input)", () => {
  for (const input of [{ type: "string" }, { type: "object", properties: { a: { type: "nonsense" } } }, {}]) {
    assert.throws(() => tool({ name: "broken", description: "", input, run: () => "" }), (error) => {
      return error instanceof BadTool && error.message.includes('"broken"');
    });
  }
});
