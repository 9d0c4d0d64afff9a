import assert from "node:assert/strict";
import { createClient } from "@libsql/client";
import { join } from "node:path";
import { REPAIRED_PAGES, REPAIRED_SEARCH } from "../../../core/storage/health.ts";
import {
  openStorage,
  ReadOnlyStorage,
  type Storage,
  StorageDamaged,
  StorageTooNew,
} from "../../../core/storage/mod.ts";
import {
  fillDatabase,
  insertEntry,
  openEngine,
  pagesOf,
  replaceDatabase,
  spoilPage,
  withFolder,
} from "./sample_store.ts";

const ENTRIES = 400;

/** Opens the folder's store for `body` and closes it whatever happens. */
async function opened(folder: string, body: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = await openStorage({ dataDir: folder, report: () => {} });
  try {
    await body(storage);
  } finally {
    await storage.close();
  }
}

async function search(storage: Storage, word: string): Promise<unknown> {
  const rows = await storage.database.read("select rowid from entry_search where entry_search match ?", [word]);
  return rows.length;
}

const PARTS = ["entry_search", "entry_grams"].flatMap((index) =>
  ["data", "idx", "docsize", "config"].map((part) => `${index}_${part}`)
);

for (const part of PARTS) {
  Deno.test(`state.db corrupt: openStorage() rebuilds the full-text indexes when a page of ${part} is damaged`, () =>
    withFolder(async (folder) => {
      await fillDatabase(folder, ENTRIES);
      const pages = await pagesOf(folder, (name) => name === part);
      await spoilPage(folder, pages.at(-1) ?? 0);
      await opened(folder, async (storage) => {
        assert.deepEqual(storage.health, { state: "healthy", repaired: [REPAIRED_SEARCH] });
        assert.equal(await search(storage, "word0"), 1);
        await storage.database.write([insertEntry({ conversation: "c", seq: 9999, text: "zebra 斑馬が" })]);
        assert.equal(await search(storage, "zebra"), 1);
        const grams = await storage.database.read("select doc from entry_gram_places where term = '斑馬が'");
        assert.equal(grams.length, 1);
        assert.deepEqual(await storage.database.read("pragma integrity_check"), [{ integrity_check: "ok" }]);
        assert.equal((await storage.database.read("select count(*) as n from entries"))[0]?.n, ENTRIES + 1);
      });
      await opened(folder, (storage) => {
        assert.deepEqual(storage.health, { state: "healthy", repaired: [] }, "the repair did not last");
        return Promise.resolve();
      });
    }));
}

Deno.test("openStorage() opens a store with a damaged ordinary table for reading only and leaves the file alone", () =>
  withFolder(async (folder) => {
    await fillDatabase(folder, ENTRIES);
    const pages = await pagesOf(folder, (name) => name === "entries");
    await spoilPage(folder, pages.at(-1) ?? 0);
    const before = await Deno.readFile(join(folder, "malama.db"));
    await opened(folder, async ({ health, database, blobs }) => {
      assert.equal(health.state, "damaged");
      assert.ok(health.detail.includes('table "entries"'), health.detail);
      assert.ok(health.advice.includes(join(folder, "malama.db-wal")), health.advice);
      assert.equal((await database.read("select title from conversations"))[0]?.title, "A title");
      assert.equal((await database.read("select seq from entries order by id limit 1"))[0]?.seq, 0);
      await assert.rejects(database.read("select sum(length(data)) from entries"), StorageDamaged);
      await assert.rejects(database.write([insertEntry({ conversation: "c", seq: 9999, text: "x" })]), ReadOnlyStorage);
      await assert.rejects(blobs.put(new Uint8Array([1]), "image/png", "c"), ReadOnlyStorage);
    });
    assert.deepEqual(await Deno.readFile(join(folder, "malama.db")), before);
  }));

Deno.test("openStorage() does not repair the index while an ordinary table is damaged too", () =>
  withFolder(async (folder) => {
    await fillDatabase(folder, ENTRIES);
    await spoilPage(folder, (await pagesOf(folder, (name) => name === "entries")).at(-1) ?? 0);
    await spoilPage(folder, (await pagesOf(folder, (name) => name === "entry_search_data")).at(-1) ?? 0);
    const before = await Deno.readFile(join(folder, "malama.db"));
    await opened(folder, ({ health }) => {
      assert.equal(health.state, "damaged");
      return Promise.resolve();
    });
    assert.deepEqual(await Deno.readFile(join(folder, "malama.db")), before);
  }));

Deno.test("every single damaged page is noticed, and never costs an entry that was not on it", () =>
  withFolder(async (folder) => {
    await fillDatabase(folder, 60);
    const pristine = await Deno.readFile(join(folder, "malama.db"));
    const own = await pagesOf(folder, (name) => name === "entries" || name === "sqlite_schema");
    const used = await pagesOf(folder, () => true);
    for (const page of used) {
      await replaceDatabase(folder, pristine);
      await spoilPage(folder, page);
      const engine = await openEngine(folder).catch(() => null);
      if (engine === null) {
        assert.ok(own.includes(page), `page ${page} kept the whole database from opening`);
        continue;
      }
      const { repaired, damage } = engine.report;
      assert.ok(repaired.length > 0 || damage !== null, `damage on page ${page} was not noticed`);
      if (damage === null) {
        const [count, check] = [
          await engine.read({ sql: "select count(*) from entries" }),
          await engine.read({
            sql: "pragma integrity_check",
          }),
        ];
        assert.deepEqual([count.rows[0]?.[0], check.rows[0]?.[0]], [60, "ok"]);
      }
      await engine.close();
    }
  }));

Deno.test("a damaged list of unused pages is rebuilt", () =>
  withFolder(async (folder) => {
    await fillDatabase(folder, ENTRIES);
    const engine = await openEngine(folder);
    await engine.write([[{ sql: "delete from entries where seq >= 100" }]]);
    await engine.close();
    const trunk = new DataView((await Deno.readFile(join(folder, "malama.db"))).buffer).getUint32(32);
    assert.ok(trunk > 0);
    await spoilPage(folder, trunk);
    await opened(folder, ({ health }) => {
      assert.deepEqual(health, { state: "healthy", repaired: [REPAIRED_PAGES] });
      return Promise.resolve();
    });
  }));

for (const block of ["x'00'", "x'ffffffffffffffffff'"]) {
  Deno.test(`an index that is found damaged (${block}) while writing is rebuilt and the writes go through`, () =>
    withFolder(async (folder) => {
      await fillDatabase(folder, ENTRIES);
      await opened(folder, async (storage) => {
        // Through a connection of its own, as a fault would come: ours must not keep what it remembers of the index.
        const other = createClient({ url: `file:${join(folder, "malama.db")}`, timeout: 5000 });
        await other.execute(`update entry_search_data set block = ${block} where id = 10`);
        other.close();
        const words = ["zebra", "okapi", "quagga"];
        await Promise.all(
          words.map((text, index) =>
            storage.database.write([insertEntry({ conversation: "c", seq: 9000 + index, text })])
          ),
        );
        assert.deepEqual(storage.health, { state: "healthy", repaired: [REPAIRED_SEARCH] });
        for (const word of [...words, "word0"]) assert.equal(await search(storage, word), 1, word);
      });
    }));
}

Deno.test("an index that is found damaged while searching is rebuilt and the search answers", () =>
  withFolder(async (folder) => {
    await fillDatabase(folder, ENTRIES);
    await opened(folder, async (storage) => {
      await storage.database.write([{ sql: "update entry_search_data set block = x'0000' where id > 10" }]);
      assert.equal(await search(storage, "word0"), 1);
      assert.deepEqual(storage.health, { state: "healthy", repaired: [REPAIRED_SEARCH] });
    });
  }));

Deno.test("a table that is found damaged while in use ends writing", () =>
  withFolder(async (folder) => {
    await fillDatabase(folder, ENTRIES);
    const pages = await pagesOf(folder, (name) => name === "entries");
    const reports: (string | null)[] = [];
    // A glance, as a large file gets within a day of its last check: the damage is not seen at once.
    const first = await openEngine(folder, { fullCheckBytes: 0 });
    await first.close();
    await spoilPage(folder, pages.at(-1) ?? 0);
    const engine = await openEngine(folder, { fullCheckBytes: 0, onReport: (report) => reports.push(report.damage) });
    assert.equal(engine.report.damage, null);
    await assert.rejects(engine.read({ sql: "select sum(length(data)) from entries" }));
    assert.equal(reports.length, 1);
    assert.ok(reports[0]?.includes('table "entries"'));
    const [outcome] = await engine.write([[insertEntry({ conversation: "c", seq: 9999, text: "x" })]]);
    assert.equal(outcome?.ok, false);
    await engine.close();
  }));

Deno.test("a large file is checked once a day, and fully after an end that was not clean", () =>
  withFolder(async (folder) => {
    await fillDatabase(folder, ENTRIES);
    const large = { fullCheckBytes: 0 };
    const later = (hours: number) => ({ ...large, now: new Date(Date.UTC(2026, 2, 1, 12 + hours)) });
    await (await openEngine(folder, later(0))).close();
    const pristine = await Deno.readFile(join(folder, "malama.db"));
    await spoilPage(folder, (await pagesOf(folder, (name) => name === "entries")).at(-1) ?? 0);
    const damageAt = async (hours: number) => {
      const engine = await openEngine(folder, later(hours));
      await engine.close();
      return engine.report.damage !== null;
    };
    assert.equal(await damageAt(23), false);
    assert.equal(await damageAt(25), true);
    assert.equal(await damageAt(-1), true, "a clock that went back must not put the check off");
    const killed = await Deno.makeTempDir();
    try {
      await replaceDatabase(folder, pristine);
      const running = await openEngine(folder, later(1));
      await running.write([[insertEntry({ conversation: "c", seq: 9999, text: "last words" })]]);
      await Deno.copyFile(join(folder, "malama.db"), join(killed, "malama.db"));
      await Deno.copyFile(join(folder, "malama.db-wal"), join(killed, "malama.db-wal"));
      await running.close();
      await spoilPage(killed, (await pagesOf(folder, (name) => name === "entries"))[3] ?? 0);
      const engine = await openEngine(killed, later(2));
      assert.notEqual(engine.report.damage, null);
      await engine.close();
    } finally {
      await Deno.remove(killed, { recursive: true });
    }
  }));

Deno.test("openStorage() refuses a file that is no database, and leaves it as it is", () =>
  withFolder(async (folder) => {
    const text = "dear diary, this is a letter and not a database";
    await Deno.writeTextFile(join(folder, "malama.db"), text);
    await assert.rejects(openStorage({ dataDir: folder }), (error) => {
      assert.ok(error instanceof StorageDamaged);
      return error.message.includes("is not a database") && error.message.includes("Nothing was deleted");
    });
    assert.equal(await Deno.readTextFile(join(folder, "malama.db")), text);
  }));

Deno.test("a malama.db cut to 0 bytes while the folder holds blobs is damaged, not an empty healthy store", () =>
  withFolder(async (folder) => {
    const file = join(folder, "malama.db");
    await opened(folder, async (storage) => {
      await storage.blobs.putLoose(new TextEncoder().encode("a captured request"), "application/json");
    });
    await Deno.truncate(file, 0);
    for (const _ of ["once", "and again, nothing having been written meanwhile"]) {
      await assert.rejects(openStorage({ dataDir: folder }), (error) => {
        assert.ok(error instanceof StorageDamaged);
        return /it is empty, though .* Nothing was deleted\./.test(error.message);
      });
      assert.equal((await Deno.stat(file)).size, 0);
    }
    await Deno.remove(file);
    await opened(folder, (storage) => {
      assert.equal(storage.health.state, "healthy", "moved away, as the advice says, it is a new store");
      return Promise.resolve();
    });
  }));

Deno.test("an empty file in a folder that never held anything is a new store", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(join(folder, "malama.db"), "");
    await Deno.mkdir(join(folder, "blobs", "unfinished"), { recursive: true });
    await Deno.mkdir(join(folder, "blobs", "ab"));
    await opened(folder, (storage) => Promise.resolve(assert.equal(storage.health.state, "healthy")));
  }));

Deno.test("openStorage() of a file that was cut short reads what is left, or says that nothing can be read", () =>
  withFolder(async (folder) => {
    await fillDatabase(folder, ENTRIES);
    const whole = await Deno.readFile(join(folder, "malama.db"));
    for (const length of [whole.length - 4096 * 3, Math.floor(whole.length / 2), 4096 * 2 + 100, 700]) {
      await replaceDatabase(folder, whole.subarray(0, length));
      try {
        const storage = await openStorage({ dataDir: folder });
        assert.equal(storage.health.state, "damaged", `cut at ${length}`);
        await storage.close();
      } catch (error) {
        assert.ok(error instanceof StorageDamaged, String(error));
      }
      assert.deepEqual(await Deno.readFile(join(folder, "malama.db")), whole.slice(0, length), `cut at ${length}`);
    }
  }));

Deno.test("openStorage() refuses a database of a newer Malama, and leaves it as it is", () =>
  withFolder(async (folder) => {
    const engine = await openEngine(folder);
    await engine.read({ sql: "pragma user_version = 999" });
    await engine.close();
    const before = await Deno.readFile(join(folder, "malama.db"));
    await assert.rejects(openStorage({ dataDir: folder }), (error) => {
      assert.ok(error instanceof StorageTooNew);
      assert.equal(error.found, 999);
      return error.message.includes("Update Malama");
    });
    assert.deepEqual(await Deno.readFile(join(folder, "malama.db")), before);
  }));

Deno.test("openStorage() refuses a database of another program, and leaves it as it is", () =>
  withFolder(async (folder) => {
    const engine = await openEngine(folder, { migrations: [] });
    await engine.write([[{ sql: "create table songs (title text)" }]]);
    await engine.read({ sql: "pragma journal_mode = delete" });
    await engine.close();
    const before = await Deno.readFile(join(folder, "malama.db"));
    await assert.rejects(openStorage({ dataDir: folder }), /belongs to another program.*"songs"/);
    assert.deepEqual(await Deno.readFile(join(folder, "malama.db")), before);
  }));
