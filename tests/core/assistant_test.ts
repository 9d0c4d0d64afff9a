import assert from "node:assert/strict";
import { type Assistant, type AssistantOptions, BadDeclaration, createAssistant } from "../../core/assistant.ts";
import type { Config } from "../../core/config/mod.ts";
import { ConversationNotFound } from "../../core/conversation/mod.ts";
import { StorageLocked } from "../../core/storage/mod.ts";
import { builtInToolsets } from "../../toolsets/mod.ts";
import { testConfig } from "./config_fixture.ts";
import { blobNames } from "./storage/sample_store.ts";

interface Settings {
  readonly model?: string;
  readonly config?: Partial<Config>;
  readonly env?: Readonly<Record<string, string>>;
  readonly now?: AssistantOptions["now"];
  readonly every?: AssistantOptions["every"];
}

/** Nothing answers on this machine's usual ports. */
const nobody: typeof fetch = () => Promise.reject(new TypeError("connection refused"));

async function build(dataDir: string, { model, config, env = {}, now, every }: Settings = {}): Promise<Assistant> {
  return await createAssistant({
    config: { ...testConfig(["time", "compute"], config), dataDir },
    version: "1.2.3",
    toolsets: builtInToolsets,
    env: (name) => env[name],
    fetch: nobody,
    now,
    every,
    ...(model === undefined ? {} : { model }),
  });
}

async function withAssistant(settings: Settings, run: (assistant: Assistant) => Promise<void> | void): Promise<void> {
  const dataDir = await Deno.makeTempDir();
  const assistant = await build(dataDir, settings);
  try {
    await assistant.started;
    await run(assistant);
  } finally {
    await assistant.close();
    await Deno.remove(dataDir, { recursive: true });
  }
}

const agent = (rest: object) => ({
  assistant: { name: "assistant", delegatesTo: [], generation: {}, tools: { available: [] }, ...rest },
});

Deno.test("createAssistant() refuses an unknown toolset before anything is written, naming the table", async () => {
  const dataDir = await Deno.makeTempDir();
  const config = { agents: agent({ tools: { available: ["tiem"] } }) } as Partial<Config>;
  await assert.rejects(
    build(dataDir, { config }),
    (error) => error instanceof BadDeclaration && /\[agents\.assistant\.tools\].*"tiem"/.test(error.message),
  );
  assert.deepEqual([...Deno.readDirSync(dataDir)], []);
  await Deno.remove(dataDir, { recursive: true });
});

Deno.test("createAssistant() refuses a model string that cannot be read, naming where it stands", async () => {
  const dataDir = await Deno.makeTempDir();
  const config = { agents: agent({ model: "nonsense" }) } as Partial<Config>;
  await assert.rejects(build(dataDir, { config }), /\[agents\.assistant\]\.model/);
  await assert.rejects(build(dataDir, { model: "gpt" }), /--model/);
  await Deno.remove(dataDir, { recursive: true });
});

Deno.test("createAssistant() refuses a folder another one holds", async () => {
  const dataDir = await Deno.makeTempDir();
  const first = await build(dataDir);
  await assert.rejects(build(dataDir), StorageLocked);
  await first.close();
  await (await build(dataDir)).close();
  await Deno.remove(dataDir, { recursive: true });
});

Deno.test("a machine without a model gets the demonstration, even with keys in the environment", () =>
  withAssistant({ env: { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" } }, (assistant) => {
    assert.deepEqual([assistant.defaultModel.string, assistant.defaultModel.source], ["demo:tour", "demo"]);
    assert.ok(assistant.ready);
  }));

Deno.test("the flag goes before the file, the file before the environment", async () => {
  const base = testConfig();
  const config = { assistant: { ...base.assistant, model: "demo:echo" } };
  const env = { MALAMA_MODEL: "demo:tour" };
  await withAssistant({ model: "openai:gpt-9", config, env }, ({ defaultModel }) => {
    assert.deepEqual([defaultModel.string, defaultModel.source], ["openai:gpt-9", "flag"]);
  });
  await withAssistant({ config, env }, ({ defaultModel }) => assert.equal(defaultModel.source, "config"));
  await withAssistant({ env }, ({ defaultModel }) => assert.equal(defaultModel.source, "environment"));
});

Deno.test("the shipped toolsets give the entry agent exactly these tools", () =>
  withAssistant({}, (assistant) => {
    const tools = assistant.agents()[0]!.tools.map(({ name, toolset }) => `${toolset}.${name}`);
    assert.deepEqual(tools, [
      "time.get_current_date_and_time",
      "time.convert_time",
      "compute.calculate",
      "compute.execute_typescript",
      "compute.execute_python",
      "compute.run_command",
    ]);
    assert.deepEqual(
      assistant.toolsets().map(({ name, provider }) => [name, provider]),
      builtInToolsets.filter(({ name }) => name !== "core").map(({ name }) => [name, "built-in"]),
    );
  }));

Deno.test("models() lists the default first, and says which need a key", () =>
  withAssistant({ env: { ANTHROPIC_API_KEY: "k" } }, async (assistant) => {
    const models = await assistant.models({ all: true });
    assert.deepEqual([models[0]?.string, models[0]?.source, models[0]?.reachable], ["demo:tour", "demo", true]);
    const needs = (provider: string) => models.find((model) => model.provider === provider)?.needs_key;
    assert.deepEqual([needs("anthropic"), needs("openai"), needs("google")], [
      null,
      "OPENAI_API_KEY",
      "GEMINI_API_KEY",
    ]);
  }));

Deno.test("models() speaks the wire's spelling", () =>
  withAssistant({}, async (assistant) => {
    const models = await assistant.models({ all: true });
    const known = models.find((model) => model.string === "anthropic:claude-opus-5");
    assert.deepEqual([known?.context_window, known?.max_output], [1_000_000, 128_000]);
    for (const model of models) {
      assert.deepEqual(Object.keys(model).filter((key) => /[A-Z]/.test(key)), [], model.string);
    }
  }));

Deno.test("diagnostics() and usage() tell what ran", () =>
  withAssistant({ model: "demo:echo;tps=0" }, async (assistant) => {
    const { id } = await assistant.conversations.create();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    assistant.feed.subscribe((operation) => operation.op === "turn" && operation.turn.status === "done" && resolve());
    await assistant.turns.submit(id, { text: "hello" });
    await ended;
    const facts = assistant.diagnostics();
    assert.deepEqual([facts.version, facts.storage.state, facts.queued], ["1.2.3", "healthy", 0]);
    for (const by of ["day", "agent", "model"] as const) {
      const [row, ...rest] = (await assistant.usage())[by];
      assert.deepEqual([row?.turns, row?.usage.calls, rest.length], [1, 1, 0]);
    }
    assert.equal((await assistant.usage({ days: 1 })).model[0]?.key, "demo:echo;tps=0");
  }));

Deno.test("/diag answers while a turn runs", () =>
  withAssistant({ model: "demo:echo;tps=1" }, async (assistant) => {
    const { id } = await assistant.conversations.create();
    await assistant.turns.submit(id, { text: "a very long message that takes a while to say again" });
    const receipt = await assistant.turns.submit(id, { text: "/diag" });
    assert.ok(receipt.fate === "command" && receipt.text.includes(id) && receipt.text.includes("a very long message"));
  }));

Deno.test("a deleted conversation goes for good while Malama runs, with its captured requests", async () => {
  let late = 0;
  let keepHouse = () => Promise.resolve();
  const settings: Settings = {
    model: "demo:echo;tps=0",
    now: () => new Date(Date.now() + late),
    every: (milliseconds, work) => {
      assert.equal(milliseconds, 10 * 60_000);
      keepHouse = work;
      return () => keepHouse = () => Promise.reject(new Error("The interval outlived the assistant"));
    },
  };
  await withAssistant(settings, async ({ conversations, turns, feed, storage, config }) => {
    const { id } = await conversations.create();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    feed.subscribe((operation) => operation.op === "turn" && operation.turn.status === "done" && resolve());
    await turns.submit(id, { text: "between you and me" });
    await ended;
    const [round] = await storage.database.read(
      "select data ->> 'request_ref' as ref from entries where kind = 'round'",
    );
    const hash = String(round?.ref).slice("/payloads/".length);
    await conversations.delete(id);
    await keepHouse();
    assert.ok(await storage.blobs.get(hash), "it can still be brought back");
    late = 11 * 60_000;
    await keepHouse();
    assert.equal(await storage.blobs.get(hash), null);
    assert.deepEqual(await blobNames(config.dataDir), []);
    await assert.rejects(conversations.restore(id), ConversationNotFound);
  });
  await assert.rejects(keepHouse(), /outlived/);
});

Deno.test("what could not be removed before Malama ended is removed at the next start", async () => {
  const dataDir = await Deno.makeTempDir();
  const every = () => () => {};
  const first = await build(dataDir, { every });
  await first.started;
  const { id } = await first.conversations.create();
  await first.storage.blobs.put(new Uint8Array([1]), "image/png", id);
  await first.conversations.delete(id);
  await first.close();
  let keepHouse = () => Promise.resolve();
  const later = { now: () => new Date(Date.now() + 11 * 60_000) };
  const second = await build(dataDir, { ...later, every: (_, work) => (keepHouse = work, () => {}) });
  await second.started;
  // It joins the run that the start began.
  await keepHouse();
  assert.deepEqual(await blobNames(dataDir), []);
  await second.close();
  await Deno.remove(dataDir, { recursive: true });
});
