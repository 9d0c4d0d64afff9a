import assert from "node:assert/strict";
import { AlreadyDecided, QuestionNotFound } from "../../../../core/turn/mod.ts";
import { BadRequest, ConversationNotFound } from "../../../../core/conversation/mod.ts";
import { openDesk } from "./approvals_fixture.ts";

const first = async (fixture: Awaited<ReturnType<typeof openDesk>>) => (await fixture.waiting(1))[0]!;

Deno.test("a question waits with all a person needs, and runs once it is allowed (K-186)", async () => {
  await using fixture = await openDesk();
  const turn = await fixture.turn();
  const answer = turn.decide();
  const question = await first(fixture);
  assert.deepEqual(
    { ...question, at: "", expires_at: "" },
    {
      conversation: "C",
      title: "T",
      seq: 1,
      turn: "T1",
      run: null,
      entry: 1,
      agent: "assistant",
      toolset: "mail",
      tool: "send",
      arguments: { x: "hello" },
      rule: { agent: "assistant", toolset: "mail", tool: "send" },
      about: "Sends a mail",
      at: "",
      expires_at: "",
    },
  );
  assert.equal(Date.parse(question.expires_at!) - Date.parse(question.at) >= 59_000, true);
  const closed = await fixture.desk.answer("C", question.seq, { decision: "allow" });
  assert.deepEqual([closed.decision, closed.scope, closed.by], ["allow", "once", "person"]);
  assert.deepEqual(await answer, { allow: true });
  const [entry] = await turn.approvals();
  assert.deepEqual([entry?.state, entry?.data.decision, entry?.data.by], ["done", "allow", "person"]);
  assert.deepEqual(fixture.lists.map((list) => list.length), [1, 0]);
  assert.equal(fixture.timers, 0);
});

Deno.test("a denial carries the person's reason to the model", async () => {
  await using fixture = await openDesk();
  const turn = await fixture.turn();
  const answer = turn.decide();
  const { seq } = await first(fixture);
  await fixture.desk.answer("C", seq, { decision: "deny", reason: " Not to Anna " });
  const given = await answer;
  assert.ok(!given.allow);
  assert.match(given.reason, /send was not run: the person denied it and says: Not to Anna/);
  assert.equal((await turn.approvals())[0]?.data.reason, "Not to Anna");
});

Deno.test("arguments a person changed are checked, recorded and what the call runs with", async () => {
  await using fixture = await openDesk();
  const turn = await fixture.turn();
  const answer = turn.decide();
  const { seq } = await first(fixture);
  await assert.rejects(
    fixture.desk.answer("C", seq, { decision: "allow", arguments: { x: 3 } }),
    (error) => error instanceof BadRequest && error.path === "arguments" && /x must be text/.test(error.message),
  );
  assert.equal(fixture.desk.waiting().length, 1, "what could not be taken leaves the question waiting");
  const closed = await fixture.desk.answer("C", seq, { decision: "allow", arguments: { x: "shorter" } });
  assert.deepEqual(closed.changed, { x: "shorter" });
  assert.deepEqual(await answer, { allow: true, arguments: { x: "shorter" } });
  const same = turn.decide();
  const again = await first(fixture);
  const unchanged = await fixture.desk.answer("C", again.seq, { decision: "allow", arguments: { x: "hello" } });
  assert.equal(unchanged.changed, undefined, "the same arguments are no change");
  assert.deepEqual(await same, { allow: true });
});

Deno.test("an answer that cannot be is refused with where it is wrong (bad input)", async () => {
  await using fixture = await openDesk({ confirm: ["config"] });
  const turn = await fixture.turn();
  const over = new AbortController();
  const answer = turn.decide({ toolset: "config", tool: "update_config" }, over.signal);
  const { seq, rule } = await first(fixture);
  assert.equal(rule, undefined);
  const bad = (path: string) => (error: unknown) => error instanceof BadRequest && error.path === path;
  await assert.rejects(fixture.desk.answer("C", seq, { decision: "allow", scope: "always" }), bad("scope"));
  await assert.rejects(fixture.desk.answer("C", seq, { decision: "deny", scope: "turn" }), bad("scope"));
  await assert.rejects(fixture.desk.answer("C", seq, { decision: "deny", arguments: {} }), bad("arguments"));
  over.abort(new Error("stopped"));
  await assert.rejects(answer, /stopped/);
});

Deno.test("never answered, a call is denied when its time is up, and an answer after that runs nothing (casebook)", async () => {
  await using fixture = await openDesk();
  const turn = await fixture.turn();
  const answer = turn.decide();
  const { seq } = await first(fixture);
  fixture.timeUp();
  const given = await answer;
  assert.ok(!given.allow);
  assert.match(given.reason, /nobody answered in time/);
  assert.deepEqual((await turn.approvals()).map(({ data }) => [data.decision, data.by]), [["deny", "timeout"]]);
  await assert.rejects(fixture.desk.answer("C", seq, { decision: "allow" }), AlreadyDecided);
});

Deno.test("answered twice, the second is refused, also while the first is being written", async () => {
  await using fixture = await openDesk();
  const turn = await fixture.turn();
  const answer = turn.decide();
  const { seq } = await first(fixture);
  const both = await Promise.allSettled([
    fixture.desk.answer("C", seq, { decision: "deny" }),
    fixture.desk.answer("C", seq, { decision: "allow" }),
  ]);
  assert.deepEqual(both.map(({ status }) => status), ["fulfilled", "rejected"]);
  assert.ok(!(await answer).allow);
  await assert.rejects(fixture.desk.answer("C", seq, { decision: "allow" }), AlreadyDecided);
});

Deno.test("what is no question, and a conversation that is not there, are told apart", async () => {
  await using fixture = await openDesk();
  await fixture.turn();
  await fixture.log.log.append("C", { turn: "T1", kind: "notice", data: { text: "n", level: "info" } });
  for (const seq of [1, 99]) {
    await assert.rejects(fixture.desk.answer("C", seq, { decision: "allow" }), QuestionNotFound);
  }
  await assert.rejects(fixture.desk.answer("nowhere", 1, { decision: "allow" }), ConversationNotFound);
});

Deno.test("four questions wait side by side, and are answered in any order", async () => {
  await using fixture = await openDesk();
  const turn = await fixture.turn();
  const answers = [1, 2, 3, 4].map((entry) => turn.decide({ entry, arguments: { x: `${entry}` } }));
  const questions = await fixture.waiting(4);
  assert.deepEqual(questions.map(({ entry }) => entry), [1, 2, 3, 4]);
  for (const index of [2, 0, 3, 1]) {
    await fixture.desk.answer("C", questions[index]!.seq, { decision: index % 2 ? "deny" : "allow" });
  }
  assert.deepEqual((await Promise.all(answers)).map(({ allow }) => allow), [true, false, true, false]);
});

Deno.test("a stop closes what waits: nobody decided, nothing runs, and an answer is refused", async () => {
  await using fixture = await openDesk();
  const turn = await fixture.turn();
  const stop = new AbortController();
  const answers = [turn.decide({}, stop.signal), turn.decide({ entry: 2 }, stop.signal)];
  const [one] = await fixture.waiting(2);
  stop.abort(new Error("stopped"));
  for (const answer of answers) await assert.rejects(answer, /stopped/);
  await turn.recorder.end();
  assert.deepEqual((await turn.approvals()).map(({ state, data }) => [state, data.decision]), [
    ["done", undefined],
    ["done", undefined],
  ]);
  assert.deepEqual([fixture.desk.waiting().length, fixture.timers], [0, 0]);
  await assert.rejects(fixture.desk.answer("C", one!.seq, { decision: "allow" }), AlreadyDecided);
});

Deno.test("stopped at any moment around an answer, a call runs exactly if its allowance is stored", async () => {
  await using fixture = await openDesk();
  for (let delay = 0; delay < 8; delay++) {
    const turn = await fixture.turn();
    const stop = new AbortController();
    const answer = turn.decide({}, stop.signal).then(({ allow }) => allow, () => false);
    const { seq } = await first(fixture);
    const answered = fixture.desk.answer("C", seq, { decision: "allow" }).then(() => true, () => false);
    for (let step = 0; step < delay; step++) await Promise.resolve();
    stop.abort(new Error("stopped"));
    await turn.recorder.end();
    const [ran, taken] = [await answer, await answered];
    const [entry] = await turn.approvals();
    assert.equal(entry?.state, "done");
    assert.equal(entry?.data.decision === "allow", taken);
    assert.ok(!ran || taken, "nothing runs that is not recorded");
  }
});

Deno.test('"for this turn" holds for like calls of this turn alone, sub-agents\' questions carry their run', async () => {
  await using fixture = await openDesk();
  const turn = await fixture.turn({ run: "R1" });
  const asked = turn.decide();
  const question = await first(fixture);
  assert.equal(question.run, "R1");
  await fixture.desk.answer("C", question.seq, { decision: "allow", scope: "turn" });
  assert.ok((await asked).allow);
  assert.ok((await turn.decide({ arguments: { x: "other" } })).allow, "asked no second time");
  const [, second] = await turn.approvals();
  assert.deepEqual([second?.run, second?.data.by, second?.data.scope], ["R1", "policy", "turn"]);
  const stop = new AbortController();
  const next = (await fixture.turn()).decide({}, stop.signal);
  await fixture.waiting(1);
  stop.abort(new Error("over"));
  await assert.rejects(next);
});

Deno.test('"for this conversation" holds there alone, "always" everywhere, each until it is revoked', async () => {
  await using fixture = await openDesk();
  const here = await fixture.turn();
  const asked = here.decide();
  await fixture.desk.answer("C", (await first(fixture)).seq, { decision: "allow", scope: "conversation" });
  await asked;
  assert.ok((await (await fixture.turn()).decide()).allow);
  assert.deepEqual(await fixture.desk.rules(), [], "it is no rule that holds everywhere");
  assert.equal((await fixture.desk.rules("C")).length, 1);

  const there = await fixture.turn({ conversation: "D" });
  const askedThere = there.decide();
  await fixture.desk.answer("D", (await first(fixture)).seq, { decision: "allow", scope: "always" });
  await askedThere;
  const [rule] = await fixture.desk.rules();
  assert.deepEqual([rule?.agent, rule?.toolset, rule?.tool, rule?.arguments], ["assistant", "mail", "send", undefined]);
  assert.ok((await (await fixture.turn({ conversation: "E" })).decide()).allow);
  await fixture.desk.revoke(rule!.id);
  const stop = new AbortController();
  const again = (await fixture.turn({ conversation: "E" })).decide({}, stop.signal);
  await fixture.waiting(1);
  stop.abort(new Error("over"));
  await assert.rejects(again);
});

Deno.test("a rule that is made lets what waits and is covered by it run too, and nothing else", async () => {
  await using fixture = await openDesk({ confirm: ["mail", "fs"] });
  const turn = await fixture.turn();
  const stop = new AbortController();
  const like = [turn.decide({ entry: 1 }), turn.decide({ entry: 2, arguments: { x: "b" } })];
  const other = turn.decide({ entry: 3, toolset: "fs", tool: "write" }, stop.signal);
  const elsewhere = (await fixture.turn({ conversation: "D" })).decide({}, stop.signal);
  const [one] = await fixture.waiting(4);
  await fixture.desk.answer("C", one!.seq, { decision: "allow", scope: "turn" });
  assert.deepEqual((await Promise.all(like)).map(({ allow }) => allow), [true, true]);
  assert.equal((await fixture.waiting(2)).length, 2);
  stop.abort(new Error("over"));
  await assert.rejects(other);
  await assert.rejects(elsewhere);
});

Deno.test("a rule for exact arguments is made of those the person let run", async () => {
  await using fixture = await openDesk({ confirm: ["compute"] });
  const turn = await fixture.turn();
  const call = { toolset: "compute", tool: "run_command" };
  const asked = turn.decide({ ...call, arguments: { x: "rm -r /" } });
  const question = await first(fixture);
  assert.deepEqual(question.rule?.arguments, { x: "rm -r /" });
  const changed = { x: "ls" };
  await fixture.desk.answer("C", question.seq, { decision: "allow", scope: "always", arguments: changed });
  assert.deepEqual(await asked, { allow: true, arguments: changed });
  assert.deepEqual((await fixture.desk.rules()).map((rule) => rule.arguments), [changed]);
  assert.ok((await turn.decide({ ...call, arguments: changed })).allow);
  const stop = new AbortController();
  const worse = turn.decide({ ...call, arguments: { x: "rm -r /" } }, stop.signal);
  await fixture.waiting(1);
  stop.abort(new Error("over"));
  await assert.rejects(worse);
});

Deno.test("the title of a question follows its conversation's", async () => {
  await using fixture = await openDesk();
  const turn = await fixture.turn();
  const stop = new AbortController();
  const answer = turn.decide({}, stop.signal);
  await fixture.waiting(1);
  fixture.log.feed.announce({ op: "conversation", conversation: { id: "C", title: "Mail to Anna" } as never });
  assert.equal(fixture.desk.waiting()[0]?.title, "Mail to Anna");
  assert.equal(fixture.lists.at(-1)?.[0]?.title, "Mail to Anna");
  stop.abort(new Error("over"));
  await assert.rejects(answer);
});
