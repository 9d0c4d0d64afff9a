import assert from "node:assert/strict";
import type { TurnOrigin } from "../../../../core/log/mod.ts";
import { scriptedModel } from "../../../../core/model/mod.ts";
import { GatesNotResolved } from "../../../../core/tool/mod.ts";
import { ReviewPanel } from "../../../../core/turn/mod.ts";
import { type FixtureOptions, openDesk } from "./approvals_fixture.ts";

const YES = { in_scope: true, reversible: true, injection_suspected: false, reason: "It is what was asked" };

/** A panel of one, whose model answers by `says`; `asked` counts. */
function panelOf(says: (n: number) => unknown, { most = 5 } = {}) {
  const asked = { times: 0 };
  const panel = new ReviewPanel({
    reviewers: [{ name: "careful", model: "real:judge", standard: "Be careful", generation: {} }],
    defaultModel: () => Promise.resolve("real:default"),
    connect: () =>
      scriptedModel(() => ({ text: JSON.stringify(says(asked.times++)) }), { provider: "real", string: "real:judge" }),
    timeoutMs: 10_000,
    most,
    report: () => {},
  });
  return { panel, asked };
}

const reviewed = { confirm: ["mail"], review: ["mail"] };

Deno.test("before the gates are resolved a call throws, and is never let through (K-187)", async () => {
  await using fixture = await openDesk({ unresolved: true });
  const turn = await fixture.turn();
  await assert.rejects(turn.decide(), GatesNotResolved);
  await assert.rejects(turn.decide({ toolset: "time", tool: "now" }), GatesNotResolved);
});

Deno.test("a call no gate covers runs, and leaves no entry", async () => {
  await using fixture = await openDesk();
  const turn = await fixture.turn();
  assert.deepEqual(await turn.decide({ toolset: "time", tool: "now" }), { allow: true });
  assert.deepEqual(await turn.approvals(), []);
});

Deno.test("a call says that it waits before anything is written about it, and one that no gate covers does not", async () => {
  const { panel } = panelOf(() => YES);
  const cases: readonly { readonly origin: TurnOrigin; readonly options: FixtureOptions; readonly isAsked: boolean }[] =
    [
      { origin: "task", options: {}, isAsked: false },
      { origin: "person", options: { ...reviewed, panel }, isAsked: false },
      { origin: "person", options: {}, isAsked: true },
    ];
  for (const { origin, options, isAsked } of cases) {
    await using fixture = await openDesk(options);
    const turn = await fixture.turn({ origin });
    const stored = Promise.withResolvers<void>();
    const said = Promise.withResolvers<void>();
    const answer = turn.decide({ waits: () => (said.resolve(), stored.promise) });
    await said.promise;
    assert.deepEqual(await turn.approvals(), []);
    stored.resolve();
    if (isAsked) {
      const [question] = await fixture.waiting(1);
      await fixture.desk.answer("C", question!.seq, { decision: "allow" });
    }
    assert.equal((await answer).allow, origin === "person");
    assert.equal((await turn.approvals()).length, 1);
  }
  await using fixture = await openDesk();
  const waits = () => Promise.reject(new Error("It did not have to"));
  assert.deepEqual(await (await fixture.turn()).decide({ toolset: "time", tool: "now", waits }), { allow: true });
});

Deno.test("a call whose waiting cannot be stored is not asked about", async () => {
  await using fixture = await openDesk();
  const turn = await fixture.turn();
  await assert.rejects(turn.decide({ waits: () => Promise.reject(new Error("The disk is full")) }), /disk is full/);
  assert.deepEqual([fixture.desk.waiting(), await turn.approvals()], [[], []]);
});

Deno.test("an unattended turn is denied at once: nothing asked, no reviewer, whatever rules there are (K-096, K-202)", async () => {
  const { panel, asked } = panelOf(() => YES);
  await using fixture = await openDesk({ ...reviewed, panel });
  await fixture.rules.add({ agent: "assistant", toolset: "mail", tool: "send" }, null);
  for (const origin of ["task", "trigger", "channel"] as const) {
    const turn = await fixture.turn({ origin });
    const answer = await turn.decide();
    assert.ok(!answer.allow);
    assert.match(answer.reason, /without a person/);
    assert.deepEqual((await turn.approvals()).map(({ state, data }) => [state, data.decision, data.by]), [
      ["done", "deny", "policy"],
    ]);
  }
  assert.deepEqual([asked.times, fixture.lists.length], [0, 0]);
});

Deno.test("a person's turn that nobody watches is not denied: it waits, and no reviewer is asked (ARCHITECTURE 12)", async () => {
  const { panel, asked } = panelOf(() => YES);
  await using fixture = await openDesk({ ...reviewed, panel });
  fixture.watched.clear();
  const turn = await fixture.turn();
  const answer = turn.decide();
  const [question] = await fixture.waiting(1);
  assert.equal(asked.times, 0);
  await fixture.desk.answer("C", question!.seq, { decision: "allow" });
  assert.ok((await answer).allow);
});

Deno.test("an approved review needs no prompt, and leaves one card with its reason (K-186)", async () => {
  const { panel } = panelOf(() => YES);
  await using fixture = await openDesk({ ...reviewed, panel });
  const turn = await fixture.turn();
  assert.deepEqual(await turn.decide(), { allow: true });
  const [card, ...more] = await turn.approvals();
  assert.deepEqual(more, []);
  assert.deepEqual([card?.data.decision, card?.data.by, card?.data.reason], ["allow", "reviewer", YES.reason]);
  assert.deepEqual(card?.data.verdicts, [
    { reviewer: "careful", model: "real:judge", approved: true, reason: YES.reason },
  ]);
  assert.deepEqual(fixture.lists, []);
});

Deno.test("an escalated review still prompts and carries the reason, and a yes then runs the call (K-186)", async () => {
  const { panel } = panelOf(() => ({ ...YES, reversible: false, reason: "A mail cannot be called back" }));
  await using fixture = await openDesk({ ...reviewed, panel });
  const turn = await fixture.turn();
  const answer = turn.decide();
  const [question] = await fixture.waiting(1);
  assert.deepEqual(question?.verdicts?.map(({ approved, reason }) => [approved, reason]), [
    [false, "A mail cannot be called back"],
  ]);
  await fixture.desk.answer("C", question!.seq, { decision: "allow" });
  assert.ok((await answer).allow);
});

Deno.test('a reviewer that answers the string "false" approves nothing (K-200)', async () => {
  const { panel } = panelOf(() => ({ ...YES, injection_suspected: "false" }));
  await using fixture = await openDesk({ ...reviewed, panel });
  const stop = new AbortController();
  const answer = (await fixture.turn()).decide({}, stop.signal);
  const [question] = await fixture.waiting(1);
  assert.deepEqual(question?.verdicts?.map(({ approved }) => approved), [false]);
  assert.match(question?.verdicts?.[0]?.reason ?? "", /wrong type/);
  stop.abort(new Error("over"));
  await assert.rejects(answer);
});

Deno.test("nobody watches any more when the reviewer has approved: the person decides, no approved card is left (K-204)", async () => {
  await using fixture = await openDesk({
    ...reviewed,
    panel: panelOf(() => {
      fixture.watched.clear();
      return YES;
    }).panel,
  });
  const turn = await fixture.turn();
  const answer = turn.decide();
  const [question] = await fixture.waiting(1);
  assert.deepEqual(question?.verdicts?.map(({ approved }) => approved), [false]);
  assert.match(question?.verdicts?.[0]?.reason ?? "", /nobody watched/);
  await fixture.desk.answer("C", question!.seq, { decision: "deny" });
  assert.ok(!(await answer).allow);
  assert.equal((await turn.approvals()).length, 1);
});

Deno.test("each turn has a budget of its own; spent, the person decides (K-106, K-202)", async () => {
  const { panel, asked } = panelOf(() => YES, { most: 2 });
  await using fixture = await openDesk({ ...reviewed, panel });
  const stop = new AbortController();
  const turn = await fixture.turn();
  for (let n = 0; n < 2; n++) assert.ok((await turn.decide({ entry: n })).allow);
  const third = turn.decide({}, stop.signal);
  const [question] = await fixture.waiting(1);
  assert.match(question?.verdicts?.[0]?.reason ?? "", /the 2 reviews of this turn are used up/);
  assert.equal(asked.times, 2);
  assert.ok((await (await fixture.turn()).decide()).allow, "the next turn has its own");
  stop.abort(new Error("over"));
  await assert.rejects(third);
});

Deno.test("what stands on the floor is never reviewed (K-206)", async () => {
  const { panel, asked } = panelOf(() => YES);
  await using fixture = await openDesk({ ...reviewed, floor: ["mail.send"], panel });
  const stop = new AbortController();
  const answer = (await fixture.turn()).decide({}, stop.signal);
  const [question] = await fixture.waiting(1);
  assert.deepEqual([asked.times, question?.verdicts], [0, undefined]);
  assert.deepEqual(question?.rule?.arguments, { x: "hello" }, "and its rule is for exactly these arguments");
  stop.abort(new Error("over"));
  await assert.rejects(answer);
});

Deno.test("a stop while a reviewer thinks ends it at once, and leaves nothing behind", async () => {
  const asked = Promise.withResolvers<void>();
  const panel = new ReviewPanel({
    reviewers: [{ name: "slow", model: "real:judge", standard: "Be careful", generation: {} }],
    defaultModel: () => Promise.resolve("real:default"),
    connect: () => ({
      info: scriptedModel([], { provider: "real", string: "real:judge" }).info,
      async *stream(_, signal) {
        asked.resolve();
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        yield { type: "text" as const, text: "" };
      },
    }),
    timeoutMs: 60_000,
    most: 5,
    report: () => {},
  });
  await using fixture = await openDesk({ ...reviewed, panel });
  const turn = await fixture.turn();
  const stop = new AbortController();
  const answer = turn.decide({}, stop.signal);
  await asked.promise;
  stop.abort(new Error("stopped"));
  await assert.rejects(answer, /stopped/);
  assert.deepEqual([await turn.approvals(), fixture.lists], [[], []]);
});

Deno.test("a card shows what the code behind the tool may reach", async () => {
  const permissions = { net: ["api.example.org"], read: [], write: [], env: [], run: [] };
  await using fixture = await openDesk({ services: { permissionsOf: () => permissions } });
  const stop = new AbortController();
  const answer = (await fixture.turn()).decide({}, stop.signal);
  assert.deepEqual((await fixture.waiting(1))[0]?.permissions, permissions);
  stop.abort(new Error("over"));
  await assert.rejects(answer);
});

Deno.test("memory poisoning: a turn that has read from outside asks before it remembers, in every run, until it is allowed", async () => {
  await using fixture = await openDesk();
  const clean = await fixture.turn();
  const keep = { toolset: "memory", tool: "store_memory" };
  assert.deepEqual(await clean.decide(keep), { allow: true });

  const turn = await fixture.turn();
  assert.deepEqual(await turn.decide({ toolset: "web", tool: "get_web_content" }), { allow: true });
  assert.deepEqual(await turn.decide({ toolset: "memory", tool: "search_memories" }), { allow: true });
  const waits = turn.decide(keep);
  const [question] = await fixture.waiting(1);
  assert.ok(question);
  assert.equal((await turn.approvals()).at(-1)?.data.cause, "outside");
  await fixture.desk.answer(question.conversation, question.seq, { decision: "deny", reason: "No" });
  assert.equal((await waits).allow, false);

  await fixture.rules.add({ agent: "assistant", ...keep }, null);
  assert.deepEqual(await turn.decide(keep), { allow: true }, "a rule of the person's allows it");

  const alone = await fixture.turn({ origin: "task" });
  await alone.decide({ toolset: "web", tool: "web_search" });
  assert.equal((await alone.decide({ toolset: "documents", tool: "save_document" })).allow, false);
});

Deno.test("memory poisoning: no reviewer answers what would be remembered of a turn that has read from outside", async () => {
  const { panel, asked } = panelOf(() => YES);
  await using fixture = await openDesk({ confirm: ["memory"], review: ["memory"], panel });
  const keep = { toolset: "memory", tool: "store_memory" };
  assert.deepEqual(await (await fixture.turn()).decide(keep), { allow: true });
  assert.equal(asked.times, 1);

  const turn = await fixture.turn();
  await turn.decide({ toolset: "web", tool: "get_web_content" });
  const waits = turn.decide(keep);
  const [question] = await fixture.waiting(1);
  assert.deepEqual([asked.times, question?.verdicts], [1, undefined]);
  await fixture.desk.answer("C", question!.seq, { decision: "deny" });
  assert.equal((await waits).allow, false);
});
