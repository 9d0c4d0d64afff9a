import assert from "node:assert/strict";
import fc from "fast-check";
import { join } from "node:path";
import { FolderLock, parseNote, readLock } from "../../../core/storage/lock.ts";
import { StorageLocked } from "../../../core/storage/mod.ts";
import { MIDDAY, withFolder } from "./sample_store.ts";

const now = () => MIDDAY;

Deno.test("take() lets one in at a time, also within a process", () =>
  withFolder(async (folder) => {
    const lock = await FolderLock.take(folder, now);
    const refusal = await FolderLock.take(folder, now).catch((error) => error);
    assert.ok(refusal instanceof StorageLocked);
    assert.equal(refusal.pid, Deno.pid);
    await lock.release();
    await (await FolderLock.take(folder, now)).release();
  }));

Deno.test("of many that try at once exactly one gets in, though others read the lock meanwhile", () =>
  withFolder(async (folder) => {
    const attempts = Array.from({ length: 8 }, () => FolderLock.take(folder, now).catch((error) => error));
    const readers = Array.from({ length: 50 }, () => readLock(folder));
    const outcomes = await Promise.all(attempts);
    await Promise.all(readers);
    const locks = outcomes.filter((outcome) => outcome instanceof FolderLock);
    assert.equal(locks.length, 1);
    assert.ok(outcomes.every((outcome) => outcome instanceof FolderLock || outcome instanceof StorageLocked));
    await locks[0]?.release();
  }));

Deno.test("readLock() gives the holder's pid, start and announced address, and null when nobody holds the folder", () =>
  withFolder(async (folder) => {
    assert.equal(await readLock(folder), null);
    assert.equal(await readLock(join(folder, "missing")), null);
    const lock = await FolderLock.take(folder, now);
    assert.deepEqual(await readLock(folder), { pid: Deno.pid, started_at: "2026-03-01T12:00:00.000Z" });
    await lock.announce("http://127.0.0.1:8712/a/longer/address");
    await lock.announce("http://127.0.0.1:1");
    assert.deepEqual(await readLock(folder), {
      pid: Deno.pid,
      started_at: "2026-03-01T12:00:00.000Z",
      url: "http://127.0.0.1:1",
    });
    await lock.release();
    assert.equal(await readLock(folder), null);
  }));

Deno.test("readLock() does not believe a note that nobody holds", () =>
  withFolder(async (folder) => {
    const note = { pid: 1, started_at: "2026-03-01T12:00:00Z", url: "http://127.0.0.1:1" };
    await Deno.writeTextFile(join(folder, "malama.lock"), JSON.stringify(note));
    assert.equal(await readLock(folder), null);
    await (await FolderLock.take(folder, now)).release();
  }));

Deno.test(
  "the lock file is readable by its owner alone",
  { ignore: Deno.build.os === "windows" },
  () =>
    withFolder(async (folder) => {
      const lock = await FolderLock.take(folder, now);
      assert.equal((await Deno.stat(join(folder, "malama.lock"))).mode! & 0o777, 0o600);
      await lock.release();
    }),
);

Deno.test("parseNote() takes a note back and nothing else", () => {
  const note = fc.record({ pid: fc.nat(), started_at: fc.string(), url: fc.string() }, {
    requiredKeys: ["pid", "started_at"],
  });
  fc.assert(fc.property(note, (given) => assert.deepEqual({ ...parseNote(JSON.stringify(given)) }, { ...given })));
  fc.assert(fc.property(fc.json(), (text) => {
    const found = parseNote(text);
    return found === null || typeof found.pid === "number";
  }));
  for (const text of ["", "{", "null", "[]", '{"pid":"1","started_at":"x"}', '{"pid":1}']) {
    assert.equal(parseNote(text), null);
  }
});
