import assert from "node:assert/strict";
import { compute } from "../../toolsets/compute.ts";
import { builtInToolsets } from "../../toolsets/mod.ts";
import { callContext, toolsetContext } from "./toolset_fixture.ts";

const context = callContext();
const [calculate] = compute.tools(toolsetContext(compute));

async function run(input: unknown): Promise<string> {
  assert.ok(calculate !== undefined);
  const checked = calculate.check(input);
  return checked.ok ? String(await calculate.run(checked.value, context)) : checked.problem;
}

Deno.test("calculate answers with the expression and its value", async () => {
  assert.equal(await run({ expression: " 2 ^ 10 " }), "2 ^ 10 = 1024");
});

Deno.test("calculate marks what is rounded", async () => {
  assert.equal(await run({ expression: "1 / 3" }), "1 / 3 ≈ 0.333333333333333");
});

Deno.test("calculate answers what it cannot work out with a sentence that says where (K-328)", async () => {
  assert.equal(
    await run({ expression: "1 / 0" }),
    "That could not be worked out. At character 3: Nothing can be divided by zero",
  );
});

Deno.test("calculate runs no code", async () => {
  const attempts = [
    "Deno.exit()",
    "globalThis",
    "import('x')",
    "(() => 1)()",
    "`${1}`",
    "eval(1)",
    "new Date()",
    "this",
  ];
  for (const expression of attempts) {
    assert.match(await run({ expression }), /could not be worked out/, expression);
  }
});

Deno.test("calculate says when its argument is missing", async () => {
  assert.match(await run({}), /expression/);
});

Deno.test("compute asks for no permissions and says how it is used", () => {
  assert.deepEqual(compute.permissions, {});
  assert.match(compute.guidance ?? "", /calculate/);
  assert.deepEqual(calculate?.spec.input.required, ["expression"]);
});

Deno.test("the built-in toolsets have names and tools that do not collide, and each tool says what it does", () => {
  const tools = builtInToolsets.flatMap((toolset) => toolset.tools(toolsetContext(toolset)));
  const names = tools.map((tool) => tool.spec.name);
  assert.equal(new Set(names).size, names.length);
  assert.equal(new Set(builtInToolsets.map((toolset) => toolset.name)).size, builtInToolsets.length);
  for (const tool of tools) assert.match(tool.spec.description, /^[A-Z].*\.$/s, tool.spec.name);
});
