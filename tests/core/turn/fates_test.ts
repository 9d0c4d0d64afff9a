import assert from "node:assert/strict";
import type { PendingMessage } from "../../../core/log/mod.ts";
import type { MessageReceipt } from "../../../core/turn/mod.ts";
import { callTool, end, gate, say, type Stage, stage, type Step, think } from "./staged_model.ts";
import { openTurns, type TurnFixture, type TurnSettings } from "./turn_fixture.ts";

const turnOf = (receipt: MessageReceipt): string => receipt.fate === "command" ? "" : receipt.turn;

/** Waits until nothing runs in the conversation. */
async function idle({ turns, storage }: TurnFixture, id: string): Promise<void> {
  while (turns.isRunning(id)) await storage.database.read("select 1");
}

/** Where a text is: as a message, as something read on the way, as given back, or waiting. Each place is named once per find. */
async function placesOf(fixture: TurnFixture, id: string, text: string): Promise<string[]> {
  const { items } = await fixture.log.entries(id, { all: true, limit: 500 });
  const rows = await fixture.storage.database.read("select text, joins from pending where conversation = ?", [id]);
  return [
    ...items.flatMap((entry) => {
      const isMessage = entry.kind === "user" || entry.kind === "inbox" || entry.kind === "undelivered";
      return isMessage && entry.data.text.split("\n\n").includes(text) ? [entry.kind] : [];
    }),
    ...rows.filter((row) => row.text === text).map((row) => row.joins === null ? "line" : "joined"),
  ];
}

interface Scene {
  readonly fixture: TurnFixture;
  readonly scene: Stage;
  readonly id: string;
  readonly turn: string;
}

/** A turn that has come to the gate `here`. */
async function running(
  scripts: readonly (readonly (Step | Error)[])[],
  body: (scene: Scene) => Promise<void>,
  settings: Partial<TurnSettings> = {},
): Promise<void> {
  const scene = stage(scripts);
  await using fixture = await openTurns({ model: scene.model, toolsets: [scene.toolset], ...settings });
  const { id } = await fixture.book.create();
  const turn = turnOf(await fixture.turns.submit(id, { text: "first" }));
  await scene.at("here");
  await body({ fixture, scene, id, turn });
}

const pendingTold = ({ heard }: TurnFixture): readonly (readonly PendingMessage[])[] =>
  heard.flatMap((operation) => operation.op === "pending" ? [operation.items] : []);

/** Every point of a turn with a model call to come: what is said there is read by that call. */
const READ: readonly { at: string; scripts: readonly (readonly Step[])[]; by: number }[] = [
  { at: "during thinking", scripts: [[think("hm"), gate("here"), ...callTool("free")], [say("done"), end]], by: 1 },
  { at: "during text before a call", scripts: [[say("well"), gate("here"), ...callTool("free")]], by: 1 },
  { at: "while a tool runs", scripts: [callTool("here")], by: 1 },
  { at: "between tools", scripts: [callTool("free"), callTool("here"), [say("done"), end]], by: 2 },
  { at: "while the model says nothing", scripts: [[gate("here"), end], [say("done"), end]], by: 1 },
];

for (const { at, scripts, by } of READ) {
  Deno.test(`a message that comes ${at} is read by the next model call`, () =>
    running(scripts, async ({ fixture, scene, id, turn }) => {
      const receipt = await fixture.turns.submit(id, { text: "steer", token: "S" });
      assert.deepEqual(receipt, { fate: "joined", turn });
      assert.deepEqual(await placesOf(fixture, id, "steer"), ["joined"]);
      scene.open("here");
      assert.equal((await fixture.ended(turn)).status, "done");
      await idle(fixture, id);
      assert.deepEqual(await placesOf(fixture, id, "steer"), ["inbox"]);
      assert.deepEqual(scene.users(by - 1), ["first"]);
      assert.equal(scene.users(by)[1], "steer");
      const [inbox] = await fixture.of(id, "inbox");
      assert.deepEqual(inbox?.data, { text: "steer", from: "person", to: "assistant", token: "S" });
      assert.deepEqual(await fixture.turns.submit(id, { text: "steer", token: "S" }), receipt, "never twice");
      assert.equal((await fixture.book.get(id)).turns, 1);
    }));
}

/** Points of a turn after which no model call comes: what is said there is the next turn, whatever the end was. */
const TOO_LATE: readonly {
  at: string;
  status: string;
  scripts: readonly (readonly (Step | Error)[])[];
  assistant?: TurnSettings["assistant"];
}[] = [
  { at: "during the last text", status: "done", scripts: [[say("all"), gate("here"), say(" said"), end]] },
  { at: "as the model fails", status: "failed", scripts: [[say("a"), gate("here"), new Error("It broke")]] },
  {
    at: "as the model declines",
    status: "refused",
    scripts: [[gate("here"), { type: "refusal", text: "no" }, {
      type: "stop",
      reason: "refusal",
      provider_reason: "refusal",
    }]],
  },
  {
    at: "in the wrap-up",
    status: "done",
    scripts: [callTool("free"), [gate("here"), say("wrapped up"), end]],
    assistant: { maxIterations: 1 } as TurnSettings["assistant"],
  },
  {
    at: "before the budget ends it",
    status: "stopped",
    scripts: [[
      gate("here"),
      {
        type: "usage",
        usage: {
          input_tokens: 90,
          output_tokens: 9,
          cached_tokens: 0,
          cache_write_tokens: 0,
          reasoning_tokens: 0,
        },
      },
      ...callTool("free"),
    ]],
    assistant: { budgetTokens: 100 } as TurnSettings["assistant"],
  },
];

for (const { at, status, scripts, assistant } of TOO_LATE) {
  Deno.test(`messages that come ${at} become one turn of their own, right after it`, () =>
    running(scripts, async ({ fixture, scene, id, turn }) => {
      for (const text of ["one", "two"]) {
        assert.deepEqual(await fixture.turns.submit(id, { text, token: text }), { fate: "joined", turn });
      }
      const queued = await fixture.turns.submit(id, { text: "queued", queue: true });
      scene.open("here");
      assert.equal((await fixture.ended(turn)).status, status);
      assert.equal((await fixture.ended(turnOf(queued))).status, "done");
      const users = (await fixture.of(id, "user")).filter((entry) => entry.data.from === "person");
      assert.deepEqual(users.map((entry) => entry.data.text), ["first", "one\n\ntwo", "queued"]);
      assert.deepEqual([users[1]?.data.token, users[1]?.data.tokens], ["one", ["one", "two"]]);
      const { path } = await fixture.book.get(id);
      assert.deepEqual(path.map(({ origin }) => origin), ["person", "follow_up", "person"]);
      assert.deepEqual(path.map(({ n }) => n), [1, 2, 3]);
      for (const text of ["one", "two"]) {
        assert.deepEqual(await placesOf(fixture, id, text), ["user"]);
        assert.deepEqual(
          await fixture.turns.submit(id, { text, token: text }),
          { fate: "joined", turn },
          "never twice",
        );
      }
      assert.deepEqual(pendingTold(fixture).at(-1), []);
    }, assistant ? { assistant } : {}));
}

Deno.test("casebook: at the cap a waiting message is read instead of the wrap-up, and the calls count anew", () =>
  running(
    [callTool("free"), [gate("here"), ...callTool("never")], callTool("free", "again"), [say("done"), end]],
    async ({ fixture, scene, id, turn }) => {
      await fixture.turns.submit(id, { text: "steer" });
      scene.open("here");
      assert.equal((await fixture.ended(turn)).status, "done");
      const rounds = await fixture.of(id, "round");
      assert.deepEqual(rounds.map((entry) => entry.data.kind), ["plain", "plain", "plain", "plain"]);
      assert.deepEqual(await placesOf(fixture, id, "steer"), ["inbox"]);
      const ran = (await fixture.of(id, "tool")).map((entry) => entry.data.status);
      assert.deepEqual(ran, ["done", "failed", "done"], "only the call past the cap was not run");
    },
    { assistant: { maxIterations: 2 } as TurnSettings["assistant"] },
  ));

Deno.test("stopped by the person: what was not read is given back in the notice's company, and nothing runs", () =>
  running([[say("a"), gate("here")]], async ({ fixture, scene, id, turn }) => {
    for (const text of ["one", "two"]) await fixture.turns.submit(id, { text, token: text });
    assert.equal(await fixture.turns.stop(id), true);
    assert.equal((await fixture.ended(turn)).status, "stopped");
    await idle(fixture, id);
    assert.equal(scene.requests.length, 1);
    const undelivered = await fixture.of(id, "undelivered");
    assert.deepEqual(undelivered.map((entry) => entry.data), [
      { text: "one", from: "person", to: "assistant", token: "one" },
      { text: "two", from: "person", to: "assistant", token: "two" },
    ]);
    const [notice] = await fixture.of(id, "notice");
    assert.match(notice?.data.text ?? "", /You stopped this turn.*Your last 2 messages were not delivered$/);
    assert.deepEqual(await fixture.turns.submit(id, { text: "one", token: "one" }), { fate: "joined", turn });
    assert.equal(scene.requests.length, 1, "a message that comes again is not run after all");
    assert.deepEqual(pendingTold(fixture).at(-1), []);
  }));

Deno.test("stopped by the person: what waits in line as a turn of its own runs", () =>
  running([[gate("here")]], async ({ fixture, id, turn }) => {
    const queued = await fixture.turns.submit(id, { text: "queued", queue: true });
    await fixture.turns.submit(id, { text: "steer" });
    await fixture.turns.stop(id);
    await fixture.ended(turn);
    assert.equal((await fixture.ended(turnOf(queued))).status, "done");
    assert.deepEqual(await placesOf(fixture, id, "steer"), ["undelivered"]);
    assert.match((await fixture.of(id, "notice"))[0]?.data.text ?? "", /Your last message was not delivered$/);
  }));

Deno.test("casebook: queue A, steer B: B goes first, A stays queued", () =>
  running([callTool("here"), [gate("later"), say("done"), end]], async ({ fixture, scene, id, turn }) => {
    const a = await fixture.turns.submit(id, { text: "A", queue: true });
    assert.deepEqual(await fixture.turns.submit(id, { text: "B" }), { fate: "joined", turn });
    assert.deepEqual((await fixture.turns.pending(id)).map(({ text, joins }) => [text, joins]), [["B", turn], [
      "A",
      null,
    ]]);
    scene.open("here");
    await scene.at("later");
    assert.deepEqual(scene.users(1), ["first", "B"]);
    assert.deepEqual((await fixture.turns.pending(id)).map(({ text }) => text), ["A"]);
    assert.deepEqual(pendingTold(fixture).at(-1)?.map(({ text }) => text), ["A"]);
    scene.open("later");
    await fixture.ended(turnOf(a));
    assert.deepEqual(scene.users(2), ["first", "B", "A"]);
  }));

Deno.test("deleted while a message is on its way: it stays deleted, and brought back it says what was not read", () =>
  running([[gate("here")]], async ({ fixture, scene, id, turn }) => {
    await fixture.turns.submit(id, { text: "steer" });
    await fixture.turns.submit(id, { text: "queued", queue: true });
    await fixture.book.delete(id);
    assert.equal((await fixture.ended(turn)).status, "stopped");
    await idle(fixture, id);
    assert.deepEqual((await fixture.book.list()).items, []);
    assert.deepEqual(await fixture.storage.database.read("select id from pending"), []);
    assert.equal(scene.requests.length, 1);
    await fixture.book.restore(id);
    assert.deepEqual(await placesOf(fixture, id, "steer"), ["undelivered"]);
  }));

Deno.test("shut down while messages are on their way: they are one turn at the next start, before what was in line", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "malama-fates-" });
  let id = "";
  let turn = "";
  let queued = "";
  await running([[gate("here")]], async ({ fixture, id: made, turn: first }) => {
    [id, turn] = [made, first];
    queued = turnOf(await fixture.turns.submit(id, { text: "queued", queue: true }));
    for (const text of ["one", "two"]) await fixture.turns.submit(id, { text, token: text });
  }, { dataDir, keep: true });
  const next = stage([]);
  await using fixture = await openTurns({ model: next.model, dataDir });
  assert.deepEqual((await fixture.turns.pending(id)).map(({ text }) => text), ["queued", "one", "two"]);
  assert.deepEqual(await fixture.turns.submit(id, { text: "two", token: "two" }), { fate: "joined", turn });
  const ended = fixture.ended(queued);
  await fixture.turns.recover();
  assert.equal((await ended).status, "done");
  assert.deepEqual((await fixture.of(id, "user")).map((entry) => entry.data.text), ["first", "one\n\ntwo", "queued"]);
  assert.deepEqual((await fixture.book.get(id)).path.map(({ status }) => status), ["interrupted", "done", "done"]);
  assert.deepEqual(await fixture.turns.submit(id, { text: "one", token: "one" }), { fate: "joined", turn });
  assert.equal(next.requests.length, 2);
});

Deno.test("what goes on with an interrupted turn is still the machine's line after it waited over a restart", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "malama-fates-" });
  let id = "";
  await running([[gate("here")]], async ({ fixture, id: made }) => {
    id = made;
    const { database } = fixture.storage;
    await fixture.turns.submit(id, { text: "queued", queue: true });
    // As `resume` leaves it in line when another turn has begun meanwhile.
    await database.write([{ sql: "update pending set injected = 'continuation', sender = 'loop'" }]);
  }, { dataDir, keep: true });
  await using fixture = await openTurns({ model: stage([]).model, dataDir });
  assert.deepEqual(await fixture.turns.pending(id), [], "the loop's own is no message of a person");
  await fixture.turns.recover();
  await idle(fixture, id);
  assert.equal((await fixture.of(id, "user"))[1]?.data.injected, "continuation");
});

Deno.test("a message with pictures, files, a parent or a plan of its own waits in line", () =>
  running([[gate("here"), say("x"), end]], async ({ fixture, scene, id, turn }) => {
    const data = Uint8Array.fromBase64(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    );
    const receipts = [
      await fixture.turns.submit(id, { text: "look", images: [{ name: "p.png", media_type: "image/png", data }] }),
      await fixture.turns.submit(id, { text: "after", parent: turn }),
      await fixture.turns.submit(id, { text: "own", queue: true }),
    ];
    assert.ok(receipts.every((receipt) => receipt.fate === "turn" && receipt.queued));
    scene.open("here");
    for (const receipt of receipts) assert.equal((await fixture.ended(turnOf(receipt))).status, "done");
    const byId = new Map((await fixture.log.turns(id)).map((each) => [each.id, each]));
    assert.equal(byId.get(turnOf(receipts[1]!))?.parent, turn);
  }));

Deno.test("a message sent while another branch is in view answers after that branch, not in the running turn", () =>
  running([[say("one"), end], [gate("here"), say("two"), end]].reverse(), async ({ fixture, scene, id, turn }) => {
    scene.open("here");
    await fixture.ended(turn);
    await idle(fixture, id);
    const other = await fixture.turns.regenerate(id, turn);
    await fixture.ended(other.turn);
    await idle(fixture, id);
    scene.requests.length = 0;
    const last = await fixture.turns.submit(id, { text: "on the second branch" });
    await scene.at("here");
    // The person looks at the first branch while the second one runs.
    await fixture.storage.database.write([{ sql: "update conversations set head = ?", args: [turn] }]);
    const receipt = await fixture.turns.submit(id, { text: "on the first branch" });
    assert.ok(receipt.fate === "turn");
    await fixture.ended(turnOf(last));
    const ended = await fixture.ended(turnOf(receipt));
    assert.equal(ended.parent, turn);
  }));

Deno.test("casebook: a message that cannot be stored is refused, and is nowhere", () =>
  running([[gate("here"), say("x"), end]], async ({ fixture, scene, id, turn }) => {
    const { database } = fixture.storage;
    const write = database.write;
    database.write = () => Promise.reject(new Error("No space left"));
    await assert.rejects(fixture.turns.submit(id, { text: "lost", token: "L" }), /No space left/);
    database.write = write;
    scene.open("here");
    await fixture.ended(turn);
    await idle(fixture, id);
    assert.deepEqual(await placesOf(fixture, id, "lost"), []);
    assert.equal(scene.requests.length, 1);
    assert.equal((await fixture.turns.submit(id, { text: "lost", token: "L" })).fate, "turn", "it can be sent again");
  }));

Deno.test("casebook: a turn whose end cannot be stored keeps what it did not read, which can be sent then", () =>
  running([[gate("here"), say("x"), end]], async ({ fixture, scene, id, turn }) => {
    await fixture.turns.submit(id, { text: "steer" });
    const { database } = fixture.storage;
    const write = database.write;
    database.write = () => Promise.reject(new Error("No space left"));
    scene.open("here");
    await fixture.ended(turn);
    await idle(fixture, id);
    database.write = write;
    assert.deepEqual(await placesOf(fixture, id, "steer"), ["joined"]);
    const [waiting] = await fixture.turns.pending(id);
    assert.equal(waiting?.text, "steer");
    const receipt = await fixture.turns.sendPending(id, waiting!.id);
    await fixture.ended(turnOf(receipt));
    assert.deepEqual(await placesOf(fixture, id, "steer"), ["user"]);
    assert.deepEqual((await fixture.book.get(id)).path.map(({ status }) => status), ["failed", "done"]);
  }));
