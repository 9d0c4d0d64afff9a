import assert from "node:assert/strict";
import { buildAgent, planAgent, planComposed } from "../../../core/agent/mod.ts";
import { assemblePrompt, DELEGATION_CLAUSE, LEAN_CLAUSE } from "../../../core/agent/prompt.ts";
import type { AgentDeclaration, Config } from "../../../core/config/mod.ts";
import { scriptedModel } from "../../../core/model/mod.ts";
import { defineToolset, Services, type Toolset, ToolsetRegistry } from "../../../core/tool/mod.ts";
import { core } from "../../../toolsets/core.ts";
import { capabilities } from "../../../toolsets/capabilities.ts";
import { testConfig } from "../config_fixture.ts";

const made = (name: string, rest: Partial<Toolset> = {}) =>
  defineToolset({ name, description: `The ${name}`, guidance: `Use ${name}.`, tools: () => [], ...rest } as never);
const own = { crossCutting: true };

type Table = Partial<Omit<AgentDeclaration, "tools">> & { tools?: Partial<AgentDeclaration["tools"]> };

function sourceOf(agents: Record<string, Table>, rest: { system?: string; config?: Partial<Config> } = {}) {
  const registry = new ToolsetRegistry();
  const toolsets = [
    core,
    made("self", own),
    made("notes", own),
    made("work"),
    made("mine", { entryOnly: true }),
    capabilities,
  ];
  for (const toolset of toolsets) registry.register(toolset, "built-in");
  const plain = testConfig();
  const config = {
    ...plain,
    agents: Object.fromEntries(
      Object.entries(agents).map(([name, { tools, ...table }]) => [name, {
        name,
        delegatesTo: [],
        generation: {},
        ...table,
        tools: { available: [], ...tools },
      }]),
    ),
    ...rest.config,
  };
  return {
    config,
    registry,
    now: () => new Date(0),
    services: new Services(),
    ...rest.system && { system: rest.system },
  };
}

const promptOf = (source: ReturnType<typeof sourceOf>, name = "assistant", loaded: readonly string[] = []) =>
  buildAgent(source, name, scriptedModel([]), { loaded }).system;

Deno.test("the prompt has its parts in order: opener, guidance in hand, what can be loaded, delegation, lean (K-189)", () => {
  const source = sourceOf({
    assistant: {
      systemMessage: "I am here.",
      delegatesTo: ["worker"],
      tools: { available: ["notes", "self"], resident: ["self"] },
    },
    worker: {},
  });
  assert.equal(
    promptOf(source),
    ["I am here.", "Use self.", "More toolsets can be loaded with `load_tools`: notes", DELEGATION_CLAUSE, LEAN_CLAUSE]
      .join("\n\n"),
  );
});

Deno.test("what was loaded before counts as resident: its guidance in the prompt, its name gone from the line (K-179)", () => {
  const source = sourceOf({ assistant: { tools: { available: ["notes", "self"], resident: ["self"] } } });
  assert.equal(promptOf(source, "assistant", ["notes"]), "You help\n\nUse self.\n\nUse notes.");
});

Deno.test("the lean clause is for an agent without work of its own that has others, and never for another (K-189, K-191)", () => {
  const lean = (table: Table) => promptOf(sourceOf({ assistant: table, worker: {} })).includes(LEAN_CLAUSE);
  assert.ok(lean({ delegatesTo: ["worker"], tools: { available: ["self"] } }));
  assert.ok(lean({ tools: { available: ["self", "capabilities"] } }), "it can compose one");
  assert.ok(!lean({ tools: { available: ["self"] } }), "there is nobody to give work to");
  assert.ok(!lean({ delegatesTo: ["worker"], tools: { available: ["self", "work"] } }));
  assert.ok(
    !lean({ delegatesTo: ["worker"], tools: { available: ["self", "work"], resident: ["self"] } }),
    "it can load it",
  );
});

Deno.test("--system replaces the entry agent's opener and no worker's (K-189, K-192)", () => {
  const source = sourceOf({ assistant: { systemMessage: "a" }, worker: { systemMessage: "w" } }, { system: "s" });
  assert.equal(planAgent(source, "assistant").opener, "s");
  assert.equal(planAgent(source, "worker").opener, "w");
});

Deno.test("what an agent declares is its own; what it does not is the default's, not its caller's (K-026…K-028)", () => {
  const source = sourceOf({
    assistant: { model: "a:b", thinking: "high", generation: { top_k: 9 }, maxIterations: 3, delegatesTo: ["worker"] },
    worker: { generation: { temperature: 0 }, thinking: false },
  }, {
    config: { assistant: { ...testConfig().assistant, thinking: "low", generation: { temperature: 1, top_p: 0.5 } } },
  });
  const worker = planAgent(source, "worker");
  assert.deepEqual([worker.model, worker.thinking, worker.maxIterations, worker.generation], [
    undefined,
    false,
    10,
    { temperature: 0, top_p: 0.5 },
  ]);
});

Deno.test("delegates are described by their description, else by the first line of their system message (K-208)", () => {
  const source = sourceOf({
    assistant: { delegatesTo: ["a", "b", "c"] },
    a: { description: "Does a", systemMessage: "x" },
    b: { systemMessage: "Does b\nand more" },
    c: {},
  });
  assert.deepEqual(planAgent(source, "assistant").facts.delegates.map(({ about }) => about), ["Does a", "Does b", ""]);
});

Deno.test("the tool that gives out work offers exactly these, each with its line", () => {
  const source = sourceOf({ assistant: { delegatesTo: ["a"] }, a: { description: "Does a" }, b: {} });
  const [spawn, ...rest] = buildAgent(source, "assistant", scriptedModel([])).tools.map(({ tool }) => tool.spec);
  assert.deepEqual([spawn?.name, rest], ["spawn_subagent", []]);
  assert.match(spawn?.description ?? "", /- a: Does a$/);
  assert.deepEqual((spawn?.input.properties as { agent_type: { enum: string[] } }).agent_type.enum, ["a"]);
  assert.deepEqual(buildAgent(source, "b", scriptedModel([])).tools, []);
});

Deno.test("a composed agent has what was named and never what composes, unless depth is left (K-212)", () => {
  const source = sourceOf({ assistant: {} });
  const order = { name: "x", tools: ["work", "capabilities"], instructions: " " };
  const last = planComposed(source, { ...order, depth: 0 });
  assert.deepEqual(last.resident.map(({ name }) => name), ["work"]);
  assert.deepEqual([last.name, last.label, last.opener, last.facts.isEntry], ["composed:x", "x", "You help", false]);
  const next = planComposed(source, { ...order, depth: 2 });
  assert.deepEqual(next.resident.map(({ name }) => name), ["work", "capabilities"]);
  assert.equal(next.facts.depth, 2);
});

Deno.test("an agent offers what it holds with the gates that hold for it: its own, or the default ones (K-183)", () => {
  const source = sourceOf({ a: { tools: { review: ["x"] } }, b: {} }, {
    config: { assistant: { ...testConfig().assistant, tools: { confirm: ["c"], review: ["r"] } } },
  });
  assert.deepEqual(["a", "b"].map((name) => planAgent(source, name).gates), [[], ["c"]]);
  assert.deepEqual(planComposed(source, { name: "a", tools: [], instructions: "", depth: 0 }).gates, ["c"]);
});

Deno.test("a prompt without parts is empty, and blank parts leave no gap", () => {
  const nothing = { opener: "", guidance: [], loadable: [], delegates: false, lean: false };
  assert.equal(assemblePrompt(nothing), "");
  assert.equal(assemblePrompt({ ...nothing, opener: " a ", guidance: ["", "b"] }), "a\n\nb");
});
