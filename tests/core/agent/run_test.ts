import assert from "node:assert/strict";
import { INTERRUPTED } from "../../../core/log/mod.ts";
import { type ModelEvent, type ModelMessage, scriptedModel } from "../../../core/model/mod.ts";
import { Ledger } from "../../../core/agent/mod.ts";
import { WRAP_UP_PROMPT } from "../../../core/agent/mod.ts";
import { handModel, openRun, textTool } from "./run_fixture.ts";

const echo = textTool("echo", (x) => `said ${x}`);
const call = (x: string, name = "echo") => ({ name, arguments: { x } });

Deno.test("a run writes thinking, text and its round, and ends done", async () => {
  await using bench = await openRun();
  const ran = await bench.run(scriptedModel([{ thinking: "Hm. So.", text: "The answer" }]));
  assert.equal(ran.outcome.status, "done");
  assert.deepEqual(ran.entries.map((entry) => entry.kind), ["user", "thinking", "text", "round"]);
  assert.equal(ran.of("text")[0]?.data.text, "The answer");
  assert.equal(typeof ran.of("thinking")[0]?.data.ms, "number");
  assert.ok(ran.entries.every((entry) => entry.state === "done"));
});

Deno.test("a run calls tools and asks again with their results, in the order of the calls", async () => {
  await using bench = await openRun();
  const late = Promise.withResolvers<string>();
  const slow = textTool("slow", () => late.promise);
  const quick = textTool("quick", (x) => {
    late.resolve("slow one");
    return `quick ${x}`;
  });
  const model = scriptedModel([{ tool_calls: [call("a", "slow"), call("b", "quick")] }, { text: "Done" }]);
  const ran = await bench.run(model, { tools: [slow, quick] });
  assert.deepEqual(ran.of("tool").map((entry) => entry.data.result), ["slow one", "quick b"]);
  const sent = model.requests[1]?.messages.slice(-2) as ModelMessage[];
  assert.deepEqual(sent.map((message) => message.role === "tool" && message.result), ["slow one", "quick b"]);
});

Deno.test("the second request is the fold of the stored entries", async () => {
  await using bench = await openRun();
  const model = scriptedModel([{ thinking: "t", text: "Let me", tool_calls: [call("a"), call("b")] }, {
    text: "Done",
  }]);
  const ran = await bench.run(model, { tools: [echo] });
  const sent = model.requests[1]!.messages;
  assert.deepEqual(
    sent.map((message) => message.role),
    ran.context.slice(0, sent.length).map((message) => message.role),
  );
  assert.deepEqual(sent[1], ran.context[1]);
});

Deno.test("tools start before the stream ends", async () => {
  await using bench = await openRun();
  const started = Promise.withResolvers<void>();
  const tool = textTool("echo", (x) => (started.resolve(), x));
  const model = handModel(async function* (n): AsyncGenerator<ModelEvent> {
    yield { type: "request", url: "", body: "{}" };
    if (n === 0) {
      yield { type: "tool_start", call: "1", name: "echo" };
      yield { type: "tool_call", call: "1", name: "echo", arguments: { x: "a" } };
      await started.promise;
      yield { type: "stop", reason: "tool_calls", provider_reason: "tool_calls" };
    } else {
      yield { type: "text", text: "ok" };
      yield { type: "stop", reason: "end", provider_reason: "stop" };
    }
  });
  assert.equal((await bench.run(model, { tools: [tool] })).outcome.status, "done");
});

Deno.test("the captured request is what the model was sent", async () => {
  await using bench = await openRun();
  const ran = await bench.run(handModel(async function* (): AsyncGenerator<ModelEvent> {
    yield { type: "request", url: "", body: '{"exact":"bytes ü"}' };
    yield { type: "text", text: "ok" };
    yield { type: "stop", reason: "end", provider_reason: "stop" };
  }));
  const round = ran.of("round")[0]!.data;
  const blob = await bench.fixture.storage.blobs.get(round.request_ref!.slice("/payloads/".length));
  assert.equal(new TextDecoder().decode(blob?.bytes), '{"exact":"bytes ü"}');
  assert.equal(round.request_bytes, 20);
});

Deno.test("malformed arguments are answered and never run", async () => {
  await using bench = await openRun();
  let runs = 0;
  const tool = textTool("echo", (x) => (runs++, x));
  const model = scriptedModel([{ tool_calls: [{ name: "echo", malformed: '{"x": "cut' }] }, { text: "Sorry" }]);
  const ran = await bench.run(model, { tools: [tool] });
  assert.equal(runs, 0);
  assert.equal(ran.of("tool")[0]?.data.status, "failed");
  assert.match(ran.of("tool")[0]?.data.result ?? "", /not complete JSON/);
  assert.equal(ran.outcome.status, "done");
});

Deno.test("a model that says nothing is asked to go on, then once without tools, then the turn fails", async () => {
  await using bench = await openRun();
  const model = scriptedModel(() => ({ text: "" }));
  const ran = await bench.run(model, { tools: [echo], maxIterations: 3 });
  assert.equal(ran.outcome.status, "failed");
  assert.deepEqual(ran.of("round").map((entry) => entry.data.kind), [
    "plain",
    "continuation",
    "continuation",
    "wrap_up",
  ]);
  assert.equal(model.requests.at(-1)?.toolChoice, "none");
  assert.match("failure" in ran.outcome ? ran.outcome.failure : "", /gave no answer/);
});

Deno.test("at the cap the last calls are not run and the model wraps up", async () => {
  await using bench = await openRun();
  let runs = 0;
  const tool = textTool("echo", () => String(runs++));
  const model = scriptedModel((request, n) =>
    request.toolChoice === "none" ? { text: "Here is what I have" } : { tool_calls: [call(String(n))] }
  );
  const ran = await bench.run(model, { tools: [tool], maxIterations: 3 });
  assert.equal(runs, 2);
  assert.equal(model.requests.length, 4);
  assert.match(ran.of("tool")[2]?.data.result ?? "", /used its 3 model calls/);
  assert.equal(ran.of("user").at(-1)?.data.text, WRAP_UP_PROMPT);
  assert.equal(ran.outcome.status, "done");
});

Deno.test("the same call three times in a row ends in a wrap-up", async () => {
  await using bench = await openRun();
  let runs = 0;
  const tool = textTool("echo", () => String(runs++));
  const model = scriptedModel((request) =>
    request.toolChoice === "none" ? { text: "I was going in circles" } : { tool_calls: [call("same")] }
  );
  const ran = await bench.run(model, { tools: [tool], maxIterations: 10 });
  assert.equal(runs, 2);
  assert.equal(model.requests.length, 4);
  assert.equal(ran.outcome.status, "done");
});

Deno.test("a token budget ends the turn before the call that would pass it, and says so", async () => {
  await using bench = await openRun();
  const usage = { input_tokens: 400, output_tokens: 100 };
  const model = scriptedModel((_request, n) => ({ tool_calls: [call(String(n))], usage }));
  const ran = await bench.run(model, { tools: [echo], maxIterations: 50, budget: { tokens: 1600 } });
  assert.equal(model.requests.length, 3);
  assert.equal(ran.outcome.status, "stopped");
  assert.match(ran.of("notice")[0]?.data.text ?? "", /budget of 1600/);
});

Deno.test("two runs that ask at once do not both take the room that is left for one (casebook, Runaway loop)", async () => {
  await using bench = await openRun();
  const turn = new Ledger({ tokens: 300 }, "the turn of both");
  turn.book({ tokens: 0, cost: 0 }).settle({ agent: "a", model: "m", ms: 1 });
  const oneIsOver = Promise.withResolvers<void>();
  const model = handModel(async function* (n): AsyncGenerator<ModelEvent> {
    if (n > 0) oneIsOver.resolve();
    await oneIsOver.promise;
    yield { type: "text", text: "ok" };
    yield { type: "stop", reason: "end", provider_reason: "stop" };
  });
  // Some 200 tokens, as it is estimated.
  const say = "x".repeat(800);
  const runs = ["one", "other"].map(() => bench.run(model, { say, outer: turn }));
  Promise.race(runs).then(() => oneIsOver.resolve());
  const ended = await Promise.all(runs);
  assert.deepEqual([ended.map(({ outcome }) => outcome.status).sort(), model.asked], [["done", "stopped"], 1]);
});

Deno.test("a cost budget ends the turn too", async () => {
  await using bench = await openRun();
  const model = scriptedModel((_request, n) => ({ tool_calls: [call(String(n))] }));
  const ran = await bench.run(model, { tools: [echo], maxIterations: 50, budget: { cost: 0.5 }, costOf: () => 0.2 });
  assert.equal(model.requests.length, 2);
  assert.equal(ran.outcome.status, "stopped");
});

Deno.test("a refusal is a refusal, with what the model said", async () => {
  await using bench = await openRun();
  const ran = await bench.run(scriptedModel([{ refusal: "I will not" }]));
  assert.deepEqual([ran.outcome.status, "failure" in ran.outcome && /I will not/.test(ran.outcome.failure)], [
    "refused",
    true,
  ]);
});

Deno.test("an answer cut off at the limit stays and says so; one cut off before a word fails", async () => {
  await using bench = await openRun();
  const cut = await bench.run(scriptedModel([{ text: "Half an", stop: "length" }]));
  assert.equal(cut.outcome.status, "done");
  assert.match(cut.of("notice")[0]?.data.text ?? "", /cut off/);
  const empty = await bench.run(scriptedModel([{ stop: "length" }]));
  assert.equal(empty.outcome.status, "failed");
});

for (const fail of ["unreachable", "rate_limited", "rejected", "stalled", "incomplete"] as const) {
  Deno.test(`a model that ends ${fail} fails the turn and keeps what it said`, async () => {
    await using bench = await openRun();
    const ran = await bench.run(scriptedModel([{ text: "The first half", fail }]));
    assert.equal(ran.outcome.status, "failed");
    assert.equal(ran.of("text")[0]?.data.text, "The first half");
    assert.ok(ran.of("round")[0]?.data.error);
    assert.equal(ran.calls.length, 1);
  });
}

Deno.test("a model that fails while a tool runs leaves the call with one result", async () => {
  await using bench = await openRun();
  const hang = textTool("hang", () => new Promise<string>(() => {}));
  const ran = await bench.run(scriptedModel([{ tool_calls: [call("a", "hang")], fail: "incomplete" }]), {
    tools: [hang],
  });
  assert.equal(ran.outcome.status, "failed");
  assert.equal(ran.of("tool")[0]?.data.result, INTERRUPTED);
});

Deno.test("abort at every event leaves every entry closed and every call with exactly one result", async () => {
  await using bench = await openRun();
  const events = (n: number): ModelEvent[] =>
    n === 0
      ? [
        { type: "request", url: "", body: "{}" },
        { type: "thinking", text: "hm" },
        { type: "text", text: "Let me " },
        { type: "text", text: "see" },
        ...["1", "2", "3", "4"].flatMap((id): ModelEvent[] => [
          { type: "tool_start", call: id, name: id === "4" ? "hang" : "echo" },
          { type: "tool_arguments", call: id, text: "{" },
          { type: "tool_call", call: id, name: id === "4" ? "hang" : "echo", arguments: { x: id } },
        ]),
        { type: "stop", reason: "tool_calls", provider_reason: "tool_use" },
      ]
      : [{ type: "text", text: "end" }, { type: "stop", reason: "end", provider_reason: "stop" }];
  const hang = textTool("hang", () => new Promise<string>(() => {}));
  const count = events(0).length;
  for (let at = 0; at <= count; at++) {
    const stop = new AbortController();
    const model = handModel(async function* (n, signal) {
      let index = 0;
      for (const event of events(n)) {
        if (index++ === at) stop.abort();
        signal.throwIfAborted();
        yield event;
      }
      if (at === count) queueMicrotask(() => stop.abort());
    });
    const ran = await bench.run(model, { tools: [echo, hang], signal: stop.signal });
    assert.equal(ran.outcome.status, "stopped", `at ${at}`);
    assert.ok(ran.entries.every((entry) => entry.state === "done"), `at ${at}`);
    assert.ok(ran.of("tool").every((entry) => entry.data.result !== undefined), `at ${at}`);
    const calls = ran.context.flatMap((message) => message.role === "assistant" ? message.parts : [])
      .filter((part) => part.type === "tool_call").length;
    assert.equal(ran.context.filter((message) => message.role === "tool").length, calls, `at ${at}`);
  }
});

Deno.test("a stop ends the run at once while a tool hangs", async () => {
  await using bench = await openRun();
  const running = Promise.withResolvers<AbortSignal>();
  const hang = textTool("hang", (_x, { signal }) => (running.resolve(signal), new Promise<string>(() => {})));
  const stop = new AbortController();
  const run = bench.run(scriptedModel([{ tool_calls: [call("a", "hang")] }]), { tools: [hang], signal: stop.signal });
  const signal = await running.promise;
  stop.abort();
  const ran = await run;
  assert.ok(signal.aborted);
  assert.equal(ran.outcome.status, "stopped");
  assert.equal(ran.of("tool")[0]?.data.status, "interrupted");
});
