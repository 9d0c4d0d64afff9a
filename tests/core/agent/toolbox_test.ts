import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { loadedOpening } from "../../../core/agent/mod.ts";
import { foldLoaded } from "../../../core/agent/loaded.ts";
import { Toolbox } from "../../../core/agent/toolbox.ts";
import type { Entry } from "../../../core/log/mod.ts";
import { defineToolset, Services, tool, type Toolset, ToolsetRegistry } from "../../../core/tool/mod.ts";
import { someAgent } from "../../toolsets/toolset_fixture.ts";

const made = (name: string, ...tools: string[]): Toolset =>
  defineToolset({
    name,
    description: `The ${name}`,
    guidance: `Use ${name}`,
    tools: () => tools.map((each) => tool({ name: each, description: each, input: z.object({}), run: () => name })),
  });
const broken: { isBroken: boolean; toolset: Toolset } = {
  isBroken: true,
  toolset: defineToolset({
    name: "broken",
    description: "",
    tools: () => {
      if (broken.isBroken) throw new Error("The server is down");
      return [];
    },
  }),
};

function toolbox(rest: Partial<ConstructorParameters<typeof Toolbox>[0]> = {}) {
  const lost: string[] = [];
  const box = new Toolbox({
    registry: new ToolsetRegistry(),
    context: { settings: {}, now: () => new Date(0), agent: someAgent, service: new Services().service },
    resident: [made("a", "one")],
    deferred: [made("b", "two", "one"), made("c", "three"), broken.toolset],
    gates: [],
    loaded: [],
    onLost: (name, reason) => lost.push(`${name}: ${reason}`),
    ...rest,
  });
  return { box, lost, names: () => box.tools.map(({ tool }) => tool.spec.name) };
}

Deno.test("load() adds behind what is held; of two tools of one name the one in hand stays, and the other is named (K-155)", () => {
  const { box, names } = toolbox();
  assert.deepEqual(names(), ["one"]);
  assert.deepEqual(box.load("b"), {
    status: "loaded",
    name: "b",
    tools: ["two"],
    guidance: "Use b",
    hidden: [{ tool: "one", toolset: "b", holder: "a" }],
  });
  assert.deepEqual(names(), ["one", "two"]);
  assert.equal(box.tools[0]?.toolset, "a");
  assert.deepEqual([box.loaded, box.loadable], [["b"], ["c", "broken"]]);
});

Deno.test("load() says what is held already and what there is instead of something unknown", () => {
  const { box } = toolbox();
  box.load("c");
  assert.deepEqual(box.load("a"), { status: "held", name: "a" });
  assert.deepEqual(box.load("c"), { status: "held", name: "c" });
  assert.deepEqual(box.load("x"), { status: "unknown", name: "x", loadable: ["b", "broken"] });
});

Deno.test("a load that fails changes nothing and can be tried again (K-155, K-178)", () => {
  const { box, names } = toolbox();
  broken.isBroken = true;
  assert.deepEqual(box.load("broken"), { status: "failed", name: "broken", reason: "The server is down" });
  assert.deepEqual([names(), box.loaded], [["one"], []]);
  broken.isBroken = false;
  assert.equal(box.load("broken").status, "loaded");
  broken.isBroken = true;
});

Deno.test("what was loaded before is given back in that order; what cannot be is reported and stays loadable (K-179)", () => {
  const { box, lost, names } = toolbox({ loaded: ["c", "broken", "gone", "b"] });
  assert.deepEqual(names(), ["one", "three", "two"]);
  assert.deepEqual(box.loaded, ["c", "b"]);
  assert.deepEqual(lost, ["broken: The server is down"]);
  assert.deepEqual(box.loadable, ["broken"]);
});

Deno.test("whatever is loaded in whatever order, the tools before a load are a prefix of those after it", () => {
  fc.assert(fc.property(fc.array(fc.constantFrom("a", "b", "c", "broken", "x")), (loads) => {
    const { box, names } = toolbox();
    for (const name of loads) {
      const before = names();
      box.load(name);
      assert.deepEqual(names().slice(0, before.length), before);
    }
    const again = toolbox({ loaded: box.loaded });
    assert.deepEqual(again.names(), names(), "built again it is the same");
  }));
});

Deno.test("offered() tells what is held, and which entries of the gate list concern each (K-154)", () => {
  const { box } = toolbox({ gates: ["b.two", "c", "cc"] });
  box.load("b");
  assert.deepEqual(box.offered().map(({ name, isHeld, gated }) => [name, isHeld, gated]), [
    ["a", true, []],
    ["b", true, ["b.two"]],
    ["c", false, ["c"]],
    ["broken", false, []],
  ]);
});

const loadEntry = (name: unknown, rest: object = {}): Entry =>
  ({
    run: null,
    kind: "tool",
    data: {
      call: "1",
      name: "load_tools",
      toolset: "core",
      arguments: { name },
      status: "done",
      result: `${loadedOpening(String(name).trim())} x`,
      ...rest,
    },
  }) as Entry;

Deno.test("foldLoaded() takes successes alone, by first success, of one run (K-179)", () => {
  const entries = [
    loadEntry("b"),
    loadEntry(" a "),
    loadEntry("b"),
    loadEntry("c", { result: "Could not load 'c': it is down" }),
    loadEntry("d", { status: "denied" }),
    loadEntry("e", { status: "interrupted" }),
    loadEntry("f", { toolset: "plugin" }),
    loadEntry("g", { result: "Loaded 'other': x" }),
    loadEntry(7),
    { ...loadEntry("w"), run: "R" } as Entry,
  ];
  assert.deepEqual(foldLoaded(entries), ["b", "a"]);
  assert.deepEqual(foldLoaded(entries, "R"), ["w"]);
});
