import assert from "node:assert/strict";
import { BadRequest, ConversationNotFound, TurnNotFound } from "../../../core/conversation/mod.ts";
import type { ModelClient } from "../../../core/model/mod.ts";
import type { MessageReceipt } from "../../../core/turn/mod.ts";
import { end, gate, say, stage } from "./staged_model.ts";
import { openTurns, type TurnFixture } from "./turn_fixture.ts";

const turnOf = (receipt: MessageReceipt): string => receipt.fate === "command" ? "" : receipt.turn;
const PICTURE = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

async function said(fixture: TurnFixture, id: string, turn: string) {
  const entries = await fixture.log.entriesOfTurns(id, [turn]);
  const [first] = entries.filter((entry) => entry.kind === "user");
  assert.ok(first?.kind === "user");
  return first.data;
}

async function done(fixture: TurnFixture, id: string, turn: string) {
  const ended = await fixture.ended(turn);
  while (fixture.turns.isRunning(id)) await fixture.storage.database.read("select 1");
  return ended;
}

Deno.test("regenerate() is a version of the turn beside it, with the same message and its pictures, also for the first", async () => {
  const scene = stage([]);
  await using fixture = await openTurns({ model: scene.model });
  const { id } = await fixture.book.create();
  const images = [{ name: "p.png", media_type: "image/png", data: PICTURE }];
  const first = turnOf(await fixture.turns.submit(id, { text: "look", images, token: "T", thinking: "low" }));
  await done(fixture, id, first);
  const second = turnOf(await fixture.turns.submit(id, { text: "more" }));
  await done(fixture, id, second);

  const { turn } = await fixture.turns.regenerate(id, first);
  const again = await done(fixture, id, turn);
  assert.deepEqual([again.parent, again.n, again.origin, again.token, again.thinking], [null, 1, "rerun", null, "low"]);
  const [before, after] = [await said(fixture, id, first), await said(fixture, id, turn)];
  assert.deepEqual([after.text, after.images, after.token], [before.text, before.images, undefined]);
  const { path, head, title } = await fixture.book.get(id);
  assert.equal(head, turn);
  assert.deepEqual(path.map(({ siblings }) => siblings), [[first, turn]]);
  assert.equal(title, "look");
  assert.deepEqual(scene.users(2), ["look"], "the model is not shown the other version");

  const { turn: other } = await fixture.turns.regenerate(id, second);
  const beside = await done(fixture, id, other);
  assert.deepEqual([beside.parent, beside.n], [first, 2]);
  assert.deepEqual(scene.users(3), ["look", "more"]);
});

Deno.test("regenerate() takes a model and thinking for that turn alone", async () => {
  const asked: string[] = [];
  const { model } = stage([]);
  const named = (name: string): ModelClient => (asked.push(name), model);
  await using fixture = await openTurns({ model: named });
  const { id } = await fixture.book.create();
  const first = turnOf(await fixture.turns.submit(id, { text: "hi" }));
  await done(fixture, id, first);
  const { turn } = await fixture.turns.regenerate(id, first, { model: "demo:tour", thinking: "high" });
  const again = await done(fixture, id, turn);
  assert.deepEqual([again.model, again.thinking], ["demo:tour", "high"]);
  await done(fixture, id, turnOf(await fixture.turns.submit(id, { text: "next" })));
  assert.deepEqual(asked, ["demo:script", "demo:tour", "demo:script"]);
  await assert.rejects(
    fixture.turns.regenerate(id, first, { model: "nonsense" }),
    (error) => error instanceof BadRequest && error.path === "model",
  );
  assert.equal((await fixture.book.get(id)).turns, 3);
});

Deno.test("edit() is another message in the same place, with the pictures of the first", async () => {
  const scene = stage([]);
  await using fixture = await openTurns({ model: scene.model });
  const { id } = await fixture.book.create();
  const images = [{ name: "p.png", media_type: "image/png", data: PICTURE }];
  const first = turnOf(await fixture.turns.submit(id, { text: "look", images, token: "T" }));
  await done(fixture, id, first);
  const { turn } = await fixture.turns.edit(id, first, "look again\0");
  const edited = await done(fixture, id, turn);
  assert.deepEqual([edited.parent, edited.n, edited.origin], [null, 1, "person"]);
  const data = await said(fixture, id, turn);
  assert.deepEqual([data.text, data.images], ["look again\ufffd", (await said(fixture, id, first)).images]);
  assert.equal((await said(fixture, id, first)).text, "look", "the first stays as it is");
  await done(fixture, id, (await fixture.turns.edit(id, first, " ")).turn);
});

Deno.test("edit() refuses a blank text without pictures and a message that no person wrote", async () => {
  const scene = stage([[gate("here")]]);
  await using fixture = await openTurns({ model: scene.model });
  const { id } = await fixture.book.create();
  const first = turnOf(await fixture.turns.submit(id, { text: "hi" }));
  await scene.at("here");
  await fixture.turns.stop(id);
  while (fixture.turns.isRunning(id)) await fixture.storage.database.read("select 1");
  await assert.rejects(fixture.turns.edit(id, first, " \n"), BadRequest);
  const goesOn = await fixture.turns.resume(id);
  await done(fixture, id, goesOn.id);
  await assert.rejects(fixture.turns.edit(id, goesOn.id, "mine"), /No person wrote/);
  const { turn } = await fixture.turns.regenerate(id, goesOn.id);
  const again = await done(fixture, id, turn);
  assert.deepEqual([again.parent, again.status], [first, "done"]);
  assert.equal((await said(fixture, id, turn)).injected, "continuation");
});

Deno.test("both wait in line while a turn runs, and say the turn they will be", async () => {
  const scene = stage([[gate("here"), say("one"), end]]);
  await using fixture = await openTurns({ model: scene.model });
  const { id } = await fixture.book.create();
  const first = turnOf(await fixture.turns.submit(id, { text: "hi" }));
  await scene.at("here");
  const { turn: rerun } = await fixture.turns.regenerate(id, first);
  const { turn: edited } = await fixture.turns.edit(id, first, "ho");
  assert.deepEqual((await fixture.turns.pending(id)).map(({ id }) => id), [rerun, edited]);
  scene.open("here");
  for (const turn of [rerun, edited]) assert.equal((await done(fixture, id, turn)).parent, null);
  assert.deepEqual((await fixture.book.get(id)).path[0]?.siblings, [first, rerun, edited]);
});

Deno.test("a first message that is answered anew after a restart is still a first one", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "malama-reruns-" });
  const scene = stage([[say("one"), end], [gate("here")]]);
  let id = "";
  let rerun = "";
  {
    await using fixture = await openTurns({ model: scene.model, dataDir, keep: true });
    id = (await fixture.book.create()).id;
    const first = turnOf(await fixture.turns.submit(id, { text: "hi" }));
    await done(fixture, id, first);
    await fixture.turns.submit(id, { text: "more" });
    await scene.at("here");
    rerun = (await fixture.turns.regenerate(id, first, { model: "demo:tour" })).turn;
  }
  await using fixture = await openTurns({ model: stage([]).model, dataDir });
  const ended = fixture.ended(rerun);
  await fixture.turns.recover();
  const turn = await ended;
  assert.deepEqual([turn.parent, turn.n, turn.origin, turn.model], [null, 1, "rerun", "demo:tour"]);
});

Deno.test("what is not there cannot be answered again", async () => {
  await using fixture = await openTurns({ model: stage([]).model });
  const { id } = await fixture.book.create();
  await assert.rejects(fixture.turns.regenerate("nowhere", "T"), ConversationNotFound);
  await assert.rejects(fixture.turns.regenerate(id, "T"), TurnNotFound);
  await assert.rejects(fixture.turns.edit(id, "T", "x"), TurnNotFound);
  const other = await fixture.book.create();
  const turn = turnOf(await fixture.turns.submit(other.id, { text: "hi" }));
  await done(fixture, other.id, turn);
  await assert.rejects(fixture.turns.regenerate(id, turn), TurnNotFound, "a turn of another conversation");
});
