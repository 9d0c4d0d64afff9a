import assert from "node:assert/strict";
import { loadedOpening, LOADING, type LoadOutcome, type OfferedToolset } from "../../core/agent/mod.ts";
import { CALL, Services } from "../../core/tool/mod.ts";
import { DELEGATION, type WorkRefusal, type WorkReport } from "../../core/turn/mod.ts";
import { core } from "../../toolsets/core.ts";
import { reportText } from "../../toolsets/core/report.ts";
import { callTool, someAgent, toolsetContext } from "./toolset_fixture.ts";

const report = (rest: Partial<WorkReport> = {}): WorkReport => ({
  kind: "report",
  agent: "researcher",
  address: "researcher#1",
  answer: "It is 7",
  status: "done",
  capped: false,
  maxIterations: 5,
  ...rest,
});

Deno.test("an agent has those tools of the loop that it has a use for, and no others (K-154, K-208)", () => {
  const names = (agent: Partial<typeof someAgent>) =>
    core.tools(toolsetContext(core, { agent: { ...someAgent, ...agent } })).map(({ spec }) => spec.name);
  const delegates = [{ name: "a", about: "" }];
  const loadable = [{ name: "b", description: "" }];
  assert.deepEqual(names({}), []);
  assert.deepEqual(names({ delegates }), ["spawn_subagent"]);
  assert.deepEqual(names({ loadable }), ["available_tools", "load_tools"]);
  assert.deepEqual(names({ delegates, loadable }), ["spawn_subagent", "available_tools", "load_tools"]);
});

Deno.test("spawn_subagent hands the order on with its call, and refuses an agent that is not offered", async () => {
  const orders: unknown[] = [];
  const call = { entry: 7, tool: "spawn_subagent", arguments: {}, endWith: () => true };
  const services = new Services().provide(CALL, () => call).provide(DELEGATION, () => ({
    spawn: (order, by) => (orders.push(order, by.call), Promise.resolve(report())),
    compose: () => Promise.reject(new Error("not asked")),
  }));
  const agent = { ...someAgent, delegates: [{ name: "researcher", about: "Finds" }] };
  const ask = (agent_type: string) =>
    callTool(core, "spawn_subagent", { agent_type, task: "find" }, { agent, services });
  assert.equal(await ask("researcher"), "It is 7");
  assert.deepEqual(orders, [{ agent: "researcher", task: "find" }, call]);
  assert.match(String(await ask("coder")), /expected/i);
});

Deno.test("a report that is not whole says so first (K-157, K-214; casebook: reported as completed)", () => {
  assert.match(
    reportText(report({ capped: true })),
    /^Note: researcher used all its 5 model calls.*partial\.\n\nIt is 7$/s,
  );
  assert.match(
    reportText(report({ status: "failed", failure: "No model" })),
    /^researcher failed: No model\n\n.*It is 7$/s,
  );
  assert.match(reportText(report({ status: "stopped", answer: "" })), /^researcher was stopped before it was done$/);
  assert.equal(reportText(report({ answer: "" })), "researcher is done and said nothing");
  for (const status of ["failed", "stopped"] as const) {
    assert.ok(!reportText(report({ status })).startsWith("It is 7"));
  }
});

Deno.test("every refusal is a sentence that says what would be right (K-328)", () => {
  const refusals: readonly WorkRefusal[] = [
    { kind: "refused", why: "unknown agent", agent: "x", known: ["a", "b"] },
    { kind: "refused", why: "unknown agent", agent: "x", known: [] },
    { kind: "refused", why: "no task" },
    { kind: "refused", why: "off" },
    { kind: "refused", why: "too deep" },
    { kind: "refused", why: "unknown tools", tools: ["x"], known: ["a", "b"] },
  ];
  const texts = refusals.map(reportText);
  assert.match(texts[0] ?? "", /There are a, b$/);
  assert.match(texts[5] ?? "", /"x"\. There are a, b$/);
  assert.equal(new Set(texts).size, texts.length);
});

function loading(outcome: LoadOutcome, offered: readonly OfferedToolset[] = []): Services {
  return new Services().provide(LOADING, () => ({ load: () => outcome, offered: () => offered }));
}
const agent = { ...someAgent, loadable: [{ name: "b", description: "" }] };
const load = (outcome: LoadOutcome) =>
  callTool(core, "load_tools", { name: " b " }, { agent, services: loading(outcome) });

Deno.test("load_tools begins a success with the words the log is read by, and carries the guidance (K-155)", async () => {
  const text = String(
    await load({
      status: "loaded",
      name: "b",
      tools: ["two"],
      guidance: "Use b",
      hidden: [{ tool: "one", toolset: "b", holder: "a" }],
    }),
  );
  assert.ok(text.startsWith(loadedOpening("b")));
  assert.equal(text, "Loaded 'b': two.\nLeft out: one (you have one of that name from a).\n\nUse b");
});

Deno.test("load_tools begins every failure otherwise, and says what can be loaded (K-155)", async () => {
  assert.match(String(await load({ status: "held", name: "b" })), /^Could not load 'b': you have it already/);
  assert.match(
    String(await load({ status: "unknown", name: "b", loadable: ["c"] })),
    /^Could not load .*You can load c\.$/,
  );
  assert.match(
    String(await load({ status: "failed", name: "b", reason: "It is down" })),
    /^Could not load 'b': It is down/,
  );
});

Deno.test("available_tools lists what is in hand and what can be loaded, with what needs an approval (K-154)", async () => {
  const offered = [
    { name: "a", description: "Does a", isHeld: true, gated: [] },
    { name: "b", description: "Does b", isHeld: false, gated: ["b.two", "b.one"] },
    { name: "c", description: "Does c", isHeld: false, gated: ["c.*"] },
  ];
  const services = loading({ status: "held", name: "" }, offered);
  assert.equal(
    await callTool(core, "available_tools", {}, { agent, services }),
    "- a (in hand): Does a\n- b (can be loaded; two, one needs an approval): Does b\n" +
      "- c (can be loaded; its calls need an approval): Does c",
  );
});
