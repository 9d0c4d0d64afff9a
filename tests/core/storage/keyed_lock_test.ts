import assert from "node:assert/strict";
import fc from "fast-check";
import { KeyedLock } from "../../../core/storage/keyed_lock.ts";

Deno.test("hold() gives what the work gives, and lets go of a key nobody works on", async () => {
  const lock = new KeyedLock();
  const holding = lock.hold("a", () => Promise.resolve(7));
  assert.equal(lock.size, 1);
  assert.equal(await holding, 7);
  assert.equal(lock.size, 0);
});

Deno.test("hold() does not wait for another key", async () => {
  const lock = new KeyedLock();
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = lock.hold("a", () => promise);
  assert.equal(await lock.hold("b", () => Promise.resolve("done")), "done");
  resolve();
  await held;
});

Deno.test("hold() runs the next one also after one that failed", async () => {
  const lock = new KeyedLock();
  const failed = lock.hold("a", () => Promise.reject(new Error("no")));
  const next = lock.hold("a", () => Promise.resolve("yes"));
  await assert.rejects(failed, /no/);
  assert.equal(await next, "yes");
  assert.equal(lock.size, 0);
});

Deno.test("work on one key never overlaps and runs in the order it was asked for", () =>
  fc.assert(fc.asyncProperty(
    fc.array(fc.record({ key: fc.constantFrom("a", "b"), pauses: fc.nat(3), fails: fc.boolean() }), { maxLength: 20 }),
    async (jobs) => {
      const lock = new KeyedLock();
      const order: Record<string, number[]> = { a: [], b: [] };
      const busy = new Set<string>();
      await Promise.allSettled(jobs.map(({ key, pauses, fails }, index) =>
        lock.hold(key, async () => {
          assert.ok(!busy.has(key));
          busy.add(key);
          order[key]?.push(index);
          for (let n = 0; n < pauses; n++) await Promise.resolve();
          busy.delete(key);
          if (fails) throw new Error("failed");
        })
      ));
      for (const key of ["a", "b"]) {
        assert.deepEqual(order[key], jobs.flatMap((job, index) => job.key === key ? [index] : []));
      }
      assert.equal(lock.size, 0);
    },
  )));
