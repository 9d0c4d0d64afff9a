import assert from "node:assert/strict";
import { join } from "node:path";
import { createAssistant } from "../../core/assistant.ts";
import { loadConfig } from "../../core/config/mod.ts";
import { builtInToolsets } from "../../toolsets/mod.ts";
import { type Operation, type OperationName, operations } from "../../web/operations.ts";
import { serve } from "../../web/serve.ts";
import { LiveClient } from "../web/live_client.ts";

const CONFIG = `
[assistant]
model = "demo:tour"

[agents.assistant]
description = "The one you talk to"

[agents.assistant.tools]
available = ["time", "compute"]
`;

/** The whole product over the wire, on the demonstration model. */
async function withProduct(
  run: (product: {
    url: string;
    headers: Record<string, string>;
    ask: (name: OperationName, path: string, body?: unknown) => Promise<Record<string, unknown>>;
  }) => Promise<void>,
): Promise<void> {
  const root = await Deno.makeTempDir();
  const file = join(root, "config.toml");
  await Deno.writeTextFile(file, CONFIG);
  const toolsets = Object.fromEntries(builtInToolsets.map(({ name, settings }) => [name, settings]));
  const config = await loadConfig({ root, file, toolsets });
  const assistant = await createAssistant({
    config,
    version: "0.0.1",
    toolsets: builtInToolsets,
    env: () => undefined,
  });
  const server = await serve({ assistant, web: { ...config.web, port: 0 } });
  try {
    await assistant.started;
    const token = (await Deno.readTextFile(join(config.dataDir, "token"))).trim();
    const headers = { authorization: `Bearer ${token}` };
    await run({
      url: server.url,
      headers,
      async ask(name, path, body) {
        const operation: Operation = operations[name];
        const answer = await fetch(`${server.url}${path}`, {
          method: operation.method,
          headers: { ...headers, "content-type": "application/json" },
          ...body !== undefined && { body: JSON.stringify(body) },
        });
        const text = await answer.text();
        assert.equal(answer.status, operation.status, `${name}: ${text}`);
        if (typeof operation.answer === "string") return {};
        const parsed = operation.answer.safeParse(JSON.parse(text));
        assert.ok(parsed.success, `${name}: ${parsed.error}`);
        return JSON.parse(text);
      },
    });
  } finally {
    await server.close();
    await assistant.close();
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("the product: a message streams to the socket, and everything reads as it is described", () =>
  withProduct(async ({ url, headers, ask }) => {
    const { id } = await ask("createConversation", "/api/conversations", {});
    const client = new LiveClient(url, headers);
    await client.next("hello");
    client.send({ op: "watch", conversation: id, after: 0 });
    await client.next("entries");
    const message = { text: "What is 6 times 7?", token: "once" };
    const receipt = await ask("sendMessage", `/api/conversations/${id}/messages`, message);
    assert.equal(receipt.fate, "turn");
    const frames = await client.until(({ op, turn }) =>
      op === "turn" && turn.id === receipt.turn && turn.status === "done"
    );
    assert.ok(frames.some(({ frame }) => frame.op === "delta"), "text came piece by piece");
    const again = await ask("sendMessage", `/api/conversations/${id}/messages`, message);
    assert.equal(again.turn, receipt.turn, "the same token never runs twice");

    const { items } = await ask("listEntries", `/api/conversations/${id}/entries`) as { items: { kind: string }[] };
    for (const kind of ["user", "tool", "text", "round"]) assert.ok(items.some((entry) => entry.kind === kind), kind);
    const detail = await ask("getConversation", `/api/conversations/${id}`) as { path: { usage: unknown }[] };
    assert.equal(detail.path.length, 1);
    assert.ok(detail.path[0]!.usage);
    for (
      const name of [
        "listConversations",
        "listAgents",
        "listToolsets",
        "listModels",
        "getSettings",
        "getDiagnostics",
        "getUsage",
        "getOpenapi",
        "getHealth",
      ] as const
    ) await ask(name, operations[name].path);
    await client.close();
  }));

Deno.test("the product: a slash command is answered, a stop stops, and a stopped turn goes on", () =>
  withProduct(async ({ url, headers, ask }) => {
    const { id } = await ask("createConversation", "/api/conversations", {});
    const path = `/api/conversations/${id}`;
    const command = await ask("sendMessage", `${path}/messages`, { text: "/diag" });
    assert.equal(command.fate, "command");
    assert.ok((command.text as string).length > 20);

    const client = new LiveClient(url, headers);
    await client.next("hello");
    client.send({ op: "watch", conversation: id, after: 0 });
    const { turn } = await ask("sendMessage", `${path}/messages`, { text: "Tell me what you can do" });
    await client.next("delta");
    assert.deepEqual(await ask("stopTurn", `${path}/stop`), { stopped: true });
    const ended = await client.until(({ op, turn: each }) =>
      op === "turn" && each.id === turn && each.status !== "running"
    );
    assert.equal(ended.at(-1)!.frame.turn.status, "stopped");
    assert.deepEqual(await ask("stopTurn", `${path}/stop`), { stopped: false });

    const next = await ask("continueTurn", `${path}/continue`);
    await client.until(({ op, turn: each }) => op === "turn" && each.id === next.turn && each.status === "done");
    const refused = await fetch(`${url}${path}/continue`, { method: "POST", headers });
    assert.equal(refused.status, 400, "a turn that ended well has nothing to go on with");
    await refused.body?.cancel();
    await client.close();
  }));
