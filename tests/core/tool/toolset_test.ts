import assert from "node:assert/strict";
import { z } from "zod";
import { BadToolset, defineToolset, Services, tool } from "../../../core/tool/mod.ts";
import { someAgent, toolsetContext } from "../../toolsets/toolset_fixture.ts";

Deno.test("defineToolset() refuses reserved names and those that cannot be declared (K-023, K-163)", () => {
  for (const name of ["core", "all", "a.b", "", "two words", "ä"]) {
    assert.throws(() => defineToolset({ name, description: "", tools: () => [] }), BadToolset, name);
  }
  for (const name of ["time", "github_backup", "my-tools", "X9"]) {
    assert.equal(defineToolset({ name, description: "", tools: () => [] }).name, name);
  }
});

Deno.test("defineToolset() asks for no permissions and has no settings, unless it says so", () => {
  const plain = defineToolset({ name: "plain", description: "", tools: () => [] });
  assert.deepEqual(plain.permissions, {});
  assert.deepEqual(plain.settings.parse({}), {});
  assert.equal(plain.settings.safeParse({ extra: 1 }).success, false);
});

Deno.test("defineToolset() gives its tools their settings, with defaults", () => {
  const greet = defineToolset({
    name: "greet",
    description: "",
    settings: { word: z.string().default("Hello") },
    tools: ({ settings }) => [
      tool({ name: "greet", description: settings.word, input: z.object({}), run: () => settings.word }),
    ],
  });
  const [made] = greet.tools(toolsetContext(greet));
  assert.equal(made?.spec.description, "Hello");
});

Deno.test("tools() opens nothing: it may be called any number of times (K-164)", () => {
  const set = defineToolset({
    name: "set",
    description: "",
    tools: () => [tool({ name: "t", description: "", input: z.object({}), run: () => 1 })],
  });
  const context = { settings: {}, now: () => new Date(0), agent: someAgent, service: new Services().service };
  assert.notEqual(set.tools(context)[0], set.tools(context)[0]);
});
