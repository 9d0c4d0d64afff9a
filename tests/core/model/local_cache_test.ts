import assert from "node:assert/strict";
import { FRESH_MS, LocalModelCache } from "../../../core/model/local_cache.ts";

/** A network in which llama.cpp's address answers when `answer` says so; nothing else is there. */
function rig(options: { readonly patienceMs?: number } = {}) {
  let asked = 0;
  let time = Date.parse("2026-03-01T12:00:00Z");
  let answer = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const network: typeof fetch = async (input, init) => {
    if (!String(input).startsWith("http://localhost:8080/")) throw new TypeError("connection refused");
    asked++;
    init?.signal?.addEventListener("abort", () => answer.reject(init.signal?.reason));
    await answer.promise.catch((error) => {
      ended.resolve();
      throw error;
    });
    return Response.json({ data: [{ id: "small" }] });
  };
  const cache = new LocalModelCache({
    fetch: network,
    env: () => undefined,
    now: () => new Date(time),
    timeoutMs: 20_000,
    ...options,
  });
  return {
    cache,
    ended: ended.promise,
    asked: () => asked,
    answer: () => answer.resolve(),
    hang: () => void (answer = Promise.withResolvers<void>()),
    pass: (ms: number) => void (time += ms),
    ids: async () => (await cache.models()).map(({ id }) => id),
  };
}

Deno.test("models() asks once for all who ask at once, and again only when the answer is no longer fresh", async () => {
  const { cache, asked, answer, ids, pass } = rig();
  answer();
  assert.deepEqual(await Promise.all([ids(), ids(), ids()]), [["small"], ["small"], ["small"]]);
  assert.equal(asked(), 1);
  pass(FRESH_MS - 1);
  await ids();
  assert.equal(asked(), 1);
  pass(1);
  await ids();
  assert.equal(asked(), 2);
  pass(-3 * FRESH_MS);
  await ids();
  assert.equal(asked(), 3, "a clock that went back does not keep an answer for ever");
  cache.close();
});

Deno.test("models() does not wait for a server that hangs; it counts once it has answered", async () => {
  const { cache, asked, answer, ids } = rig({ patienceMs: 5 });
  assert.deepEqual(await ids(), []);
  assert.deepEqual(await ids(), []);
  assert.equal(asked(), 1, "it is still being asked");
  answer();
  const deadline = Date.now() + 10_000;
  while ((await ids()).length === 0) assert.ok(Date.now() < deadline, "the answer never counted");
  assert.equal(asked(), 1);
  cache.close();
});

Deno.test("models() gives what was known while a server hangs", async () => {
  const { cache, answer, hang, pass, ids } = rig({ patienceMs: 50 });
  answer();
  await ids();
  hang();
  pass(FRESH_MS);
  assert.deepEqual(await ids(), ["small"]);
  cache.close();
});

Deno.test("close() ends what is being asked, and who waits for it is answered", async () => {
  const { cache, ended, ids } = rig();
  const waiting = ids();
  cache.close();
  await ended;
  assert.deepEqual(await waiting, []);
});
