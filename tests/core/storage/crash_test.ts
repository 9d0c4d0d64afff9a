import assert from "node:assert/strict";
import { openStorage, readLock, StorageLocked } from "../../../core/storage/mod.ts";
import { startProgram, withFolder, within } from "./sample_store.ts";

Deno.test("a store whose process is killed in the middle of writing has everything it acknowledged", () =>
  withFolder(async (folder) => {
    for (const enough of [1, 40, 300]) {
      await Deno.remove(folder, { recursive: true });
      const acknowledged = await killAfter(folder, enough);

      const storage = await openStorage({ dataDir: folder });
      try {
        assert.deepEqual(storage.health, { state: "healthy", repaired: [] });
        const keys = await storage.database.read("select key from meta where key like 'write-%'");
        const entries = await storage.database.read("select seq from entries order by seq");
        const found = await storage.database.read(
          "select count(*) as n from entry_search where entry_search match 'crash'",
        );
        const stored = new Set(keys.map((row) => row.key));
        assert.deepEqual(acknowledged.filter((n) => !stored.has(`write-${n}`)), [], "lost after it was acknowledged");
        assert.deepEqual(entries.map((row) => `write-${row.seq}`).toSorted(), [...stored].toSorted(), "half a write");
        assert.equal(found[0]?.n, entries.length);
      } finally {
        await storage.close();
      }
    }
  }));

Deno.test("a second process is refused with the pid of the first, and let in once that one was killed", () =>
  withFolder(async (folder) => {
    const { child, lines } = startProgram("holding_program.ts", folder);
    try {
      assert.equal((await within(lines.next(), "the first process")).value, "held");
      const refusal = await openStorage({ dataDir: folder }).catch((error) => error);
      assert.ok(refusal instanceof StorageLocked);
      assert.equal(refusal.pid, child.pid);
      assert.ok(refusal.message.includes(String(child.pid)) && refusal.message.includes(folder));
      const note = await readLock(folder);
      assert.equal(note?.pid, child.pid);
      assert.equal(note?.url, "http://127.0.0.1:7777");
    } finally {
      child.kill("SIGKILL");
      await child.status;
      for (let next = await lines.next(); !next.done;) next = await lines.next();
    }
    assert.equal(await readLock(folder), null, "a note of a dead process was believed");
    const storage = await openStorage({ dataDir: folder });
    assert.equal(storage.health.state, "healthy");
    await storage.close();
  }));

/** Lets the program acknowledge `enough` writes, kills it, and gives every number it printed. */
async function killAfter(folder: string, enough: number): Promise<readonly number[]> {
  const { child, lines } = startProgram("writing_program.ts", folder);
  const acknowledged: number[] = [];
  for (;;) {
    const { done, value } = await within(lines.next(), "an acknowledged write");
    if (done) break;
    acknowledged.push(Number(value));
    if (acknowledged.length === enough) child.kill("SIGKILL");
  }
  await child.status;
  assert.ok(acknowledged.length >= enough);
  return acknowledged;
}
