import assert from "node:assert/strict";
import type { TurnServices } from "../../../core/turn/mod.ts";
import { Recorder } from "../../../core/agent/mod.ts";
import type { Turn } from "../../../core/log/mod.ts";
import { LateClosing } from "../../../core/turn/late_closing.ts";
import { type EndedBy, Slot } from "../../../core/turn/slot.ts";
import { finishTurn } from "../../../core/turn/turn_end.ts";
import { stage } from "./staged_model.ts";
import { openTurns, type TurnFixture } from "./turn_fixture.ts";

/** A turn at its end, on whose bus an agent wrote to nobody. */
async function ending(fixture: TurnFixture, endedBy: EndedBy | undefined, ended: { failure?: string } = {}) {
  const { storage, log, feed } = fixture;
  const now = () => new Date();
  const { id: conversation } = await fixture.book.create();
  const turn: Turn = {
    ...{ id: "T", conversation, n: 1, parent: null, origin: "person", status: "running", agent: "assistant" },
    ...{ model: "demo:stage", thinking: null, usage: null, failure: null, token: null, ended_at: null },
    started_at: now().toISOString(),
  };
  await storage.database.write([{
    sql: `insert into turns (id, conversation, n, origin, status, agent, model, started_at)
          values ('T', ?, 1, 'person', 'running', 'assistant', 'demo:stage', ?)`,
    args: [conversation, turn.started_at],
  }, { sql: "update conversations set head = 'T'" }]);
  await log.open(conversation);
  const slot = new Slot();
  const current = slot.begin("T", "hi", 0);
  current.bus.openEntry("assistant");
  current.bus.send({ id: "1", text: "found it", sender: "researcher#1", to: "coder" });
  if (endedBy) slot.end(endedBy);
  const late = new LateClosing({ database: storage.database, log, feed, now });
  const recorder = new Recorder(log, { conversation, turn: "T" }, now);
  const { failure } = ended;
  const outcome = failure === undefined
    ? (endedBy ? { status: "stopped" } as const : { status: "done", capped: false } as const)
    : { status: "failed", failure } as const;
  const services = { storage, log, feed, now, report: () => {} } as unknown as TurnServices;
  const finish = () => finishTurn(services, late, { turn, outcome, recorder, calls: [], slot, current });
  return { conversation, finish, late };
}

for (const [endedBy, failure] of [[undefined], ["person"], ["shutdown"], [undefined, "It broke"]] as const) {
  Deno.test(`an agent's note to nobody is recorded when the turn ${failure ? "fails" : `ends by ${endedBy ?? "itself"}`}`, async () => {
    await using fixture = await openTurns({ model: stage([]).model });
    const { conversation, finish } = await ending(fixture, endedBy, failure ? { failure } : {});
    assert.deepEqual(await finish(), [], "an agent's words are never run as a person's");
    assert.deepEqual((await fixture.of(conversation, "undelivered")).map((entry) => entry.data), [
      { text: "found it", from: "researcher#1", to: "coder" },
    ]);
    const notices = (await fixture.of(conversation, "notice")).map((entry) => entry.data.text);
    assert.ok(notices.every((text) => !text.includes("not delivered")), "the notice is about the person's own words");
  });
}

Deno.test("a delete racing the undelivered record does not resurrect the conversation", async () => {
  await using fixture = await openTurns({ model: stage([]).model });
  const { conversation, finish, late } = await ending(fixture, "deletion");
  await fixture.storage.database.write([{ sql: "delete from conversations where id = ?", args: [conversation] }]);
  await finish();
  await late.settle(conversation);
  late.close();
  assert.deepEqual(await fixture.storage.database.read("select id from conversations"), []);
  assert.deepEqual(await fixture.storage.database.read("select id from entries"), []);
});

Deno.test("a conversation that is being deleted keeps no agent's note to nobody", async () => {
  await using fixture = await openTurns({ model: stage([]).model });
  const { conversation, finish } = await ending(fixture, "deletion");
  await finish();
  assert.deepEqual(await fixture.of(conversation, "undelivered"), []);
});
