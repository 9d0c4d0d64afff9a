/** The fakes themselves: strict like the real ones, and honest about sockets. */
import assert from "node:assert/strict";
import { at, PROTOCOLS, startFakeProvider } from "./mod.ts";

const PATHS = {
  "openai-chat": "/chat/completions",
  "openai-responses": "/responses",
  "anthropic": "/messages",
  "ollama": "/api/chat",
  "google": "/models/m:streamGenerateContent?alt=sse",
} as const;

/** A call without a result, in each protocol's own shape. */
const UNANSWERED = {
  "openai-chat": {
    stream: true,
    messages: [{ role: "assistant", tool_calls: [{ id: "a", function: { name: "now", arguments: "{}" } }] }],
  },
  "openai-responses": { stream: true, store: false, input: [{ type: "function_call", call_id: "a", arguments: "{}" }] },
  "anthropic": {
    stream: true,
    max_tokens: 9,
    messages: [{ role: "assistant", content: [{ type: "tool_use", id: "a", name: "now", input: {} }] }],
  },
  "ollama": {
    stream: true,
    messages: [{ role: "assistant", tool_calls: [{ function: { name: "now", arguments: {} } }] }],
  },
  "google": { contents: [{ role: "model", parts: [{ functionCall: { id: "a", name: "now", args: {} } }] }] },
} as const;

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, { method: "POST", body: JSON.stringify(body) });
}

for (const protocol of PROTOCOLS) {
  Deno.test(`the fake ${protocol} server refuses a call without a result, as a strict server does`, async () => {
    await using provider = startFakeProvider(protocol, [{ text: "Never" }]);
    const response = await post(provider.url + PATHS[protocol], UNANSWERED[protocol]);
    assert.equal(response.status, 400);
    assert.match(await response.text(), /without|no result/);
  });

  Deno.test(`the fake ${protocol} server lets it pass when told not to be strict, and ends with its script`, async () => {
    await using provider = startFakeProvider(protocol, [{ text: "Yes" }], { strict: false });
    const first = await post(provider.url + PATHS[protocol], UNANSWERED[protocol]);
    assert.equal(first.status, 200);
    assert.match(await first.text(), /Yes/);
    const second = await post(provider.url + PATHS[protocol], UNANSWERED[protocol]);
    assert.match(await second.text(), /the script is over/);
  });

  Deno.test(`the fake ${protocol} server answers no other path`, async () => {
    await using provider = startFakeProvider(protocol, []);
    const response = await post(`${provider.url}/elsewhere`, {});
    assert.equal(response.status, 404);
    await response.body?.cancel();
  });
}

Deno.test("received() waits for a request that has not come yet, and closed tells who ended it", async () => {
  await using provider = startFakeProvider("ollama", () => ({ silence: "stall" }));
  const waiting = provider.received(1);
  const stop = new AbortController();
  const url = `${provider.url}/api/chat`;
  const one = fetch(url, { method: "POST", body: '{"stream":true,"n":1}', signal: stop.signal }).catch(() => {});
  await provider.received(0);
  const two = fetch(url, { method: "POST", body: '{"stream":true,"n":2}' }).catch(() => {});
  assert.equal(at((await waiting).json, "n"), 2);
  stop.abort();
  assert.equal(await provider.requests[0]?.closed, "client");
  await provider.close();
  assert.equal(await provider.requests[1]?.closed, "server");
  await Promise.all([one, two]);
});

Deno.test("the list of models is there in both shapes", async () => {
  await using provider = startFakeProvider("openai-chat", [], { id: "small" });
  const list: unknown = await (await fetch(`${provider.url}/models`)).json();
  assert.equal(at(list, "data", 0, "id"), "small");
  assert.equal(at(list, "models", 0, "name"), "small");
  assert.equal(provider.requests.length, 0);
});
