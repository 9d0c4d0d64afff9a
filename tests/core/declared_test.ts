import assert from "node:assert/strict";
import type { AgentDeclaration } from "../../core/config/mod.ts";
import { declarationProblems, hiddenTools } from "../../core/declared.ts";
import { BadToolset, defineToolset, tool, type Toolset, ToolsetRegistry } from "../../core/tool/mod.ts";
import { z } from "zod";
import { core } from "../../toolsets/core.ts";
import { testConfig } from "./config_fixture.ts";

const made = (name: string, tools: readonly string[] = [], entryOnly = false): Toolset =>
  defineToolset({
    name,
    description: "",
    entryOnly,
    tools: () => tools.map((each) => tool({ name: each, description: "", input: z.object({}), run: () => "" })),
  });
const toolsets = [core, made("time", ["now"]), made("clock", ["now", "tick"]), made("own", [], true)];

type Table = Partial<Omit<AgentDeclaration, "tools">> & { tools?: Partial<AgentDeclaration["tools"]> };
function configOf(agents: Record<string, Table>) {
  return testConfig([], {
    agents: Object.fromEntries(
      Object.entries<Table>({ assistant: {}, ...agents }).map(([name, { tools, ...rest }]) => [name, {
        name,
        delegatesTo: [],
        generation: {},
        ...rest,
        tools: { available: [], ...tools },
      }]),
    ),
  });
}
const problems = (agents: Record<string, Table>) =>
  declarationProblems(configOf(agents), toolsets).map(({ section, key, message }) => `[${section}].${key}: ${message}`);

Deno.test("a config whose agents hold what there is has no problem", () => {
  const all = { tools: { available: "all" as const, resident: ["time", "own"] } };
  assert.deepEqual(problems({ assistant: all, worker: { tools: { available: ["time"] } } }), []);
});

Deno.test("each fault of a table is refused with its table and its key named (K-009)", () => {
  const cases: readonly (readonly [Record<string, Table>, RegExp])[] = [
    [
      { worker: { tools: { available: ["tiem"] } } },
      /^\[agents\.worker\.tools\]\.available: .*"tiem".*"time".*time, clock, own/,
    ],
    [
      { worker: { tools: { available: ["own"] } } },
      /^\[agents\.worker\.tools\]\.available: .*"own" is for the entry agent alone/,
    ],
    [
      { worker: { tools: { available: "all", resident: ["own"] } } },
      /^\[agents\.worker\.tools\]\.resident: .*"own" is for the entry/,
    ],
    [
      { worker: { tools: { available: "all", resident: ["x"] } } },
      /^\[agents\.worker\.tools\]\.resident: There is no toolset "x"/,
    ],
    [{ "my worker": { model: "nonsense" } }, /^\[agents\."my worker"\]\.model: .*nonsense/],
    [
      { worker: { tools: { available: ["core"] } } },
      /^\[agents\.worker\.tools\]\.available: There is no toolset "core"/,
    ],
  ];
  for (const [agents, words] of cases) {
    const found = problems(agents);
    assert.equal(found.length, 1, found.join("\n"));
    assert.match(found[0] ?? "", words);
  }
});

Deno.test("two toolsets of one name are refused (K-009, K-163)", () => {
  assert.throws(() => declarationProblems(configOf({}), [made("a"), made("a")]), BadToolset);
});

Deno.test("a tool hidden by another in hand from the start is told for each agent; one that is loaded is not (K-165)", () => {
  const registry = new ToolsetRegistry();
  for (const toolset of toolsets) registry.register(toolset, "built-in");
  const config = configOf({
    assistant: { tools: { available: "all" } },
    worker: { tools: { available: ["clock", "time"], resident: ["clock"] } },
  });
  assert.deepEqual(hiddenTools({ config, registry, now: () => new Date(0) }), [
    { agent: "assistant", tool: "now", toolset: "clock", holder: "time" },
  ]);
});
