import assert from "node:assert/strict";
import { signal } from "@preact/signals";
import fc from "fast-check";
import { Api, ApiError } from "../../../components/state/api.ts";
import { Outbox, type Outgoing } from "../../../components/state/outbox.ts";
import { mergeWaiting, Queue, type QueueSources, type Waiting } from "../../../components/state/queue.ts";
import { Store } from "../../../components/state/store.ts";
import type { PendingMessage } from "../../../core/log/entry.ts";

const AT = "2026-11-30T09:00:00Z";

const outgoing = (token: string, state: Outgoing["state"] = "waiting", more: Partial<Outgoing> = {}): Outgoing => ({
  token,
  conversation: "c1",
  text: `text of ${token}`,
  at: AT,
  place: 1,
  state,
  ...more,
});

const accepted = (token: string | null, joins: string | null, more: Partial<PendingMessage> = {}): PendingMessage => ({
  id: `id-${token}`,
  text: `text of ${token}`,
  images: [],
  files: [],
  token,
  thinking: null,
  joins,
  at: AT,
  ...more,
});

const sources = (more: Partial<QueueSources>): QueueSources => ({
  outgoing: [],
  accepted: [],
  shown: new Set(),
  running: true,
  offline: false,
  going: null,
  ...more,
});

const places = (items: readonly Waiting[]) => items.map(({ key, where }) => `${key}: ${where}`);

Deno.test("mergeWaiting() says of each message where it is", () => {
  const items = mergeWaiting(sources({
    accepted: [accepted("line", null), accepted("joined", "turn-1")],
    outgoing: [outgoing("no", "refused"), outgoing("now"), outgoing("later"), outgoing("gone", "sent")],
    going: "now",
  }));
  assert.deepEqual(places(items), [
    "joined: step",
    "line: turn",
    "no: refused",
    "now: going",
    "later: unsent",
    "gone: going",
  ]);
});

Deno.test("what waits for a connection is held", () => {
  const items = mergeWaiting(sources({ outgoing: [outgoing("a")], offline: true }));
  assert.deepEqual(places(items), ["a: held"]);
});

Deno.test("a message that both the browser and the server hold stands once, as the server has it", () => {
  const items = mergeWaiting(sources({
    outgoing: [outgoing("a", "sent")],
    accepted: [accepted("a", "turn-1", { text: "edited elsewhere" })],
  }));
  assert.deepEqual(places(items), ["a: step"]);
  assert.equal(items[0]!.text, "edited elsewhere");
});

Deno.test("what the transcript shows does not stand above the field too", () => {
  assert.deepEqual(mergeWaiting(sources({ accepted: [accepted("a", "turn-1")], shown: new Set(["a"]) })), []);
});

Deno.test("while no turn runs the browser's own are drawn by the transcript, the others here", () => {
  const items = mergeWaiting(sources({
    running: false,
    outgoing: [outgoing("mine", "sent"), outgoing("unsent")],
    accepted: [accepted("mine", null), accepted("theirs", "turn-over"), accepted(null, null)],
  }));
  assert.deepEqual(places(items), ["theirs: turn", "id-null: turn"]);
});

Deno.test("whatever is held where, every message stands in exactly one place", () => {
  const token = fc.constantFrom("a", "b", "c", "d", "e");
  const tokens = fc.uniqueArray(token);
  fc.assert(fc.property(tokens, tokens, tokens, fc.boolean(), (own, theirs, shown, running) => {
    const items = mergeWaiting(sources({
      outgoing: own.filter((each) => !shown.includes(each)).map((each) => outgoing(each, "sent")),
      accepted: theirs.map((each) => accepted(each, null)),
      shown: new Set(shown),
      running,
    }));
    const above = items.map(({ key }) => key);
    const below = running ? [] : own.filter((each) => !shown.includes(each));
    for (const each of new Set([...own, ...theirs])) {
      const count = [...above, ...below, ...shown].filter((place) => place === each).length;
      assert.equal(count, 1, each);
    }
  }));
});

/** A queue over a server that a test plays. */
function stage(answer: (method: string, path: string) => Response) {
  const asked: string[] = [];
  const givenBack: string[] = [];
  const problems: string[] = [];
  let flushed = 0;
  const api = new Api("", (input, init) => {
    const path = `${init?.method} ${input} ${init?.body ?? ""}`.trim();
    asked.push(path);
    return Promise.resolve(answer(init?.method ?? "GET", String(input)));
  });
  let count = 0;
  const outbox = new Outbox({
    api,
    store: new Store("", null),
    token: () => `t${++count}`,
    now: () => new Date(AT),
    exclusive: (work) => work(),
    onBegun: () => {},
    onReceipt: () => {},
  });
  const queue = new Queue({
    api,
    outbox,
    sources: signal(sources({})),
    conversation: () => "c1",
    attempt: async (work) => {
      try {
        return await work();
      } catch (error) {
        problems.push((error as ApiError).message);
      }
    },
    flush: () => void flushed++,
    giveBack: ({ text }) => void givenBack.push(text),
  });
  return { queue, outbox, asked, givenBack, problems, flushes: () => flushed };
}

const nobody = () => Response.json({ title: "Gone", status: 404, detail: "It was read" }, { status: 404 });
const ofServer: Waiting = {
  key: "a",
  text: "as it was",
  images: [],
  files: [],
  where: "step",
  accepted: accepted("a", "turn-1", { id: "m1" }),
};
const ofBrowser = (token: string): Waiting => ({
  key: token,
  text: "kept here",
  images: [],
  files: [],
  where: "unsent",
  outgoing: outgoing(token),
});

Deno.test("edit() changes a message where it waits on the server", async () => {
  const { queue, asked } = stage(() => Response.json({}));
  await queue.edit(ofServer, "  better  ");
  assert.deepEqual(asked, ['PATCH /api/conversations/c1/pending/m1 {"text":"better"}']);
  await queue.edit(ofServer, "as it was");
  await queue.edit(ofServer, "  ");
  assert.equal(asked.length, 1, "nothing to change");
});

Deno.test("edit() of a message that was read meanwhile says so, and the new words go into the composer", async () => {
  const { queue, givenBack, problems } = stage(nobody);
  await queue.edit(ofServer, "better");
  assert.equal(queue.read.value?.key, "a");
  assert.deepEqual(givenBack, ["better"]);
  assert.deepEqual(problems, []);
});

Deno.test("edit() of a message that has not gone out changes it here, and sends it", async () => {
  const { queue, outbox, flushes } = stage(nobody);
  const { token } = outbox.add("c1", { text: "kept here" });
  await queue.edit(ofBrowser(token), "better");
  assert.equal(outbox.items.value[0]!.text, "better");
  assert.equal(flushes(), 1);
});

Deno.test("edit() of a message that went out meanwhile keeps the new words", async () => {
  const { queue, outbox, givenBack } = stage(() => Response.json({ fate: "joined", turn: "t" }, { status: 202 }));
  const { token } = outbox.add("c1", { text: "kept here" });
  await outbox.flush();
  await queue.edit(ofBrowser(token), "better");
  assert.deepEqual(givenBack, ["better"]);
  assert.equal(queue.read.value?.key, token);
});

Deno.test("takeBack() takes it from the server, then puts it into the composer", async () => {
  const { queue, asked, givenBack } = stage(() => new Response(null, { status: 204 }));
  await queue.takeBack(ofServer);
  assert.deepEqual(asked, ["DELETE /api/conversations/c1/pending/m1"]);
  assert.deepEqual(givenBack, ["as it was"]);
});

Deno.test("takeBack() of a message that was read does not put it into the composer too", async () => {
  const { queue, givenBack } = stage(nobody);
  await queue.takeBack(ofServer);
  assert.deepEqual(givenBack, []);
  assert.equal(queue.read.value?.key, "a");
});

Deno.test("takeBack() while nothing answers leaves it where it is, and says why", async () => {
  const { queue, givenBack, problems } = stage(() => {
    throw new TypeError("failed");
  });
  await queue.takeBack(ofServer).catch(() => {});
  assert.deepEqual(givenBack, []);
  assert.equal(queue.read.value, null);
  assert.equal(problems.length, 1);
});

Deno.test("takeBack() of what only this browser has takes it out of the outbox", async () => {
  const { queue, outbox, asked, givenBack } = stage(nobody);
  const { token } = outbox.add("c1", { text: "kept here" });
  await queue.takeBack(ofBrowser(token));
  assert.deepEqual(outbox.items.value, []);
  assert.deepEqual(givenBack, ["kept here"]);
  assert.deepEqual(asked, []);
});

Deno.test("sendNow() asks the server, or tries what is kept here", async () => {
  const { queue, outbox, asked, flushes } = stage(() => Response.json({ fate: "joined", turn: "t" }));
  await queue.sendNow(ofServer);
  assert.deepEqual(asked, ["POST /api/conversations/c1/pending/m1/send {}"]);
  const { token } = outbox.add("c1", { text: "kept here" });
  await queue.sendNow(ofBrowser(token));
  assert.equal(flushes(), 1);
});

Deno.test("a refusal other than 404 is said, and nothing is taken to be read", async () => {
  const { queue, problems } = stage(() =>
    Response.json({ title: "No", status: 409, detail: "Not so" }, { status: 409 })
  );
  await queue.sendNow(ofServer);
  assert.deepEqual(problems, ["Not so"]);
  assert.equal(queue.read.value, null);
});
