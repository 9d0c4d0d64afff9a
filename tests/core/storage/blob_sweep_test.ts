import assert from "node:assert/strict";
import fc from "fast-check";
import { dirname, join } from "node:path";
import { BlobFiles } from "../../../core/storage/blobs.ts";
import type { Database } from "../../../core/storage/mod.ts";
import { blobNames, insertConversation, MIDDAY, withStorage } from "./sample_store.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const remove = (conversation: string) => ({ sql: "delete from conversations where id = ?", args: [conversation] });

function pathOf(folder: string, hash: string): string {
  return join(folder, "blobs", hash.slice(0, 2), hash.slice(2));
}

/** Blobs of the same folder over another view of its database. */
function blobsOver(database: Database, folder: string, reports: string[] = []): BlobFiles {
  return new BlobFiles({ folder, database, now: () => MIDDAY, report: (message) => reports.push(message) });
}

Deno.test("sweep() removes file and row of what only a deleted conversation held, and nothing else", () =>
  withStorage(async ({ blobs, database }, folder) => {
    await database.write([insertConversation("c"), insertConversation("d")]);
    const own = await blobs.put(bytesOf("said in c alone"), "application/json", "c");
    const shared = await blobs.put(bytesOf("a picture in both"), "image/png", "c");
    assert.equal(await blobs.put(bytesOf("a picture in both"), "image/png", "d"), shared);
    assert.equal(await blobs.sweep(), 0);
    await database.write([remove("c")]);
    assert.equal(await blobs.sweep(), 1);
    assert.equal(await blobs.get(own), null);
    assert.deepEqual((await blobs.get(shared))?.bytes, bytesOf("a picture in both"));
    assert.deepEqual(await blobNames(folder), [shared]);
    assert.deepEqual(await database.read("select hash from blobs"), [{ hash: shared }]);
    await database.write([remove("d")]);
    assert.equal(await blobs.sweep(), 1);
    assert.deepEqual(await blobNames(folder), []);
    assert.equal(await blobs.sweep(), 0);
  }));

Deno.test("sweep() of more blobs than it takes at a time removes them all", () =>
  withStorage(async ({ blobs, database }, folder) => {
    await database.write([insertConversation("c")]);
    await Promise.all(Array.from({ length: 120 }, (_, n) => blobs.put(bytesOf(`blob ${n}`), "text/plain", "c")));
    await database.write([remove("c")]);
    assert.equal(await blobs.sweep(), 120);
    assert.deepEqual(await blobNames(folder), []);
  }));

Deno.test("what is put for a conversation that is gone is held by nothing", () =>
  withStorage(async ({ blobs, database }) => {
    await database.write([insertConversation("c"), remove("c")]);
    const hash = await blobs.put(bytesOf("too late"), "text/plain", "c");
    assert.equal(await blobs.sweep(), 1);
    assert.equal(await blobs.get(hash), null);
  }));

Deno.test("what is put again after it was swept is there again", () =>
  withStorage(async ({ blobs, database }) => {
    await database.write([insertConversation("c"), insertConversation("d")]);
    await blobs.put(bytesOf("again"), "text/plain", "c");
    await database.write([remove("c")]);
    await blobs.sweep();
    const hash = await blobs.put(bytesOf("again"), "text/html", "d");
    assert.deepEqual(await blobs.get(hash), { bytes: bytesOf("again"), mediaType: "text/html" });
  }));

Deno.test("sweep() leaves a file that no row names: it may belong to a database that was moved away", () =>
  withStorage(async ({ blobs }, folder) => {
    const unknown = "ab".repeat(32);
    await Deno.mkdir(dirname(pathOf(folder, unknown)), { recursive: true });
    await Deno.writeTextFile(pathOf(folder, unknown), "whose?");
    assert.equal(await blobs.sweep(), 0);
    assert.deepEqual(await blobNames(folder), [unknown]);
  }));

Deno.test("putting the same bytes at any moment of a sweep never loses them", () =>
  withStorage(async ({ database }, folder) => {
    let conversations = 0;
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.nat(2), async (scheduler, others) => {
        const [gone, kept] = [`gone ${++conversations}`, `kept ${conversations}`];
        await database.write([insertConversation(gone), insertConversation(kept)]);
        const content = bytesOf(`shared ${conversations}`);
        const blobs = blobsOver({
          read: scheduler.scheduleFunction((sql: string, args) => database.read(sql, args)) as Database["read"],
          write: scheduler.scheduleFunction((statements) => database.write(statements)) as Database["write"],
        }, folder);
        const first = blobs.put(content, "text/plain", gone);
        await scheduler.waitFor(first);
        await database.write([remove(gone)]);
        const work = Promise.all([
          blobs.sweep(),
          blobs.put(content, "text/plain", kept),
          ...Array.from({ length: others }, () => blobs.sweep()),
        ]);
        const [, hash] = await scheduler.waitFor(work);
        assert.deepEqual((await blobsOver(database, folder).get(hash))?.bytes, content);
        assert.equal((await database.read("select 1 from blobs where hash = ?", [hash])).length, 1);
        await database.write([remove(kept)]);
      }),
      { numRuns: 40 },
    );
  }));

Deno.test("put() waits while a sweep decides about the same bytes, and for no other bytes", () =>
  withStorage(async ({ database }, folder) => {
    const deciding = Promise.withResolvers<void>();
    const decided = Promise.withResolvers<void>();
    const written: string[] = [];
    const blobs = blobsOver({
      async read(sql, args) {
        const rows = await database.read(sql, args);
        if (args?.length === 2) deciding.resolve(), await decided.promise;
        return rows;
      },
      async write(statements) {
        written.push(String(statements[0]?.args?.[0]));
        return await database.write(statements);
      },
    }, folder);
    await database.write([insertConversation("c"), insertConversation("d")]);
    const hash = await blobs.put(bytesOf("same"), "text/plain", "c");
    await database.write([remove("c")]);
    const sweeping = blobs.sweep();
    await deciding.promise;
    const putting = blobs.put(bytesOf("same"), "text/plain", "d");
    const other = await blobs.put(bytesOf("other"), "text/plain", "d");
    assert.deepEqual(written, [hash, other], "it was put while a sweep was about to remove it");
    decided.resolve();
    await Promise.all([sweeping, putting]);
    assert.deepEqual((await blobs.get(hash))?.bytes, bytesOf("same"));
  }));

Deno.test("a process that ends between the file and its row leaves what the next sweep finishes", () =>
  withStorage(async ({ blobs, database }, folder) => {
    await database.write([insertConversation("c")]);
    await blobs.put(bytesOf("half swept"), "text/plain", "c");
    await database.write([remove("c")]);
    const dying = blobsOver({
      read: (sql, args) => database.read(sql, args),
      write: () => Promise.reject(new Error("killed")),
    }, folder);
    await assert.rejects(dying.sweep(), /killed/);
    assert.deepEqual(await blobNames(folder), []);
    assert.equal((await database.read("select 1 from blobs")).length, 1);
    assert.equal(await blobs.sweep(), 1);
    assert.equal((await database.read("select 1 from blobs")).length, 0);
  }));

Deno.test("a process that ends between the row and its file leaves what goes with the conversation", () =>
  withStorage(async ({ blobs, database }, folder) => {
    await database.write([insertConversation("c")]);
    const dying = blobsOver({
      read: (sql, args) => database.read(sql, args),
      write: async (statements) => {
        await database.write(statements);
        throw new Error("killed");
      },
    }, folder);
    await assert.rejects(dying.put(bytesOf("half put"), "text/plain", "c"), /killed/);
    assert.deepEqual(await blobNames(folder), []);
    await database.write([remove("c")]);
    assert.equal(await blobs.sweep(), 1);
    assert.equal((await database.read("select 1 from blobs")).length, 0);
  }));

Deno.test("a file that cannot be removed is reported, keeps its row, and is tried again", () =>
  withStorage(async ({ database }, folder) => {
    const reports: string[] = [];
    const blobs = blobsOver(database, folder, reports);
    await database.write([insertConversation("c")]);
    const [stuck, other] = [
      await blobs.put(bytesOf("stuck"), "text/plain", "c"),
      await blobs.put(bytesOf("other"), "text/plain", "c"),
    ];
    // A folder with something in it stands for whatever the system refuses to remove.
    await Deno.remove(pathOf(folder, stuck));
    await Deno.mkdir(join(pathOf(folder, stuck), "in the way"), { recursive: true });
    await database.write([remove("c")]);
    assert.equal(await blobs.sweep(), 1);
    assert.equal(await blobs.get(other), null);
    assert.deepEqual([reports.length, reports[0]?.includes(pathOf(folder, stuck))], [1, true]);
    await Deno.remove(join(pathOf(folder, stuck), "in the way"));
    assert.equal(await blobs.sweep(), 1);
    assert.equal((await database.read("select 1 from blobs")).length, 0);
  }));

Deno.test("sweep() ends early at its signal, and a later one does the rest", () =>
  withStorage(async ({ blobs, database }, folder) => {
    await database.write([insertConversation("c")]);
    await blobs.put(bytesOf("left for later"), "text/plain", "c");
    await database.write([remove("c")]);
    assert.equal(await blobs.sweep({ signal: AbortSignal.abort() }), 0);
    assert.equal((await blobNames(folder)).length, 1);
    assert.equal(await blobs.sweep(), 1);
  }));
