/** A stop, or a consumer that leaves, ends the provider's socket within 250 ms in every phase. */
import assert from "node:assert/strict";
import v8 from "node:v8";
import vm from "node:vm";
import { type FakeRequest, PROTOCOLS, type Reply, startFakeProvider } from "../../../providers/mod.ts";
import { clientFor, question, take } from "./rig.ts";

/** The promise of the contract, from the abort to the server seeing the socket close. */
const LIMIT_MS = 250;

class Stop extends Error {}

/**
 * Asserts that a promise settles within the limit. The time is taken in ten steps, so that a machine which stops this whole
 * process for a while uses up one step and not the limit.
 */
async function withinLimit<T>(promise: Promise<T>, what: string): Promise<T> {
  const settled = promise.then(() => true, () => true);
  for (let step = 0; step < 10; step++) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const passed = new Promise<false>((resolve) => timer = setTimeout(resolve, LIMIT_MS / 10, false));
    const done = await Promise.race([settled, passed]);
    clearTimeout(timer);
    if (done) return await promise;
  }
  throw new assert.AssertionError({ message: `${what} took longer than ${LIMIT_MS} ms` });
}

/** Asserts that the client closes the request's socket within the limit. */
async function assertClosed(request: FakeRequest | undefined): Promise<void> {
  assert.ok(request !== undefined);
  assert.equal(await withinLimit(request.closed, "closing the socket"), "client");
}

const PHASES: readonly { readonly name: string; readonly reply: Reply; readonly after: "request" | "event" }[] = [
  { name: "before the answer's headers", reply: { silence: "stall" }, after: "request" },
  { name: "before the first token", reply: { fault: "stall", faultAfter: 1 }, after: "request" },
  { name: "in the middle of the text", reply: { text: "It begins", fault: "stall" }, after: "event" },
  { name: "in the middle of the thinking", reply: { thinking: "It begins", fault: "stall" }, after: "event" },
  { name: "after a tool call", reply: { toolCalls: [{ name: "now" }], fault: "stall" }, after: "event" },
];

for (const protocol of PROTOCOLS) {
  for (const phase of PHASES) {
    Deno.test(`${protocol}: an abort ${phase.name} closes the socket within ${LIMIT_MS} ms`, async () => {
      await using provider = startFakeProvider(protocol, [phase.reply]);
      const stop = new AbortController();
      const aborted = Promise.withResolvers<void>();
      const abort = () => {
        stop.abort(new Stop());
        aborted.resolve();
      };
      const streaming = take(clientFor(provider.modelString), question(), stop.signal, (event) => {
        if (phase.after === "event" && event.type !== "request") abort();
      });
      const request = await provider.received(0);
      if (phase.after === "request") abort();
      await aborted.promise;
      const [answer] = await Promise.all([withinLimit(streaming, "ending the stream"), assertClosed(request)]);
      assert.ok(answer.error instanceof Stop, "the reason is thrown as it is");
      assert.equal(provider.requests.length, 1);
    });
  }

  Deno.test(`${protocol}: leaving the loop closes the socket within ${LIMIT_MS} ms`, async () => {
    await using provider = startFakeProvider(protocol, [{ text: "It begins", fault: "stall" }]);
    const client = clientFor(provider.modelString);
    for await (const event of client.stream(question(), new AbortController().signal)) {
      if (event.type === "text") break;
    }
    await assertClosed(provider.requests[0]);
  });

  Deno.test(`${protocol}: an abort while the consumer is busy closes the socket before it comes back`, async () => {
    await using provider = startFakeProvider(protocol, [{ text: "It begins", fault: "stall" }]);
    const stop = new AbortController();
    const stream = clientFor(provider.modelString).stream(question(), stop.signal)[Symbol.asyncIterator]();
    for (let next = await stream.next(); !next.done && next.value.type !== "text";) next = await stream.next();
    stop.abort(new Stop());
    await assertClosed(provider.requests[0]);
    await assert.rejects(async () => {
      for (;;) if ((await stream.next()).done) return;
    }, Stop);
  });
}

Deno.test("an abort ends the wait between two attempts", async () => {
  await using provider = startFakeProvider("anthropic", [{ status: { code: 429 } }]);
  const stop = new AbortController();
  const waiting = Promise.withResolvers<void>();
  // The wait is spread by this number, so it begins right after.
  const random = () => (waiting.resolve(), 0.5);
  const client = clientFor(provider.modelString, { backoffMs: 30_000, random });
  const streaming = take(client, question(), stop.signal);
  await waiting.promise;
  stop.abort(new Stop());
  const answer = await withinLimit(streaming, "ending the wait");
  assert.ok(answer.error instanceof Stop);
});

Deno.test("an abort before the start sends nothing", async () => {
  await using provider = startFakeProvider("openai-chat", [{ text: "Yes" }]);
  const answer = await take(clientFor(provider.modelString), question(), AbortSignal.abort(new Stop()));
  assert.ok(answer.error instanceof Stop);
  assert.deepEqual(answer.events, []);
  assert.equal(provider.requests.length, 0);
});

Deno.test("a fetch that does not heed its signal is left, and its late answer closed", async () => {
  const late = Promise.withResolvers<Response>();
  const cancelled = Promise.withResolvers<void>();
  const deaf: typeof fetch = () => late.promise;
  const stop = new AbortController();
  const streaming = take(
    clientFor("ollama:m", { fetch: deaf }),
    question(),
    stop.signal,
    () => queueMicrotask(() => stop.abort(new Stop())),
  );
  assert.ok((await streaming).error instanceof Stop);
  late.resolve(new Response(new ReadableStream({ cancel: () => cancelled.resolve() })));
  await cancelled.promise;
});

Deno.test("a body that does not heed the signal of its fetch is cancelled by hand", async () => {
  const cancelled = Promise.withResolvers<void>();
  const line = `${JSON.stringify({ message: { content: "It begins" } })}\n`;
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(line)),
    cancel: () => cancelled.resolve(),
  });
  const deaf: typeof fetch = () => Promise.resolve(new Response(body));
  const stop = new AbortController();
  const answer = await take(clientFor("ollama:m", { fetch: deaf }), question(), stop.signal, (event) => {
    if (event.type === "text") queueMicrotask(() => stop.abort(new Stop()));
  });
  assert.ok(answer.error instanceof Stop);
  await withinLimit(cancelled.promise, "cancelling the body");
});

Deno.test("an abort is heeded even after the response could have been collected (the Deno fetch bug)", async () => {
  await using provider = startFakeProvider("openai-chat", [{ text: "It begins", fault: "stall" }]);
  const stop = new AbortController();
  const started = Promise.withResolvers<void>();
  const streaming = take(clientFor(provider.modelString), question(), stop.signal, (event) => {
    if (event.type === "text") started.resolve();
  });
  await started.promise;
  v8.setFlagsFromString("--expose-gc");
  const collect: unknown = vm.runInNewContext("gc");
  assert.ok(typeof collect === "function");
  for (let round = 0; round < 5; round++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  stop.abort(new Stop());
  assert.ok((await withinLimit(streaming, "ending the stream")).error instanceof Stop);
  await assertClosed(provider.requests[0]);
});

Deno.test("fifty aborted streams leave no socket behind", async () => {
  await using provider = startFakeProvider("ollama", () => ({ text: "It begins", fault: "stall" }));
  const client = clientFor(provider.modelString);
  await Promise.all(Array.from({ length: 50 }, async () => {
    const stop = new AbortController();
    const answer = await take(client, question(), stop.signal, (event) => {
      if (event.type === "text") stop.abort(new Stop());
    });
    assert.ok(answer.error instanceof Stop);
  }));
  assert.equal(provider.requests.length, 50);
  for (const request of provider.requests) assert.equal(await request.closed, "client");
});
