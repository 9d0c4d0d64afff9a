import assert from "node:assert/strict";
import { join } from "node:path";
import { BlobFiles, fileError } from "../../../core/storage/blobs.ts";
import { openStorage, ReadOnlyStorage, StorageFull } from "../../../core/storage/mod.ts";
import { MIDDAY, withFolder, withStorage } from "./sample_store.ts";

const HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const hello = new TextEncoder().encode("hello");

function pathOf(folder: string, hash: string): string {
  return join(folder, "blobs", hash.slice(0, 2), hash.slice(2));
}

Deno.test("put() stores bytes under their SHA-256 and get() gives them back with their media type", () =>
  withStorage(async ({ blobs }, folder) => {
    assert.equal(await blobs.put(hello, "text/plain", "c"), HELLO);
    assert.deepEqual(await blobs.get(HELLO), { bytes: hello, mediaType: "text/plain" });
    assert.deepEqual(await Deno.readFile(pathOf(folder, HELLO)), hello);
    if (Deno.build.os !== "windows") {
      assert.equal((await Deno.stat(pathOf(folder, HELLO))).mode! & 0o777, 0o600);
      assert.equal((await Deno.stat(join(folder, "blobs"))).mode! & 0o777, 0o700);
    }
  }));

Deno.test("put() a second time keeps the file and the first media type", () =>
  withStorage(async ({ blobs, database }, folder) => {
    await blobs.put(hello, "text/plain", "c");
    const before = await Deno.stat(pathOf(folder, HELLO));
    await blobs.put(hello, "image/png", "c");
    const after = await Deno.stat(pathOf(folder, HELLO));
    assert.deepEqual([after.ino, after.mtime], [before.ino, before.mtime]);
    assert.deepEqual(await database.read("select hash, media_type, bytes from blobs"), [
      { hash: HELLO, media_type: "text/plain", bytes: 5 },
    ]);
  }));

Deno.test("put() of the same bytes many times at once stores them once and leaves nothing unfinished", () =>
  withStorage(async ({ blobs }, folder) => {
    const bytes = crypto.getRandomValues(new Uint8Array(60_000));
    const hashes = await Promise.all(Array.from({ length: 12 }, () => blobs.put(bytes, "image/png", "c")));
    assert.equal(new Set(hashes).size, 1);
    assert.deepEqual((await blobs.get(hashes[0] ?? ""))?.bytes, bytes);
    assert.deepEqual(await Array.fromAsync(Deno.readDir(join(folder, "blobs", "unfinished"))), []);
  }));

Deno.test("put() takes an empty blob, a part of a larger array, and bytes that change while it works", () =>
  withStorage(async ({ blobs }) => {
    const empty = await blobs.put(new Uint8Array(), "text/plain", "c");
    assert.equal((await blobs.get(empty))?.bytes.length, 0);
    const whole = new TextEncoder().encode("xxhelloxx");
    assert.equal(await blobs.put(whole.subarray(2, 7), "text/plain", "c"), HELLO);
    const changing = new TextEncoder().encode("changing");
    const putting = blobs.put(changing, "text/plain", "c");
    changing.fill(0);
    assert.deepEqual((await blobs.get(await putting))?.bytes, new TextEncoder().encode("changing"));
  }));

Deno.test("get() gives null for what is not there, and for anything that is no hash", () =>
  withStorage(async ({ blobs }, folder) => {
    await Deno.writeTextFile(join(folder, "secret"), "a secret");
    const tricks = [
      "",
      "ab",
      HELLO.toUpperCase(),
      `${HELLO}0`,
      `${HELLO}\n`,
      HELLO.slice(1),
      "../../secret",
      "..%2f..%2fsecret",
      `..${"/".repeat(62)}`,
      `${"../".repeat(19)}secret.`,
      "/etc/passwd",
      "\0".repeat(64),
      "０".repeat(64),
    ];
    for (const trick of [...tricks, HELLO]) assert.equal(await blobs.get(trick), null, JSON.stringify(trick));
  }));

Deno.test("a blob whose file was changed is null and reported, and putting it again mends it", () =>
  withFolder(async (folder) => {
    const reports: string[] = [];
    const storage = await openStorage({ dataDir: folder, report: (message) => reports.push(message) });
    await storage.blobs.put(hello, "text/plain", "c");
    await Deno.writeTextFile(pathOf(folder, HELLO), "jello");
    assert.equal(await storage.blobs.get(HELLO), null);
    assert.equal(reports.length, 1);
    assert.ok(reports[0]?.includes(pathOf(folder, HELLO)));
    await storage.blobs.put(hello, "text/plain", "c");
    assert.deepEqual((await storage.blobs.get(HELLO))?.bytes, hello);
    await storage.close();
  }));

Deno.test("a blob whose row is gone still has its bytes", () =>
  withStorage(async ({ blobs, database }) => {
    await blobs.put(hello, "text/plain", "c");
    await database.write([{ sql: "delete from blobs" }]);
    assert.deepEqual(await blobs.get(HELLO), { bytes: hello, mediaType: "application/octet-stream" });
  }));

Deno.test("a blob whose row cannot be read still has its bytes", () =>
  withStorage(async ({ blobs }, folder) => {
    await blobs.put(hello, "text/plain", "c");
    const reports: string[] = [];
    const unreadable = new BlobFiles({
      folder,
      now: () => MIDDAY,
      report: (message) => reports.push(message),
      database: { read: () => Promise.reject(new Error("damaged page")), write: () => Promise.resolve([]) },
    });
    assert.equal((await unreadable.get(HELLO))?.mediaType, "application/octet-stream");
    assert.ok(reports[0]?.includes("damaged page"));
  }));

Deno.test("openStorage() removes what an earlier process left unfinished, and keeps the rest", () =>
  withFolder(async (folder) => {
    const first = await openStorage({ dataDir: folder });
    await first.blobs.put(hello, "text/plain", "c");
    await first.close();
    await Deno.mkdir(join(folder, "blobs", "unfinished"), { recursive: true });
    await Deno.writeTextFile(join(folder, "blobs", "unfinished", "half"), "hal");
    const second = await openStorage({ dataDir: folder });
    await assert.rejects(Deno.stat(join(folder, "blobs", "unfinished")), Deno.errors.NotFound);
    assert.deepEqual((await second.blobs.get(HELLO))?.bytes, hello);
    await second.close();
  }));

Deno.test("put() that cannot write leaves no name behind and says what is wrong", () =>
  withStorage(async ({ blobs }, folder) => {
    await Deno.mkdir(join(folder, "blobs"), { recursive: true });
    await Deno.writeTextFile(join(folder, "blobs", HELLO.slice(0, 2)), "in the way");
    await assert.rejects(blobs.put(hello, "text/plain", "c"));
    await Deno.remove(join(folder, "blobs", HELLO.slice(0, 2)));
    assert.equal(await blobs.get(HELLO), null);
    assert.equal(await blobs.put(hello, "text/plain", "c"), HELLO);
  }));

Deno.test(
  "fileError() knows a full disk and a folder that may not be written",
  { ignore: Deno.build.os !== "linux" },
  () => {
    const errorOf = (attempt: () => unknown): unknown => {
      try {
        return attempt();
      } catch (error) {
        return error;
      }
    };
    const full = errorOf(() => {
      using device = Deno.openSync("/dev/full", { write: true });
      return device.writeSync(new Uint8Array(1));
    });
    assert.ok(fileError(full, "/data") instanceof StorageFull);
    const forbidden = errorOf(() => Deno.mkdirSync("/sys/kernel/malama"));
    assert.ok(fileError(forbidden, "/data") instanceof ReadOnlyStorage);
    const other = new Error("something else");
    assert.equal(fileError(other, "/data"), other);
  },
);
