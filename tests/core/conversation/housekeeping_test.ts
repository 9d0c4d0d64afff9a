import assert from "node:assert/strict";
import fc from "fast-check";
import { Housekeeping, HOUSEKEEPING_EVERY_MS, type HousekeepingServices } from "../../../core/conversation/mod.ts";
import type { Storage } from "../../../core/storage/mod.ts";
import { blobNames, withStorage } from "../storage/sample_store.ts";
import { Household, Killed } from "./household.ts";

type Parts = Partial<Pick<HousekeepingServices, "book" | "every">> & {
  readonly sweep?: Storage["blobs"]["sweep"];
  readonly health?: Storage["health"];
};

/** Housekeeping over parts that do nothing unless told, with what it reported. */
function keep({ book, every, sweep, health = { state: "healthy", repaired: [] } }: Parts = {}) {
  const reports: string[] = [];
  const blobs = { sweep: sweep ?? (() => Promise.resolve(0)) } as Storage["blobs"];
  const housekeeping = new Housekeeping({
    book: book ?? { purge: () => Promise.resolve() },
    storage: { blobs, health },
    every: every ?? (() => () => {}),
    report: (level, _, message) => reports.push(`${level} ${message}`),
  });
  return { housekeeping, reports };
}

Deno.test("Housekeeping runs every ten minutes until it is closed", async () => {
  const set: { milliseconds: number; work: () => Promise<void>; isOff: boolean }[] = [];
  let runs = 0;
  const { housekeeping } = keep({
    book: { purge: () => Promise.resolve(void runs++) },
    every: (milliseconds, work) => {
      const interval = { milliseconds, work, isOff: false };
      set.push(interval);
      return () => interval.isOff = true;
    },
  });
  assert.deepEqual([set.length, set[0]?.milliseconds, runs], [1, HOUSEKEEPING_EVERY_MS, 0]);
  await set[0]?.work();
  await set[0]?.work();
  assert.equal(runs, 2);
  await housekeeping.close();
  assert.equal(set[0]?.isOff, true);
  await set[0]?.work();
  assert.equal(runs, 2, "it ran after it was closed");
});

Deno.test("the real timer is cleared by close() and keeps nothing alive", async () => {
  // The test runner fails a test that leaves a timer behind.
  await new Housekeeping({
    book: { purge: () => Promise.resolve() },
    storage: { blobs: {} as Storage["blobs"], health: { state: "healthy", repaired: [] } },
    report: () => {},
  }).close();
});

Deno.test("run() joins the run that is under way", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let purges = 0;
  const { housekeeping } = keep({ book: { purge: () => (purges++, promise) } });
  const both = Promise.all([housekeeping.run(), housekeeping.run()]);
  resolve();
  await both;
  assert.equal(purges, 1);
  await housekeeping.run();
  assert.equal(purges, 2);
});

Deno.test("close() ends the sweep under way early and waits for it", async () => {
  const sweeping = Promise.withResolvers<AbortSignal | undefined>();
  const { promise, resolve } = Promise.withResolvers<number>();
  const { housekeeping } = keep({ sweep: (options) => (sweeping.resolve(options?.signal), promise) });
  let isOver = false;
  housekeeping.run();
  const signal = await sweeping.promise;
  const closing = housekeeping.close().then(() => isOver = true);
  assert.deepEqual([signal?.aborted, isOver], [true, false]);
  resolve(0);
  await closing;
});

Deno.test("a failure is reported and the next run tries again", async () => {
  let attempts = 0;
  const { housekeeping, reports } = keep({
    book: { purge: () => attempts++ === 0 ? Promise.reject(new Error("The disk is full")) : Promise.resolve() },
    sweep: () => Promise.resolve(3),
  });
  await housekeeping.run();
  await housekeeping.run();
  assert.deepEqual(reports, ["ERROR The disk is full", "INFO removed 3 stored files that nothing refers to"]);
});

Deno.test("a damaged store is left alone", async () => {
  const untouched = () => Promise.reject(new Error("it was touched"));
  const health = { state: "damaged", detail: "", advice: "" } as const;
  const { housekeeping, reports } = keep({ book: { purge: untouched }, sweep: untouched, health });
  await housekeeping.run();
  assert.deepEqual(reports, []);
});

/** What may happen to a household; conversations and contents are few, so that they are shared. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant("say" as const), room: fc.nat(3), content: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("delete" as const), room: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("restore" as const), room: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("wait" as const), minutes: fc.constantFrom(4, 11) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("keep house" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant("kill" as const),
      after: fc.nat(6),
      reaches: fc.boolean(),
    }),
  },
);

Deno.test("whatever is deleted, restored and killed: no file that is referred to goes, and in the end none is left", () =>
  withStorage(async ({ database }, folder) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const house = new Household(database, folder);
        // What a failed run left must not fail the smaller ones that look for its cause.
        await database.write([{ sql: "delete from conversations" }]);
        await house.take({ op: "keep house" });
        for (const each of steps) {
          try {
            await house.take(each);
          } catch (error) {
            // A process that ends, and the next one: it finds what is stored, and nothing that was in memory.
            if (!(error instanceof Killed)) throw error;
            house.restart();
            await house.take({ op: "keep house" });
          }
          await house.check();
        }
        house.restart();
        for (let room = 0; room < 4; room++) await house.take({ op: "delete", room });
        await house.take({ op: "wait", minutes: 11 });
        await house.take({ op: "keep house" });
        assert.deepEqual(await blobNames(folder), []);
        for (const table of ["conversations", "entries", "blobs", "blob_holders"]) {
          assert.deepEqual(await database.read(`select * from ${table}`), [], table);
        }
      }),
      { numRuns: 60 },
    );
  }));
