import assert from "node:assert/strict";
import { ConversationNotFound, COPIED_NOTICE, TurnNotFound } from "../../../core/conversation/mod.ts";
import { type Entry, foldContext, NOT_RUN } from "../../../core/log/mod.ts";
import { openTree, type TreeFixture } from "./tree_fixture.ts";

const everything = async ({ log }: TreeFixture, id: string): Promise<readonly Entry[]> =>
  (await log.entries(id, { all: true, limit: 500 })).items;

const blob = async ({ storage }: TreeFixture, conversation: string, text: string): Promise<string> =>
  `/payloads/${await storage.blobs.put(new TextEncoder().encode(text), "text/plain", conversation)}`;

const round = (request_ref?: string) => ({
  kind: "plain" as const,
  model: "demo:a",
  ...request_ref && { request_ref },
  request_bytes: 1,
  ms: 1500,
  stop_reason: "end",
  usage: { input_tokens: 10, output_tokens: 4, cached_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 },
});

const call = (name: string) => ({
  call: name,
  name: "now",
  toolset: "time",
  arguments: {},
  status: "running" as const,
});

Deno.test("branch() copies the path through a turn under a name that says so, and the original stays as it is", async () => {
  await using fixture = await openTree();
  const { book, exchange, lines, heard } = fixture;
  const { id } = await book.create({ title: "Tides" });
  await book.update(id, { pinned: true, model: "demo:chosen" });
  const a = await exchange(id, null, "demo:a");
  const b = await exchange(id, a, "demo:b");
  await exchange(id, b, "demo:c");
  await exchange(id, a, "demo:d");
  const before = await lines(id, true);
  heard.length = 0;
  const made = await book.branch(id, b);
  assert.deepEqual(await lines(id, true), before);
  assert.deepEqual(
    [made.title, made.origin, made.pinned, made.unread, made.task, made.graph, made.running, made.turns, made.model],
    [
      "Branch of Tides",
      { kind: "branch", conversation: id, turn: b },
      false,
      false,
      null,
      null,
      false,
      2,
      "demo:chosen",
    ],
  );
  assert.equal((await book.stored(made.id)).title_kind, "given");
  const { path } = await book.get(made.id);
  assert.deepEqual(path.map(({ model, n }) => [model, n]), [["demo:a", 1], ["demo:b", 2]]);
  assert.ok(path.every((turn) => turn.id !== a && turn.id !== b && turn.conversation === made.id));
  const entries = await everything(fixture, made.id);
  assert.deepEqual(entries.map(({ seq }) => seq), [1, 2, 3, 4]);
  assert.deepEqual(entries.map(({ turn }) => turn), [path[0]!.id, path[0]!.id, path[1]!.id, path[1]!.id]);
  assert.deepEqual(heard, [{ op: "conversation", conversation: made }]);
});

Deno.test("branch() of a turn whose title is long stays within forty characters", async () => {
  await using fixture = await openTree();
  const { id } = await fixture.book.create({ title: "x".repeat(40) });
  const made = await fixture.book.branch(id, await fixture.exchange(id, null, "demo:a"));
  assert.equal(made.title, `Branch of ${"x".repeat(30)}`);
});

Deno.test("branch() refuses a turn that is not there, and makes nothing", async () => {
  await using fixture = await openTree();
  const { book, exchange } = fixture;
  const { id } = await book.create();
  const other = await book.create();
  const turn = await exchange(other.id, null, "demo:a");
  await assert.rejects(book.branch(id, turn), TurnNotFound);
  await assert.rejects(book.branch("nothing", turn), ConversationNotFound);
  await assert.rejects(book.duplicate("nothing"), ConversationNotFound);
  assert.equal((await book.list()).items.length, 2);
});

Deno.test("duplicate() copies every branch with the one in view, and versions keep their order", async () => {
  await using fixture = await openTree();
  const { book, exchange, log } = fixture;
  const { id } = await book.create({ title: "Tides" });
  const a = await exchange(id, null, "demo:a");
  const b = await exchange(id, a, "demo:b");
  await exchange(id, a, "demo:c");
  await book.setHead(id, b);
  const made = await book.duplicate(id);
  assert.deepEqual([made.title, made.origin, made.turns], ["Copy of Tides", { kind: "copy", conversation: id }, 3]);
  const { path } = await book.get(made.id);
  assert.deepEqual(path.map(({ model }) => model), ["demo:a", "demo:b"]);
  assert.deepEqual(path[1]!.siblings.indexOf(path[1]!.id), 0);
  assert.deepEqual((await log.turns(made.id)).map(({ model }) => model), ["demo:a", "demo:b", "demo:c"]);
});

Deno.test("duplicate() of an empty conversation is an empty conversation", async () => {
  await using fixture = await openTree();
  const { id } = await fixture.book.create();
  const made = await fixture.book.duplicate(id);
  assert.deepEqual([made.head, made.turns, made.unread], [null, 0, false]);
  assert.deepEqual(await everything(fixture, made.id), []);
});

Deno.test("a copy's numbers are dense, and what names a number names the copied entry", async () => {
  await using fixture = await openTree();
  const { book, exchange, begin, end, say } = fixture;
  const { id } = await book.create();
  const a = await exchange(id, null, "demo:a");
  await exchange(id, a, "demo:aside");
  const c = await begin(id, a, "demo:c");
  const tool = await say(id, c, "tool", { ...call("one"), status: "done", result: "noon" });
  await say(id, c, "approval", { entry: tool, agent: "assistant", tool: "now", arguments: {}, decision: "allow" });
  await say(id, c, "compaction", { summary: "s", upto: tool, tokens_before: 2, tokens_after: 1 });
  await say(id, c, "compaction", { summary: "s", upto: 4, tokens_before: 2, tokens_after: 1 });
  await end(c);
  const made = await book.branch(id, c);
  const entries = await everything(fixture, made.id);
  assert.deepEqual(entries.map(({ seq, kind }) => [seq, kind]), [
    [1, "user"],
    [2, "text"],
    [3, "tool"],
    [4, "approval"],
    [5, "compaction"],
    [6, "compaction"],
  ]);
  const [approval, first, second] = entries.slice(3) as [Entry<"approval">, Entry<"compaction">, Entry<"compaction">];
  assert.deepEqual([approval.data.entry, approval.data.decision], [3, "allow"]);
  assert.equal(first.data.upto, 3);
  assert.equal(second.data.upto, 2, "up to an entry that is not in the copy: the last before it");
  const stored = await book.stored(made.id);
  assert.deepEqual([stored.last_seq, stored.unread], [6, false]);
});

Deno.test("a copy holds the files that its entries name, and no others", async () => {
  await using fixture = await openTree();
  const { book, exchange, say, storage } = fixture;
  const { id } = await book.create();
  const a = await exchange(id, null, "demo:a");
  const aside = await exchange(id, null, "demo:aside");
  const [mine, others] = [await blob(fixture, id, "mine"), await blob(fixture, id, "others")];
  await say(id, a, "round", round(mine));
  await say(id, aside, "round", round(others));
  const made = await book.branch(id, a);
  const held = await storage.database.read("select hash from blob_holders where conversation = ?", [made.id]);
  assert.deepEqual(held.map(({ hash }) => `/payloads/${hash}`), [mine]);
  await storage.database.write([{ sql: "delete from conversations where id = ?", args: [id] }]);
  assert.equal(await storage.blobs.sweep(), 1);
  assert.ok(await storage.blobs.get(mine.replace("/payloads/", "")));
});

Deno.test("a turn that runs is in a copy as after a crash: interrupted, one result for each call", async () => {
  await using fixture = await openTree();
  const { book, begin, say, log } = fixture;
  const { id } = await book.create();
  const turn = await begin(id, null, "demo:a");
  await say(id, turn, "user", { text: "go", images: [], from: "person" });
  await say(id, turn, "round", round());
  const text = log.appendOpen(id, { turn, kind: "text", data: { text: "half an ans" } });
  const tool = log.appendOpen(id, { turn, kind: "tool", data: { ...call("one"), status: "waiting" } });
  const ask = log.appendOpen(id, {
    turn,
    kind: "approval",
    data: { entry: tool.seq, agent: "assistant", tool: "now", arguments: {} },
  });
  const agent = log.appendOpen(id, {
    turn,
    run: "R1",
    kind: "run",
    data: { agent: "helper", task: "t", status: "running", model: "demo:a" },
  });
  await Promise.all([text, tool, ask, agent].map(({ durable }) => durable));
  const made = await book.branch(id, turn);

  const { path } = await book.get(made.id);
  assert.deepEqual([path[0]!.status, path[0]!.usage?.calls, path[0]!.usage?.input_tokens], ["interrupted", 1, 10]);
  assert.ok(path[0]!.ended_at !== null);
  const entries = await everything(fixture, made.id);
  assert.ok(entries.every(({ state }) => state === "done"));
  const data = Object.fromEntries(entries.map(({ kind, data }) => [kind, data as unknown as Record<string, unknown>]));
  assert.equal(data.text!.text, "half an ans");
  assert.deepEqual([data.tool!.status, data.tool!.result], ["interrupted", NOT_RUN]);
  assert.deepEqual([data.approval!.decision, data.approval!.by, data.approval!.entry], ["deny", "restart", 4]);
  assert.equal(data.run!.status, "interrupted");
  assert.equal(entries.at(-1)?.kind, "notice");
  assert.equal(data.notice!.text, COPIED_NOTICE);
  assert.equal((await book.stored(made.id)).last_seq, entries.length);
  const messages = foldContext(entries);
  assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "tool"]);

  // The original goes on as if nothing had been.
  assert.equal((await log.turns(id))[0]?.status, "running");
  await tool.close({ ...tool.data, status: "done", result: "noon" });
  await Promise.all([text.close(), ask.close(), agent.close()]);
});

Deno.test("a copy whose original is deleted in the same moment is not made", async () => {
  await using fixture = await openTree();
  const { book, exchange, storage } = fixture;
  const { id } = await book.create();
  const turn = await exchange(id, null, "demo:a");
  const copying = book.branch(id, turn);
  const write = storage.database.write([{
    sql: "update conversations set deleted_at = '2026' where id = ?",
    args: [id],
  }]);
  await assert.rejects(Promise.all([copying, write]), ConversationNotFound);
  const [rows] = await storage.database.read("select count(*) as count from turns where conversation <> ?", [id]);
  assert.equal(rows?.count, 0);
});

Deno.test("a copy is independent: what is said or taken away in one is not in the other", async () => {
  await using fixture = await openTree();
  const { book, exchange, lines } = fixture;
  const { id } = await book.create();
  const turn = await exchange(id, null, "demo:a");
  const made = await book.duplicate(id);
  const before = await lines(id);
  await exchange(made.id, made.head, "demo:b");
  await book.truncate(made.id, (await book.get(made.id)).path[0]!.id);
  assert.deepEqual(await lines(id), before);
  await book.truncate(id, turn);
  assert.equal((await book.get(made.id)).turns, 0);
});

Deno.test("a branch of ten thousand entries takes well under a second", async () => {
  await using fixture = await openTree();
  const { book, begin, end, storage } = fixture;
  const { id } = await book.create();
  let parent: string | null = null;
  for (let turn = 0; turn < 20; turn++) {
    parent = await begin(id, parent, "demo:a");
    await end(parent);
    await storage.database.write([{
      sql: `with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
            insert into entries (conversation, seq, turn, kind, state, at, touched, data)
            select ?1, ?2 * 500 + i, ?3, case when i % 5 = 0 then 'approval' when i % 2 then 'text' else 'tool' end, 'done',
              '2026-11-30T09:00:00.000Z', 0, json_object('text', 'word ' || i || ' of many', 'entry', ?2 * 500 + i - 1,
              'call', 'c' || i, 'name', 'now', 'toolset', 'time', 'arguments', json_object(), 'status', 'done', 'result',
              'r', 'agent', 'a', 'tool', 't', 'decision', 'allow') from n`,
      args: [id, turn, parent],
    }, { sql: "update conversations set last_seq = ? where id = ?", args: [(turn + 1) * 500, id] }]);
  }
  const began = performance.now();
  const made = await book.branch(id, parent!);
  const took = performance.now() - began;
  assert.equal((await book.stored(made.id)).last_seq, 10_000);
  assert.ok(took < 3000, `${took} ms`);
});
