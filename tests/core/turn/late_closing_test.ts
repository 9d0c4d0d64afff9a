import assert from "node:assert/strict";
import { BadRequest } from "../../../core/conversation/mod.ts";
import type { ModelEvent } from "../../../core/model/mod.ts";
import { StorageFull } from "../../../core/storage/mod.ts";
import { LateClosing, UNSTORED_NOTICE } from "../../../core/turn/late_closing.ts";
import { handModel } from "../agent/run_fixture.ts";
import { INTERRUPTED_NOTICE } from "../../../core/turn/mod.ts";
import { openTurns, type TurnFixture } from "./turn_fixture.ts";

/** Fills the disk, as far as the database can tell; the function it gives back frees it. */
function fillDisk({ storage }: TurnFixture): () => void {
  const { database } = storage;
  const write = database.write;
  database.write = () => Promise.reject(new StorageFull("/full"));
  return () => void (database.write = write);
}

/** A model whose first answer is cut in two by whatever the test does. */
function halvedModel() {
  const [half, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const model = handModel(async function* (n): AsyncGenerator<ModelEvent> {
    yield { type: "text", text: "first half" };
    if (n === 0) {
      half.resolve();
      await go.promise;
      yield { type: "text", text: ", second half" };
    }
    yield { type: "stop", reason: "end", provider_reason: "stop" };
  });
  return { model, half: half.promise, go: go.resolve };
}

/** A turn that ended while the disk was full, which is free again. */
async function endedUnstored(fixture: TurnFixture, { half, go }: ReturnType<typeof halvedModel>) {
  const { id } = await fixture.book.create();
  const receipt = await fixture.turns.submit(id, { text: "hi" });
  assert.ok(receipt.fate === "turn");
  await half;
  // Its first half is on disk.
  while ((await fixture.of(id, "text"))[0] === undefined) await fixture.storage.database.read("select 1");
  const free = fillDisk(fixture);
  go();
  const told = await fixture.ended(receipt.turn);
  assert.equal(told.status, "failed");
  while (fixture.turns.isRunning(id)) await fixture.storage.database.read("select 1");
  const [row] = await fixture.storage.database.read("select status from turns");
  assert.equal(row?.status, "running");
  return { id, turn: receipt.turn, free };
}

async function assertWhole(fixture: TurnFixture, id: string, turn: string): Promise<void> {
  const { storage } = fixture;
  const [row] = await storage.database.read("select status, failure from turns where id = ?", [turn]);
  assert.equal(row?.status, "failed");
  assert.match(String(row?.failure), /no space left/i);
  const rows = await storage.database.read("select seq, state from entries where conversation = ? order by seq", [id]);
  assert.deepEqual(rows.map(({ seq, state }) => [seq, state]), rows.map((_, at) => [at + 1, "done"]));
  const notices = (await fixture.of(id, "notice")).filter((entry) => entry.turn === turn);
  assert.equal(notices.length, 1);
}

Deno.test("a turn that ended on a full disk is closed before the next message, and the conversation goes on", async () => {
  const halved = halvedModel();
  await using fixture = await openTurns({ model: halved.model });
  const { id, turn, free } = await endedUnstored(fixture, halved);
  await assert.rejects(fixture.turns.submit(id, { text: "still full" }), StorageFull);
  free();
  const next = await fixture.turns.submit(id, { text: "and now" });
  assert.ok(next.fate === "turn");
  assert.equal((await fixture.ended(next.turn)).status, "done");
  await assertWhole(fixture, id, turn);
  const closed = fixture.heard.findLast((operation) => operation.op === "turn" && operation.turn.id === turn);
  assert.equal(closed?.op === "turn" && closed.turn.status, "failed");
});

Deno.test("a turn that ended on a full disk can be continued once there is space", async () => {
  const halved = halvedModel();
  await using fixture = await openTurns({ model: halved.model });
  const { id, turn, free } = await endedUnstored(fixture, halved);
  await assert.rejects(fixture.turns.resume(id), StorageFull);
  free();
  const next = await fixture.turns.resume(id);
  assert.equal((await fixture.ended(next.id)).status, "done");
  await assertWhole(fixture, id, turn);
  await assert.rejects(fixture.turns.resume(id), BadRequest);
});

Deno.test("what is left is closed by itself when the store takes writes again, and watchers are told", async () => {
  const halved = halvedModel();
  await using fixture = await openTurns({ model: halved.model });
  const { id, turn, free } = await endedUnstored(fixture, halved);
  const [stored] = await fixture.log.turns(id);
  const { database } = fixture.storage;
  const told = Promise.withResolvers<void>();
  const feed = fixture.feed;
  feed.subscribe((operation) => operation.op === "entries" && told.resolve());
  const late = new LateClosing({ database, log: fixture.log, feed, now: () => new Date(), tryAgainMs: 5 });
  late.add({ ...stored!, status: "failed", failure: "There is no space left" }, null);
  let refused = 0;
  const full = database.write;
  database.write = (...args) => (refused++, full(...args));
  // It is tried more than once while the disk is full.
  while (refused < 2) await new Promise((done) => setTimeout(done, 1));
  free();
  await told.promise;
  await assertWhole(fixture, id, turn);
  assert.equal((await fixture.of(id, "notice"))[0]?.data.text, UNSTORED_NOTICE);
  late.close();
});

Deno.test("a turn that was deleted meanwhile is let go", async () => {
  const halved = halvedModel();
  await using fixture = await openTurns({ model: halved.model });
  const { id, free } = await endedUnstored(fixture, halved);
  free();
  await fixture.storage.database.write([{ sql: "delete from conversations where id = ?", args: [id] }]);
  const { database } = fixture.storage;
  const late = new LateClosing({ database, log: fixture.log, feed: fixture.feed, now: () => new Date() });
  const gone = { id: "T", conversation: id } as Parameters<LateClosing["add"]>[0];
  late.add(gone, null);
  await late.settle(id);
  await late.settle(id);
  late.close();
});

Deno.test("a start on a full disk opens for reading, and what a crash left running is closed once there is space", async () => {
  const halved = halvedModel();
  await using fixture = await openTurns({ model: halved.model });
  const { id } = await fixture.book.create();
  const receipt = await fixture.turns.submit(id, { text: "hi" });
  assert.ok(receipt.fate === "turn");
  halved.go();
  await fixture.ended(receipt.turn);
  // As a crash leaves it.
  await fixture.storage.database.write([
    { sql: "update turns set status = 'running', ended_at = null where id = ?", args: [receipt.turn] },
  ]);
  const free = fillDisk(fixture);
  await fixture.turns.recover();
  assert.equal((await fixture.of(id, "text")).length, 1, "what is stored is read");
  await assert.rejects(fixture.turns.submit(id, { text: "still full" }), StorageFull);
  free();
  const next = await fixture.turns.submit(id, { text: "and now" });
  assert.ok(next.fate === "turn");
  assert.equal((await fixture.ended(next.turn)).status, "done");
  const rows = await fixture.storage.database.read("select status from turns order by id");
  assert.deepEqual(rows.map(({ status }) => status), ["interrupted", "done"]);
  const notices = (await fixture.of(id, "notice")).filter(({ turn }) => turn === receipt.turn);
  assert.deepEqual(notices.map(({ data }) => data.text), [INTERRUPTED_NOTICE]);
});
