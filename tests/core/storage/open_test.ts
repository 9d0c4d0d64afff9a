import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { locate } from "../../../core/storage/open.ts";
import { openStorage, readLock, ReadOnlyStorage, StorageClosed, StorageFailed } from "../../../core/storage/mod.ts";
import { insertConversation, withFolder, withStorage } from "./sample_store.ts";

Deno.test("openStorage() makes the folder and everything in it for its owner alone", () =>
  withFolder(async (folder) => {
    const data = join(folder, "a", "new one # 100%?");
    const storage = await openStorage({ dataDir: data });
    assert.deepEqual(storage.health, { state: "healthy", repaired: [] });
    await storage.database.write([insertConversation("c")]);
    if (Deno.build.os !== "windows") {
      assert.equal((await Deno.stat(data)).mode! & 0o777, 0o700);
      for (const name of ["malama.db", "malama.db-wal", "malama.db-shm", "malama.lock"]) {
        assert.equal((await Deno.stat(join(data, name))).mode! & 0o777, 0o600, name);
      }
    }
    await storage.close();
  }));

Deno.test("what was written is there after closing and opening again", () =>
  withFolder(async (folder) => {
    for (const expected of [0, 1]) {
      const storage = await openStorage({ dataDir: folder });
      assert.equal((await storage.database.read("select id from conversations")).length, expected);
      if (expected === 0) await storage.database.write([insertConversation("c")]);
      await storage.close();
    }
  }));

Deno.test("announceAddress() is what readLock() of another process finds, until close()", () =>
  withStorage(async (storage, folder) => {
    await storage.announceAddress("http://127.0.0.1:8712");
    assert.equal((await readLock(folder))?.url, "http://127.0.0.1:8712");
    await Promise.all([storage.close(), storage.close()]);
    assert.equal(await readLock(folder), null);
    await assert.rejects(storage.database.read("select 1"), StorageClosed);
    await assert.rejects(storage.blobs.put(new Uint8Array(), "text/plain", "c"), StorageClosed);
  }));

Deno.test("openStorage() says so when a file stands where the folder should be", () =>
  withFolder(async (folder) => {
    const file = join(folder, "occupied");
    await Deno.writeTextFile(file, "mine");
    for (const dataDir of [file, join(file, "below")]) {
      await assert.rejects(openStorage({ dataDir }), (error) => {
        assert.ok(error instanceof StorageFailed);
        return error.message.includes(dataDir) && error.message.includes("is not a folder");
      });
    }
    assert.equal(await Deno.readTextFile(file), "mine");
  }));

Deno.test("openStorage() says so when a folder stands where a file belongs, or a file where a folder does", () =>
  withFolder(async (folder) => {
    for (const name of ["malama.db", "malama.lock", "blobs"]) {
      const dataDir = join(folder, `with-${name}`);
      await Deno.mkdir(dataDir);
      if (name === "blobs") await Deno.writeTextFile(join(dataDir, name), "");
      else await Deno.mkdir(join(dataDir, name));
      await assert.rejects(openStorage({ dataDir }), (error) => {
        assert.ok(error instanceof StorageFailed, String(error));
        return error.message.includes(dataDir) && /Move it away/.test(error.message);
      });
    }
  }));

Deno.test(
  "openStorage() says so when the folder may not be written",
  { ignore: Deno.build.os !== "linux" },
  async () => {
    for (const dataDir of ["/sys/kernel", "/sys/kernel/malama"]) {
      await assert.rejects(openStorage({ dataDir }), (error) => {
        assert.ok(error instanceof ReadOnlyStorage, String(error));
        return error.message.includes(dataDir) && error.message.includes("permissions");
      });
    }
  },
);

Deno.test("a start that fails gives the folder up", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(join(folder, "malama.db"), "this is no database at all");
    await assert.rejects(openStorage({ dataDir: folder }));
    assert.equal(await readLock(folder), null);
    await Deno.remove(join(folder, "malama.db"));
    const storage = await openStorage({ dataDir: folder });
    await storage.close();
  }));

Deno.test("openStorage() gives up when its signal says so, and leaves the folder free", () =>
  withFolder(async (folder) => {
    const stopped = new Error("stopped");
    await assert.rejects(openStorage({ dataDir: folder, signal: AbortSignal.abort(stopped) }), stopped);
    const controller = new AbortController();
    const opening = openStorage({ dataDir: folder, signal: controller.signal });
    setTimeout(() => controller.abort(stopped), 0);
    const outcome = await opening.catch((error) => error);
    if (outcome instanceof Error) assert.equal(outcome, stopped);
    else await outcome.close();
    assert.equal(await readLock(folder), null);
  }));

Deno.test("locate() reads [storage] url", () => {
  const at = (url?: string) => locate("/data", url === undefined ? {} : { url, token: "secret" });
  assert.deepEqual(at(), { kind: "file", path: "/data/malama.db" });
  assert.deepEqual(at("file:other.db"), { kind: "file", path: "/data/other.db" });
  assert.deepEqual(at("file:/elsewhere/a.db"), { kind: "file", path: "/elsewhere/a.db" });
  assert.deepEqual(at(pathToFileURL("/with space/ʻāina.db").href), { kind: "file", path: "/with space/ʻāina.db" });
  assert.deepEqual(at("libsql://db.example.org"), { kind: "server", url: "libsql://db.example.org", token: "secret" });
});

Deno.test("openStorage() with a file: address keeps the database there", () =>
  withFolder(async (folder) => {
    const elsewhere = join(folder, "deep", "store.db");
    const storage = await openStorage({ dataDir: join(folder, "data"), url: `file:${elsewhere}` });
    await storage.close();
    assert.ok((await Deno.stat(elsewhere)).size > 0);
    await assert.rejects(Deno.stat(join(folder, "data", "malama.db")), Deno.errors.NotFound);
  }));

Deno.test("openStorage() names a libSQL server it cannot use, and not the token in its address", () =>
  withFolder(async (folder) => {
    const { port } = freePort();
    const url = `http://127.0.0.1:${port}?authToken=hush`;
    await assert.rejects(openStorage({ dataDir: folder, url }), (error) => {
      assert.ok(error instanceof StorageFailed);
      assert.ok(error.message.includes(`http://127.0.0.1:${port}`), error.message);
      return !error.message.includes("hush") && error.message.includes("[storage] url");
    });
  }));

/** A loopback port that nothing listens on. */
function freePort(): Deno.NetAddr {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr;
}
