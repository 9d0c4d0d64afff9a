import assert from "node:assert/strict";
import type { InboxData } from "../../../core/log/mod.ts";
import { type BusMessage, EVERYONE, MessageBus, PERSON } from "../../../core/turn/bus.ts";
import { MAX_UNDELIVERED, unheard } from "../../../core/turn/follow_up.ts";
import { plainMessage } from "../../../core/turn/reruns.ts";
import { type InLine, inLine } from "../../../core/turn/slot.ts";
import { turnInbox } from "../../../core/turn/turn_inbox.ts";

function desk() {
  const current = { bus: new MessageBus(), joined: new Map<string, InLine>() };
  const written: { data: InboxData; rows: number }[] = [];
  const send = (id: string, durable: Promise<unknown> = Promise.resolve()) => {
    current.bus.send({ id, text: id, sender: PERSON, to: "assistant", token: `t${id}` });
    current.joined.set(id, inLine(plainMessage("C", id, { id, at: "now" }), durable));
  };
  const write = (data: InboxData, also: readonly unknown[]) => {
    written.push({ data, rows: also.length });
    return Promise.resolve();
  };
  return { current, written, send, write };
}

const agent = (text: string, to: string): BusMessage => ({ id: text, text, sender: "coder#1", to });

Deno.test("a message is delivered only once it is durable, and its waiting ends with the same write", async () => {
  const { current, written, send, write } = desk();
  const durable = Promise.withResolvers<void>();
  send("a", durable.promise);
  let told = 0;
  const inbox = turnInbox(current.bus.openEntry("assistant"), current, () => told++);
  assert.ok(inbox.waits);
  const delivering = inbox.deliver(write);
  await Promise.resolve();
  assert.equal(written.length, 0);
  durable.resolve();
  assert.equal(await delivering, 1);
  assert.deepEqual(written, [{ data: { text: "a", from: PERSON, to: "assistant", token: "ta" }, rows: 1 }]);
  assert.deepEqual([told, current.joined.size, inbox.waits], [1, 0, false]);
});

Deno.test("one that could not be stored is left out, and the others are delivered", async () => {
  const { current, written, send, write } = desk();
  send("refused", Promise.reject(new Error("No space left")));
  send("b");
  assert.equal(await turnInbox(current.bus.openEntry("assistant"), current, () => {}).deliver(write), 1);
  assert.deepEqual(written.map(({ data }) => data.text), ["b"]);
  assert.deepEqual(current.bus.close().unread, []);
});

Deno.test("what was taken and could not be written was never read", async () => {
  const { current, send } = desk();
  for (const id of ["a", "b", "c"]) send(id);
  const inbox = turnInbox(current.bus.openEntry("assistant"), current, () => {});
  const write = ({ text }: InboxData) => text === "b" ? Promise.reject(new Error("It broke")) : Promise.resolve();
  await assert.rejects(inbox.deliver(write), /It broke/);
  assert.deepEqual(current.bus.close().unread.map(({ text }) => text), ["b", "c"]);
});

Deno.test("a delivery of a person's and an agent's words is marked as mixed, an agent's needs no row", async () => {
  const { current, written, send, write } = desk();
  send("mine");
  current.bus.send(agent("theirs", EVERYONE));
  await turnInbox(current.bus.openEntry("assistant"), current, () => {}).deliver(write);
  assert.deepEqual(written.map(({ data, rows }) => [data.from, data.mixed, rows]), [[PERSON, true, 1], [
    "coder#1",
    true,
    0,
  ]]);
});

Deno.test("a worker that began later is told that a message predates it", async () => {
  const { current, written, write } = desk();
  current.bus.send(agent("early", "tester"));
  const worker = turnInbox(current.bus.openWorker("tester"), current, () => {});
  await worker.deliver(write);
  assert.deepEqual(written[0]?.data, { text: "early", from: "coder#1", to: "tester", predates: true });
});

Deno.test("an agent's message that nobody took is kept in 2,000 characters and says how much is missing", () => {
  const { data } = unheard(agent("x".repeat(MAX_UNDELIVERED + 5), "nobody"), "T");
  assert.equal(data.text, `${"x".repeat(MAX_UNDELIVERED)} … (5 more characters)`);
  assert.equal(unheard(agent("short", "nobody"), "T").data.text, "short");
});
