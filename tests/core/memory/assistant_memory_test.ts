import assert from "node:assert/strict";
import { join } from "node:path";
import { createAssistant, declarationProblems } from "../../../core/assistant.ts";
import { loadConfig } from "../../../core/config/mod.ts";
import type { ScriptedTurn } from "../../../core/model/mod.ts";
import { builtInToolsets } from "../../../toolsets/mod.ts";
import { withFolder } from "../storage/sample_store.ts";

const toolsets = Object.fromEntries(builtInToolsets.map(({ name, settings }) => [name, settings]));

async function configOf(folder: string, memory: string, script: readonly ScriptedTurn[] = []) {
  const file = join(folder, "config.toml");
  const lines = join(folder, "script.json");
  await Deno.writeTextFile(lines, JSON.stringify(script));
  await Deno.writeTextFile(
    file,
    `[paths]\ndata_dir = ${JSON.stringify(folder)}\n[assistant]\nmodel = ${JSON.stringify(`demo:script@${lines}`)}\n` +
      `generate_titles = false\n${memory}\n[agents.assistant]\n[agents.assistant.tools]\navailable = ["memory", "documents"]\n`,
  );
  return await loadConfig({ root: folder, file, toolsets });
}

async function open(folder: string, script: readonly ScriptedTurn[] = []) {
  const config = await configOf(folder, `[memory]\nembedding = "hash"`, script);
  const assistant = await createAssistant({ config, version: "1", toolsets: builtInToolsets, env: () => undefined });
  await assistant.started;
  return assistant;
}

Deno.test("what an agent stores in one conversation is there after a restart, for any other (K-331)", () =>
  withFolder(async (folder) => {
    const first = await open(folder, [
      { tool_calls: [{ name: "store_memory", arguments: { content: "The dog is called Biscuit" } }] },
      { text: "I will remember it" },
    ]);
    const { id } = await first.conversations.create();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    first.feed.subscribe((operation) => operation.op === "turn" && operation.turn.status === "done" && resolve());
    await first.turns.submit(id, { text: "My dog is called Biscuit" });
    await ended;
    await first.close();

    const second = await open(folder);
    const [found] = await second.memories.search("what is the dog's name");
    assert.deepEqual([found?.text, found?.origin], ["The dog is called Biscuit", id]);
    await second.close();
  }));

Deno.test("a model without embeddings for memories is refused at the start, naming the key (K-334)", () =>
  withFolder(async (folder) => {
    const config = await configOf(folder, `[memory]\nembedding = "anthropic:claude-sonnet-5"`);
    const [problem] = declarationProblems(config, builtInToolsets);
    assert.deepEqual([problem?.section, problem?.key], ["memory", "embedding"]);
    assert.match(problem?.message ?? "", /has no embeddings: write "local", "hash"/);
  }));
