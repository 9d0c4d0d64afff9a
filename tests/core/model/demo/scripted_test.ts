import assert from "node:assert/strict";
import { join } from "node:path";
import {
  createModelClient,
  type ModelClient,
  type ModelMessage,
  type ModelRequest,
  Rejected,
  scriptedModel,
  Stalled,
} from "../../../../core/model/mod.ts";

const ask = (...messages: ModelMessage[]): ModelRequest => ({ system: "", messages, tools: [] });
const user = (text: string): ModelMessage => ({ role: "user", text });
const answer = (text: string): ModelMessage => ({ role: "assistant", parts: [{ type: "text", text }] });

async function say(model: ModelClient, request: ModelRequest): Promise<string> {
  let text = "";
  for await (const event of model.stream(request, new AbortController().signal)) {
    if (event.type === "text") text += event.text;
  }
  return text;
}

async function withScript(text: string, run: (model: ModelClient) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const file = join(folder, "turns.jsonl");
    await Deno.writeTextFile(file, text);
    await run(createModelClient(`demo:script@${file}`, { env: () => undefined }));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("scriptedModel() plays its turns in the order of the calls and keeps the requests", async () => {
  const model = scriptedModel([{ text: "one" }, { text: "two" }]);
  assert.equal(await say(model, ask(user("a"))), "one");
  assert.equal(await say(model, ask(user("b"))), "two");
  assert.deepEqual(model.requests.map((request) => request.messages), [[user("a")], [user("b")]]);
});

Deno.test("scriptedModel() refuses the call after its last turn", async () => {
  const model = scriptedModel([{ text: "one" }]);
  await say(model, ask(user("a")));
  await assert.rejects(say(model, ask(user("b"))), Rejected);
});

Deno.test("scriptedModel() keeps a turn for the call it is meant for", async () => {
  const model = scriptedModel([{ when: "weather", text: "rain" }, { text: "any" }]);
  assert.equal(await say(model, ask(user("hello"))), "any");
  assert.equal(await say(model, ask(user("the weather?"))), "rain");
  const other = scriptedModel([{ when: "22 degrees", text: "warm" }]);
  assert.equal(await say(other, ask({ role: "tool", call: "1", name: "t", result: "It is 22 degrees" })), "warm");
});

Deno.test("scriptedModel() may be a function of the request and its number", async () => {
  const model = scriptedModel((request, n) => ({ text: `${n}: ${request.messages.length}` }));
  assert.equal(await say(model, ask(user("a"))), "0: 1");
  assert.equal(await say(model, ask(user("a"), answer("b"), user("c"))), "1: 3");
});

Deno.test("scriptedModel() can pretend to be another model", () => {
  const model = scriptedModel([], { contextWindow: 8000, tools: false });
  assert.deepEqual([model.info.contextWindow, model.info.tools, model.info.provider], [8000, false, "demo"]);
});

Deno.test("scriptedModel() runs streams side by side without mixing them", async () => {
  const model = scriptedModel([{ text: "a ".repeat(300) }, { text: "b ".repeat(300) }]);
  const [first, second] = await Promise.all([say(model, ask(user("1"))), say(model, ask(user("2")))]);
  assert.equal(first, "a ".repeat(300));
  assert.equal(second, "b ".repeat(300));
});

Deno.test("demo:script plays the turn after the answers the conversation holds, so a restart changes nothing", async () => {
  await withScript('{"text":"one"}\n{"text":"two"}', async (model) => {
    const later = ask(user("a"), answer("one"), user("b"));
    assert.equal(await say(model, later), "two");
    assert.equal(await say(model, ask(user("a"))), "one");
    assert.equal(await say(model, later), "two");
    await assert.rejects(say(model, ask(user("a"), answer("1"), user("b"), answer("2"), user("c"))), Rejected);
  });
});

Deno.test("demo:script fails as its turn says, after what it says", async () => {
  await withScript('{"text":"half of","fail":"stalled"}', async (model) => {
    await assert.rejects(say(model, ask(user("a"))), Stalled);
  });
});

Deno.test("demo:script says what is wrong with a script, and where", async () => {
  await withScript('{"text":"one"}\n{"nonsense":1}', async (model) => {
    await assert.rejects(say(model, ask(user("a"))), (error) => {
      return error instanceof Rejected && /cannot be played: Turn 2 is not one/.test(error.message);
    });
  });
});

Deno.test("demo:script says so when its file is not there, and reads it when it is", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const file = join(folder, "late.jsonl");
    const model = createModelClient(`demo:script@${file}`, { env: () => undefined });
    await assert.rejects(say(model, ask(user("a"))), /cannot be played: .*late\.jsonl/);
    await Deno.writeTextFile(file, '{"text":"here"}');
    assert.equal(await say(model, ask(user("a"))), "here");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
