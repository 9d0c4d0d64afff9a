import assert from "node:assert/strict";
import { ConversationNotFound, TurnInFlight, TurnNotFound, UNTITLED } from "../../../core/conversation/mod.ts";
import { openTree, type TreeFixture } from "./tree_fixture.ts";

/** A root with two versions of the second turn: `A`, then `B` (with `D` below it) beside `C`. `C` is in view. */
async function forked({ book, exchange }: TreeFixture) {
  const { id } = await book.create();
  const a = await exchange(id, null, "demo:a");
  const b = await exchange(id, a, "demo:b");
  const d = await exchange(id, b, "demo:d");
  const c = await exchange(id, a, "demo:c");
  return { id, a, b, c, d };
}

const blob = async ({ storage }: TreeFixture, conversation: string, text: string): Promise<string> =>
  `/payloads/${await storage.blobs.put(new TextEncoder().encode(text), "text/plain", conversation)}`;

const held = async ({ storage }: TreeFixture, conversation: string): Promise<string[]> =>
  (await storage.database.read("select hash from blob_holders where conversation = ?", [conversation]))
    .map(({ hash }) => `/payloads/${hash}`).sort();

const round = (request_ref: string) =>
  ({ kind: "plain", model: "demo:a", request_ref, request_bytes: 1, ms: 1, stop_reason: "end" }) as const;

Deno.test("setHead() goes down to the newest leaf below the turn it is given, and leaves updated_at alone", async () => {
  await using fixture = await openTree();
  const { book, heard } = fixture;
  const { id, a, b, c, d } = await forked(fixture);
  const before = await book.get(id);
  heard.length = 0;
  const detail = await book.setHead(id, b);
  assert.equal(detail.head, d);
  assert.deepEqual(detail.path.map((turn) => turn.id), [a, b, d]);
  assert.deepEqual(detail.path[1]?.siblings, [b, c]);
  assert.equal(detail.updated_at, before.updated_at);
  assert.deepEqual(heard.map(({ op }) => op), ["head", "conversation"]);
  assert.equal((await book.setHead(id, a)).head, c, "the newest child, not the one that was in view");
});

Deno.test("setHead() announces the head also when it stays, since versions may have come", async () => {
  await using fixture = await openTree();
  const { id, c } = await forked(fixture);
  fixture.heard.length = 0;
  await fixture.book.setHead(id, c);
  assert.deepEqual(fixture.heard[0], { op: "head", conversation: id, head: c });
});

Deno.test("setHead() refuses a turn of another conversation, and changes nothing", async () => {
  await using fixture = await openTree();
  const one = await forked(fixture);
  const other = await forked(fixture);
  await assert.rejects(fixture.book.setHead(one.id, other.a), TurnNotFound);
  await assert.rejects(fixture.book.setHead(one.id, "nothing"), TurnNotFound);
  await assert.rejects(fixture.book.setHead("nothing", one.a), ConversationNotFound);
  assert.equal((await fixture.book.get(one.id)).head, one.c);
});

Deno.test("setHead() works while a turn runs elsewhere in the tree", async () => {
  await using fixture = await openTree();
  const { id, b, c, d } = await forked(fixture);
  const running = await fixture.begin(id, c, "demo:e");
  assert.equal((await fixture.book.setHead(id, b)).head, d);
  assert.equal((await fixture.book.setHead(id, c)).head, running);
});

Deno.test("truncate() takes a turn with all below it, and shows the newest of what stands beside it", async () => {
  await using fixture = await openTree();
  const { book, log, heard } = fixture;
  const { id, a, b, c, d } = await forked(fixture);
  await book.setHead(id, b);
  const before = await book.get(id);
  heard.length = 0;
  const detail = await book.truncate(id, b);
  assert.equal(detail.head, c);
  assert.deepEqual(detail.path.map((turn) => [turn.id, turn.siblings]), [[a, [a]], [c, [c]]]);
  assert.equal(detail.turns, 2);
  assert.deepEqual([detail.updated_at, detail.title], [before.updated_at, before.title]);
  assert.deepEqual((await log.turns(id)).map((turn) => turn.id), [a, c]);
  const texts = (await log.entries(id, { all: true })).items.map(({ data }) => (data as { text: string }).text);
  assert.deepEqual(texts, ["ask demo:a", "answer demo:a", "ask demo:c", "answer demo:c"]);
  assert.deepEqual(heard.map(({ op }) => op), ["head", "conversation"]);
  await assert.rejects(book.truncate(id, d), TurnNotFound);
});

Deno.test("truncate() leaves the head where it is when another branch goes", async () => {
  await using fixture = await openTree();
  const { id, b, c } = await forked(fixture);
  assert.equal((await fixture.book.truncate(id, b)).head, c);
});

Deno.test("truncate() goes back to the turn before when nothing stands beside it", async () => {
  await using fixture = await openTree();
  const { id, b, d } = await forked(fixture);
  await fixture.book.setHead(id, b);
  assert.equal((await fixture.book.truncate(id, d)).head, b);
});

Deno.test("truncate() of the first turn leaves an empty conversation without a title", async () => {
  await using fixture = await openTree();
  const { book, exchange } = fixture;
  const { id } = await book.create({ title: "Mine" });
  const turn = await exchange(id, null, "demo:a");
  const detail = await book.truncate(id, turn);
  assert.deepEqual([detail.title, detail.head, detail.turns, detail.path], [UNTITLED, null, 0, []]);
  assert.equal((await book.stored(id)).title_kind, "placeholder");
});

Deno.test("truncate() takes the words out of the index", async () => {
  await using fixture = await openTree();
  const { id, b } = await forked(fixture);
  const found = async (word: string) =>
    (await fixture.storage.database.read("select rowid from entry_search where entry_search match ?", [`"${word}"`]))
      .length;
  assert.equal(await found("demo:d"), 2);
  await fixture.book.truncate(id, b);
  assert.deepEqual([await found("demo:d"), await found("demo:b"), await found("demo:c")], [0, 0, 2]);
});

Deno.test("truncate() lets go of the files that only its entries named", async () => {
  await using fixture = await openTree();
  const { book, say } = fixture;
  const { id, b, c } = await forked(fixture);
  const [only, shared, other] = [
    await blob(fixture, id, "only"),
    await blob(fixture, id, "shared"),
    await blob(fixture, id, "other"),
  ];
  const unnamed = await blob(fixture, id, "on its way into a message");
  await say(id, b, "round", round(only));
  await say(id, b, "round", round(shared));
  await say(id, c, "round", round(shared));
  await say(id, null, "round", round(other));
  await book.truncate(id, b);
  assert.deepEqual(await held(fixture, id), [shared, other, unnamed].sort());
  assert.equal(await fixture.storage.blobs.sweep(), 1);
});

Deno.test("truncate() is refused while a turn runs, on disk or in the runner, and takes nothing", async () => {
  await using fixture = await openTree();
  const { book, begin, end, busy, lines } = fixture;
  const { id, b, c } = await forked(fixture);
  const running = await begin(id, c, "demo:e");
  const before = await lines(id);
  await assert.rejects(book.truncate(id, b), TurnInFlight);
  await end(running);
  busy.add(id);
  await assert.rejects(book.truncate(id, b), TurnInFlight);
  busy.delete(id);
  assert.equal((await lines(id)).length, before.length);
  await book.truncate(id, b);
});

Deno.test("truncating while a turn waits: it is refused, and nothing is lost", async () => {
  await using fixture = await openTree();
  const { id, b } = await forked(fixture);
  await fixture.storage.database.write([{
    sql: `insert into pending (id, conversation, text, images, origin, sender, at)
          values ('waits', ?, 'later', '[]', 'person', 'person', '2026-11-30T09:00:00.000Z')`,
    args: [id],
  }]);
  await assert.rejects(fixture.book.truncate(id, b), TurnInFlight);
  assert.equal((await fixture.log.turns(id)).length, 4);
});

Deno.test("truncating while a turn begins: a turn that asks for the head meanwhile is told of the new one", async () => {
  await using fixture = await openTree();
  const { book } = fixture;
  const { id, b } = await forked(fixture);
  await book.setHead(id, b);
  const removal = book.truncate(id, b);
  await Promise.resolve();
  const seen: (string | null)[] = [];
  const ask = async () => seen.push((await book.stored(id)).head);
  // As the runner asks for it: whenever it is while the turn goes away.
  const asked: Promise<unknown>[] = [];
  for (let tick = 0; tick < 50; tick++) {
    asked.push(ask());
    await Promise.resolve();
  }
  const { head } = await removal;
  await Promise.all(asked);
  await ask();
  assert.equal(seen.at(-1), head);
  const known = new Set((await fixture.log.turns(id)).map((turn) => turn.id));
  // Those that asked before it was decided saw what stood then; nobody who asked after it did.
  const first = seen.findIndex((each) => known.has(each ?? ""));
  assert.ok(seen.slice(first).every((each) => known.has(each ?? "")), "the old head was seen after the new one");
});

Deno.test("truncate() twice at once takes the turn once, and the other is told that it is gone", async () => {
  await using fixture = await openTree();
  const { id, b } = await forked(fixture);
  const results = await Promise.allSettled([fixture.book.truncate(id, b), fixture.book.truncate(id, b)]);
  assert.deepEqual(results.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  const refused = results.find((each): each is PromiseRejectedResult => each.status === "rejected");
  assert.ok(refused?.reason instanceof TurnNotFound);
});

Deno.test("numbers go on behind what was taken away, also after a restart of the log", async () => {
  await using fixture = await openTree();
  const { book, exchange, log } = fixture;
  const { id, c } = await forked(fixture);
  const { last_seq } = await book.stored(id);
  await book.truncate(id, c);
  log.release(id);
  await exchange(id, (await book.get(id)).head, "demo:next");
  const { items } = await log.entries(id, { all: true });
  assert.equal(items.at(-2)?.seq, last_seq + 1);
});
