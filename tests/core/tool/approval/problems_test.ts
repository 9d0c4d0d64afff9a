import assert from "node:assert/strict";
import { gateProblems } from "../../../../core/tool/mod.ts";
import { type Pair, policyConfig } from "./policy_config.ts";

const TOOLS = new Map([
  ["compute", ["calculate", "execute_python", "run_command"]],
  ["web", ["search", "get_web_content"]],
  ["planning", []],
  ["github_backup", ["backup"]],
]);

/** The sentences about a config whose agents hold what they declare. */
function told(pair: Pair, agents: Readonly<Record<string, Pair>>, floor: readonly string[] = []): readonly string[] {
  const config = policyConfig(pair, agents, floor);
  const problems = gateProblems(config, {
    tools: TOOLS,
    heldBy: (agent) => {
      const { available } = config.agents[agent]!.tools;
      return available === "all" ? [...TOOLS.keys()] : available;
    },
    shipped: ["fs_write", "config.update_config"],
  });
  return problems.map(({ message, section, key }) => `[${section}].${key}: ${message}`);
}

const holds = (...available: string[]) => ({ assistant: { available } });

/** The one sentence about an entry of the default `confirm`. */
function about(entry: string, ...available: string[]): string {
  const all = told({ confirm: [entry] }, holds(...available));
  assert.equal(all.length, 1, all.join("\n"));
  return all[0]!;
}

Deno.test("gates that match are accepted: a toolset, .*, a tool, and the loop's own tools (K-181)", () => {
  const confirm = ["compute", "web.*", "compute.run_command", "core.spawn_subagent", "core.load_tools", "core"];
  assert.deepEqual(told({ confirm }, holds("compute", "web")), []);
});

Deno.test("what is no entry at all is refused (K-182)", () => {
  assert.match(about("compute.run.it", "compute"), /^\[assistant\.tools\]\.confirm: .*more than one dot/);
  assert.match(about("compute.run*", "compute"), /write "compute\.\*"/);
});

Deno.test("a bare tool name is refused with the toolset it is in (K-182)", () => {
  assert.match(about("execute_python", "compute"), /is a tool, not a toolset: write "compute\.execute_python"/);
});

Deno.test("a tool under the wrong toolset is refused with the right one (K-182)", () => {
  assert.match(
    about("web.execute_python", "compute", "web"),
    /is not in web but in compute.*"compute\.execute_python"/,
  );
  assert.match(about("fs.execute_python", "compute"), /is not in fs but in compute/);
});

Deno.test("a toolset no agent declares is refused, though it is installed (K-182)", () => {
  assert.match(about("github_backup", "compute"), /matches nothing: no agent has it\. Add "github_backup"/);
});

Deno.test("a toolset that provides no tools is refused (K-182)", () => {
  assert.match(about("planning", "planning"), /planning has no tools/);
});

Deno.test("a near miss is refused with what was meant (K-182)", () => {
  assert.match(about("compute.run_comand", "compute"), /did you mean "compute\.run_command"\?/);
  assert.match(about("compte.run_command", "web", "compute"), /is not in compte but in compute/);
  assert.match(about("compte", "compute"), /did you mean "compute"\?/);
  assert.match(about("compute.fly", "compute"), /its tools are calculate, execute_python, run_command/);
  assert.match(about("core.spawn_subagents", "compute"), /did you mean "core\.spawn_subagent"\?/);
});

Deno.test("an agent's own pair has to match what that agent has (K-182, K-183)", () => {
  const agents = { assistant: { available: ["compute"] }, reader: { available: ["web"], confirm: ["compute"] } };
  assert.match(told({}, agents)[0]!, /^\[agents\.reader\.tools\]\.confirm: .*reader does not have it/);
});

Deno.test("an entry Malama ships with may match nothing; the same name otherwise spelled may not (K-188)", () => {
  assert.deepEqual(told({ confirm: ["fs_write", "config.update_config"] }, holds("compute")), []);
  assert.equal(told({ confirm: ["fs_write.*"] }, holds("compute")).length, 1);
});

Deno.test("a toolset whose tools are not known yet waits (K-184)", () => {
  assert.deepEqual(told({ confirm: ["linear.create_issue", "linear"] }, holds("linear")), []);
});

Deno.test("the floor is held to the same spelling, and may name what no agent has (K-182)", () => {
  assert.match(told({}, holds("compute"), ["web.serch"])[0]!, /^\[security\]\.never_auto_approve: .*"web\.search"\?/);
  assert.deepEqual(told({}, holds("compute"), ["web.search", "github_backup"]), []);
});

Deno.test("a reviewed call no gate covers is refused (K-206)", () => {
  const uncovered = { confirm: ["compute.run_command"], review: ["compute"] };
  assert.match(told(uncovered, holds("compute"))[0]!, /\]\.review: .*compute\.calculate, which no gate covers/);
  assert.match(told({ review: ["web.search"] }, holds("web"))[0]!, /add "web\.search" to confirm/);
  assert.match(told({ review: ["linear"] }, holds("linear"))[0]!, /add "linear" to confirm/);
  assert.deepEqual(told({ confirm: ["compute"], review: ["compute.run_command"] }, holds("compute")), []);
});

Deno.test("a reviewed call on the floor is refused, also when the toolset is not built yet (K-184, K-206)", () => {
  const both = { confirm: ["compute"], review: ["compute"] };
  assert.match(told(both, holds("compute"), ["compute.run_command"])[0]!, /never_auto_approve keeps for a person/);
  const later = { confirm: ["linear"], review: ["linear"] };
  assert.match(told(later, holds("linear"), ["linear.delete"])[0]!, /linear\.delete, which .*never_auto_approve/);
  assert.match(told(later, holds("linear"), ["linear"])[0]!, /linear\.\*, which .*never_auto_approve/);
});

Deno.test("a review list that matches nothing is refused (K-206)", () => {
  assert.match(told({ review: ["compute.fly"] }, holds("compute"))[0]!, /\.review: "compute\.fly" names no tool/);
});
