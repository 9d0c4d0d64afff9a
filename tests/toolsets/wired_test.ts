import assert from "node:assert/strict";
import { join } from "node:path";
import { createAssistant } from "../../core/assistant.ts";
import { loadConfig } from "../../core/config/mod.ts";
import { type Entry, foldEntries } from "../../core/log/mod.ts";
import { toolsAndModels, toolsetSettings } from "../../cli/startup.ts";
import { builtInToolsets } from "../../toolsets/mod.ts";
import { PIXEL } from "./media_fixture.ts";

/** What a fresh home with this configuration makes of a turn in which the model calls these tools, one after the other. */
async function play(
  setting: string,
  calls: readonly { readonly name: string; readonly arguments: unknown }[],
  prepare: (home: string) => Promise<Readonly<Record<string, string>>>,
  look: (
    tools: readonly Entry<"tool">[],
    house: { home: string; assistant: Awaited<ReturnType<typeof createAssistant>> },
  ) => Promise<void>,
): Promise<void> {
  const home = await Deno.realPath(await Deno.makeTempDir({ prefix: "malama-wired-" }));
  const root = join(home, ".malama");
  const file = join(root, "config.toml");
  await Deno.mkdir(root);
  await Deno.writeTextFile(file, setting);
  const script = join(root, "script.json");
  const turns = [...calls.map((call) => ({ tool_calls: [call] })), { text: "Done" }];
  await Deno.writeTextFile(script, JSON.stringify(turns));
  const variables: Readonly<Record<string, string>> = { HOME: home, ...await prepare(home) };
  const config = await loadConfig({ file, root, flags: {}, toolsets: toolsetSettings(), checks: [toolsAndModels] });
  const assistant = await createAssistant({
    config,
    version: "1.2.3",
    toolsets: builtInToolsets,
    env: (name) => variables[name],
    model: `demo:script@${script}`,
    fetch: () => Promise.reject(new TypeError("connection refused")),
  });
  try {
    await assistant.started;
    const { id } = await assistant.conversations.create();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    assistant.feed.subscribe((operation) => operation.op === "turn" && operation.turn.status === "done" && resolve());
    await assistant.turns.submit(id, { text: "Go" });
    await ended;
    const { path } = await assistant.conversations.get(id);
    const { items } = await assistant.log.entries(id, { limit: 500 });
    const blocks = foldEntries(path, items).turns[0]?.blocks ?? [];
    await look(blocks.filter((block): block is Entry<"tool"> => block.kind === "tool"), { home, assistant });
  } finally {
    await assistant.close();
    await Deno.remove(home, { recursive: true });
  }
}

const agentWith = (...toolsets: readonly string[]) =>
  `[agents.assistant]\n[agents.assistant.tools]\navailable = ${JSON.stringify(toolsets)}\nconfirm = []\n`;

Deno.test("an agent of a real house reads and writes files, and what was there before is in its store", () =>
  play(
    `${agentWith("fs", "fs_write")}[fs]\nroot = ["~/notes"]\n`,
    [
      { name: "read_file", arguments: { path: "notes/a.txt" } },
      { name: "write_file", arguments: { path: "notes/a.txt", content: "two" } },
      { name: "read_file", arguments: { path: ".malama/data/token" } },
      { name: "read_file", arguments: { path: "other.txt" } },
    ],
    async (home) => {
      await Deno.mkdir(join(home, "notes"));
      await Deno.writeTextFile(join(home, "notes/a.txt"), "one");
      await Deno.writeTextFile(join(home, "other.txt"), "not open");
      return {};
    },
    async (tools, { home, assistant }) => {
      const results = tools.map(({ data }) => data.result ?? "");
      assert.match(results[0] ?? "", /begins ===\none\n===/);
      assert.equal(await Deno.readTextFile(join(home, "notes/a.txt")), "two");
      const hash = /kept at \/payloads\/([0-9a-f]{64})/.exec(results[1] ?? "")?.[1] ?? "";
      const before = await assistant.storage.blobs.get(hash);
      assert.equal(new TextDecoder().decode(before?.bytes), "one");
      for (const result of results.slice(2)) assert.match(result, /outside of what tools may reach: stay in ~\/notes/);
    },
  ));

Deno.test("a picture that a tool made is shown in the conversation", async () => {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => Response.json({ data: [{ b64_json: PIXEL.toBase64() }] }),
  );
  await play(
    agentWith("image"),
    [{ name: "generate_image", arguments: { prompt: "A pixel" } }],
    () => Promise.resolve({ MALAMA_IMAGE_MODEL: `openai-compat:painter@http://127.0.0.1:${server.addr.port}/v1` }),
    ([call], { assistant }) => {
      const [image] = call?.data.images ?? [];
      assert.deepEqual([image?.media_type, image?.width, image?.height], ["image/png", 1, 1]);
      assert.deepEqual(assistant.toolsets().find(({ name }) => name === "speech")?.tools, []);
      return Promise.resolve();
    },
  );
  await server.shutdown();
});
