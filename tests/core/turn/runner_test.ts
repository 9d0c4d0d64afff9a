import assert from "node:assert/strict";
import { z } from "zod";
import { BadRequest, ConversationNotFound, TurnInFlight, TurnNotFound } from "../../../core/conversation/mod.ts";
import { type ModelEvent, scriptedModel } from "../../../core/model/mod.ts";
import { defineToolset, tool } from "../../../core/tool/mod.ts";
import type { MessageReceipt } from "../../../core/turn/mod.ts";
import { handModel } from "../agent/run_fixture.ts";
import { openTurns, type TurnFixture } from "./turn_fixture.ts";

const turnOf = (receipt: MessageReceipt): string => {
  assert.equal(receipt.fate, "turn");
  return receipt.fate === "turn" ? receipt.turn : "";
};

/** A model that says one word and then waits until it is let go or stopped. */
function waitingModel() {
  const asked: PromiseWithResolvers<void>[] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const at = (list: PromiseWithResolvers<void>[], n: number) => list[n] ??= Promise.withResolvers<void>();
  const model = handModel(async function* (n, signal): AsyncGenerator<ModelEvent> {
    yield { type: "request", url: "", body: "{}" };
    yield { type: "text", text: `answer ${n}` };
    at(asked, n).resolve();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    await Promise.race([at(gates, n).promise, aborted]);
    yield { type: "stop", reason: "end", provider_reason: "stop" };
  });
  return { model, asked: (n: number) => at(asked, n).promise, release: (n: number) => at(gates, n).resolve() };
}

async function newConversation(fixture: TurnFixture): Promise<string> {
  return (await fixture.book.create()).id;
}

Deno.test("submit() answers once the message is durable, and the turn runs to its end", async () => {
  await using fixture = await openTurns({ model: scriptedModel([{ text: "Hello" }]) });
  const id = await newConversation(fixture);
  const receipt = await fixture.turns.submit(id, { text: "hi", token: "t1" });
  const [row] = await fixture.storage.database.read("select kind from entries where conversation = ? and seq = 1", [
    id,
  ]);
  assert.equal(row?.kind, "user");
  const turn = await fixture.ended(turnOf(receipt));
  assert.equal(turn.status, "done");
  assert.equal(turn.usage?.calls, 1);
  assert.equal((await fixture.of(id, "text"))[0]?.data.text, "Hello");
  assert.equal((await fixture.book.get(id)).head, turn.id);
});

Deno.test("submit() names a new conversation after its first message, in 40 characters", async () => {
  await using fixture = await openTurns({ model: scriptedModel(() => ({ text: "ok" })) });
  const id = await newConversation(fixture);
  await fixture.ended(turnOf(await fixture.turns.submit(id, { text: `Plan  the\n${"very ".repeat(20)}long trip` })));
  const { title } = await fixture.book.get(id);
  assert.ok(title.startsWith("Plan the very"));
  assert.ok(title.length <= 40);
});

Deno.test("submit() runs a token once, however often and however close together it comes", async () => {
  const model = scriptedModel(() => ({ text: "ok" }));
  await using fixture = await openTurns({ model });
  const id = await newConversation(fixture);
  const send = () => fixture.turns.submit(id, { text: "hi", token: "same" });
  const receipts = await Promise.all([send(), send(), send()]);
  await fixture.ended(turnOf(receipts[0]!));
  receipts.push(await send());
  assert.equal(new Set(receipts.map(turnOf)).size, 1);
  assert.equal(model.requests.length, 1);
});

Deno.test("messages that find the slot taken run one after the other, in order, and none is lost", async () => {
  const { model, asked, release } = waitingModel();
  await using fixture = await openTurns({ model });
  const id = await newConversation(fixture);
  const first = await fixture.turns.submit(id, { text: "1" });
  await asked(0);
  const rest = await Promise.all(["2", "3", "4"].map((text) => fixture.turns.submit(id, { text, queue: true })));
  assert.ok(rest.every((receipt) => receipt.fate === "turn" && receipt.queued));
  assert.equal(fixture.turns.waiting, 3);
  for (let n = 0; n < 4; n++) release(n);
  for (const receipt of [first, ...rest]) await fixture.ended(turnOf(receipt));
  assert.deepEqual((await fixture.of(id, "user")).map((entry) => entry.data.text), ["1", "2", "3", "4"]);
  const { path } = await fixture.book.get(id);
  assert.deepEqual(path.map((turn) => turn.n), [1, 2, 3, 4]);
});

Deno.test("a message is never lost when it comes as the slot is being given up", async () => {
  await using fixture = await openTurns({ model: scriptedModel(() => ({ text: "ok" })) });
  const id = await newConversation(fixture);
  const receipts: MessageReceipt[] = [];
  for (let n = 0; n < 40; n++) {
    const receipt = fixture.turns.submit(id, { text: String(n), queue: true });
    if (n % 3 === 0) await receipt;
    receipts.push(await receipt);
  }
  for (const receipt of receipts) await fixture.ended(turnOf(receipt));
  assert.equal((await fixture.of(id, "user")).length, 40);
});

Deno.test("conversations run side by side", async () => {
  const { model, asked, release } = waitingModel();
  await using fixture = await openTurns({ model });
  const [a, b] = [await newConversation(fixture), await newConversation(fixture)];
  const first = await fixture.turns.submit(a, { text: "a" });
  const second = await fixture.turns.submit(b, { text: "b" });
  await Promise.all([asked(0), asked(1)]);
  assert.deepEqual([...fixture.turns.running()].sort(), [a, b].sort());
  release(0);
  release(1);
  await Promise.all([fixture.ended(turnOf(first)), fixture.ended(turnOf(second))]);
});

Deno.test("stop() ends that conversation's turn, keeps its text, and lets what waits go on", async () => {
  const { model, asked, release } = waitingModel();
  await using fixture = await openTurns({ model });
  const [a, b] = [await newConversation(fixture), await newConversation(fixture)];
  const stopped = await fixture.turns.submit(a, { text: "a" });
  const other = await fixture.turns.submit(b, { text: "b" });
  await Promise.all([asked(0), asked(1)]);
  const waiting = await fixture.turns.submit(a, { text: "next", queue: true });
  assert.equal(await fixture.turns.stop(a), true);
  assert.equal((await fixture.ended(turnOf(stopped))).status, "stopped");
  assert.ok((await fixture.of(a, "text"))[0]?.data.text.startsWith("answer"));
  assert.match((await fixture.of(a, "notice"))[0]?.data.text ?? "", /You stopped/);
  assert.ok(fixture.turns.isRunning(b));
  release(1);
  release(2);
  assert.equal((await fixture.ended(turnOf(other))).status, "done");
  assert.equal((await fixture.ended(turnOf(waiting))).status, "done");
});

Deno.test("stop() with nothing running does nothing", async () => {
  await using fixture = await openTurns({ model: scriptedModel([]) });
  assert.equal(await fixture.turns.stop(await newConversation(fixture)), false);
  assert.equal(await fixture.turns.stop("nowhere"), false);
});

Deno.test("/stop and /diag are commands; an unknown one is a message", async () => {
  const { model, asked } = waitingModel();
  await using fixture = await openTurns({ model });
  const id = await newConversation(fixture);
  assert.deepEqual(await fixture.turns.submit(id, { text: "/stop" }), {
    fate: "command",
    text: "Nothing is running here",
  });
  assert.deepEqual(await fixture.turns.submit(id, { text: " /diag " }), { fate: "command", text: "All is well" });
  const receipt = await fixture.turns.submit(id, { text: "/unknown" });
  await asked(0);
  assert.deepEqual(await fixture.turns.submit(id, { text: "/stop" }), { fate: "command", text: "Stopped" });
  assert.equal((await fixture.ended(turnOf(receipt))).status, "stopped");
});

Deno.test("submit() refuses what it cannot take, and writes nothing", async () => {
  await using fixture = await openTurns({ model: scriptedModel([]) });
  const id = await newConversation(fixture);
  await assert.rejects(fixture.turns.submit(id, { text: " \n" }), BadRequest);
  await assert.rejects(fixture.turns.submit("nowhere", { text: "hi" }), ConversationNotFound);
  await assert.rejects(fixture.turns.submit(id, { text: "hi", parent: "nothing" }), TurnNotFound);
  const svg = { name: "a.svg", media_type: "image/svg+xml", data: new Uint8Array([1]) };
  await assert.rejects(fixture.turns.submit(id, { text: "hi", images: [svg] }), /PNG, JPEG, GIF or WebP/);
  assert.equal((await fixture.log.entries(id)).items.length, 0);
});

Deno.test("a model that cannot be made fails the turn with its sentence and keeps the message", async () => {
  await using fixture = await openTurns({
    model: () => {
      throw new Error("Set ANTHROPIC_API_KEY first");
    },
  });
  const id = await newConversation(fixture);
  const turn = await fixture.ended(turnOf(await fixture.turns.submit(id, { text: "hi" })));
  assert.deepEqual([turn.status, turn.failure], ["failed", "Set ANTHROPIC_API_KEY first"]);
  assert.equal((await fixture.of(id, "notice"))[0]?.data.text, "Set ANTHROPIC_API_KEY first");
  assert.equal((await fixture.of(id, "user")).length, 1);
});

Deno.test("each turn is sent what came before it", async () => {
  const model = scriptedModel((request) => ({ text: `I was sent ${request.messages.length}` }));
  await using fixture = await openTurns({ model });
  const id = await newConversation(fixture);
  for (const text of ["one", "two", "three"]) await fixture.ended(turnOf(await fixture.turns.submit(id, { text })));
  assert.deepEqual(model.requests.map((request) => request.messages.length), [1, 3, 5]);
});

Deno.test("a cached context and one folded from the log are the same", async () => {
  const dataDir = await Deno.makeTempDir();
  const clock = defineToolset({
    name: "clock",
    description: "d",
    tools: () => [tool({ name: "now", description: "d", input: z.object({}), run: () => "noon" })],
  });
  const script = () =>
    scriptedModel((_request, n) =>
      n % 2 === 0 ? { thinking: "hm", tool_calls: [{ name: "now", arguments: {} }] } : { text: "noon" }
    );
  const warm = script();
  let id: string;
  {
    await using fixture = await openTurns({ model: warm, dataDir, toolsets: [clock], keep: true });
    id = await newConversation(fixture);
    for (const text of ["one", "two"]) await fixture.ended(turnOf(await fixture.turns.submit(id, { text })));
    await fixture.ended(turnOf(await fixture.turns.submit(id, { text: "three" })));
  }
  const cold = script();
  await using fixture = await openTurns({ model: cold, dataDir, toolsets: [clock] });
  await fixture.ended(turnOf(await fixture.turns.submit(id, { text: "four" })));
  const before = warm.requests.at(-1)!.messages;
  assert.deepEqual(cold.requests[0]!.messages.slice(0, before.length), before);
});

Deno.test("resume() goes on after a stopped turn and refuses after a finished or running one", async () => {
  const { model, asked, release } = waitingModel();
  await using fixture = await openTurns({ model });
  const id = await newConversation(fixture);
  await assert.rejects(fixture.turns.resume(id), BadRequest);
  const stopped = await fixture.turns.submit(id, { text: "a" });
  await asked(0);
  await assert.rejects(fixture.turns.resume(id), TurnInFlight);
  await fixture.turns.stop(id);
  await fixture.ended(turnOf(stopped));
  release(1);
  const turn = await fixture.turns.resume(id);
  assert.deepEqual([turn.origin, turn.parent], ["follow_up", turnOf(stopped)]);
  assert.equal((await fixture.ended(turn.id)).status, "done");
  assert.equal((await fixture.of(id, "user"))[1]?.data.injected, "continuation");
  await assert.rejects(fixture.turns.resume(id), BadRequest);
});

Deno.test("watchers hear of a turn before its entries, and of its end after them", async () => {
  await using fixture = await openTurns({ model: scriptedModel([{ text: "Hello" }]) });
  const id = await newConversation(fixture);
  await fixture.ended(turnOf(await fixture.turns.submit(id, { text: "hi" })));
  const order = fixture.heard.filter((operation) => operation.op === "turn" || operation.op === "entries")
    .map((operation) => operation.op === "turn" ? operation.turn.status : operation.op);
  assert.equal(order[0], "running");
  assert.equal(order.at(-1), "done");
});

Deno.test("deleting a conversation ends its turn, drops what waits, and waits for no other", async () => {
  const { model, asked, release } = waitingModel();
  await using fixture = await openTurns({ model });
  const [a, b] = [await newConversation(fixture), await newConversation(fixture)];
  const other = await fixture.turns.submit(a, { text: "a" });
  await asked(0);
  await fixture.turns.submit(b, { text: "b" });
  await asked(1);
  await fixture.turns.submit(b, { text: "waits", queue: true });
  await fixture.book.delete(b);
  await assert.rejects(fixture.book.get(b), ConversationNotFound);
  assert.deepEqual(await fixture.storage.database.read("select * from pending"), []);
  assert.ok(fixture.turns.isRunning(a));
  release(0);
  await fixture.ended(turnOf(other));
});

Deno.test("a shutdown ends turns as interrupted, and what waited runs at the next start", async () => {
  const dataDir = await Deno.makeTempDir();
  const { model, asked } = waitingModel();
  let id: string;
  let turns: string[];
  {
    await using fixture = await openTurns({ model, dataDir, keep: true });
    id = await newConversation(fixture);
    turns = [turnOf(await fixture.turns.submit(id, { text: "a" }))];
    await asked(0);
    turns.push(turnOf(await fixture.turns.submit(id, { text: "b", token: "B", queue: true })));
  }
  await using fixture = await openTurns({ model: scriptedModel(() => ({ text: "ok" })), dataDir });
  const waited = fixture.ended(turns[1]!);
  await fixture.turns.recover();
  assert.equal((await waited).status, "done");
  const { path } = await fixture.book.get(id);
  assert.deepEqual(path.map((turn) => turn.status), ["interrupted", "done"]);
  const again = await fixture.turns.submit(id, { text: "b", token: "B", queue: true });
  assert.equal(turnOf(again), turns[1]);
});

Deno.test("submit() refuses a token that could not be told from another", async () => {
  await using fixture = await openTurns({ model: scriptedModel([]) });
  const id = await newConversation(fixture);
  for (const token of ["a\0b", "x\ud800y", "\u001b[2J", "a\nb", "\u0085"]) {
    await assert.rejects(fixture.turns.submit(id, { text: "hi", token }), BadRequest, JSON.stringify(token));
  }
});

Deno.test("a message with characters no store takes is the same before and after it waited", async () => {
  const { model, asked, release } = waitingModel();
  await using fixture = await openTurns({ model });
  const id = await newConversation(fixture);
  const first = turnOf(await fixture.turns.submit(id, { text: "a\0b \ud83d c 🌺" }));
  await asked(0);
  const second = turnOf(await fixture.turns.submit(id, { text: "d\0e \udc00 f 🌺", queue: true }));
  const [waiting] = await fixture.storage.database.read("select text from pending");
  assert.equal(waiting?.text, "d\ufffde \ufffd f 🌺");
  release(0);
  await fixture.ended(first);
  await asked(1);
  release(1);
  await fixture.ended(second);
  const said = (await fixture.of(id, "user")).map((entry) => entry.data.text);
  assert.deepEqual(said, ["a\ufffdb \ufffd c 🌺", "d\ufffde \ufffd f 🌺"]);
});
