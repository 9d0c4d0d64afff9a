import assert from "node:assert/strict";
import { BadRequest, ConversationNotFound, pathTo, TitleMoved, UNTITLED } from "../../../core/conversation/mod.ts";
import { type ModelEvent, scriptedModel } from "../../../core/model/mod.ts";
import type { Turn } from "../../../core/log/mod.ts";
import { handModel } from "../agent/run_fixture.ts";
import { openTurns, type TurnFixture } from "../turn/turn_fixture.ts";

const open = (): Promise<TurnFixture> => openTurns({ model: scriptedModel(() => ({ text: "ok" })) });

Deno.test("create() makes an unnamed conversation of the entry agent", async () => {
  await using fixture = await open();
  const made = await fixture.book.create();
  assert.deepEqual([made.title, made.agent, made.turns, made.head, made.running], [
    UNTITLED,
    "assistant",
    0,
    null,
    false,
  ]);
  assert.deepEqual(fixture.heard.at(-1), { op: "conversation", conversation: made });
});

Deno.test("create() refuses an agent no table declares and a model string that is none", async () => {
  await using fixture = await open();
  await assert.rejects(
    fixture.book.create({ agent: "nobody" }),
    (error) => error instanceof BadRequest && error.path === "agent",
  );
  await assert.rejects(
    fixture.book.create({ model: "nonsense" }),
    (error) => error instanceof BadRequest && error.path === "model",
  );
});

Deno.test("list() is newest first, in pages that neither repeat nor skip", async () => {
  await using fixture = await open();
  const ids: string[] = [];
  for (let n = 0; n < 7; n++) ids.push((await fixture.book.create({ title: `C${n}` })).id);
  // Conversations that changed in the same millisecond must not fall between two pages.
  await fixture.storage.database.write([{ sql: "update conversations set updated_at = '2026-01-01T00:00:00.000Z'" }]);
  await fixture.book.update(ids[3]!, { title: "newest" });
  await fixture.storage.database.write([{
    sql: "update conversations set updated_at = '2026-02-01T00:00:00.000Z' where id = ?",
    args: [ids[3]!],
  }]);
  const seen: string[] = [];
  let before: string | undefined;
  do {
    const page = await fixture.book.list({ limit: 2, before });
    seen.push(...page.items.map((item) => item.id));
    before = page.next ?? undefined;
  } while (before);
  assert.equal(seen[0], ids[3]);
  assert.deepEqual([...seen].sort(), [...ids].sort());
});

Deno.test("list() reads no entries", async () => {
  await using fixture = await open();
  const { id } = await fixture.book.create();
  await fixture.storage.database.write([{ sql: "alter table entries rename to entries_away" }]);
  assert.equal((await fixture.book.list()).items[0]?.id, id);
  await fixture.storage.database.write([{ sql: "alter table entries_away rename to entries" }]);
});

Deno.test("update() renames, clamps, pins, and refuses an empty title", async () => {
  await using fixture = await open();
  const { id } = await fixture.book.create();
  const changed = await fixture.book.update(id, { title: `  ${"é".repeat(60)} `, pinned: true });
  assert.deepEqual([[...changed.title].length, changed.pinned], [40, true]);
  await assert.rejects(fixture.book.update(id, { title: " \u0007\n " }), BadRequest);
  await assert.rejects(fixture.book.update("nowhere", { pinned: true }), ConversationNotFound);
});

Deno.test("update() refuses a rename of a title that has moved on", async () => {
  await using fixture = await open();
  const { id } = await fixture.book.create({ title: "old" });
  await fixture.book.update(id, { title: "new", expected_title: "old" });
  await assert.rejects(
    fixture.book.update(id, { title: "mine", expected_title: "old" }),
    (error) => error instanceof TitleMoved && error.title === "new",
  );
  assert.equal((await fixture.book.get(id)).title, "new");
});

Deno.test("delete() hides, restore() brings everything back", async () => {
  await using fixture = await open();
  const { id } = await fixture.book.create({ title: "kept" });
  const receipt = await fixture.turns.submit(id, { text: "hi" });
  await fixture.ended(receipt.fate === "turn" ? receipt.turn : "");
  await fixture.book.delete(id);
  assert.deepEqual((await fixture.book.list()).items, []);
  await assert.rejects(fixture.book.get(id), ConversationNotFound);
  await assert.rejects(fixture.turns.submit(id, { text: "hi" }), ConversationNotFound);
  assert.equal((await fixture.book.restore(id)).title, "kept");
  assert.equal((await fixture.of(id, "text")).length, 1);
  await assert.rejects(fixture.book.restore("nowhere"), ConversationNotFound);
});

Deno.test("delete() does not wait for another conversation", async () => {
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const model = handModel(async function* (n, signal): AsyncGenerator<ModelEvent> {
    yield { type: "request", url: "", body: "{}" };
    begun[n]?.resolve();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    await Promise.race([over, aborted]);
    yield { type: "text", text: "At last" };
    yield { type: "stop", reason: "end", provider_reason: "stop" };
  });
  await using fixture = await openTurns({ model });
  const [gone, idle, other] = [await fixture.book.create(), await fixture.book.create(), await fixture.book.create()];
  await fixture.turns.submit(gone.id, { text: "hi" });
  await begun[0]!.promise;
  const receipt = await fixture.turns.submit(other.id, { text: "hi" });
  await begun[1]!.promise;
  await fixture.book.delete(gone.id);
  await fixture.book.delete(idle.id);
  assert.deepEqual(fixture.turns.running(), [other.id]);
  end();
  assert.equal((await fixture.ended(receipt.fate === "turn" ? receipt.turn : "")).status, "done");
  assert.deepEqual((await fixture.book.list()).items.map(({ id }) => id), [other.id]);
});

Deno.test("retitle() writes over the title it was made to replace, and nothing else", async () => {
  await using fixture = await open();
  const { book } = fixture;
  const { id } = await book.create();
  const seen = await book.stored(id);
  assert.equal(await book.retitle(seen, `${"long ".repeat(20)}`), true);
  const kept = await book.stored(id);
  assert.deepEqual([kept.title, kept.title_kind, kept.updated_at], [
    "long ".repeat(8).trim(),
    "generated",
    seen.updated_at,
  ]);
  assert.equal(await book.retitle(seen, "Too late"), false);
  // The same words by hand are another title.
  await book.update(id, { title: kept.title });
  assert.equal(await book.retitle(kept, "Too late"), false);
  const named = await book.stored(id);
  await book.delete(id);
  assert.equal(await book.retitle(named, "Too late"), false);
  assert.equal((await book.restore(id)).title, kept.title);
  assert.equal(await book.retitle({ ...named, id: "nowhere" }, "Too late"), false);
});

Deno.test("a name given while the first turn is being written stays", async () => {
  await using fixture = await open();
  const { book } = fixture;
  const { id } = await book.create();
  const stored = book.stored.bind(book);
  let reads = 0;
  book.stored = async (each) => {
    const before = await stored(each);
    // Once for the message, once for the turn: between the second and the write it is renamed.
    if (++reads === 2) await book.update(id, { title: "Mine" });
    return before;
  };
  const receipt = await fixture.turns.submit(id, { text: "The first words" });
  await fixture.ended(receipt.fate === "turn" ? receipt.turn : "");
  assert.ok(reads >= 2);
  assert.equal((await stored(id)).title, "Mine");
});

Deno.test("purge() removes for good what was deleted more than ten minutes ago", async () => {
  await using fixture = await open();
  const { id } = await fixture.book.create();
  await fixture.book.delete(id);
  const long = new Date(Date.now() - 11 * 60_000).toISOString();
  await fixture.storage.database.write([{ sql: "update conversations set deleted_at = ?", args: [long] }]);
  await fixture.book.purge();
  await assert.rejects(fixture.book.restore(id), ConversationNotFound);
});

Deno.test("a conversation is unread once something new is in it, until it is read", async () => {
  await using fixture = await open();
  const { id } = await fixture.book.create();
  const receipt = await fixture.turns.submit(id, { text: "hi" });
  await fixture.ended(receipt.fate === "turn" ? receipt.turn : "");
  await fixture.turns.close();
  assert.equal((await fixture.book.get(id)).unread, true);
  await fixture.book.markRead(id);
  assert.equal((await fixture.book.get(id)).unread, false);
});

Deno.test("resolve() accepts an id or a unique prefix of six characters, and nothing less", async () => {
  await using fixture = await open();
  const { id } = await fixture.book.create();
  assert.equal(await fixture.book.resolve(id), id);
  assert.equal(await fixture.book.resolve(`"${id.slice(0, 20)}"`), id);
  assert.equal(await fixture.book.resolve(id.slice(0, 5)), null);
  assert.equal(await fixture.book.resolve("ZZZZZZZZ"), null);
  await fixture.book.create();
  assert.equal(await fixture.book.resolve(id.slice(0, 6)), null);
});

Deno.test("pathTo() walks to the root and lists the versions of each turn", () => {
  const turn = (id: string, parent: string | null) => ({ id, parent }) as Turn;
  const turns = [turn("a", null), turn("b", "a"), turn("c", "a"), turn("d", "c")];
  const path = pathTo(turns, "d");
  assert.deepEqual(path.map(({ id, siblings }) => [id, siblings]), [["a", ["a"]], ["c", ["b", "c"]], ["d", ["d"]]]);
  assert.deepEqual(pathTo(turns, "gone"), []);
});
