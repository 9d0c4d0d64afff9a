/** The casebook's "Memory leak", small: after a crowd has gone, nothing of it is left. */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import v8 from "node:v8";
import vm from "node:vm";
import { Log } from "../../core/log/mod.ts";
import { startProduct } from "./product.ts";
import { spawnServer } from "./server_process.ts";
import { soak } from "./soak.ts";

const ECHO = "demo:echo;tps=0";
const CROWD = { conversations: 30, turns: 10 };

function collect(): void {
  v8.setFlagsFromString("--expose-gc");
  const gc: unknown = vm.runInNewContext("gc");
  assert.ok(typeof gc === "function");
  gc();
}

/** Sockets that were closed are let go a moment later. */
async function untilEmpty(size: () => number): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (size() > 0) {
    assert.ok(performance.now() < deadline, `${size()} sockets are still held`);
    await delay(10);
  }
}

Deno.test("casebook: 300 turns over 30 conversations with watchers that come and go leave nothing open", async () => {
  await using product = await startProduct({ model: ECHO });
  const { assistant, server, url, token } = product;
  await assistant.started;
  await soak({ url, token, conversations: 4, turns: 5 });
  collect();
  const listeners = assistant.feed.size;
  const before = Deno.memoryUsage().heapUsed;

  const { turns, watchers } = await soak({ url, token, ...CROWD });
  assert.equal(turns, 300);
  assert.ok(watchers > 300);
  await untilEmpty(() => server.hub.size);

  const facts = assistant.diagnostics();
  assert.deepEqual(facts.turns, []);
  assert.equal(facts.queued, 0);
  assert.deepEqual(assistant.turns.running(), []);
  assert.equal(assistant.feed.size, listeners, "listeners of the feed");
  assert.ok(assistant.log instanceof Log);
  assert.equal(assistant.log.held, 0, "conversations held by the log");
  collect();
  const grown = (Deno.memoryUsage().heapUsed - before) / 1e6;
  console.log(`300 turns: the heap has grown by ${grown.toFixed(1)} MB`);
  assert.ok(grown < 30, `${grown.toFixed(1)} MB`);
});

Deno.test("casebook: the memory of a server of its own does not grow with what it has done", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "malama-soak-" });
  const server = await spawnServer(dataDir, ECHO);
  try {
    const rss = async () => {
      const answer = await fetch(`${server.url}/api/diagnostics`, {
        headers: { authorization: `Bearer ${server.token}` },
      });
      return (await answer.json() as { memory: { rss_bytes: number } }).memory.rss_bytes / 1e6;
    };
    await soak({ ...server, ...CROWD, turns: 3 });
    const before = await rss();
    await soak({ ...server, ...CROWD });
    const after = await rss();
    console.log(`300 turns: resident memory from ${before.toFixed(0)} to ${after.toFixed(0)} MB`);
    assert.ok(after < before * 1.5 + 40, `${before.toFixed(0)} → ${after.toFixed(0)} MB`);
  } finally {
    await server.kill();
    await Deno.remove(dataDir, { recursive: true });
  }
});
