import assert from "node:assert/strict";
import { BadRequest, ConversationNotFound } from "../../../core/conversation/mod.ts";
import { MessageGone, type MessageReceipt } from "../../../core/turn/mod.ts";
import { callTool, end, gate, say, type Stage, stage, type Step } from "./staged_model.ts";
import { openTurns, type TurnFixture } from "./turn_fixture.ts";

const turnOf = (receipt: MessageReceipt): string => receipt.fate === "command" ? "" : receipt.turn;

interface Scene {
  readonly fixture: TurnFixture;
  readonly scene: Stage;
  readonly id: string;
  readonly turn: string;
  /** The id of the waiting message with this text. */
  waiting(text: string): Promise<string>;
}

async function running(scripts: readonly (readonly Step[])[], body: (scene: Scene) => Promise<void>): Promise<void> {
  const scene = stage(scripts);
  await using fixture = await openTurns({ model: scene.model, toolsets: [scene.toolset] });
  const { id } = await fixture.book.create();
  const turn = turnOf(await fixture.turns.submit(id, { text: "first" }));
  await scene.at("here");
  await body({
    fixture,
    scene,
    id,
    turn,
    async waiting(text) {
      const found = (await fixture.turns.pending(id)).find((message) => message.text === text);
      assert.ok(found, `"${text}" waits`);
      return found.id;
    },
  });
}

const TOOL_THEN_TEXT = [callTool("here"), [say("done"), end]];
const order = async ({ fixture, id }: Scene) => (await fixture.turns.pending(id)).map(({ text }) => text);
const users = async ({ fixture, id }: Scene) => (await fixture.of(id, "user")).map((entry) => entry.data.text);

async function finish({ fixture, scene, id }: Scene): Promise<void> {
  scene.open("here");
  while (fixture.turns.isRunning(id)) await fixture.storage.database.read("select 1");
}

Deno.test("pending() says what waits: all of a message, in the order it will be read or run", () =>
  running(TOOL_THEN_TEXT, async ({ fixture, id, turn }) => {
    await fixture.turns.submit(id, { text: "own", queue: true, thinking: "low" });
    await fixture.turns.submit(id, { text: "join", token: "J" });
    const [first, second] = await fixture.turns.pending(id);
    assert.deepEqual({ ...first, id: "", at: "" }, {
      id: "",
      text: "join",
      images: [],
      files: [],
      token: "J",
      thinking: null,
      joins: turn,
      at: "",
    });
    assert.deepEqual([second?.text, second?.thinking, second?.joins], ["own", "low", null]);
    assert.ok(Date.parse(first!.at) > 0);
    await assert.rejects(fixture.turns.pending("nowhere"), ConversationNotFound);
  }));

Deno.test("editPending() changes what is read, and what is run", () =>
  running(TOOL_THEN_TEXT, async (all) => {
    const { fixture, id, waiting } = all;
    await fixture.turns.submit(id, { text: "join" });
    await fixture.turns.submit(id, { text: "own", queue: true });
    const changed = await fixture.turns.editPending(id, await waiting("join"), "JOIN\0");
    assert.equal(changed.text, "JOIN\ufffd", "cleaned like any other");
    await fixture.turns.editPending(id, await waiting("own"), "OWN");
    assert.deepEqual(await order(all), ["JOIN\ufffd", "OWN"]);
    const rows = await fixture.storage.database.read("select text from pending order by id");
    assert.deepEqual(rows.map(({ text }) => text), ["JOIN\ufffd", "OWN"]);
    await assert.rejects(fixture.turns.editPending(id, await waiting("OWN"), "  "), BadRequest);
    await finish(all);
    assert.deepEqual((await fixture.of(id, "inbox")).map((entry) => entry.data.text), ["JOIN\ufffd"]);
    assert.deepEqual(await users(all), ["first", "OWN"]);
  }));

Deno.test("takePending() takes a message back for good, also when its request comes once more", () =>
  running(TOOL_THEN_TEXT, async (all) => {
    const { fixture, id, turn, waiting, scene } = all;
    await fixture.turns.submit(id, { text: "join", token: "J" });
    const own = await fixture.turns.submit(id, { text: "own", token: "O", queue: true });
    await fixture.turns.takePending(id, await waiting("join"));
    await fixture.turns.takePending(id, await waiting("own"));
    assert.deepEqual(await fixture.turns.pending(id), []);
    assert.deepEqual(await fixture.storage.database.read("select id from pending"), []);
    assert.deepEqual(await fixture.turns.submit(id, { text: "join", token: "J" }), { fate: "joined", turn });
    assert.deepEqual(await fixture.turns.submit(id, { text: "own", token: "O", queue: true }), own);
    await finish(all);
    assert.equal(scene.requests.length, 2);
    assert.deepEqual(await users(all), ["first"]);
    assert.deepEqual(await fixture.of(id, "undelivered"), []);
  }));

Deno.test("a message that was read or run is gone: it can be neither changed nor taken back nor sent", () =>
  running([callTool("here"), [gate("later"), say("done"), end]], async (all) => {
    const { fixture, id, waiting, scene } = all;
    await fixture.turns.submit(id, { text: "join" });
    const message = await waiting("join");
    scene.open("here");
    await scene.at("later");
    for (
      const attempt of [
        () => fixture.turns.editPending(id, message, "x"),
        () => fixture.turns.takePending(id, message),
        () => fixture.turns.sendPending(id, message),
        () => fixture.turns.takePending(id, "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
      ]
    ) await assert.rejects(attempt(), MessageGone);
    const { id: other } = await fixture.book.create();
    await assert.rejects(fixture.turns.takePending(other, message), MessageGone);
    scene.open("later");
    await finish(all);
    await assert.rejects(fixture.turns.takePending(id, message), MessageGone);
  }));

Deno.test("sendPending() puts a queued message into the running turn, before all others", () =>
  running(TOOL_THEN_TEXT, async (all) => {
    const { fixture, id, turn, waiting, scene } = all;
    await fixture.turns.submit(id, { text: "join" });
    await fixture.turns.submit(id, { text: "a", token: "A", queue: true });
    await fixture.turns.submit(id, { text: "b", queue: true });
    assert.deepEqual(await fixture.turns.sendPending(id, await waiting("a")), { fate: "joined", turn });
    assert.deepEqual(await order(all), ["a", "join", "b"]);
    assert.deepEqual(await fixture.turns.submit(id, { text: "a", token: "A" }), { fate: "joined", turn });
    assert.deepEqual(await fixture.turns.sendPending(id, await waiting("join")), { fate: "joined", turn });
    assert.deepEqual(await order(all), ["join", "a", "b"]);
    await finish(all);
    assert.deepEqual(scene.users(1), ["first", "join", "a"]);
    assert.deepEqual(await users(all), ["first", "b"]);
  }));

Deno.test("sendPending() puts what the running turn cannot read at the front of the line, also over a restart", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "malama-pending-" });
  const scene = stage([[gate("here")]]);
  let id = "";
  {
    await using fixture = await openTurns({ model: scene.model, dataDir, keep: true });
    id = (await fixture.book.create()).id;
    const turn = turnOf(await fixture.turns.submit(id, { text: "first" }));
    await scene.at("here");
    await fixture.turns.submit(id, { text: "a", queue: true });
    const { turn: rerun } = await fixture.turns.regenerate(id, turn);
    assert.deepEqual(await fixture.turns.sendPending(id, rerun), { fate: "turn", turn: rerun, queued: true });
    assert.deepEqual((await fixture.turns.pending(id)).map(({ text }) => text), ["first", "a"]);
  }
  await using fixture = await openTurns({ model: stage([]).model, dataDir });
  assert.deepEqual((await fixture.turns.pending(id)).map(({ text }) => text), ["first", "a"]);
  await fixture.turns.recover();
  while (fixture.turns.isRunning(id)) await fixture.storage.database.read("select 1");
  assert.deepEqual((await fixture.log.turns(id)).map(({ origin }) => origin), ["person", "person", "rerun"]);
  const started = await fixture.storage.database.read("select origin from turns order by started_at, rowid");
  assert.deepEqual(started.map(({ origin }) => origin), ["person", "rerun", "person"]);
});

Deno.test("every change of what waits is announced, once it is stored, and an empty line once", () =>
  running(TOOL_THEN_TEXT, async (all) => {
    const { fixture, id, waiting, heard = fixture.heard } = all as Scene & { heard?: TurnFixture["heard"] };
    await fixture.turns.submit(id, { text: "a", queue: true });
    await fixture.turns.submit(id, { text: "b" });
    await fixture.turns.editPending(id, await waiting("a"), "A");
    await fixture.turns.sendPending(id, await waiting("A"));
    await fixture.turns.takePending(id, await waiting("b"));
    await finish(all);
    const told = heard.flatMap((operation) =>
      operation.op === "pending" ? [operation.items.map(({ text }) => text)] : []
    );
    assert.deepEqual(told, [["a"], ["b", "a"], ["b", "A"], ["A", "b"], ["A"], []]);
  }));

Deno.test("a turn with nothing waiting announces nothing about it", async () => {
  const scene = stage([[say("ok"), end]]);
  await using fixture = await openTurns({ model: scene.model });
  const { id } = await fixture.book.create();
  await fixture.ended(turnOf(await fixture.turns.submit(id, { text: "hi" })));
  while (fixture.turns.isRunning(id)) await fixture.storage.database.read("select 1");
  assert.ok(fixture.heard.every(({ op }) => op !== "pending"));
});

Deno.test("when the store cannot follow, the message waits as it did before", () =>
  running(TOOL_THEN_TEXT, async (all) => {
    const { fixture, id, waiting } = all;
    await fixture.turns.submit(id, { text: "join" });
    await fixture.turns.submit(id, { text: "own", queue: true });
    const messages = await Promise.all(["join", "own"].map(waiting));
    const { database } = fixture.storage;
    const write = database.write;
    database.write = () => Promise.reject(new Error("No space left"));
    for (const message of messages) {
      await assert.rejects(fixture.turns.editPending(id, message, "x"), /No space left/);
      await assert.rejects(fixture.turns.takePending(id, message), /No space left/);
      await assert.rejects(fixture.turns.sendPending(id, message), /No space left/);
    }
    database.write = write;
    assert.deepEqual(await order(all), ["join", "own"]);
    await finish(all);
    assert.deepEqual((await fixture.of(id, "inbox")).map((entry) => entry.data.text), ["join"]);
    assert.deepEqual(await users(all), ["first", "own"]);
  }));
