import assert from "node:assert/strict";
import type { Statement } from "../../../core/storage/mod.ts";
import type { WriteOutcome } from "../../../core/storage/protocol.ts";
import { WriteQueue } from "../../../core/storage/write_queue.ts";

const DONE: WriteOutcome = { ok: true, results: [] };

function statements(count: number): readonly Statement[] {
  return Array.from({ length: count }, (_, index) => ({ sql: `statement ${index}` }));
}

/** A queue over a database that answers when the test says so; `sizes` has the group sizes of each commit. */
function controlled(outcome: () => WriteOutcome = () => DONE) {
  const sizes: number[][] = [];
  const gates: (() => void)[] = [];
  const queue = new WriteQueue({
    commit: async (groups) => {
      sizes.push(groups.map((group) => group.length));
      await new Promise<void>((resolve) => gates.push(resolve));
      return groups.map(outcome);
    },
    toError: (failure) => new Error(failure.kind),
  });
  return { queue, sizes, open: () => gates.shift()?.() };
}

Deno.test("writes that wait while one runs share the next commit", async () => {
  const { queue, sizes, open } = controlled();
  const first = queue.write(statements(1));
  await Promise.resolve();
  const rest = [queue.write(statements(2)), queue.write(statements(3))];
  open();
  await first;
  await Promise.resolve();
  open();
  await Promise.all(rest);
  assert.deepEqual(sizes, [[1], [2, 3]]);
});

Deno.test("a commit is kept small, but a large transaction stays whole", async () => {
  const { queue, sizes, open } = controlled();
  const writes = [150, 40, 60, 900, 1].map((count) => queue.write(statements(count)));
  for (const write of writes) {
    const timer = setInterval(open, 0);
    await write.finally(() => clearInterval(timer));
  }
  assert.deepEqual(sizes, [[150, 40], [60], [900], [1]]);
});

Deno.test("drain() waits for all that was asked before it", async () => {
  const { queue, open } = controlled();
  const settled: string[] = [];
  const write = queue.write(statements(1)).then(() => settled.push("write"));
  const drained = queue.drain().then(() => settled.push("drained"));
  await Promise.resolve();
  open();
  await Promise.all([write, drained]);
  assert.deepEqual(settled, ["write", "drained"]);
});

Deno.test("a commit that rejects rejects its writes and the queue goes on", async () => {
  let failing = true;
  const queue = new WriteQueue({
    commit: (groups) => failing ? Promise.reject(new Error("gone")) : Promise.resolve(groups.map(() => DONE)),
    toError: (failure) => new Error(failure.kind),
  });
  await assert.rejects(queue.write(statements(1)), /gone/);
  failing = false;
  assert.deepEqual(await queue.write(statements(1)), []);
});

Deno.test("a refused write rejects with the error its failure stands for", async () => {
  const queue = new WriteQueue({
    commit: (groups) =>
      Promise.resolve(groups.map(() => ({ ok: false, failure: { kind: "full", message: "full", code: null } }))),
    toError: (failure) => new Error(`as ${failure.kind}`),
  });
  await assert.rejects(queue.write(statements(1)), /as full/);
});
