import assert from "node:assert/strict";
import { createAssistant } from "../../core/assistant.ts";
import { EXAMPLE_CONFIG, loadConfig } from "../../core/config/mod.ts";
import { toolsAndModels, toolsetSettings } from "../../cli/startup.ts";
import { foldEntries, type RunBlock } from "../../core/log/mod.ts";
import type { Assistant } from "../../core/assistant.ts";
import { builtInToolsets } from "../../toolsets/mod.ts";

/** What a fresh machine has: the example as it is shipped, and the demonstration. */
async function withShipped(run: (assistant: Assistant) => Promise<void> | void): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "malama-shipped-" });
  const file = `${root}/config.toml`;
  await Deno.writeTextFile(file, EXAMPLE_CONFIG);
  const config = await loadConfig({ file, root, flags: {}, toolsets: toolsetSettings(), checks: [toolsAndModels] });
  const assistant = await createAssistant({
    config,
    version: "1.2.3",
    toolsets: builtInToolsets,
    env: () => undefined,
    model: "demo:tour;tps=0",
    fetch: () => Promise.reject(new TypeError("connection refused")),
  });
  try {
    await assistant.started;
    await run(assistant);
  } finally {
    await assistant.close();
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("the shipped entry agent has exactly these tools, in hand or to be loaded (K-043, K section 6.2)", () =>
  withShipped((assistant) => {
    const entry = assistant.agents().find((agent) => agent.entry)!;
    const resident = new Set(entry.toolsets.filter((toolset) => toolset.resident).map(({ name }) => name));
    const named = (isInHand: boolean) =>
      entry.tools.filter(({ toolset }) => (resident.has(toolset) || toolset === "core") === isInHand)
        .map(({ toolset, name }) => `${toolset}.${name}`).sort();
    assert.deepEqual(named(true), [
      "capabilities.compose_subagent",
      "capabilities.list_capabilities",
      "config.read_config",
      "config.update_config",
      "conversations.export_conversation",
      "conversations.list_conversations",
      "conversations.read_conversation",
      "conversations.rename_conversation",
      "conversations.search_conversations",
      "core.available_tools",
      "core.load_tools",
      "core.spawn_subagent",
      "memory.list_memories",
      "memory.remove_memory",
      "memory.search_memories",
      "memory.store_memory",
      "messaging.list_agents",
      "messaging.send_message",
      "time.convert_time",
      "time.get_current_date_and_time",
    ]);
    assert.deepEqual(named(false), [
      "documents.edit_document",
      "documents.list_documents",
      "documents.read_document",
      "documents.save_document",
      "documents.search_documents",
    ]);
    assert.deepEqual(entry.gates, { confirm: ["config.update_config"], review: [] });
  }));

Deno.test("the shipped workers hold what they are for, and nothing of the entry agent's (K-043)", () =>
  withShipped((assistant) => {
    const held = Object.fromEntries(
      assistant.agents().map(({ name, toolsets }) => [name, toolsets.map((each) => each.name)]),
    );
    assert.deepEqual(held.researcher, ["web", "misc", "time", "messaging"]);
    assert.deepEqual(held.coder, ["fs", "fs_write", "compute", "time", "messaging"]);
    assert.deepEqual(held.introspector, ["conversations", "fs", "time", "messaging"]);
    assert.deepEqual(assistant.agents().flatMap(({ delegates_to }) => delegates_to), [
      "researcher",
      "coder",
      "introspector",
    ]);
  }));

Deno.test("the demonstration hands a sum to the sub-agent that calculates, beside a tool of its own", () =>
  withShipped(async (assistant) => {
    const { id } = await assistant.conversations.create();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    assistant.feed.subscribe((operation) => operation.op === "turn" && operation.turn.status === "done" && resolve());
    await assistant.turns.submit(id, { text: "What is 2^64, and also what day is it in Auckland?" });
    await ended;
    const { path } = await assistant.conversations.get(id);
    const { items } = await assistant.log.entries(id, { limit: 500 });
    const [turn] = foldEntries(path, items).turns;
    const card = turn?.blocks.find((block): block is RunBlock => block.kind === "run");
    assert.deepEqual([card?.entry.data.agent, card?.entry.data.status], ["coder", "done"]);
    const inside = card?.blocks.flatMap((block) => block.kind === "tool" ? [block.data.name] : []);
    assert.deepEqual(inside, ["calculate"]);
    const said = turn?.blocks.flatMap((block) => block.kind === "text" ? [block.data.text] : []).join("");
    assert.match(said ?? "", /18,446,744,073,709,551,616/);
    assert.match(said ?? "", /In Auckland it is/);
  }));
