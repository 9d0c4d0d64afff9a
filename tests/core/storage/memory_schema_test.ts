import assert from "node:assert/strict";
import fc from "fast-check";
import { MIGRATIONS } from "../../../core/storage/migrations/mod.ts";
import { openStorage, type Statement } from "../../../core/storage/mod.ts";
import {
  insertConversation,
  insertEntry,
  openEngine,
  pagesOf,
  spoilPage,
  withFolder,
  withStorage,
} from "./sample_store.ts";

const memory = (id: string, text: string): Statement => ({
  sql: "insert into memories (id, text, created_at, updated_at) values (?, ?, 'now', 'now')",
  args: [id, text],
});

Deno.test("a store of version 4 opens with its messages, and has room for memories and documents", () =>
  withFolder(async (folder) => {
    const old = await openEngine(folder, { migrations: MIGRATIONS.slice(0, 4) });
    await old.write([[insertConversation("c"), insertEntry({ conversation: "c", seq: 1, text: "said before" })]]);
    await old.close();
    const storage = await openStorage({ dataDir: folder });
    assert.deepEqual(storage.health, { state: "healthy", repaired: [] });
    await storage.database.write([memory("a", "Biscuit is a dog")]);
    const found = await storage.database.read("select rowid from memory_search where memory_search match 'biscuit'");
    assert.equal(found.length, 1);
    const said = await storage.database.read("select rowid from entry_search where entry_search match 'before'");
    assert.equal(said.length, 1);
    await storage.close();
  }));

Deno.test("a damaged index of memories is rebuilt and no memory is lost", () =>
  withFolder(async (folder) => {
    const first = await openStorage({ dataDir: folder });
    await first.database.write([
      memory("a", "Biscuit is a dog"),
      {
        sql:
          "insert into documents (path, content, characters, created_at, updated_at) values ('p', 'rice', 4, 'now', 'now')",
      },
    ]);
    await first.close();
    const [page] = await pagesOf(folder, (name) => name === "memory_search_data");
    assert.ok(page !== undefined);
    await spoilPage(folder, page);
    const storage = await openStorage({ dataDir: folder, report: () => {} });
    assert.equal(storage.health.state, "healthy");
    for (const [index, word] of [["memory_search", "biscuit"], ["document_search", "rice"]] as const) {
      assert.equal(
        (await storage.database.read(`select rowid from ${index} where ${index} match ?`, [word])).length,
        1,
      );
    }
    await storage.close();
  }));

const word = fc.constantFrom("alpha", "beta", "gamma");
const change = fc.oneof(
  fc.record({ op: fc.constant("add" as const), id: fc.nat(5), word }),
  fc.record({ op: fc.constant("edit" as const), id: fc.nat(5), word }),
  fc.record({ op: fc.constant("embed" as const), id: fc.nat(5) }),
  fc.record({ op: fc.constant("delete" as const), id: fc.nat(5) }),
  fc.record({ op: fc.constant("restore" as const), id: fc.nat(5) }),
  fc.record({ op: fc.constant("purge" as const), id: fc.nat(5) }),
);

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function statement(change: Change): Statement {
  const id = String(change.id);
  switch (change.op) {
    case "add":
      return memory(id, `${change.word} ${id}`);
    case "edit":
      return { sql: "update memories set text = ? where id = ?", args: [`${change.word} ${id}`, id] };
    case "embed":
      return { sql: "update memories set embedding = x'00', embedding_model = 'm' where id = ?", args: [id] };
    case "delete":
      return { sql: "update memories set deleted_at = 'now' where id = ?", args: [id] };
    case "restore":
      return { sql: "update memories set deleted_at = null where id = ?", args: [id] };
    case "purge":
      return { sql: "delete from memories where id = ?", args: [id] };
    default:
      return change satisfies never;
  }
}

Deno.test("the index of memories lists exactly those that are not deleted, after any changes", () =>
  withStorage(({ database }) =>
    fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 25 }), async (changes) => {
        await database.write([{ sql: "delete from memories" }]);
        for (const each of changes) await database.write([statement(each)]).catch(() => {});
        await database.write([{ sql: "insert into memory_search(memory_search, rank) values ('integrity-check', 1)" }]);
        for (const each of ["alpha", "beta", "gamma"]) {
          const found = await database.read("select rowid as n from memory_search where memory_search match ?", [each]);
          const there = await database.read(
            "select n from memories where deleted_at is null and text like ? || '%' order by n",
            [each],
          );
          assert.deepEqual(found.map(({ n }) => n).toSorted(), there.map(({ n }) => n).toSorted());
        }
      }),
      { numRuns: 25 },
    )
  ));
