import assert from "node:assert/strict";
import fc from "fast-check";
import type { Statement } from "../../../core/storage/mod.ts";
import { failureError } from "../../../core/storage/failure.ts";
import { WriteQueue } from "../../../core/storage/write_queue.ts";
import { openEngine, withFolder } from "./sample_store.ts";

const PUT = "insert into meta (key, value) values (?, ?)";

function put(key: string, value = ""): Statement {
  return { sql: PUT, args: [key, value] };
}

Deno.test("write() answers each group with its own rows", () =>
  withFolder(async (folder) => {
    const engine = await openEngine(folder);
    const outcomes = await engine.write([
      [{ sql: `${PUT} returning key, value`, args: ["a", "1"] }, put("b")],
      [{ sql: `${PUT} returning value`, args: ["c", "3"] }],
    ]);
    assert.deepEqual(outcomes, [
      { ok: true, results: [{ columns: ["key", "value"], rows: [["a", "1"]] }, { columns: [], rows: [] }] },
      { ok: true, results: [{ columns: ["value"], rows: [["3"]] }] },
    ]);
    await engine.close();
  }));

Deno.test("write() undoes all of a group that fails, and nothing of the groups beside it", () =>
  withFolder(async (folder) => {
    const engine = await openEngine(folder);
    const outcomes = await engine.write([[put("a")], [put("b"), put("a")], [put("c")]]);
    assert.deepEqual(outcomes.map((outcome) => outcome.ok), [true, false, true]);
    assert.deepEqual((await engine.read({ sql: "select key from meta order by key" })).rows, [["a"], ["c"]]);
    const failure = outcomes[1];
    assert.ok(failure !== undefined && !failure.ok && failure.failure.kind === "failed");
    assert.equal(failure.failure.code, "SQLITE_CONSTRAINT_PRIMARYKEY");
    assert.equal(failure.failure.message, "UNIQUE constraint failed: meta.key");
    await engine.close();
  }));

Deno.test("a full database refuses what does not fit, loses nothing, and goes on when there is space again", () =>
  withFolder(async (folder) => {
    const engine = await openEngine(folder);
    await engine.write([[put("kept")]]);
    const pages = Number((await engine.read({ sql: "pragma page_count" })).rows[0]?.[0]);
    await engine.read({ sql: `pragma max_page_count = ${pages + 4}` });
    const big = put("big", "x".repeat(100_000));
    const outcomes = await engine.write([[put("small")], [put("half"), big]]);
    const failure = outcomes[1];
    assert.ok(failure !== undefined && !failure.ok);
    assert.equal(failure.failure.kind, "full");
    assert.equal(outcomes[0]?.ok, true, "a write that fits was refused with one that does not");
    const error = failureError(failure.failure, { folder, file: `${folder}/malama.db` });
    assert.equal(error.name, "StorageFull");
    assert.ok(error.message.includes(folder) && error.message.includes("free some space"));
    assert.deepEqual((await engine.read({ sql: "select key from meta order by key" })).rows, [["kept"], ["small"]]);
    await engine.read({ sql: "pragma max_page_count = 1000000" });
    assert.equal((await engine.write([[put("half"), big]]))[0]?.ok, true);
    assert.deepEqual((await engine.read({ sql: "pragma integrity_check" })).rows, [["ok"]]);
    await engine.close();
  }));

Deno.test("numbers keep their kind, bytes come back as an ArrayBuffer, and a part of a larger array is only that part", () =>
  withFolder(async (folder) => {
    const engine = await openEngine(folder);
    const { rows } = await engine.read({
      sql: "select typeof(?), typeof(?), typeof(?), ?, ?, ?",
      args: [1, 1.5, null, Number.MAX_SAFE_INTEGER, new Uint8Array([1, 2, 3]).subarray(1), "ʻōlelo 🌺"],
    });
    const [integer, real, nothing, largest, bytes, text] = rows[0] ?? [];
    assert.deepEqual([integer, real, nothing, largest, text], [
      "integer",
      "real",
      "null",
      Number.MAX_SAFE_INTEGER,
      "ʻōlelo 🌺",
    ]);
    assert.ok(bytes instanceof ArrayBuffer);
    assert.deepEqual([...new Uint8Array(bytes)], [2, 3]);
    await engine.close();
  }));

Deno.test("a statement that makes no sense is refused with SQLite's own words and the next one works", () =>
  withFolder(async (folder) => {
    const engine = await openEngine(folder);
    await assert.rejects(engine.read({ sql: "select a from nowhere" }), /no such table: nowhere/);
    const [outcome] = await engine.write([[{ sql: "insert into nowhere values (1)" }]]);
    assert.equal(outcome?.ok, false);
    assert.equal((await engine.write([[put("a")]]))[0]?.ok, true);
    await engine.close();
  }));

/** What a caller asks for: a list of keys to add in one transaction, or a pause to let others in. */
const steps = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ add: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 4 }) }),
    },
    { weight: 1, arbitrary: fc.constant({ pause: true as const }) },
    { weight: 1, arbitrary: fc.constant({ read: true as const }) },
  ),
  { maxLength: 60 },
);

Deno.test("WriteQueue keeps order, atomicity and isolation over any interleaving", () =>
  withFolder(async (folder) => {
    const engine = await openEngine(folder);
    await engine.write([[{ sql: "create table journal (id integer primary key autoincrement, key integer unique)" }]]);
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        await engine.write([[{ sql: "delete from journal" }]]);
        const queue = new WriteQueue({
          commit: (groups) => engine.write(groups),
          toError: (failure) => failureError(failure, { folder, file: folder }),
        });
        const expected: number[] = [];
        const results: Promise<boolean>[] = [];
        const shouldSucceed: boolean[] = [];
        for (const step of plan) {
          if ("pause" in step) await results.at(-1);
          else if ("read" in step) await engine.read({ sql: "select count(*) from journal" });
          else {
            const fits = new Set(step.add).size === step.add.length && !step.add.some((key) => expected.includes(key));
            shouldSucceed.push(fits);
            if (fits) expected.push(...step.add);
            const statements = step.add.map((key) => ({ sql: "insert into journal (key) values (?)", args: [key] }));
            results.push(queue.write(statements).then(() => true, () => false));
          }
        }
        await queue.drain();
        assert.deepEqual(await Promise.all(results), shouldSucceed);
        const { rows } = await engine.read({ sql: "select key from journal order by id" });
        assert.deepEqual(rows.map((row) => row[0]), expected);
      }),
      { numRuns: 60 },
    );
    await engine.close();
  }));
