import assert from "node:assert/strict";
import { LiveClient } from "../web/live_client.ts";
import { operations } from "../../web/operations.ts";
import { withProduct } from "./real_product.ts";

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
