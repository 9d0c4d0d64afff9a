/** Every error names provider, model and address, says what to do, and holds no key. */
import assert from "node:assert/strict";
import type { ModelError } from "../../../../core/model/mod.ts";
import { PROTOCOLS, startFakeProvider } from "../../../providers/mod.ts";
import { clientFor, kindOf, question, take } from "./rig.ts";

const KEY = "sk-live-0123456789abcdefXYZ";

Deno.test("a local server that does not run is named with its address and how to start it", async () => {
  const provider = startFakeProvider("ollama", []);
  await provider.close();
  const { error } = await take(clientFor(provider.modelString));
  const host = new URL(provider.url).host;
  assert.equal(
    (error as Error).message,
    `The model "fake-1" of Ollama did not answer at ${host}. Is it running? ` +
      'Start it with "ollama serve", or set OLLAMA_HOST to where it runs',
  );
  assert.equal((error as ModelError).provider, "ollama");
});

Deno.test("a server that nobody has a name for is known by its address alone", async () => {
  const provider = startFakeProvider("openai-chat", []);
  await provider.close();
  const { error } = await take(clientFor(`openai-compat:wizard@${provider.url}`));
  const host = new URL(provider.url).host;
  assert.match(
    (error as Error).message,
    new RegExp(`^The model "wizard" did not answer at ${host}\\. Is it running\\? `),
  );
});

const SENTENCES: readonly { readonly code: number; readonly says: RegExp }[] = [
  { code: 401, says: /refused the key \(401: no\)\. Set ANTHROPIC_API_KEY to a key/ },
  { code: 403, says: /Set ANTHROPIC_API_KEY to a key that may use this model/ },
  { code: 404, says: /was not found \(404: no\)\. Check the model's name/ },
  { code: 413, says: /too long.*Start a new one/ },
  { code: 422, says: /rejected the request \(422: no\)/ },
  { code: 429, says: /is over its limit \(429: no\)\. Try again in a while/ },
  { code: 500, says: /failed \(500: no\)\. Try again/ },
  { code: 529, says: /is overloaded \(529: no\)/ },
];

for (const { code, says } of SENTENCES) {
  Deno.test(`a status ${code} becomes a sentence with model, provider, address and what to do`, async () => {
    await using provider = startFakeProvider("anthropic", () => ({ status: { code, message: "no." } }));
    const { error } = await take(clientFor(provider.modelString, { attempts: 1 }));
    const message = (error as Error).message;
    assert.match(message, says);
    assert.ok(message.includes(`"fake-1" of Anthropic at ${new URL(provider.url).host}`), message);
    assert.ok(!/[.!]$/.test(message), message);
    assert.equal((error as ModelError).status, code);
  });
}

Deno.test("Ollama's missing model comes with the command that loads it", async () => {
  await using provider = startFakeProvider("ollama", [{ status: { code: 404, message: "model not found" } }]);
  const { error } = await take(clientFor(provider.modelString));
  assert.match(String(error), /ollama pull fake-1/);
});

Deno.test("a conversation that is too long is said to be so, whatever the status", async () => {
  const message = "This model's maximum context length is 8192 tokens";
  await using provider = startFakeProvider("openai-chat", [{ status: { code: 400, message } }]);
  const { error } = await take(clientFor(provider.modelString));
  assert.match(String(error), /The conversation is too long/);
});

Deno.test("every shape an error's body may have is read", async () => {
  const bodies: readonly (readonly [string, string])[] = [
    ['{"error":{"message":"first"}}', "first"],
    ['{"error":"second"}', "second"],
    ['{"message":"third"}', "third"],
    ['{"detail":"fourth"}', "fourth"],
    ['{"detail":[{"msg":"fifth"},{"msg":"sixth"}]}', "fifth, sixth"],
    ['[{"error":{"message":"seventh"}}]', "seventh"],
    ["eighth\n words", "eighth words"],
  ];
  for (const [body, says] of bodies) {
    await using provider = startFakeProvider("openai-chat", [{ status: { code: 400, body } }]);
    const { error } = await take(clientFor(provider.modelString));
    assert.ok(String(error).includes(`(400: ${says})`), String(error));
  }
  await using provider = startFakeProvider("openai-chat", [{ status: { code: 400, body: "<html>no</html>" } }]);
  assert.ok(String((await take(clientFor(provider.modelString))).error).includes("(400)"));
});

for (const protocol of PROTOCOLS) {
  Deno.test(`${protocol}: the key is sent as the protocol wants it and is in no event, error or address`, async () => {
    const message = `Incorrect API key provided: ${KEY}`;
    await using provider = startFakeProvider(protocol, [{ text: "Yes" }, { status: { code: 401, message } }]);
    const client = clientFor(provider.modelString, { env: () => KEY });
    const answer = await take(client);
    const { error } = await take(client);
    const headers = provider.requests[0]?.headers;
    const sent = headers?.get("authorization") ?? headers?.get("x-api-key") ?? headers?.get("x-goog-api-key") ?? "";
    assert.ok(sent.endsWith(KEY));
    assert.ok(!JSON.stringify(answer.events).includes(KEY));
    assert.ok(!`${provider.requests[0]?.path}`.includes(KEY));
    assert.equal(kindOf(error), "rejected");
    assert.ok(!(error as Error).message.includes(KEY), String(error));
  });
}

Deno.test("a provider elsewhere without a key is not asked at all", async () => {
  const never: typeof fetch = () => Promise.reject(new Error("must not be called"));
  for (
    const [model, variable] of [["anthropic:m", "ANTHROPIC_API_KEY"], ["google:m", "GEMINI_API_KEY or GOOGLE_API_KEY"]]
  ) {
    const { error, events } = await take(clientFor(model ?? "", { fetch: never }), question());
    assert.equal(kindOf(error), "rejected");
    assert.ok(String(error).includes(`Set ${variable} in the environment`), String(error));
    assert.deepEqual(events, []);
  }
});

Deno.test("a name and password in the address are sent as a header and shown nowhere", async () => {
  await using provider = startFakeProvider("openai-chat", [{ text: "Yes" }, { status: { code: 400, message: "no" } }]);
  const address = provider.url.replace("http://", "http://me:secret-word@");
  const client = clientFor(`openai-compat:m@${address};tools`);
  const answer = await take(client);
  const { error } = await take(client);
  assert.equal(answer.text, "Yes");
  assert.equal(provider.requests[0]?.headers.get("authorization"), `Basic ${btoa("me:secret-word")}`);
  assert.ok(!JSON.stringify(answer.events).includes("secret-word"));
  assert.ok(!String(error).includes("secret-word"));
});

Deno.test("a provider elsewhere that cannot be reached is said so, with the reason and no hint to start it", async () => {
  const cause = new Error("error sending request for url (x): client error (Connect): dns error: no such host");
  const failing: typeof fetch = () => Promise.reject(new TypeError("fetch failed", { cause }));
  const { error } = await take(clientFor("anthropic:m", { fetch: failing, env: () => KEY, attempts: 1 }));
  assert.equal(
    (error as Error).message,
    'The model "m" of Anthropic could not be reached at api.anthropic.com (dns error: no such host). ' +
      "Check the network connection and try again",
  );
});
