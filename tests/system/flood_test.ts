import assert from "node:assert/strict";
import { PacedProvider, TOKEN_LENGTH } from "../../bench/paced_provider.ts";
import { FRAME_MS } from "../../web/coalescer.ts";
import { PING_MS } from "../../web/live_hub.ts";
import { ImpatientProxy } from "./impatient_proxy.ts";
import { LiveClient } from "./live_client.ts";
import { startProduct } from "./product.ts";

/** Tokens a second, for so many seconds; the proxy waits that long for a byte, in milliseconds. */
const RATE = 500;
const SECONDS = 4;
const IDLE_MS = 1500;
const TEXT = Array.from({ length: RATE * SECONDS }, (_, n) => String(n % 1000).padStart(TOKEN_LENGTH)).join("");

Deno.test("casebook: fast tokens flood the socket: through a proxy that closes what is idle, few frames and no cut", async () => {
  const provider = new PacedProvider(TEXT, RATE);
  try {
    await using product = await startProduct({ model: provider.modelString });
    await using proxy = new ImpatientProxy(product.url, IDLE_MS);
    const id = await product.conversation();
    const client = await LiveClient.open(proxy.url, product.token);
    client.watch(id, 0);
    await client.until(() => client.frames.some((frame) => frame.op === "entries"), "the first entries");
    const began = performance.now();
    const turn = await product.say(id, "go");
    await client.until(() => client.hasEnded(turn), "the end");
    const seconds = (performance.now() - began) / 1000;
    assert.ok(seconds > SECONDS / 2, `it streamed for ${seconds} s`);
    assert.ok(client.deltas <= seconds * (1000 / FRAME_MS) + 5, `${client.deltas} frames in ${seconds} s`);
    assert.equal(proxy.closed, 0, "the proxy found nothing idle");
    assert.deepEqual(client.entries, await product.stored(id));
    assert.equal((await product.of(id, "text"))[0]?.data.text, TEXT);
    client.cut();
  } finally {
    await provider.close();
  }
});

Deno.test("casebook: fast tokens flood the socket: a socket on which nothing happens is pinged well within a proxy's minute", () => {
  assert.ok(PING_MS <= 60_000 / 2);
});

Deno.test("twenty tabs on one stream hold the same text at its end", async () => {
  const provider = new PacedProvider(TEXT.slice(0, RATE * TOKEN_LENGTH), RATE);
  try {
    await using product = await startProduct({ model: provider.modelString });
    const id = await product.conversation();
    const tabs = await Promise.all(Array.from({ length: 20 }, () => product.live()));
    for (const tab of tabs) tab.watch(id, 0);
    await Promise.all(tabs.map((tab) => tab.until(() => tab.frames.some(({ op }) => op === "entries"), "entries")));
    const turn = await product.say(id, "go");
    await Promise.all(tabs.map((tab) => tab.until(() => tab.hasEnded(turn), "the end")));
    const stored = await product.stored(id);
    for (const tab of tabs) {
      assert.deepEqual(tab.entries, stored);
      tab.cut();
    }
  } finally {
    await provider.close();
  }
});
