import assert from "node:assert/strict";
import { PROTOCOLS, startFakeProvider } from "../../../providers/mod.ts";
import { clientFor, kindOf, question, take } from "./rig.ts";

for (const protocol of PROTOCOLS) {
  Deno.test(`${protocol}: a stall ends the stream and its socket, and the error says how long it waited`, async () => {
    await using provider = startFakeProvider(protocol, [{ text: "It begins", fault: "stall" }]);
    const start = performance.now();
    const answer = await take(clientFor(provider.modelString, { stallTimeoutMs: 200 }));
    assert.equal(kindOf(answer.error), "stalled");
    assert.match(String(answer.error), /for 200 ms/);
    assert.ok(performance.now() - start >= 190);
    assert.equal(await provider.requests[0]?.closed, "client");
  });
}

Deno.test("the time the consumer takes does not count", async () => {
  const slow = Promise.withResolvers<void>();
  await using provider = startFakeProvider("openai-chat", [{
    text: ["one ", "two"],
    // The second word waits for the consumer, which is slower than the timeout.
    gate: (frame) => frame >= 3 ? slow.promise : undefined,
  }]);
  const client = clientFor(provider.modelString, { stallTimeoutMs: 400 });
  let text = "";
  for await (const event of client.stream(question(), new AbortController().signal)) {
    if (event.type !== "text") continue;
    text += event.text;
    if (text === "one ") {
      await new Promise((resolve) => setTimeout(resolve, 600));
      slow.resolve();
    }
  }
  assert.equal(text, "one two");
});

Deno.test("comments and pings keep a silent stream alive", async () => {
  await using provider = startFakeProvider("anthropic", [{ text: "late", delayMs: 150 }]);
  const answer = await take(clientFor(provider.modelString, { stallTimeoutMs: 3000 }));
  assert.equal(answer.text, "late");
});

Deno.test("a connection that stays open after the finish ends the stream all the same", async () => {
  for (const protocol of PROTOCOLS) {
    await using provider = startFakeProvider(protocol, [{ text: "Yes", lingering: true }]);
    const start = performance.now();
    const answer = await take(clientFor(provider.modelString, { stallTimeoutMs: 500 }));
    assert.equal(answer.stop, "end", protocol);
    assert.equal(answer.error, undefined, protocol);
    assert.ok(performance.now() - start < 3000, protocol);
    assert.equal(await provider.requests[0]?.closed, "client", protocol);
  }
});

Deno.test("a connection that breaks after the finish took nothing from the answer", async () => {
  // Past the finish frame, before the usage.
  await using provider = startFakeProvider("openai-chat", [{ text: ["Yes"], fault: "reset" }]);
  const cut = await take(clientFor(provider.modelString));
  assert.equal(kindOf(cut.error), "incomplete");
  const body = `data: ${JSON.stringify({ choices: [{ delta: { content: "Yes" }, finish_reason: "stop" }] })}\n\n`;
  const headers = { "content-type": "text/event-stream" };
  await using whole = startFakeProvider("openai-chat", [{ status: { code: 200, headers, body } }]);
  const answer = await take(clientFor(whole.modelString));
  assert.equal(answer.error, undefined);
  assert.equal(answer.stop, "end");
});

Deno.test("a stall is found in time however long the stream went well before it", async () => {
  // Twelve words take longer than one timeout, then nothing comes.
  const text = Array.from({ length: 12 }, (_, at) => `${at} `);
  await using provider = startFakeProvider("ollama", [{ text, delayMs: 40, fault: "stall" }]);
  let last = 0;
  const answer = await take(
    clientFor(provider.modelString, { stallTimeoutMs: 400 }),
    question(),
    new AbortController().signal,
    () => last = performance.now(),
  );
  const waited = performance.now() - last;
  assert.equal(answer.text, text.join(""));
  assert.equal(kindOf(answer.error), "stalled");
  assert.ok(waited >= 390, `${waited}`);
});

Deno.test("a finished answer leaves its connection open for the next call", async () => {
  const ports = new Set<number>();
  const answer = `data: ${JSON.stringify({ choices: [{ delta: { content: "Yes" }, finish_reason: "stop" }] })}\n\n`;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request, info) => {
    ports.add(info.remoteAddr.port);
    await request.text();
    // The body ends a moment after its last frame, as it does over a real network.
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`${answer}data: [DONE]\n\n`));
        setTimeout(() => controller.close(), 20);
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  const client = clientFor(`openai-compat:m@http://127.0.0.1:${server.addr.port}/v1`);
  for (let call = 0; call < 4; call++) assert.equal((await take(client)).text, "Yes");
  assert.equal(ports.size, 1);
  await server.shutdown();
});
