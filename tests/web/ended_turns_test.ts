import assert from "node:assert/strict";
import type { Conversation, LogOperation, Turn } from "../../core/log/mod.ts";
import { EndedTurns } from "../../web/ended_turns.ts";
import { type Frame, LiveClient } from "./live_client.ts";
import { type TestServer, withServer } from "./test_server.ts";

function turnOf(conversation: string, change: Partial<Turn> = {}): LogOperation {
  const turn = { id: `turn of ${conversation}`, conversation, status: "done", failure: null, ...change } as Turn;
  return { op: "turn", conversation, turn };
}

function rowOf(id: string, change: Partial<Conversation> = {}): LogOperation {
  return {
    op: "conversation",
    conversation: { id, title: "Bread", running: false, unread: true, ...change } as Conversation,
  };
}

Deno.test("a turn that ended is told once, with the title its conversation has when it comes to rest", () => {
  const ended = new EndedTurns();
  assert.equal(ended.take(turnOf("a", { status: "running" })), null);
  assert.equal(ended.take(rowOf("a", { running: true })), null);
  assert.equal(ended.take(turnOf("a")), null);
  assert.deepEqual(ended.take(rowOf("a", { title: "Rye" })), {
    op: "alert",
    id: "turn of a",
    conversation: "a",
    group: "a",
    level: "info",
    text: "Reply ready in “Rye”",
  });
  assert.equal(ended.take(rowOf("a")), null, "a later change of the row tells nothing");
});

Deno.test("a turn that is followed by the next is not told on its own", () => {
  const ended = new EndedTurns();
  ended.take(turnOf("a"));
  assert.equal(ended.take(rowOf("a", { running: true })), null);
  ended.take(turnOf("a", { id: "next", status: "running" }));
  assert.equal(ended.take(rowOf("a")), null);
  ended.take(turnOf("a", { id: "next" }));
  assert.equal(ended.take(rowOf("a"))?.id, "next");
});

Deno.test("a failed turn says why; one that was stopped, interrupted or deleted says nothing", () => {
  const ended = new EndedTurns();
  ended.take(turnOf("a", { status: "failed", failure: "The model did not answer" }));
  const failed = ended.take(rowOf("a"));
  assert.deepEqual([failed?.level, failed?.text], ["error", "The turn in “Bread” failed: The model did not answer"]);
  ended.take(turnOf("a", { status: "refused" }));
  assert.equal(ended.take(rowOf("a"))?.text, "The model declined to answer in “Bread”");
  for (const status of ["stopped", "interrupted"] as const) {
    ended.take(turnOf("a", { status }));
    assert.equal(ended.take(rowOf("a")), null, status);
  }
  ended.take(turnOf("a"));
  ended.take({ op: "conversation_removed", conversation: "a" });
  assert.equal(ended.take(rowOf("a")), null);
});

/** All that a socket hears before its next pong. */
async function heard(client: LiveClient): Promise<Frame[]> {
  client.send({ op: "ping" });
  return (await client.until(({ op }) => op === "pong")).map(({ frame }) => frame);
}

async function endTurn(server: TestServer, id: string): Promise<void> {
  server.assistant.feed.announce(turnOf(id));
  const { path: _, ...row } = await server.assistant.conversations.get(id);
  server.assistant.feed.announce({ op: "conversation", conversation: row });
}

Deno.test("live: a turn that ended where nobody looked is told to every socket", () =>
  withServer(async (server) => {
    const { id } = await server.assistant.conversations.create({ title: "Bread" });
    const other = await server.assistant.conversations.create({ title: "Lamps" });
    const tabs = [await LiveClient.open(server), await LiveClient.open(server)].map(({ client }) => client);
    tabs[0]!.send({ op: "watch", conversation: other.id, after: 0 });
    await heard(tabs[0]!);
    await endTurn(server, id);
    for (const tab of tabs) {
      const { op: _, ...alert } = await tab.next("alert");
      const text = "Reply ready in “Bread”";
      assert.deepEqual(alert, { id: `turn of ${id}`, conversation: id, group: id, level: "info", text });
      await tab.close();
    }
  }));

Deno.test("live: what somebody looks at is told to nobody", () =>
  withServer(async (server) => {
    const { id } = await server.assistant.conversations.create({ title: "Bread" });
    const tabs = [await LiveClient.open(server), await LiveClient.open(server)].map(({ client }) => client);
    tabs[0]!.send({ op: "watch", conversation: id, after: 0 });
    await tabs[0]!.next("entries");
    await endTurn(server, id);
    for (const tab of tabs) {
      assert.ok((await heard(tab)).every(({ op }) => op !== "alert"));
      await tab.close();
    }
  }));
