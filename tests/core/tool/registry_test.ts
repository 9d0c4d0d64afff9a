import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import {
  BadToolset,
  defineCoreToolset,
  defineToolset,
  EntryOnlyToolset,
  Services,
  tool,
  type Toolset,
  type ToolsetProvider,
  ToolsetRegistry,
  UnknownToolset,
} from "../../../core/tool/mod.ts";
import { callContext, someAgent } from "../../toolsets/toolset_fixture.ts";

const given = { now: () => new Date(0), agent: someAgent, service: new Services().service };

function toolset(name: string, ...tools: string[]): Toolset {
  return defineToolset({
    name,
    description: `The ${name}`,
    tools: () => tools.map((each) => tool({ name: each, description: name, input: z.object({}), run: () => name })),
  });
}

function registryOf(...entries: readonly (readonly [string, ToolsetProvider, ...string[]])[]): ToolsetRegistry {
  const registry = new ToolsetRegistry();
  for (const [name, provider, ...tools] of entries) registry.register(toolset(name, ...tools), provider);
  return registry;
}

const names = (toolsets: readonly Toolset[]) => toolsets.map((each) => each.name);

Deno.test("register() refuses a second claim to a name, and says whose they are (K-163)", () => {
  const registry = registryOf(["web", "built-in"]);
  assert.throws(() => registry.register(toolset("web"), "mcp"), (error) => {
    return error instanceof BadToolset && /Two toolsets are named "web", one built-in and one mcp/.test(error.message);
  });
  assert.deepEqual(names(registry.select("all")), ["web"]);
});

Deno.test("select() keeps an agent's own order, each toolset once (K-175)", () => {
  const registry = registryOf(["a", "built-in"], ["b", "mcp"], ["c", "plugin"]);
  assert.deepEqual(names(registry.select(["c", "a", "c", "b", "a"])), ["c", "a", "b"]);
  assert.deepEqual(registry.select([]), []);
});

Deno.test("select() of all is every toolset in trust order, then as registered (K-174)", () => {
  const registry = registryOf(
    ["m1", "mcp"],
    ["s1", "skill"],
    ["b1", "built-in"],
    ["p1", "plugin"],
    ["b2", "built-in"],
    ["m2", "mcp"],
  );
  assert.deepEqual(names(registry.select("all")), ["b1", "b2", "p1", "s1", "m1", "m2"]);
});

Deno.test("select() refuses an unknown name, listing the known ones and the nearest (K-175)", () => {
  const registry = registryOf(["time", "built-in"], ["compute", "built-in"]);
  assert.throws(() => registry.select(["time", "tiem"]), (error) => {
    return error instanceof UnknownToolset &&
      error.message === 'There is no toolset "tiem". Did you mean "time"? The toolsets are time, compute';
  });
  assert.throws(() => new ToolsetRegistry().select(["x"]), /None is installed/);
});

Deno.test("select() gives back exactly what it is asked for, or throws", () => {
  const known = ["a", "b", "c", "d"];
  const registry = registryOf(...known.map((name) => [name, "plugin"] as const));
  fc.assert(fc.property(fc.array(fc.constantFrom(...known, "x", "all", "core")), (asked) => {
    if (asked.every((name) => known.includes(name))) {
      assert.deepEqual(names(registry.select(asked)), [...new Set(asked)]);
    } else {
      assert.throws(() => registry.select(asked), UnknownToolset);
    }
  }));
});

Deno.test("build() puts the tools together in order, with their toolsets", () => {
  const registry = registryOf(["a", "built-in", "one", "two"], ["b", "built-in", "three"]);
  const { tools, hidden } = registry.build(registry.select(["b", "a"]), { settings: {}, ...given });
  assert.deepEqual(tools.map((each) => [each.tool.spec.name, each.toolset]), [["three", "b"], ["one", "a"], [
    "two",
    "a",
  ]]);
  assert.deepEqual(hidden, []);
});

Deno.test("build() keeps the first of a repeated name and reports the rest (K-165)", () => {
  const registry = registryOf(["a", "built-in", "read"], ["b", "plugin", "read", "write"], ["c", "mcp", "read"]);
  const { tools, hidden } = registry.build(registry.select("all"), { settings: {}, ...given });
  assert.deepEqual(tools.map((each) => [each.tool.spec.name, each.toolset]), [["read", "a"], ["write", "b"]]);
  assert.deepEqual(hidden, [
    { tool: "read", toolset: "b", holder: "a" },
    { tool: "read", toolset: "c", holder: "a" },
  ]);
});

const counted = defineToolset({
  name: "counted",
  description: "",
  settings: { limit: z.int().default(3) },
  tools: ({ settings, now }) => [
    tool({
      name: "count",
      description: String(settings.limit),
      input: z.object({}),
      run: () => now().toISOString(),
    }),
  ],
});

Deno.test("build() gives each toolset its own settings, defaults filled in, and the clock", async () => {
  const build = (settings: Record<string, Record<string, unknown>>) =>
    new ToolsetRegistry().build([counted], { settings, ...given }).tools[0]?.tool;
  assert.equal(build({})?.spec.description, "3");
  assert.equal(build({ counted: { limit: 5 }, other: { limit: 9 } })?.spec.description, "5");
  assert.equal(await build({})?.run({}, callContext()), "1970-01-01T00:00:00.000Z");
});

Deno.test("build() refuses settings that do not fit, naming the key", () => {
  assert.throws(
    () => new ToolsetRegistry().build([counted], { settings: { counted: { limit: "many" } }, ...given }),
    (error) => error instanceof BadToolset && /The setting counted\.limit does not fit/.test(error.message),
  );
});

Deno.test("build() does not hand on keys a toolset does not know, which the config has checked", () => {
  const { tools } = new ToolsetRegistry().build([counted], {
    settings: { counted: { limit: 4, more: true } },
    ...given,
  });
  assert.equal(tools[0]?.tool.spec.description, "4");
});

Deno.test("a watcher hears of every build with its agent, and of no preview (K-184)", () => {
  const registry = registryOf(["a", "built-in", "one", "two"], ["b", "plugin"]);
  const heard: unknown[] = [];
  registry.watchBuilds((agent, toolset, tools) => heard.push([agent, toolset, tools]));
  registry.build(registry.select("all"), { settings: {}, ...given, preview: true });
  assert.deepEqual(heard, []);
  registry.build(registry.select("all"), { settings: {}, ...given });
  assert.deepEqual(heard, [[someAgent.name, "a", ["one", "two"]], [someAgent.name, "b", []]]);
});

Deno.test("a watcher that throws ends the build, every time (K-184)", () => {
  const registry = registryOf(["a", "built-in", "one"]);
  registry.watchBuilds(() => {
    throw new Error("a gate is wrong");
  });
  for (let attempt = 0; attempt < 3; attempt++) {
    assert.throws(() => registry.build(registry.select(["a"]), { settings: {}, ...given }), /a gate is wrong/);
  }
});

const entryOnly = defineToolset({ name: "own", description: "", entryOnly: true, tools: () => [] });

Deno.test("select() leaves what is for the entry agent alone out of another's all, and refuses it by name (K-174, K-175)", () => {
  const registry = registryOf(["a", "built-in"]);
  registry.register(entryOnly, "built-in");
  assert.deepEqual(names(registry.select("all", { isEntry: true })), ["a", "own"]);
  assert.deepEqual(names(registry.select("all", { isEntry: false })), ["a"]);
  assert.deepEqual(names(registry.select(["own"], { isEntry: true })), ["own"]);
  assert.throws(() => registry.select(["a", "own"], { isEntry: false }), EntryOnlyToolset);
});

Deno.test("split() makes two halves of a selection, each in its order, and all is in hand without a list (K-177)", () => {
  const all = ["a", "b", "c", "d"];
  const registry = registryOf(...all.map((name) => [name, "plugin"] as const));
  const who = { isEntry: true };
  const subset = fc.subarray(all);
  fc.assert(fc.property(fc.shuffledSubarray(all), subset, (available, resident) => {
    const { resident: held, deferred } = registry.split(available, resident, who);
    assert.deepEqual(names(held), available.filter((name) => resident.includes(name)));
    assert.deepEqual(names(deferred), available.filter((name) => !resident.includes(name)));
    assert.deepEqual(names(registry.split(available, undefined, who).resident), available);
  }));
});

Deno.test("the toolset of the loop itself is in no list, and no other can take its name (K-163)", () => {
  const registry = registryOf(["a", "built-in"]);
  const loop = defineCoreToolset({ description: "", tools: () => [] });
  assert.throws(() => registry.register(loop, "plugin"), /is the name of the toolset of the loop itself/);
  registry.register(loop, "built-in");
  assert.throws(() => registry.register(loop, "built-in"), BadToolset);
  assert.equal(registry.core, loop);
  assert.deepEqual(names(registry.select("all")), ["a"]);
  assert.throws(() => registry.select(["core"]), UnknownToolset);
});

Deno.test("entries() lists what there is in trust order, and find() has what was granted and what is wrong", () => {
  const registry = registryOf(["m", "mcp"], ["b", "built-in"]);
  registry.register(toolset("p"), "plugin", { granted: { net: ["x"] }, problem: "down", from: "npm:p" });
  assert.deepEqual(registry.entries().map(({ name, provider, entryOnly }) => [name, provider, entryOnly]), [
    ["b", "built-in", false],
    ["p", "plugin", false],
    ["m", "mcp", false],
  ]);
  const { granted, problem, from } = registry.find("p")!;
  assert.deepEqual([granted, problem, from], [{ net: ["x"] }, "down", "npm:p"]);
  assert.deepEqual(registry.find("b")?.problem, null);
  assert.equal(registry.find("x"), undefined);
});

Deno.test("build() asks a toolset once for the same settings, agent and services, and again for others (K-164)", () => {
  let built = 0;
  const made = defineToolset({
    name: "made",
    description: "Counts its builds",
    settings: { limit: z.number().default(1) },
    tools: ({ settings }) => [
      tool({ name: "made", description: `${settings.limit} ${built++}`, input: z.object({}), run: () => "" }),
    ],
  });
  const registry = new ToolsetRegistry();
  const build = (settings = {}, agent = someAgent, service = given.service) =>
    registry.build([made], { settings: { made: settings }, ...given, agent, service }).tools[0]?.tool;
  assert.equal(build(), build());
  assert.equal(built, 1);
  assert.notEqual(build({ limit: 2 }), build());
  assert.notEqual(build({}, { ...someAgent, name: "other" }), build());
  assert.notEqual(build({}, someAgent, new Services().service), build());
});
