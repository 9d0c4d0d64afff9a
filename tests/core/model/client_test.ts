import assert from "node:assert/strict";
import {
  BadModelString,
  createModelClient,
  type ModelClient,
  type ModelRequest,
  Rejected,
} from "../../../core/model/mod.ts";

const env = () => undefined;
const REQUEST: ModelRequest = { system: "", messages: [{ role: "user", text: "Say this back" }], tools: [] };

async function say(model: ModelClient, request = REQUEST): Promise<string> {
  let text = "";
  for await (const event of model.stream(request, new AbortController().signal)) {
    if (event.type === "text") text += event.text;
  }
  return text;
}

Deno.test("createModelClient() refuses a string that cannot be read, at once (K-029)", () => {
  assert.throws(() => createModelClient("gpt-5", { env }), BadModelString);
});

Deno.test("createModelClient() describes the model before anything is asked", () => {
  const price = { input: 1, output: 2 };
  const model = createModelClient("anthropic:claude-opus-5", { env, prices: { "anthropic:claude-opus-5": price } });
  assert.equal(model.info.contextWindow, 1_000_000);
  assert.deepEqual(model.info.price, price);
});

Deno.test("createModelClient() makes the demonstration without calling anyone", async () => {
  const never = () => Promise.reject(new Error("called"));
  const model = createModelClient("demo:echo;tps=0", { env, fetch: never });
  assert.equal(await say(model), "Say this back");
  assert.equal(await say(model), "Say this back");
});

Deno.test("createModelClient() runs streams side by side, from the first one on", async () => {
  const model = createModelClient("demo:echo;tps=0", { env });
  const texts = ["one", "two", "three"];
  const said = await Promise.all(
    texts.map((text) => say(model, { ...REQUEST, messages: [{ role: "user", text }] })),
  );
  assert.deepEqual(said, texts);
});

Deno.test("createModelClient() calls nothing when the signal had aborted before", async () => {
  const model = createModelClient("demo:echo", { env });
  const signal = AbortSignal.abort(new Error("before"));
  await assert.rejects(async () => {
    for await (const _ of model.stream(REQUEST, signal)) throw new Error("streamed");
  }, /before/);
});

Deno.test("createModelClient() hands every other provider to its codec, with the options", async () => {
  const calls: string[] = [];
  const refuse: typeof fetch = (input) => {
    calls.push(String(input instanceof Request ? input.url : input));
    return Promise.resolve(new Response('{"error":{"message":"no such key"}}', { status: 401 }));
  };
  const model = createModelClient("openai-chat:gpt-5@http://localhost:1/v1", {
    env: () => "a-key",
    fetch: refuse,
    attempts: 1,
  });
  await assert.rejects(say(model), Rejected);
  assert.deepEqual(calls, ["http://localhost:1/v1/chat/completions"]);
});

/** The body a string's model sends. */
async function bodyOf(text: string, request: ModelRequest): Promise<Record<string, unknown>> {
  let body = "{}";
  const keep: typeof fetch = (_input, init) => {
    body = String(init?.body);
    return Promise.resolve(new Response("{}", { status: 400 }));
  };
  const model = createModelClient(text, { env: () => "a-key", fetch: keep, attempts: 1 });
  await assert.rejects(say(model, request));
  return JSON.parse(body);
}

Deno.test("createModelClient() asks for the effort of the string where the request names none", async () => {
  const string = "openai-chat:gpt-5@http://localhost:1/v1;effort=high";
  assert.equal((await bodyOf(string, REQUEST)).reasoning_effort, "high");
  assert.equal((await bodyOf(string, { ...REQUEST, thinking: "low" })).reasoning_effort, "low");
  assert.equal((await bodyOf("openai-chat:gpt-5@http://localhost:1/v1", REQUEST)).reasoning_effort, undefined);
});
