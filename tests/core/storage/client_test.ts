import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseClient } from "../../../core/storage/client.ts";
import { StorageClosed, StorageFailed } from "../../../core/storage/mod.ts";
import { insertConversation, insertEntry, MIDDAY, withFolder, within } from "./sample_store.ts";

function options(folder: string) {
  return {
    location: { kind: "file", path: join(folder, "malama.db") },
    folder,
    now: MIDDAY,
    onCrash: () => {},
  } as const;
}

async function withClient(body: (client: DatabaseClient) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const client = await DatabaseClient.open(options(folder));
    try {
      await body(client);
    } finally {
      await client.close();
    }
  });
}

Deno.test("write() gives the rows of each statement as objects", () =>
  withClient(async (client) => {
    const results = await client.write([
      { sql: "insert into meta values ('a', '1'), ('b', '2') returning key, value" },
      { sql: "delete from meta" },
    ]);
    assert.deepEqual(results, [[{ key: "a", value: "1" }, { key: "b", value: "2" }], []]);
    assert.deepEqual(await client.write([]), []);
  }));

Deno.test("a read that is asked after a write was acknowledged sees it, and does not wait for those behind it", () =>
  withClient(async (client) => {
    await client.write([insertConversation("c")]);
    const behind: number[] = [];
    const writes = Array.from(
      { length: 2000 },
      (_, seq) =>
        client.write([insertEntry({ conversation: "c", seq, text: "x ".repeat(100) })]).then(() => behind.push(seq)),
    );
    await writes[0];
    const rows = await client.read("select count(*) as n from entries");
    assert.ok(Number(rows[0]?.n) >= 1);
    assert.ok(behind.length < writes.length, "the read waited for every write");
    await Promise.all(writes);
    assert.deepEqual(behind, writes.map((_, seq) => seq), "the writes were acknowledged out of order");
  }));

Deno.test("read() refuses a statement that changes something", () =>
  withClient(async (client) => {
    await assert.rejects(client.read("delete from conversations"), /use write\(\)/);
    assert.deepEqual(await client.read("  WITH two as (select 2 as n) select n from two"), [{ n: 2 }]);
  }));

Deno.test("read() refuses explain, which libSQL would leave open", () =>
  withClient(async (client) => {
    await assert.rejects(client.read("explain query plan select 1"), StorageFailed);
  }));

Deno.test("a value that no column can hold fails its own caller alone", () =>
  withClient(async (client) => {
    const insert = (value: unknown) =>
      client.write([{ sql: "insert into meta values (?, 'x')", args: [value as string] }]);
    const outcomes = await Promise.allSettled([
      insert("good"),
      insert(undefined),
      insert(Number.NaN),
      insert(() => {}),
      insert({}),
      insert("also good"),
    ]);
    assert.deepEqual(outcomes.map(({ status }) => status === "fulfilled"), [true, false, false, false, false, true]);
    await assert.rejects(client.read("select ?", [undefined as unknown as string]), /value 1 .* undefined/);
  }));

Deno.test("an answer that JavaScript cannot hold fails its own caller alone, and undoes what it did", () =>
  withClient(async (client) => {
    const outcomes = await Promise.allSettled([
      client.write([{ sql: "insert into meta values ('a', '1')" }]),
      client.write([{ sql: "insert into meta values ('b', '2') returning 9007199254740993 as n" }]),
      client.write([{ sql: "insert into meta values ('c', '3')" }]),
    ]);
    assert.deepEqual(outcomes.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
    assert.deepEqual(await client.read("select key from meta order by key"), [{ key: "a" }, { key: "c" }]);
  }));

Deno.test("an error names what SQLite said, keeps the code and the cause", () =>
  withClient(async (client) => {
    await client.write([insertConversation("c")]);
    await assert.rejects(client.write([insertConversation("c")]), (error) => {
      assert.ok(error instanceof StorageFailed);
      assert.equal(error.code, "SQLITE_CONSTRAINT_PRIMARYKEY");
      assert.ok(error.message.includes("conversations.id") && error.cause instanceof Error);
      return true;
    });
  }));

Deno.test("close() finishes what was asked before it and refuses what comes after", () =>
  withFolder(async (folder) => {
    const client = await DatabaseClient.open(options(folder));
    await client.write([insertConversation("c")]);
    const writes = Array.from({ length: 50 }, (_, seq) =>
      client.write([insertEntry({ conversation: "c", seq, text: "asked before" })]));
    const read = client.read("select 1 as one");
    const closing = client.close();
    assert.equal(client.close(), closing);
    await assert.rejects(client.write([insertConversation("d")]), StorageClosed);
    await assert.rejects(client.read("select 1"), StorageClosed);
    await Promise.all([...writes, read, closing]);

    const again = await DatabaseClient.open(options(folder));
    assert.deepEqual(await again.read("select count(*) as n from entries"), [{ n: 50 }]);
    await again.close();
  }));

Deno.test("a worker that dies rejects what waits and what comes, and is reported once", () =>
  withFolder(async (folder) => {
    const reports: string[] = [];
    const client = await DatabaseClient.open({
      ...options(folder),
      onCrash: (error) => reports.push(error.message),
      worker: () => new Worker(import.meta.resolve("./crashing_worker.ts"), { type: "module" }),
    });
    const waiting = [client.read("select 1"), client.write([insertConversation("c")]), client.read("select 2")];
    const outcomes = await within(Promise.allSettled(waiting), "the pending requests");
    for (const outcome of outcomes) {
      assert.ok(outcome.status === "rejected" && outcome.reason instanceof StorageFailed);
      assert.ok(outcome.reason.message.includes("out of luck"));
    }
    await assert.rejects(client.read("select 3"), StorageFailed);
    await assert.rejects(client.write([insertConversation("c")]), StorageFailed);
    assert.equal(reports.length, 1);
    await client.close();
  }));

Deno.test("open() gives up when its signal says so", () =>
  withFolder(async (folder) => {
    const stopped = new Error("stopped");
    await assert.rejects(DatabaseClient.open({ ...options(folder), signal: AbortSignal.abort(stopped) }), stopped);
    const controller = new AbortController();
    const opening = DatabaseClient.open({ ...options(folder), signal: controller.signal });
    controller.abort(stopped);
    await assert.rejects(opening, stopped);
  }));
