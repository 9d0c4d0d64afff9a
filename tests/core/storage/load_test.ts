import assert from "node:assert/strict";
import { type Client, createClient } from "@libsql/client";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { insertConversation, insertEntry, openEngine, PAGE_BYTES, withFolder, withStorage } from "./sample_store.ts";

Deno.test("many turns, a reader and an export at once meet no busy database", () =>
  withStorage(async ({ database }, folder) => {
    const turns = Array.from({ length: 8 }, (_, index) => `c${index}`);
    await database.write(turns.map(insertConversation));
    const writers = turns.map(async (conversation) => {
      for (let seq = 1; seq <= 60; seq++) {
        const [rows] = await database.write([
          {
            sql: "update conversations set last_seq = last_seq + 1 where id = ? returning last_seq",
            args: [conversation],
          },
          insertEntry({ conversation, seq, text: `entry ${seq} of ${conversation}` }),
        ]);
        assert.equal(rows?.[0]?.last_seq, seq);
      }
    });
    const reader = (async () => {
      for (let round = 0; round < 40; round++) {
        const rows = await database.read(
          "select last_seq, (select count(*) from entries e where e.conversation = c.id) as n from conversations c",
        );
        for (const row of rows) assert.equal(row.last_seq, row.n, "half a transaction was seen");
      }
    })();
    const copy = join(folder, "export.db");
    const exporting = otherConnection(
      folder,
      async (other) => void await other.execute({ sql: "vacuum into ?", args: [copy] }),
    );
    await Promise.all([...writers, reader, exporting]);
    assert.deepEqual(await database.read("select count(*) as n from entries"), [{ n: 480 }]);
    using exported = openFile(copy);
    assert.deepEqual(exported.all("pragma integrity_check"), [{ integrity_check: "ok" }]);
  }));

Deno.test("a write waits for another connection that holds the file, and goes through", () =>
  withStorage(({ database }, folder) =>
    otherConnection(folder, async (other) => {
      const theirs = await other.transaction("write");
      await theirs.execute("insert into meta values ('theirs', 'x')");
      const settled: string[] = [];
      const ours = database.write([{ sql: "insert into meta values ('ours', 'x')" }]).then(() => settled.push("ours"));
      // The worker is waiting in SQLite by the time a request to the system that was made after it has been answered.
      for (let round = 0; round < 20; round++) await Deno.stat(folder);
      settled.push("theirs");
      await theirs.commit();
      await ours;
      assert.deepEqual(settled, ["theirs", "ours"]);
      assert.deepEqual(await database.read("select key from meta order by key"), [{ key: "ours" }, { key: "theirs" }]);
    })
  ));

Deno.test("the write-ahead log does not grow without end, whatever is read and refused meanwhile", () =>
  withFolder(async (folder) => {
    const engine = await openEngine(folder);
    await engine.write([[insertConversation("c")]]);
    for (let round = 0; round < 60; round++) {
      const entries = Array.from(
        { length: 50 },
        (_, index) => insertEntry({ conversation: "c", seq: round * 50 + index, text: "x".repeat(2000) }),
      );
      await engine.write([entries, [insertConversation("c")], [{
        sql: "insert into meta values (?, 'x') returning key",
        args: [round],
      }]]);
      await engine.read({ sql: "select data from entries order by seq desc limit 3" });
      await engine.read({ sql: "select rowid from entry_search where entry_search match '\"'" }).catch(() => {});
    }
    // SQLite starts the log over after 1000 pages (4 MB) unless a statement that was left open holds it.
    const written = Number((await engine.read({ sql: "pragma page_count" })).rows[0]?.[0]) * PAGE_BYTES;
    assert.ok(written > 8_000_000, `${written} bytes are too few to show it`);
    assert.ok((await Deno.stat(join(folder, "malama.db-wal"))).size < 6_000_000);
    await engine.close();
  }));

Deno.test("a text of ten megabytes and a message full of odd characters come back as they were", () =>
  withStorage(async ({ database }) => {
    const odd = "\u0000 \ud83c\udf3a 'quoted' \"double\" \\ \u202e \r\n ; drop table entries; --";
    await database.write([
      insertConversation("c"),
      insertEntry({ conversation: "c", seq: 1, text: "ā".repeat(5_000_000) }),
      insertEntry({ conversation: "c", seq: 2, text: odd }),
    ]);
    const rows = await database.read("select data from entries order by seq");
    assert.equal(JSON.parse(String(rows[0]?.data)).text.length, 5_000_000);
    assert.equal(JSON.parse(String(rows[1]?.data)).text, odd);
  }));

/** The queries that run while a person waits, and what each must not do. */
const QUICK_QUERIES: readonly (readonly [string, string])[] = [
  [
    "the sidebar",
    "select id, title from conversations where deleted_at is null order by updated_at desc, id desc limit 50",
  ],
  [
    "the sidebar's next page",
    "select id from conversations where deleted_at is null and updated_at < 'x' order by updated_at desc, id desc limit 50",
  ],
  ["a page of entries", "select data from entries where conversation = 'c' and seq < 9 order by seq desc limit 200"],
  ["the entries of a turn", "select data from entries where conversation = 'c' and turn = 't' order by seq"],
  ["the open entries", "select seq from entries where conversation = 'c' and state = 'open'"],
  ["the turns of a conversation", "select id from turns where conversation = 'c' order by id"],
  ["the versions of a turn", "select id from turns where conversation = 'c' and parent = 't'"],
  ["a message sent twice", "select id from turns where conversation = 'c' and token = 'x'"],
  ["a waiting message sent twice", "select id from pending where conversation = 'c' and token = 'x'"],
  ["the turns a crash left", "select id from turns where status = 'running' order by id"],
  ["the usage since a day", "select usage from turns where started_at >= 'x'"],
];

Deno.test("what runs while a person waits uses an index and sorts nothing", () =>
  withFolder(async (folder) => {
    await (await openEngine(folder)).close();
    using file = openFile(join(folder, "malama.db"));
    for (const [name, sql] of QUICK_QUERIES) {
      const plan = file.all(`explain query plan ${sql}`).map((row) => String(row.detail)).join("; ");
      assert.match(plan, /USING (?:COVERING )?INDEX/, `${name}: ${plan}`);
      assert.doesNotMatch(
        plan,
        /TEMP B-TREE|SCAN (?!conversations USING|turns USING COVERING INDEX turns_running)/,
        `${name}: ${plan}`,
      );
    }
  }));

/** Runs `body` with a second connection to the folder's database, as a backup in this process would use. */
async function otherConnection(folder: string, body: (other: Client) => Promise<void>): Promise<void> {
  const other = createClient({ url: `file:${join(folder, "malama.db")}`, timeout: 5000, concurrency: 1 });
  try {
    await body(other);
  } finally {
    other.close();
  }
}

/** A closed file, with a SQLite of another make. Never an open one: two of them in a process do not see each other's locks. */
function openFile(path: string) {
  const database = new DatabaseSync(path);
  return {
    all: (sql: string) => database.prepare(sql).all().map((row) => ({ ...row })),
    [Symbol.dispose]: () => database.close(),
  };
}
