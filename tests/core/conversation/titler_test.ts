import assert from "node:assert/strict";
import { ConversationNotFound, Titler } from "../../../core/conversation/mod.ts";
import { Feed } from "../../../core/log/mod.ts";
import { scriptedModel } from "../../../core/model/mod.ts";
import { at, listAt, type Reply, startFakeProvider, textAt } from "../../providers/mod.ts";
import { clientFor } from "../model/providers/rig.ts";
import { openTurns } from "../turn/turn_fixture.ts";
import { openNaming } from "./naming.ts";

/** An answer that waits until it is let go. */
function held(text: string): { reply: Reply; letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { reply: { text, gate: () => promise }, letGo: resolve };
}

Deno.test("a conversation gets a title after its first turn, and everyone who shows a list hears of it", async () => {
  await using naming = await openNaming({ title: () => ({ text: 'Bread\n\n**"Feeding a sourdough starter."**' }) });
  const id = await naming.create();
  const turn = await naming.say(id, "How often do I feed my sourdough starter in the winter?");
  assert.equal(turn.status, "done");
  const row = await naming.titled(id, "Feeding a sourdough starter");
  assert.deepEqual(await naming.assistant.conversations.get(id), { ...row, path: [{ ...turn, siblings: [turn.id] }] });
  const [stored] = await naming.assistant.storage.database.read("select title_kind from conversations where id = ?", [
    id,
  ]);
  assert.equal(stored?.title_kind, "generated");
});

Deno.test("the request for a title stands alone: no tools, no thinking, no history, nothing of the agent's prompt", async () => {
  await using naming = await openNaming({ protocol: "ollama" });
  const id = await naming.create();
  await naming.say(id, "Where do the terns nest?");
  const { json, body } = await naming.asked(0);
  assert.deepEqual(listAt(json, "messages").map((message) => textAt(message, "role")), ["system", "user"]);
  assert.equal(at(json, "tools"), undefined);
  assert.equal(at(json, "think"), false);
  assert.ok(body.includes("Where do the terns nest?") && body.includes("six words"));
  assert.ok(!body.includes("You help") && !body.includes("An answer"));
});

Deno.test("the request for a title holds at most 2,000 characters of the opening message", async () => {
  await using naming = await openNaming();
  const id = await naming.create();
  await naming.say(id, "🐚".repeat(5_000));
  const text = textAt((await naming.asked(0)).json, "messages", 1, "content");
  assert.equal([...text].filter((each) => each === "🐚").length, 2_000);
  assert.ok(text.isWellFormed());
});

Deno.test("a title is asked of the conversation's own model, or its agent's", async () => {
  await using other = startFakeProvider(
    "openai-chat",
    (_, n) => ({ text: n === 0 ? "An answer" : "From the other one" }),
  );
  await using naming = await openNaming();
  const id = await naming.create(other.modelString);
  await naming.say(id, "Hello there");
  await naming.titled(id, "From the other one");
  assert.equal(naming.provider.requests.length, 0);

  await using agents = startFakeProvider(
    "openai-chat",
    (_, n) => ({ text: n === 0 ? "An answer" : "From the agent's" }),
  );
  const assistant = {
    name: "assistant",
    delegatesTo: [],
    generation: {},
    tools: { available: [] },
    model: agents.modelString,
  };
  await using second = await openNaming({ agents: { assistant } as never });
  const another = await second.create();
  await second.say(another, "Hello there");
  await second.titled(another, "From the agent's");
});

Deno.test("no turn waits for a title, and a later turn asks for none", async () => {
  const slow = held("Late but there");
  await using naming = await openNaming({ title: () => slow.reply });
  const id = await naming.create();
  await naming.say(id, "First");
  await naming.asked(0);
  assert.equal((await naming.say(id, "Second")).status, "done");
  assert.equal(await naming.title(id), "First");
  slow.letGo();
  await naming.titled(id, "Late but there");
  await naming.say(id, "Third");
  await naming.settled();
  assert.equal(naming.askedCount, 1);
});

Deno.test("a turn that failed names nothing; the first that comes to its end does, after the first message", async () => {
  await using naming = await openNaming({ answer: (n) => n === 0 ? { status: { code: 400 } } : { text: "An answer" } });
  const id = await naming.create();
  assert.equal((await naming.say(id, "The very first message")).status, "failed");
  await naming.settled();
  assert.equal(naming.askedCount, 0);
  await naming.say(id, "Try it again");
  const { body } = await naming.asked(0);
  assert.ok(body.includes("The very first message") && !body.includes("Try it again"));
  await naming.titled(id, "Made title");
});

Deno.test("nothing is asked for a named conversation, a task's, or when titles are off", async () => {
  await using naming = await openNaming();
  const { database } = naming.assistant.storage;
  const task = await naming.create();
  await database.write([{ sql: "update conversations set task = 'daily' where id = ?", args: [task] }]);
  const { id: named } = await naming.assistant.conversations.create({ title: "Mine" });
  await naming.say(task, "What is new?");
  await naming.say(named, "Hello");
  await naming.settled();
  assert.equal(naming.askedCount, 0);
  assert.deepEqual([await naming.title(task), await naming.title(named)], ["What is new?", "Mine"]);

  await using off = await openNaming({ on: false });
  const id = await off.create();
  await off.say(id, "Hello");
  await off.settled();
  assert.equal(off.askedCount, 0);
});

Deno.test("the demonstrations are not asked by themselves, and of them only the tour when a person asks", async () => {
  await using naming = await openNaming({ model: "demo:tour;tps=0" });
  const tour = await naming.create();
  await naming.say(tour, "Which of the pears ripen first in a cold spring?");
  await naming.reported(`no title for ${tour}: demo:tour;tps=0 makes none`);
  assert.equal(await naming.title(tour), "Which of the pears ripen first in a cold");
  await naming.assistant.titles.request(tour);
  await naming.titled(tour, "Which of the pears ripen first");

  const echo = await naming.create("demo:echo;tps=0");
  await naming.say(echo, "Say it back");
  const before = naming.heard.length;
  await naming.assistant.titles.request(echo);
  await naming.reported(`no title for ${echo}: demo:echo;tps=0 makes none`);
  assert.equal(await naming.title(echo), "Say it back");
  assert.ok(naming.heard.slice(before).some((operation) => operation.op === "conversation"));
});

Deno.test("what a title took is in no turn and in no usage, but in a DEBUG line", async () => {
  await using naming = await openNaming({ title: () => ({ text: "Tokens", usage: { input: 321, output: 5 } }) });
  const id = await naming.create();
  const turn = await naming.say(id, "Hello");
  await naming.titled(id, "Tokens");
  const { modelString } = naming.provider;
  assert.ok(naming.reports.includes(`DEBUG titles: asked ${modelString} to name ${id}: 321 tokens in, 5 out`));
  assert.equal(turn.usage?.calls, 1);
  const { model: [row] } = await naming.assistant.usage();
  assert.deepEqual([row?.usage.calls, row?.usage.input_tokens], [1, 11]);
  const entries = await naming.assistant.log.entries(id, { limit: 500 });
  assert.deepEqual(entries.items.map(({ kind }) => kind), ["user", "text", "round"]);
});

const FAILURES: Readonly<Record<string, readonly [Reply, RegExp]>> = {
  "a status of failure": [{ status: { code: 500, message: "out of order" } }, /out of order|500/],
  "a refused key": [{ status: { code: 401 } }, /key/],
  "a limit": [{ status: { code: 429 } }, /limit|429/],
  "no answer": [{ silence: "close" }, /./],
  "a cut-off stream": [{ text: "Half a", fault: "eof" }, /./],
  "a broken connection": [{ text: "Half a", fault: "reset" }, /./],
  "an error in the stream": [{ fault: "overloaded" }, /./],
  "a frame that is not JSON": [{ text: "Half a", fault: "malformed" }, /./],
  "a refusal": [{ refusal: "I would rather not" }, /"refusal"/],
  "an answer that was cut": [{ text: "A title that is cut", finish: "length" }, /"length"/],
  "a call of a tool": [{ toolCalls: [{ name: "now" }] }, /"tool_calls"/],
  "an empty answer": [{ text: "" }, /./],
  "marks and nothing else": [{ text: "A list:\n\n***" }, /holds none/],
  "an endless answer": [{ text: Array.from({ length: 100 }, () => "words ".repeat(20)) }, /too long/],
};

for (const [name, [reply, reason]] of Object.entries(FAILURES)) {
  Deno.test(`${name} keeps the placeholder, in silence`, async () => {
    await using naming = await openNaming({ title: () => reply });
    const id = await naming.create();
    assert.equal((await naming.say(id, "Hello there")).status, "done");
    const line = await naming.reported(`no title for ${id}`);
    assert.match(line, /^DEBUG titles: /);
    assert.match(line.slice(line.indexOf(id) + id.length + 2), reason);
    assert.equal(await naming.title(id), "Hello there");
    assert.deepEqual(naming.reports.filter((each) => /^(WARNING|ERROR)/.test(each)), []);
    // One failure is enough: the next turn does not try again.
    await naming.say(id, "Again");
    await naming.settled();
    assert.equal(naming.askedCount, 1);
  });
}

Deno.test("a model that cannot stop thinking is no reason for a warning", async () => {
  await using naming = await openNaming({ protocol: "openai-responses" });
  const id = await naming.create(naming.provider.modelString.replace("fake-1", "o3"));
  await naming.say(id, "Hello");
  await naming.titled(id, "Made title");
  assert.deepEqual(naming.reports.filter((each) => each.startsWith("WARNING")), []);
});

Deno.test("a title that takes too long is given up, and its connection closed", async () => {
  await using provider = startFakeProvider("openai-chat", [{ silence: "stall" }]);
  await using fixture = await openTurns({ model: scriptedModel([{ text: "An answer" }]), keep: false });
  const { id } = await fixture.book.create();
  const receipt = await fixture.turns.submit(id, { text: "Hello" });
  await fixture.ended(receipt.fate === "turn" ? receipt.turn : "");
  const reported = Promise.withResolvers<string>();
  const titler = new Titler({
    book: fixture.book,
    log: fixture.log,
    feed: new Feed(),
    isOn: () => true,
    modelOf: () => Promise.resolve(clientFor(provider.modelString)),
    report: (_level, _subsystem, message) => reported.resolve(message),
    patienceMs: 100,
  });
  await titler.request(id);
  assert.equal(await reported.promise, `no title for ${id}: the model took too long`);
  assert.equal(await (await provider.received(0)).closed, "client");
  titler.close();
});

Deno.test("a rename while a title is made stands, also one to the same words", async () => {
  for (const mine of ["My own name", "Hello there"]) {
    const slow = held("Made title");
    await using naming = await openNaming({ title: () => slow.reply });
    const id = await naming.create();
    await naming.say(id, "Hello there");
    await naming.asked(0);
    await naming.assistant.conversations.update(id, { title: mine });
    slow.letGo();
    await naming.reported(`no title for ${id}: it got another one meanwhile`);
    assert.equal(await naming.title(id), mine);
  }
});

Deno.test("deleting a conversation calls its title off; brought back, it has the title it had", async () => {
  await using naming = await openNaming({ title: () => ({ silence: "stall" }) });
  const id = await naming.create();
  await naming.say(id, "Hello there");
  const request = await naming.asked(0);
  await naming.assistant.conversations.delete(id);
  assert.equal(await request.closed, "client");
  await naming.reported(`no title for ${id}: the conversation was deleted`);
  assert.equal((await naming.assistant.conversations.restore(id)).title, "Hello there");
});

Deno.test("close() waits for no title, ends its connection, and leaves a store that goes on", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "malama-naming-" });
  const first = await openNaming({ dataDir, title: () => ({ silence: "stall" }) });
  const id = await first.create();
  await first.say(id, "Hello there");
  const request = await first.asked(0);
  await first.assistant.close();
  assert.equal(await request.closed, "client");
  await first.reported(`no title for ${id}: Malama is shutting down`);
  await first.provider.close();
  assert.deepEqual(first.reports.filter((each) => each.startsWith("ERROR")), []);

  await using second = await openNaming({ dataDir });
  assert.equal(await second.title(id), "Hello there");
  await second.settled();
  assert.equal(second.askedCount, 0);
  const model = second.provider.modelString;
  await second.assistant.conversations.update(id, { model });
  await second.assistant.titles.request(id);
  await second.titled(id, "Made title");
  await second.assistant.close();
  await second.assistant.titles.request(id).catch(() => {});
  await Deno.remove(dataDir, { recursive: true });
});

Deno.test("request() replaces a title of any kind, and does not heed generate_titles", async () => {
  await using naming = await openNaming({ on: false, title: (n) => ({ text: `Title ${n}` }) });
  const id = await naming.create();
  await naming.say(id, "Hello there");
  for (const [n, before] of ["Hello there", "Title 0", "Mine"].entries()) {
    if (before === "Mine") await naming.assistant.conversations.update(id, { title: "Mine" });
    assert.equal(await naming.title(id), before);
    await naming.assistant.titles.request(id);
    await naming.titled(id, `Title ${n}`);
  }
});

Deno.test("request() is for a task's conversation too, and for one whose turn runs", async () => {
  const slow = held("An answer");
  await using naming = await openNaming({ on: false, answer: () => slow.reply });
  const id = await naming.create();
  const { database } = naming.assistant.storage;
  await database.write([{ sql: "update conversations set task = 'daily' where id = ?", args: [id] }]);
  const turn = naming.say(id, "What is new?");
  await naming.provider.received(0);
  await naming.assistant.titles.request(id);
  await naming.titled(id, "Made title");
  slow.letGo();
  assert.equal((await turn).status, "done");
  assert.equal(await naming.title(id), "Made title");
});

Deno.test("request() reads the first message and the newest, as many as fit, with a mark between", async () => {
  await using naming = await openNaming({ on: false, answer: (n) => ({ text: `Reply ${n}. ${"so ".repeat(200)}` }) });
  const id = await naming.create();
  for (let n = 0; n < 9; n++) await naming.say(id, `Question ${n}`);
  await naming.assistant.titles.request(id);
  const text = textAt((await naming.asked(0)).json, "messages", 1, "content");
  const inside = text.split("---\n")[1]!;
  assert.ok([...inside].length <= 4_000);
  assert.match(inside, /^User: Question 0\n\n\[earlier messages left out\]\n\n/);
  assert.match(inside, /User: Question 8\n\nAssistant: Reply 8\. so/);
  assert.ok(!inside.includes("Reply 0"));
});

Deno.test("request() announces the row however it ends, and answers before there is a title", async () => {
  const slow = held("unused");
  await using naming = await openNaming({ on: false, title: () => ({ ...slow.reply, fault: "eof" }) });
  const id = await naming.create();
  await naming.say(id, "Hello there");
  await naming.settled();
  const before = naming.heard.length;
  await naming.assistant.titles.request(id);
  await naming.asked(0);
  assert.equal(naming.heard.length, before);
  slow.letGo();
  await naming.reported(`no title for ${id}`);
  const [row] = naming.heard.slice(before);
  assert.ok(row?.op === "conversation" && row.conversation.id === id && row.conversation.title === "Hello there");
});

Deno.test("request() for a conversation in which nothing was said asks nothing", async () => {
  await using naming = await openNaming();
  const id = await naming.create();
  await naming.assistant.titles.request(id);
  await naming.reported(`no title for ${id}: nothing was said in it`);
  assert.equal(naming.askedCount, 0);
});

Deno.test("a newer request takes the place of the one under way", async () => {
  await using naming = await openNaming({ title: (n) => n === 0 ? { silence: "stall" } : { text: "The newer" } });
  const id = await naming.create();
  await naming.say(id, "Hello there");
  const first = await naming.asked(0);
  await naming.assistant.titles.request(id);
  assert.equal(await first.closed, "client");
  await naming.titled(id, "The newer");
});

Deno.test("request() refuses a conversation that is not there or was deleted", async () => {
  await using naming = await openNaming();
  const id = await naming.create();
  await naming.assistant.conversations.delete(id);
  await assert.rejects(naming.assistant.titles.request(id), ConversationNotFound);
  await assert.rejects(naming.assistant.titles.request("nowhere"), ConversationNotFound);
});
