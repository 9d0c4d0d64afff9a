import assert from "node:assert/strict";
import fc from "fast-check";
import { join } from "node:path";
import { LOG } from "../../../core/storage/migrations/m0001_log.ts";
import { type Migration, MIGRATIONS } from "../../../core/storage/migrations/mod.ts";
import { openStorage } from "../../../core/storage/mod.ts";
import { insertConversation, insertEntry, openEngine, withFolder, withStorage } from "./sample_store.ts";

Deno.test("the steps are numbered from 1 without gaps", () => {
  assert.deepEqual(MIGRATIONS.map(({ version }) => version), MIGRATIONS.map((_, index) => index + 1));
});

Deno.test("a database that the first step made opens with all that is in it, at the newest version", () =>
  withFolder(async (folder) => {
    const old = await openEngine(folder, { migrations: [LOG] });
    await old.write([[insertConversation("c"), insertEntry({ conversation: "c", seq: 1, text: "from long ago" })]]);
    await old.close();
    const storage = await openStorage({ dataDir: folder });
    assert.deepEqual(await storage.database.read("pragma user_version"), [{ user_version: MIGRATIONS.length }]);
    assert.deepEqual(await storage.database.read("select json_extract(data, '$.text') as text from entries"), [
      { text: "from long ago" },
    ]);
    await storage.close();
  }));

Deno.test("what a first version stored is held by the conversations that refer to it, and the rest is swept", () =>
  withFolder(async (folder) => {
    const hash = (digit: string) => digit.repeat(64);
    const picture = (digit: string) => ({
      ref: `/images/${hash(digit)}`,
      name: "p",
      media_type: "image/png",
      bytes: 1,
    });
    const entry = (conversation: string, seq: number, kind: string, data: unknown) => ({
      sql:
        `insert into entries (conversation, seq, kind, state, at, touched, data) values (?, ?, ?, 'done', 'now', 0, ?)`,
      args: [conversation, seq, kind, typeof data === "string" ? data : JSON.stringify(data)],
    });
    const prose = `see /payloads/${hash("f")} and "/images/${hash("e")}"`;
    const old = await openEngine(folder, { migrations: [LOG] });
    const outcomes = await old.write([
      ["c", "d"].map(insertConversation),
      [
        entry("c", 1, "user", { text: prose, images: [picture("1"), picture("2")], from: "person" }),
        entry("c", 2, "round", { kind: "plain", request_ref: `/payloads/${hash("3")}`, request_bytes: 1 }),
        entry("c", 3, "round", { kind: "plain", request_ref: `/payloads/${hash("3")}`, request_bytes: 1 }),
        entry("c", 4, "tool", { result: prose, result_ref: `/payloads/${hash("4")}`, images: [picture("5")] }),
        entry("c", 5, "image", { ref: `/images/${hash("6")}`, from: "painter" }),
        entry("c", 6, "notice", `no JSON: "/payloads/${hash("d")}"`),
        entry("d", 1, "user", { text: "", images: [picture("1")], from: "person" }),
      ],
      [{
        sql: `insert into pending (id, conversation, text, images, origin, sender, at)
          values ('p', 'd', 'wait', ?, 'person', 'person', 'now')`,
        args: [JSON.stringify([picture("7")])],
      }],
      [..."1234567def"].map((digit) => ({ sql: "insert into blobs values (?, 'x/y', 1, 'now')", args: [hash(digit)] })),
    ]);
    assert.ok(outcomes.every(({ ok }) => ok), JSON.stringify(outcomes));
    await old.close();

    const { database, blobs, close } = await openStorage({ dataDir: folder });
    const held = await database.read(
      "select conversation, substr(hash, 1, 1) as digit from blob_holders order by 1, 2",
    );
    assert.deepEqual(held.map(({ conversation, digit }) => `${conversation}${digit}`), [
      ..."123456".split("").map((digit) => `c${digit}`),
      "d1",
      "d7",
    ]);
    assert.equal(await blobs.sweep(), 3, "what nothing refers to any more");
    const left = await database.read("select substr(hash, 1, 1) as digit from blobs order by hash");
    assert.deepEqual(left.map(({ digit }) => digit), [..."1234567"]);
    await close();
  }));

Deno.test("a step that fails leaves the version before it, and the next start goes on from there", () =>
  withFolder(async (folder) => {
    const good: Migration = { version: 2, statements: ["create table second (a)"] };
    const bad: Migration = { version: 3, statements: ["create table third (a)", "insert into missing values (1)"] };
    await assert.rejects(openEngine(folder, { migrations: [LOG, good, bad] }), /no such table: .*missing/);
    const engine = await openEngine(folder, {
      migrations: [LOG, good, { version: 3, statements: ["create table third (b)"] }],
    });
    assert.deepEqual((await engine.read({ sql: "pragma user_version" })).rows, [[3]]);
    assert.deepEqual((await engine.read({ sql: "select name from pragma_table_info('third')" })).rows, [["b"]]);
    await engine.close();
  }));

Deno.test("a turn's and a waiting message's token is unique in its conversation, and none is no token", () =>
  withStorage(async ({ database }) => {
    const turn = (id: string, conversation: string, token: string | null) => ({
      sql: `insert into turns (id, conversation, n, origin, status, agent, model, token, started_at)
        values (?, ?, 1, 'person', 'done', 'a', 'm', ?, 'now')`,
      args: [id, conversation, token],
    });
    await database.write([insertConversation("c"), insertConversation("d")]);
    await database.write([turn("1", "c", "t"), turn("2", "d", "t"), turn("3", "c", null), turn("4", "c", null)]);
    await assert.rejects(database.write([turn("5", "c", "t")]), /UNIQUE constraint failed/);
  }));

Deno.test("deleting a conversation removes its turns, entries, waiting messages and words", () =>
  withStorage(async ({ database }) => {
    await database.write([insertConversation("c"), insertConversation("d")]);
    await database.write(["c", "d"].flatMap((conversation) => [
      insertEntry({ conversation, seq: 1, text: `mahalo from ${conversation}` }),
      {
        sql: `insert into pending (id, conversation, text, images, origin, sender, at)
          values (?, ?, 'wait', '[]', 'person', 'person', 'now')`,
        args: [conversation, conversation],
      },
    ]));
    await database.write([{ sql: "delete from conversations where id = 'c'" }]);
    for (const table of ["entries", "pending"]) {
      assert.deepEqual(await database.read(`select conversation from ${table}`), [{ conversation: "d" }]);
    }
    assert.equal((await database.read("select rowid from entry_search where entry_search match 'mahalo'")).length, 1);
    await database.write([{ sql: "insert into entry_search(entry_search, rank) values ('integrity-check', 1)" }]);
  }));

Deno.test("words are found without accents and whatever their case, and snippets show the entry's own text", () =>
  withStorage(async ({ database }) => {
    await database.write([
      insertConversation("c"),
      insertEntry({ conversation: "c", seq: 1, text: "E Mālama i ka ʻāina" }),
    ]);
    const rows = await database.read(
      "select snippet(entry_search, 0, '[', ']', '…', 8) as found from entry_search where entry_search match 'malama'",
    );
    assert.deepEqual(rows, [{ found: "E [Mālama] i ka ʻāina" }]);
  }));

/** One change to the log: kinds and states that are indexed and such as are not. */
const change = fc.oneof(
  fc.record({
    op: fc.constant("insert" as const),
    seq: fc.nat(9),
    kind: fc.constantFrom("user", "text", "tool", "thinking"),
    state: fc.constantFrom("open", "done"),
    word: fc.constantFrom("alpha", "beta", "gamma", ""),
  }),
  fc.record({ op: fc.constant("close" as const), seq: fc.nat(9) }),
  fc.record({ op: fc.constant("patch" as const), seq: fc.nat(9), word: fc.constantFrom("alpha", "beta", "delta") }),
  fc.record({ op: fc.constant("delete" as const), seq: fc.nat(9) }),
);

Deno.test("the full-text index lists exactly the closed user and text entries after any changes", () =>
  withFolder(async (folder) => {
    const engine = await openEngine(folder);
    await engine.write([[insertConversation("c")]]);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changes) => {
        await engine.write([[{ sql: "delete from entries" }]]);
        await engine.write(changes.map((step) => [toStatement(step)]));
        for (const word of ["alpha", "beta", "gamma", "delta"]) {
          const found = await engine.read({
            sql: "select rowid from entry_search where entry_search match ? order by rowid",
            args: [word],
          });
          const expected = await engine.read({
            sql: `select id from entries where kind in ('user', 'text') and state = 'done'
              and json_extract(data, '$.text') = ? order by id`,
            args: [word],
          });
          assert.deepEqual(found.rows, expected.rows);
        }
        const [check] = await engine.write([[{
          sql: "insert into entry_search(entry_search, rank) values ('integrity-check', 1)",
        }]]);
        assert.equal(check?.ok, true);
      }),
      { numRuns: 40 },
    );
    await engine.close();
  }));

function toStatement(step: typeof change extends fc.Arbitrary<infer T> ? T : never) {
  switch (step.op) {
    case "insert":
      return insertEntry({ conversation: "c", seq: step.seq, kind: step.kind, state: step.state, text: step.word });
    case "close":
      return { sql: "update entries set state = 'done' where seq = ?", args: [step.seq] };
    case "patch":
      return {
        sql: "update entries set data = json_set(data, '$.text', ?) where seq = ?",
        args: [step.word, step.seq],
      };
    case "delete":
      return { sql: "delete from entries where seq = ?", args: [step.seq] };
    default:
      return step satisfies never;
  }
}

Deno.test("opening and closing leaves an empty write-ahead log, the mark of a clean end", () =>
  withFolder(async (folder) => {
    const engine = await openEngine(folder);
    await engine.write([[insertConversation("c")]]);
    assert.ok((await Deno.stat(join(folder, "malama.db-wal"))).size > 0);
    await engine.close();
    const left = await Deno.stat(join(folder, "malama.db-wal")).catch(() => ({ size: 0 }));
    assert.equal(left.size, 0);
  }));

Deno.test("what waited in an older version waits as a turn of its own, in the order it came", () =>
  withFolder(async (folder) => {
    const old = await openEngine(folder, { migrations: MIGRATIONS.filter(({ version }) => version < 3) });
    const waiting = (id: string) => ({
      sql: `insert into pending (id, conversation, text, images, origin, sender, at)
            values (?, 'c', 'waits', '[]', 'person', 'person', 'now')`,
      args: [id],
    });
    await old.write([[insertConversation("c"), waiting("2"), waiting("1")]]);
    await old.close();
    const storage = await openStorage({ dataDir: folder });
    assert.deepEqual(
      await storage.database.read(
        "select id, joins, place, at_root, model, injected, files from pending order by place, id",
      ),
      ["1", "2"].map((id) => ({ id, joins: null, place: 0, at_root: 0, model: null, injected: null, files: "[]" })),
    );
    await storage.close();
  }));
