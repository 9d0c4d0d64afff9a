import assert from "node:assert/strict";
import type { Inbox } from "../../../core/agent/mod.ts";
import { scriptedModel } from "../../../core/model/mod.ts";
import { openRun, textTool } from "./run_fixture.ts";

/** An inbox with these messages before each model call, the first call's first. */
function inboxOf(...deliveries: readonly (readonly string[])[]): Inbox & { readonly read: number } {
  let at = -1;
  return {
    get read() {
      return at + 1;
    },
    get waits() {
      return (deliveries[++at] ?? []).length > 0;
    },
    async deliver(write) {
      const texts = deliveries[at] ?? [];
      for (const text of texts) await write({ text, from: "person", to: "assistant" }, []);
      return texts.length;
    },
  };
}

const echo = textTool("echo", (x) => x);
const call = (n: number) => ({ tool_calls: [{ name: "echo", arguments: { x: String(n) } }] });

Deno.test("what waits is read before the next model call, after the results of the calls before", async () => {
  await using run = await openRun();
  const model = scriptedModel([call(1), { text: "done" }]);
  const ran = await run.run(model, { tools: [echo], inbox: inboxOf([], ["steer"]) });
  assert.equal(ran.outcome.status, "done");
  const roles = model.requests[1]?.messages.map((message) => message.role);
  assert.deepEqual(roles, ["user", "assistant", "tool", "user"]);
  assert.deepEqual(ran.of("inbox").map((entry) => entry.data.text), ["steer"]);
  assert.deepEqual(ran.context, [...ran.context], "and it is in the fold of the stored entries");
});

Deno.test("each delivery counts the calls anew, at most as often as there are calls", async () => {
  await using run = await openRun();
  const model = scriptedModel((_, n) => call(n));
  const always = inboxOf(...Array.from({ length: 50 }, (_, n) => n === 0 ? [] : [`m${n}`]));
  const ran = await run.run(model, { tools: [echo], maxIterations: 2, inbox: always });
  // One call and then a delivery, twice; the third delivery and those after it no longer count anew.
  assert.equal(ran.outcome.status, "failed", "a model that only calls tools gives no answer in the wrap-up either");
  assert.deepEqual(ran.of("round").map((entry) => entry.data.kind), ["plain", "plain", "plain", "plain", "wrap_up"]);
});

Deno.test("a message at the cap is read instead of the wrap-up", async () => {
  await using run = await openRun();
  const model = scriptedModel([call(1), { text: "done" }]);
  const ran = await run.run(model, { tools: [echo], maxIterations: 1, inbox: inboxOf([], ["steer"]) });
  assert.equal(ran.outcome.status, "done");
  assert.deepEqual(ran.of("round").map((entry) => entry.data.kind), ["plain", "plain"]);
  assert.equal(ran.of("user").length, 1, "the loop has said nothing itself");
});

Deno.test("a message ends a loop of the same call over and over, before the loop is ended", async () => {
  await using run = await openRun();
  const model = scriptedModel((_, n) => n < 3 ? call(0) : { text: "done" });
  const ran = await run.run(model, { tools: [echo], inbox: inboxOf([], [], [], ["stop that"]) });
  assert.equal(ran.outcome.status, "done");
  assert.deepEqual(ran.of("round").map((entry) => entry.data.kind), ["plain", "plain", "plain", "plain"]);
});

Deno.test("nothing is read after the answer, by a run over its budget, or by one that is being ended", async () => {
  await using run = await openRun();
  const answered = inboxOf([], ["late"]);
  assert.equal((await run.run(scriptedModel([{ text: "done" }]), { inbox: answered })).of("inbox").length, 0);
  assert.equal(answered.read, 1);
  const spent = inboxOf([], ["late"]);
  const model = scriptedModel([{
    ...call(1),
    usage: { input_tokens: 90, output_tokens: 9, cached_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 },
  }]);
  const over = await run.run(model, { tools: [echo], budget: { tokens: 100 }, inbox: spent });
  assert.deepEqual([over.outcome.status, over.of("inbox").length], ["stopped", 0]);
  const ended = inboxOf(["late"]);
  const ran = await run.run(scriptedModel([{ text: "x" }]), { signal: AbortSignal.abort(), inbox: ended });
  assert.deepEqual([ran.outcome.status, ran.of("inbox").length, ended.read], ["stopped", 0, 0]);
});

Deno.test("a delivery that cannot be stored fails the run before the model is asked", async () => {
  await using run = await openRun();
  const model = scriptedModel([{ text: "x" }]);
  const inbox: Inbox = { waits: true, deliver: () => Promise.reject(new Error("No space left")) };
  await assert.rejects(run.run(model, { inbox }), /No space left/);
  assert.equal(model.requests.length, 0);
});
