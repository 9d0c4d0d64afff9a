/** When an attempt is made again, when not, and how long is waited. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { backoff, LONGEST_WAIT_MS } from "../../../../core/model/providers/backoff.ts";
import { PROTOCOLS, type Reply, startFakeProvider } from "../../../providers/mod.ts";
import { clientFor, kindOf, question, take } from "./rig.ts";

const YES: Reply = { text: "Yes" };

for (const code of [408, 409, 425, 429, 500, 502, 503, 504, 529]) {
  Deno.test(`status ${code} is tried again`, async () => {
    await using provider = startFakeProvider("anthropic", [{ status: { code } }, YES]);
    const answer = await take(clientFor(provider.modelString));
    assert.equal(answer.text, "Yes");
    assert.equal(provider.requests.length, 2);
  });
}

for (const code of [400, 401, 403, 404, 413, 422]) {
  Deno.test(`status ${code} is final`, async () => {
    await using provider = startFakeProvider("openai-responses", [{ status: { code } }, YES]);
    const answer = await take(clientFor(provider.modelString));
    assert.equal(kindOf(answer.error), "rejected");
    assert.equal((answer.error as { readonly status?: number }).status, code);
    assert.equal(provider.requests.length, 1);
  });
}

Deno.test("attempts are counted with the first one, and the last failure is the error", async () => {
  await using provider = startFakeProvider("openai-chat", () => ({ status: { code: 503, message: "busy" } }));
  const answer = await take(clientFor(provider.modelString, { attempts: 3 }));
  assert.equal(provider.requests.length, 3);
  assert.equal(kindOf(answer.error), "rate_limited");
  assert.match(String(answer.error), /overloaded \(503: busy\)/);
});

Deno.test("a server error that stays is unreachable, not a rate limit", async () => {
  await using provider = startFakeProvider("ollama", () => ({ status: { code: 500 } }));
  const answer = await take(clientFor(provider.modelString, { attempts: 2 }));
  assert.equal(kindOf(answer.error), "unreachable");
});

Deno.test("a connection that closes before an answer is tried again", async () => {
  for (const protocol of PROTOCOLS) {
    await using provider = startFakeProvider(protocol, [{ silence: "close" }, YES]);
    const answer = await take(clientFor(provider.modelString));
    assert.equal(answer.text, "Yes", protocol);
  }
});

Deno.test("a connection that keeps closing before an answer is unreachable", async () => {
  await using provider = startFakeProvider("google", () => ({ silence: "close" }));
  const answer = await take(clientFor(provider.modelString, { attempts: 2 }));
  assert.equal(kindOf(answer.error), "unreachable");
  assert.equal(provider.requests.length, 2);
});

Deno.test("a stall before the first token is tried again", async () => {
  for (const reply of [{ silence: "stall" }, { fault: "stall", faultAfter: 0 }] as const) {
    await using provider = startFakeProvider("openai-chat", [reply, YES]);
    const answer = await take(clientFor(provider.modelString, { stallTimeoutMs: 250 }));
    assert.equal(answer.text, "Yes");
    assert.equal(await provider.requests[0]?.closed, "client");
  }
});

Deno.test("nothing is tried again after a token, whatever breaks", async () => {
  for (const fault of ["reset", "stall", "overloaded", "malformed", "eof"] as const) {
    await using provider = startFakeProvider("anthropic", [{ text: "It begins", fault, faultAfter: 100 }, YES]);
    const answer = await take(clientFor(provider.modelString, { stallTimeoutMs: 250 }));
    assert.equal(provider.requests.length, 1, fault);
    assert.equal(answer.text, "It begins", fault);
    assert.ok(answer.error instanceof Error, fault);
  }
});

Deno.test("a local server that does not run is tried once", async () => {
  const provider = startFakeProvider("ollama", []);
  await provider.close();
  let tries = 0;
  const counting: typeof fetch = (input, init) => (tries++, fetch(input, init));
  const answer = await take(clientFor(provider.modelString, { fetch: counting }));
  assert.equal(kindOf(answer.error), "unreachable");
  assert.equal(tries, 1);
});

Deno.test("a server elsewhere that cannot be reached is tried again", async () => {
  let tries = 0;
  const failing: typeof fetch = () => {
    tries++;
    const cause = new Error("error sending request: client error (Connect): tcp connect error");
    return Promise.reject(new TypeError("fetch failed", { cause }));
  };
  const client = clientFor("anthropic:m", { fetch: failing, env: () => "a-key-of-mine" });
  const answer = await take(client);
  assert.equal(kindOf(answer.error), "unreachable");
  assert.equal(tries, 4);
});

Deno.test("a wait that is longer than the cap is not waited for, and the error says when", async () => {
  const start = performance.now();
  await using provider = startFakeProvider("anthropic", [{ status: { code: 429, headers: { "retry-after": "600" } } }]);
  const answer = await take(clientFor(provider.modelString));
  assert.equal(kindOf(answer.error), "rate_limited");
  assert.match(String(answer.error), /asks to wait 10 minutes/);
  assert.equal(provider.requests.length, 1);
  assert.ok(performance.now() - start < 5000);
});

Deno.test("retry-after may be a date, read with the clock given", async () => {
  const now = Date.UTC(2026, 10, 30, 12, 0, 0);
  const headers = { "retry-after": new Date(now + 3600_000).toUTCString() };
  await using provider = startFakeProvider("openai-responses", [{ status: { code: 503, headers } }]);
  const answer = await take(clientFor(provider.modelString, { now: () => now }));
  assert.match(String(answer.error), /asks to wait 60 minutes/);
});

Deno.test("Google's retryDelay counts like retry-after", async () => {
  const body = JSON.stringify({ error: { code: 429, message: "slow down", details: [{ retryDelay: "90.5s" }] } });
  await using provider = startFakeProvider("google", [{ status: { code: 429, body } }]);
  const answer = await take(clientFor(provider.modelString));
  assert.match(String(answer.error), /asks to wait 91 seconds/);
});

Deno.test("an account without credit is not tried again", async () => {
  const body = JSON.stringify({ error: { type: "insufficient_quota", message: "You exceeded your current quota." } });
  await using provider = startFakeProvider("openai-responses", [{ status: { code: 429, body } }, YES]);
  const answer = await take(clientFor(provider.modelString));
  assert.equal(provider.requests.length, 1);
  assert.equal(kindOf(answer.error), "rate_limited");
  assert.match(String(answer.error), /credit/);
});

Deno.test("a call that Gemini threw away is asked for again", async () => {
  const body = `data: ${JSON.stringify({ candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL" }] })}\n\n`;
  const headers = { "content-type": "text/event-stream" };
  await using provider = startFakeProvider("google", [{ status: { code: 200, headers, body } }, YES]);
  const answer = await take(clientFor(provider.modelString));
  assert.equal(answer.text, "Yes");
});

Deno.test("a redirect is not followed, because it would take the key along", async () => {
  const headers = { location: "http://127.0.0.1:9/elsewhere?token=x" };
  await using provider = startFakeProvider("anthropic", [{ status: { code: 307, headers } }]);
  const answer = await take(clientFor(provider.modelString));
  assert.equal(kindOf(answer.error), "rejected");
  assert.match(String(answer.error), /redirects to http:\/\/127\.0\.0\.1:9\/elsewhere\./);
});

Deno.test("backoff() doubles, spreads by a quarter each way, and never passes the cap", () => {
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 1, max: 5000 }),
    fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    (attempt, base, random) => {
      const wait = backoff(attempt, base, random);
      const middle = base * 2 ** (attempt - 1);
      assert.ok(wait <= LONGEST_WAIT_MS);
      assert.ok(wait >= Math.min(LONGEST_WAIT_MS, middle * 0.75) && wait <= middle * 1.25);
    },
  ));
});

Deno.test("the request event is not repeated when an attempt is", async () => {
  await using provider = startFakeProvider("openai-chat", [{ status: { code: 500 } }, { silence: "close" }, YES]);
  const answer = await take(clientFor(provider.modelString), question());
  assert.equal(answer.events.filter((event) => event.type === "request").length, 1);
  assert.equal(provider.requests.length, 3);
});
