import assert from "node:assert/strict";
import { scriptedModel, type ScriptedTurn } from "../../../core/model/mod.ts";
import type { Gate, GateAnswer, GatedCall } from "../../../core/tool/mod.ts";
import { openRun, textTool } from "./run_fixture.ts";

/** A gate in the test's hands: it keeps what it was asked. */
function gateOf(answer: (call: GatedCall, signal: AbortSignal) => GateAnswer | Promise<GateAnswer>) {
  const asked: GatedCall[] = [];
  const gate: Gate = {
    decide: async (call, signal) => {
      asked.push(call);
      return await answer(call, signal);
    },
  };
  return { gate, asked };
}

const calls = (...list: readonly unknown[]): ScriptedTurn[] => [
  { tool_calls: list.map((given) => ({ name: "send", arguments: given })) },
  { text: "Done" },
];

/** A tool that keeps what it was run with. */
function sender() {
  const sent: string[] = [];
  return { sent, tools: [textTool("send", (x) => (sent.push(x), "sent"))] };
}

Deno.test("a call is asked about with its checked arguments, and its entry says that it waits (K-152)", async () => {
  await using run = await openRun();
  const { sent, tools } = sender();
  const { gate, asked } = gateOf(async (call) => {
    await call.waits();
    const [entry] = (await run.fixture.stored("C")).filter(({ seq }) => seq === call.entry);
    assert.deepEqual([entry?.kind === "tool" && entry.data.status, entry?.state], ["waiting", "open"]);
    assert.deepEqual(entry?.kind === "tool" && entry.data.arguments, { x: "a" }, "durable before anybody is asked");
    return { allow: true };
  });
  const ran = await run.run(scriptedModel(calls({ x: "a" })), { tools, gate });
  const [call] = asked;
  assert.deepEqual(
    [call?.conversation, call?.turn, call?.run, call?.agent, call?.toolset, call?.tool, call?.arguments, call?.about],
    ["C", "T1", null, "assistant", "test", "send", { x: "a" }, "send"],
  );
  assert.deepEqual([call?.check({ x: "b" }), typeof call?.check({ x: 1 })], [null, "string"]);
  assert.deepEqual([ran.of("tool")[0]?.data.status, sent], ["done", ["a"]]);
});

Deno.test("a call the gate lets through at once is written once before it runs", async () => {
  await using run = await openRun();
  const { tools } = sender();
  const told: string[] = [];
  run.fixture.feed.subscribe((operation) => {
    if (operation.op === "patch" && "status" in operation.data) told.push(operation.data.status);
  });
  await run.run(scriptedModel(calls({ x: "a" })), { tools, gate: gateOf(() => ({ allow: true })).gate });
  assert.deepEqual(told, ["running", "done"]);
});

Deno.test("a call that is denied is not run, and its reason is the result the model reads (K-152)", async () => {
  await using run = await openRun();
  const { sent, tools } = sender();
  const ran = await run.run(scriptedModel(calls({ x: "a" })), {
    tools,
    gate: gateOf(() => ({ allow: false, reason: "send was not run: not today" })).gate,
  });
  const [tool] = ran.of("tool");
  assert.deepEqual([tool?.data.status, tool?.data.result, sent], ["denied", "send was not run: not today", []]);
  assert.equal(ran.outcome.status, "done");
});

Deno.test("a call runs with the arguments a person changed, and the model is sent back what ran", async () => {
  await using run = await openRun();
  const { sent, tools } = sender();
  const ran = await run.run(scriptedModel(calls({ x: "a" })), {
    tools,
    gate: gateOf(() => ({ allow: true, arguments: { x: "b" } })).gate,
  });
  assert.deepEqual([sent, ran.of("tool")[0]?.data.arguments], [["b"], { x: "b" }]);
});

Deno.test("changed arguments that do not fit the tool run nothing (bad input)", async () => {
  await using run = await openRun();
  const { sent, tools } = sender();
  const ran = await run.run(scriptedModel(calls({ x: "a" })), {
    tools,
    gate: gateOf(() => ({ allow: true, arguments: { x: 1 } })).gate,
  });
  assert.deepEqual([ran.of("tool")[0]?.data.status, sent], ["failed", []]);
  assert.match(ran.of("tool")[0]?.data.result ?? "", /its changed arguments do not fit/);
});

Deno.test("a gate that throws lets nothing run, and the turn goes on (K-187)", async () => {
  await using run = await openRun();
  const { sent, tools } = sender();
  const ran = await run.run(scriptedModel(calls({ x: "a" })), {
    tools,
    gate: gateOf(() => Promise.reject(new Error("not resolved yet"))).gate,
  });
  assert.deepEqual([ran.of("tool")[0]?.data.status, sent, ran.outcome.status], ["failed", [], "done"]);
  assert.match(ran.of("tool")[0]?.data.result ?? "", /send was not run: not resolved yet/);
});

Deno.test("calls that could not run anyway are never asked about", async () => {
  await using run = await openRun();
  const { tools } = sender();
  const { gate, asked } = gateOf(() => ({ allow: true }));
  const turn: ScriptedTurn = {
    tool_calls: [{ name: "send", arguments: { y: 1 } }, { name: "nothing" }, { name: "send", malformed: '{"x":' }],
  };
  const ran = await run.run(scriptedModel([turn, { text: "Done" }]), { tools, gate });
  assert.deepEqual([asked, ran.of("tool").map(({ data }) => data.status)], [[], ["failed", "failed", "failed"]]);
});

Deno.test("calls of one round wait side by side, and an ungated one does not wait for them", async () => {
  await using run = await openRun();
  const sent: string[] = [];
  const freeRan = Promise.withResolvers<void>();
  const tools = [textTool("send", (x) => {
    sent.push(x);
    if (x === "free") freeRan.resolve();
    return "sent";
  })];
  const decided = Promise.withResolvers<GateAnswer>();
  const bothAsked = Promise.withResolvers<void>();
  const { gate, asked } = gateOf((call) => {
    if ((call.arguments as { x: string }).x === "free") return { allow: true };
    if (asked.filter(({ arguments: given }) => (given as { x: string }).x !== "free").length === 2) bothAsked.resolve();
    return decided.promise;
  });
  const done = run.run(scriptedModel(calls({ x: "a" }, { x: "b" }, { x: "free" })), { tools, gate });
  await Promise.all([bothAsked.promise, freeRan.promise]);
  assert.deepEqual(sent, ["free"]);
  decided.resolve({ allow: true });
  await done;
  assert.deepEqual([...sent].sort(), ["a", "b", "free"]);
});

Deno.test("a stop while a call waits ends it as never run, whatever is answered afterwards", async () => {
  await using run = await openRun();
  const { sent, tools } = sender();
  const stop = new AbortController();
  const answer = Promise.withResolvers<GateAnswer>();
  const { gate } = gateOf((_, signal) => {
    queueMicrotask(() => stop.abort(new Error("stopped")));
    signal.addEventListener("abort", () => answer.resolve({ allow: true }));
    return answer.promise;
  });
  const ran = await run.run(scriptedModel(calls({ x: "a" })), { tools, gate, signal: stop.signal });
  const [tool] = ran.of("tool");
  assert.deepEqual([ran.outcome.status, tool?.state, tool?.data.status, sent], ["stopped", "done", "interrupted", []]);
  assert.match(tool?.data.result ?? "", /it did not run/);
});
