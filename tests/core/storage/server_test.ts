import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { openStorage, type Storage, StorageFailed } from "../../../core/storage/mod.ts";
import { type LibsqlServer, startLibsqlServer } from "./libsql_server.ts";
import { insertConversation, insertEntry, withFolder } from "./sample_store.ts";

/** Runs `body` with a store whose database is on a server, and closes both. */
function withServer(body: (storage: Storage, server: LibsqlServer, folder: string) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    const server = startLibsqlServer(join(folder, "server.db"));
    const storage = await openStorage({ dataDir: join(folder, "data"), url: server.url });
    try {
      await body(storage, server, folder);
    } finally {
      await storage.close();
      await server.close();
    }
  });
}

Deno.test("a store on a libSQL server has the schema, keeps what is written and searches it", () =>
  withServer(async (storage, server, folder) => {
    assert.deepEqual(storage.health, { state: "healthy", repaired: [] });
    const { database } = storage;
    const results = await database.write([
      insertConversation("c"),
      insertEntry({ conversation: "c", seq: 1, text: "mahalo nui" }),
      { sql: "select seq, 1.5 as half, null as missing, x'0102' as bytes from entries" },
    ]);
    assert.deepEqual(results[2], [{ seq: 1, half: 1.5, missing: null, bytes: new Uint8Array([1, 2]).buffer }]);
    assert.equal((await database.read("select rowid from entry_search where entry_search match 'mahalo'")).length, 1);

    await storage.close();
    const again = await openStorage({ dataDir: join(folder, "data"), url: server.url });
    assert.deepEqual(await again.database.read("select id from conversations"), [{ id: "c" }]);
    await again.close();
    await assert.rejects(Deno.stat(join(folder, "data", "malama.db")), Deno.errors.NotFound);
  }));

Deno.test("blobs of a store on a server are files here, with their media types there", () =>
  withServer(async ({ blobs, database }) => {
    const hash = await blobs.put(new Uint8Array([1, 2, 3]), "image/png", "c");
    assert.equal((await blobs.get(hash))?.mediaType, "image/png");
    assert.deepEqual(await database.read("select bytes from blobs"), [{ bytes: 3 }]);
  }));

Deno.test("writes that wait together are sent together, and one that is refused takes none with it", () =>
  withServer(async ({ database }, server) => {
    await database.write([insertConversation("c")]);
    const before = server.batches;
    const writes = Array.from(
      { length: 40 },
      (_, seq) => database.write([insertEntry({ conversation: "c", seq, text: "x" })]),
    );
    await Promise.all(writes);
    assert.ok(server.batches - before < 10, `${server.batches - before} commits for 40 writes`);

    const outcomes = await Promise.allSettled(
      [50, 7, 51].map((seq) => database.write([insertEntry({ conversation: "c", seq, text: "y" })])),
    );
    assert.deepEqual(outcomes.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
    const refused = outcomes[1];
    assert.ok(refused?.status === "rejected" && refused.reason instanceof StorageFailed);
    assert.equal(refused.reason.code, "SQLITE_CONSTRAINT");
    assert.deepEqual(await database.read("select count(*) as n from entries"), [{ n: 42 }]);
  }));

Deno.test("a commit whose answer is lost is not sent again: it may have happened", () =>
  withServer(async ({ database }, server, folder) => {
    await database.write([insertConversation("c")]);
    const before = server.batches;
    server.breakAnswers();
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map((seq) => database.write([insertEntry({ conversation: "c", seq, text: "x" })])),
    );
    assert.ok(outcomes.every(({ status }) => status === "rejected"));
    const other = new DatabaseSync(join(folder, "server.db"));
    const stored = other.prepare("select count(*) as n from entries").get();
    other.close();
    assert.deepEqual({ ...stored }, { n: 3 });
    assert.equal(server.batches - before, 1);
  }));

Deno.test("the token goes to the server, and a server that refuses it is named", () =>
  withFolder(async (folder) => {
    const server = startLibsqlServer(join(folder, "server.db"), "secret");
    try {
      const options = { dataDir: join(folder, "data"), url: server.url };
      const storage = await openStorage({ ...options, token: "secret" });
      await storage.close();
      assert.ok(server.authorizations.length > 0);
      assert.ok(server.authorizations.every((authorization) => authorization === "Bearer secret"));
      await assert.rejects(openStorage({ ...options, token: "wrong" }), (error) => {
        assert.ok(error instanceof StorageFailed);
        assert.ok(error.message.includes(server.url) && error.message.includes("MALAMA_STORAGE_TOKEN"), error.message);
        return !error.message.includes('wrong"');
      });
    } finally {
      await server.close();
    }
  }));

Deno.test("a database on a server that a newer Malama wrote is refused", () =>
  withFolder(async (folder) => {
    const file = new DatabaseSync(join(folder, "server.db"));
    file.exec("pragma user_version = 999");
    file.close();
    const server = startLibsqlServer(join(folder, "server.db"));
    try {
      await assert.rejects(openStorage({ dataDir: join(folder, "data"), url: server.url }), /Update Malama/);
    } finally {
      await server.close();
    }
  }));
