import assert from "node:assert/strict";
import { type Signal, signal } from "@preact/signals";
import { Answering, effortOf, EFFORTS, groupModels, thinkingOf } from "../../../components/state/answering.ts";
import type { AgentAbilities, ModelChoice } from "../../../components/state/api.ts";
import { type KeyValue, Store } from "../../../components/state/store.ts";
import type { Conversation } from "../../../core/log/entry.ts";

class Memory implements KeyValue {
  readonly held = new Map<string, string>();
  getItem = (key: string) => this.held.get(key) ?? null;
  setItem = (key: string, value: string) => void this.held.set(key, value);
  removeItem = (key: string) => void this.held.delete(key);
  key = (n: number) => [...this.held.keys()][n] ?? null;
  get length() {
    return this.held.size;
  }
}

const model = (string: string, more: Partial<ModelChoice> = {}): ModelChoice => ({
  string,
  provider: string.split(":")[0]!,
  id: string.split(":")[1]!,
  images: false,
  tools: true,
  thinking: false,
  source: "catalogue",
  reachable: null,
  needs_key: null,
  ...more,
});

const row = (id: string, more: Partial<Conversation> = {}) =>
  ({ id, agent: "assistant", model: null, ...more }) as Conversation;

const MODELS = [model("demo:tour", { source: "demo", thinking: true }), model("ollama:plain", { source: "local" })];

interface StageOptions {
  readonly models?: () => Promise<readonly ModelChoice[]>;
  readonly agents?: readonly AgentAbilities[];
  readonly change?: (model: string | null) => Promise<Conversation>;
  readonly memory?: Memory;
}

function stage(conversation: Conversation | null, options: StageOptions = {}) {
  const memory = options.memory ?? new Memory();
  const view: Signal<Conversation | null> = signal(conversation);
  const answering = new Answering({
    api: {
      models: options.models ?? (() => Promise.resolve(MODELS)),
      agents: () => Promise.resolve(options.agents ?? []),
      change: (id, { model = null }) => options.change?.(model) ?? Promise.resolve(row(id, { model })),
    },
    store: new Store("", memory),
    conversation: view,
    model: "demo:tour",
    takeRow: (taken) => view.value = taken,
    attempt: (work) => work().catch(() => undefined),
  });
  answering.open(conversation?.id ?? null);
  return { answering, view, memory };
}

Deno.test("the effort rides on every message until it is changed, and off is something else than nothing", async () => {
  const { answering } = stage(row("c1"));
  await answering.load();
  assert.deepEqual(answering.take(), {});
  answering.setEffort("high");
  assert.deepEqual([answering.take(), answering.take()], [{ thinking: "high" }, { thinking: "high" }]);
  answering.setEffort("off");
  assert.deepEqual(answering.take(), { thinking: false });
});

Deno.test("the effort is kept per conversation", () => {
  const memory = new Memory();
  stage(row("c1"), { memory }).answering.setEffort("low");
  assert.equal(stage(row("c1"), { memory }).answering.effort.value, "low");
  assert.equal(stage(row("c2"), { memory }).answering.effort.value, "default");
  stage(row("c1"), { memory }).answering.setEffort("default");
  assert.equal(memory.held.size, 0);
  memory.held.set("malama::effort:c1", "nonsense");
  assert.equal(stage(row("c1"), { memory }).answering.effort.value, "default");
});

Deno.test("where the model cannot think the effort stays behind, and comes back with one that can", async () => {
  const { answering } = stage(row("c1", { model: "ollama:plain" }));
  await answering.load();
  answering.setEffort("high");
  assert.equal(answering.canThink.value, false);
  assert.deepEqual(answering.take(), {});
  await answering.choose(null);
  assert.deepEqual(answering.take(), { thinking: "high" });
});

Deno.test("what was chosen for a conversation that is not begun goes with its first message, and is then let go", async () => {
  const memory = new Memory();
  const { answering, view } = stage(null, { memory });
  await answering.load();
  await answering.choose("ollama:plain");
  assert.equal(answering.model.value, "ollama:plain");
  assert.equal(stage(null, { memory }).answering.model.value, "ollama:plain", "after a reload");
  answering.setEffort("medium");
  assert.deepEqual(answering.take(), { model: "ollama:plain" });
  answering.begun("c9");
  view.value = row("c9", { model: "ollama:plain" });
  assert.equal(stage(row("c9"), { memory }).answering.effort.value, "medium");
  assert.equal(stage(null, { memory }).answering.model.value, "demo:tour");
  assert.equal(stage(null, { memory }).answering.effort.value, "default");
});

Deno.test("a choice the server refuses is taken back", async () => {
  const shown: (string | null)[] = [];
  const { answering, view } = stage(row("c1"), { change: () => Promise.reject(new Error("No such model")) });
  view.subscribe((taken) => shown.push(taken?.model ?? null));
  await answering.choose("ollama:plain");
  assert.deepEqual(shown, [null, "ollama:plain", null]);
});

Deno.test("what can be chosen is asked for once; after a failure it can be asked again", async () => {
  let asked = 0;
  const { answering } = stage(null, {
    models: () => ++asked === 1 ? Promise.reject(new Error("failed")) : Promise.resolve(MODELS),
  });
  await assert.rejects(answering.load(), /failed/);
  await Promise.all([answering.load(), answering.load()]);
  await answering.load();
  assert.equal(asked, 2);
  assert.equal(answering.models.value.length, 2);
});

Deno.test("a plan can be asked for only where the agent declares planning, and for one message", async () => {
  const agents = [
    { name: "assistant", entry: true, toolsets: [{ name: "planning" }] },
    { name: "plain", entry: false, toolsets: [{ name: "time" }] },
  ];
  const { answering, view } = stage(null, { agents });
  assert.equal(answering.canPlan.value, false, "before it is known");
  await answering.load();
  assert.equal(answering.canPlan.value, true);
  answering.plan.value = true;
  assert.deepEqual([answering.take(), answering.take()], [{ plan: true }, {}]);
  view.value = row("c1", { agent: "plain" });
  answering.plan.value = true;
  assert.deepEqual(answering.take(), {});
});

Deno.test("every effort says the same on the wire and back", () => {
  for (const effort of EFFORTS) assert.equal(effortOf(thinkingOf(effort)), effort);
  assert.equal(effortOf(true), "default");
  assert.equal(effortOf(null), "default");
});

Deno.test("groupModels() puts this machine first, what needs a key last, and filters by every word", () => {
  const models = [
    model("openai:a", { needs_key: "OPENAI_API_KEY" }),
    model("demo:tour", { source: "demo" }),
    model("anthropic:b"),
    model("ollama:qwen3:8b", { source: "local" }),
    model("mistral:c", { source: "configured" }),
  ];
  const shown = (filter: string) =>
    groupModels(models, filter).map((group) => [group.label, ...group.models.map((m) => m.string)]);
  assert.deepEqual(shown(""), [
    ["On this machine", "ollama:qwen3:8b"],
    ["Configured", "mistral:c"],
    ["Demonstration", "demo:tour"],
    ["With a key", "anthropic:b", "openai:a"],
  ]);
  assert.deepEqual(shown(" QWEN olla "), [["On this machine", "ollama:qwen3:8b"]]);
  assert.deepEqual(shown("nothing"), []);
});
