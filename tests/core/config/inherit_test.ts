import assert from "node:assert/strict";
import { configOf, faultsOf } from "./config_on_disk.ts";

const FAMILY = `
[agents.assistant]
base = "worker"
model = "demo:echo"

[agents.assistant.generation]
top_k = 5

[[agents.assistant.triggers]]
type = "timer"
name = "tick"
interval = 5

[agents.worker]
base = "root"
description = "works"
thinking = "high"
delegates_to = []

[agents.worker.generation]
temperature = 0.5
top_k = 40

[agents.worker.tools]
available = ["time", "compute"]
resident = ["time"]

[[agents.worker.triggers]]
type = "timer"
name = "tick"
interval = 60

[[agents.worker.triggers]]
type = "idle"
name = "rest"

[agents.root]
model = "demo:tour"
system_message = "You work"
plugins = ["budget", { name = "gate", options = { ask = true } }]
`;

Deno.test("an agent takes its base's keys, and theirs in turn, and overrides them (T-485)", async () => {
  const { assistant } = (await configOf(FAMILY)).agents;
  assert.equal(assistant?.model, "demo:echo");
  assert.equal(assistant?.thinking, "high");
  assert.equal(assistant?.systemMessage, "You work");
  assert.equal(assistant?.description, "works");
});

Deno.test("tables are merged key by key, lists are replaced (T-485)", async () => {
  const { assistant } = (await configOf(FAMILY)).agents;
  assert.deepEqual(assistant?.generation, { temperature: 0.5, top_k: 5 });
  assert.deepEqual(assistant?.tools, { available: ["time", "compute"], resident: ["time"] });
  const narrowed = await configOf(`${FAMILY}\n[agents.assistant.tools]\navailable = ["time"]\n`);
  assert.deepEqual(narrowed.agents.assistant?.tools, { available: ["time"], resident: ["time"] });
});

Deno.test("lists of named things are merged by name, in the base's order (T-485)", async () => {
  const { sections } = await configOf(FAMILY);
  const { assistant } = sections.agents as { assistant: { triggers: readonly { name: string; interval?: number }[] } };
  assert.deepEqual(assistant.triggers.map(({ name, interval }) => [name, interval]), [["tick", 5], [
    "rest",
    undefined,
  ]]);
});

Deno.test("the base itself stays as it was, and is not inherited", async () => {
  const { agents, sections } = await configOf(FAMILY);
  assert.deepEqual(agents.worker?.generation, { temperature: 0.5, top_k: 40 });
  assert.equal((sections.agents as Record<string, Record<string, unknown>>).assistant?.base, "worker");
  assert.equal((sections.agents as Record<string, Record<string, unknown>>).root?.base, undefined);
});

Deno.test("defaults come after inheritance, so they override nothing", async () => {
  const text = '[agents.assistant]\nbase = "b"\n[agents.b.compaction]\nthreshold = 0.5\n';
  const { assistant } = (await configOf(text)).sections.agents as { assistant: { compaction: { threshold: number } } };
  assert.equal(assistant.compaction.threshold, 0.5);
});

Deno.test("a base that does not exist is a fault of the agent that names it alone", async () => {
  const faults = await faultsOf('[agents.assistant]\nbase = "b"\n[agents.b]\nbase = "nobody"\n');
  assert.deepEqual(faults, ["4: [agents.b].base names no agent: there is no [agents.nobody]"]);
});

Deno.test("a circle of bases is a fault", async () => {
  const faults = await faultsOf('[agents.assistant]\nbase = "b"\n[agents.b]\nbase = "assistant"\n');
  assert.deepEqual(faults, [
    "2: [agents.assistant].base makes a circle: assistant → b → assistant",
    "4: [agents.b].base makes a circle: b → assistant → b",
  ]);
});
