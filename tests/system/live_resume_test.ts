import assert from "node:assert/strict";
import { startFakeProvider } from "../providers/mod.ts";
import type { LiveClient } from "./live_client.ts";
import { startProduct } from "./product.ts";

const DELTAS = 200;

Deno.test("casebook: cutting the live socket at every delta of a reply and resuming gives the stored text exactly once", async () => {
  const words = Array.from({ length: DELTAS }, (_, n) => `word-${n} `);
  // Slower than the server coalesces, so that every piece is a delta of its own.
  await using provider = startFakeProvider("openai-chat", [{ text: words, delayMs: 45 }]);
  await using product = await startProduct({ model: provider.modelString });
  const id = await product.conversation();

  const ready = Promise.withResolvers<void>();
  let watching = 0;
  let turn = "";
  /** Watches, is cut when it has seen `k` deltas, resumes with its cursor, and stays to the end. */
  const cutAt = async (k: number): Promise<readonly [LiveClient, LiveClient]> => {
    const first = await product.live();
    first.watch(id, 0);
    await first.until(() => first.frames.some((frame) => frame.op === "entries"), "the first entries");
    if (++watching === DELTAS + 1) ready.resolve();
    await first.until(() => first.deltas >= k || (turn !== "" && first.hasEnded(turn)), `delta ${k}`);
    first.cut();
    const second = await product.live();
    second.resumeFrom(first);
    second.watch(id);
    await second.until(() => turn !== "" && second.hasEnded(turn), "the end");
    return [first, second];
  };
  const cuts = Array.from({ length: DELTAS + 1 }, (_, k) => cutAt(k));
  await ready.promise;
  turn = await product.say(id, "go");
  const done = await Promise.all(cuts);

  const stored = await product.stored(id);
  assert.equal((await product.of(id, "text"))[0]?.data.text, words.join(""));
  const depths = new Set<number>();
  for (const [first, second] of done) {
    assert.deepEqual(second.entries, stored);
    depths.add(first.deltas);
    second.cut();
  }
  assert.ok(depths.size > DELTAS / 2, `the cuts were at ${depths.size} different points`);
});

Deno.test("a watcher that leaves during tool calls and thinking comes back to exactly what is stored", async () => {
  const calls = ["1+1", "2+2", "3+3"].map((expression) => ({ name: "calculate", arguments: { expression } }));
  await using provider = startFakeProvider("anthropic", [
    { thinking: ["Let ", "me ", "see"], text: ["Two ", "sums"], toolCalls: calls, delayMs: 15 },
    { text: ["Done ", "with ", "it"], delayMs: 15 },
  ]);
  await using product = await startProduct({ model: provider.modelString });
  const id = await product.conversation();
  const turn = await product.say(id, "go");
  let held: LiveClient | undefined;
  for (let frames = 1; !held?.hasEnded(turn); frames++) {
    const client: LiveClient = await product.live();
    if (held) client.resumeFrom(held);
    client.watch(id);
    await client.until(() => client.frames.length > 1 + frames % 4 || client.hasEnded(turn), "a few frames");
    client.cut();
    held = client;
  }
  const last = await product.live();
  last.resumeFrom(held);
  last.watch(id);
  await last.until(() => last.hasEnded(turn), "the end");
  assert.deepEqual(last.entries, await product.stored(id));
  last.cut();
});
