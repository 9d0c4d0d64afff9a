import assert from "node:assert/strict";
import { BlobFiles, LOOSE_MS } from "../../../core/storage/blobs.ts";
import type { Database, Storage } from "../../../core/storage/mod.ts";
import { blobNames, insertConversation, MIDDAY, withStorage } from "./sample_store.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Blobs whose clock the test moves. */
function withClock(
  body: (blobs: BlobFiles, clock: { now: number }, storage: Storage, folder: string) => Promise<void>,
) {
  return withStorage(async (storage, folder) => {
    const clock = { now: MIDDAY.getTime() };
    const { database } = storage;
    await database.write([insertConversation("c"), insertConversation("d")]);
    await body(
      new BlobFiles({ folder, database, now: () => new Date(clock.now), report: assert.fail }),
      clock,
      storage,
      folder,
    );
  });
}

const remove = (database: Database, conversation: string) =>
  database.write([{ sql: "delete from conversations where id = ?", args: [conversation] }]);

Deno.test("what is put loose is kept for 24 hours, and then swept with every trace of it", () =>
  withClock(async (blobs, clock, { database }, folder) => {
    const hash = await blobs.putLoose(bytesOf("a picture"), "image/png");
    clock.now += LOOSE_MS - 1;
    assert.equal(await blobs.sweep(), 0);
    assert.deepEqual(await blobs.get(hash), { bytes: bytesOf("a picture"), mediaType: "image/png" });
    clock.now += 1;
    assert.equal(await blobs.sweep(), 1);
    assert.equal(await blobs.get(hash), null);
    assert.deepEqual(await blobNames(folder), []);
    assert.deepEqual(await database.read("select key from meta where key like 'loose:%'"), []);
  }));

Deno.test("putting it loose once more begins its 24 hours again", () =>
  withClock(async (blobs, clock) => {
    const hash = await blobs.putLoose(bytesOf("again"), "image/png");
    clock.now += LOOSE_MS - 1;
    assert.equal(await blobs.putLoose(bytesOf("again"), "image/png"), hash);
    clock.now += LOOSE_MS - 1;
    assert.equal(await blobs.sweep(), 0);
    clock.now += 1;
    assert.equal(await blobs.sweep(), 1);
  }));

Deno.test("hold() keeps it for as long as the conversation is there, and no longer", () =>
  withClock(async (blobs, clock, { database }) => {
    const hash = await blobs.putLoose(bytesOf("kept"), "text/plain");
    assert.equal(await blobs.hold(hash, "c"), true);
    clock.now += 10 * LOOSE_MS;
    assert.equal(await blobs.sweep(), 0);
    assert.equal(await blobs.hold(hash, "d"), true);
    assert.equal(await blobs.hold(hash, "d"), true, "twice is once");
    await remove(database, "c");
    assert.equal(await blobs.sweep(), 0);
    await remove(database, "d");
    assert.equal(await blobs.sweep(), 1, "a deleted conversation leaves nothing, however young");
  }));

Deno.test("hold() says when there is no such blob, and when there is no such conversation", () =>
  withClock(async (blobs, _clock, { database }) => {
    assert.equal(await blobs.hold("ab".repeat(32), "c"), false);
    assert.equal(await blobs.hold("../../etc/passwd", "c"), false);
    const hash = await blobs.putLoose(bytesOf("x"), "text/plain");
    assert.equal(await blobs.hold(hash, "nobody"), false);
    assert.deepEqual(await database.read("select * from blob_holders"), []);
  }));

Deno.test("a hold for a conversation that is not there leaves the file its 24 hours", () =>
  withClock(async (blobs, clock) => {
    const hash = await blobs.putLoose(bytesOf("still here"), "text/plain");
    await blobs.hold(hash, "nobody");
    clock.now += LOOSE_MS - 1;
    assert.equal(await blobs.sweep(), 0);
    assert.equal(await blobs.hold(hash, "c"), true);
  }));

Deno.test("what a conversation holds already is not loosened by being put loose", () =>
  withClock(async (blobs, clock) => {
    const hash = await blobs.put(bytesOf("held"), "text/plain", "c");
    assert.equal(await blobs.putLoose(bytesOf("held"), "text/html"), hash);
    clock.now += 2 * LOOSE_MS;
    assert.equal(await blobs.sweep(), 0);
    assert.equal((await blobs.get(hash))?.mediaType, "text/plain", "the first media type stays");
  }));

Deno.test("holding while a sweep decides about the same bytes never loses what was held", () =>
  withClock(async (_, clock, { database }, folder) => {
    const deciding = Promise.withResolvers<void>();
    const decided = Promise.withResolvers<void>();
    const blobs = new BlobFiles({
      folder,
      now: () => new Date(clock.now),
      report: assert.fail,
      database: {
        read: async (sql, args) => {
          const rows = await database.read(sql, args);
          if (args?.length === 2) deciding.resolve(), await decided.promise;
          return rows;
        },
        write: (statements) => database.write(statements),
      },
    });
    const hash = await blobs.putLoose(bytesOf("late"), "text/plain");
    clock.now += LOOSE_MS;
    const sweeping = blobs.sweep();
    await deciding.promise;
    const holding = blobs.hold(hash, "c");
    decided.resolve();
    assert.equal(await sweeping, 1);
    assert.equal(await holding, false, "it says so, and the message is refused, rather than naming what is gone");
    assert.equal(await blobs.get(hash), null);
  }));
