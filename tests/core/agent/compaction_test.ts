import assert from "node:assert/strict";
import fc from "fast-check";
import { estimateTokens, measuredLength, planCompaction } from "../../../core/agent/compaction.ts";
import { type ContextMessage, type Entry, foldContext } from "../../../core/log/mod.ts";
import { scriptedModel } from "../../../core/model/mod.ts";
import { Ledger, Recorder, runAgent, ToolLock } from "../../../core/agent/mod.ts";
import { Services } from "../../../core/tool/mod.ts";
import { openRun, textTool } from "./run_fixture.ts";

const frame = { system: "", tools: [] };
const measure = (context: readonly ContextMessage[]) => estimateTokens(frame, context);
const fold = (entries: readonly Entry[]) => foldContext(entries, "R");

/** A sub-agent's entries: its card, then rounds of some calls whose results have these lengths. */
function entriesOf(rounds: readonly (readonly number[])[]): Entry[] {
  const entries: Entry[] = [];
  const add = (kind: string, data: unknown) =>
    entries.push({
      conversation: "C",
      seq: entries.length + 1,
      turn: "T",
      run: "R",
      parent_run: null,
      kind,
      state: "done",
      at: "",
      data,
    } as Entry);
  add("run", { agent: "a", task: "the task", status: "running", model: "m" });
  for (const [n, calls] of rounds.entries()) {
    for (const [index, length] of calls.entries()) {
      const call = `${n}-${index}`;
      add("tool", { call, name: "read", toolset: "fs", arguments: {}, status: "done", result: "x".repeat(length) });
    }
    add("round", { kind: "plain", model: "m", request_bytes: 0, ms: 1, stop_reason: "stop" });
  }
  return entries;
}

Deno.test("nothing is left out below three quarters of the window (K-153)", () => {
  const entries = entriesOf([[400], [400]]);
  const tokens = measure(fold(entries));
  assert.equal(planCompaction({ window: Math.ceil(tokens / 0.75), entries, fold, measure }), null);
  assert.notEqual(planCompaction({ window: Math.floor(tokens / 0.76), entries, fold, measure }), null);
});

Deno.test("the oldest whole rounds give way to a line that names what was called; the task stays first", () => {
  const entries = entriesOf([[4000, 4000], [4000], [40]]);
  const made = planCompaction({ window: 1900, entries, fold, measure });
  assert(made);
  assert.match(made.summary, /your first 2 steps on this task\. In them you called read \(3 times\)/);
  const after = fold([...entries, { ...entries.at(-1)!, seq: 99, kind: "compaction", data: made } as Entry]);
  assert.deepEqual(after.map((message) => message.role), ["user", "user", "assistant", "tool"]);
  assert.equal(after[0]?.role === "user" && after[0].text, "the task");
  assert.equal(measure(after), made.tokens_after);
});

Deno.test("it always shrinks, keeps calls and results in pairs, and the last round whole; or it does nothing", () => {
  const rounds = fc.array(fc.array(fc.nat({ max: 3000 }), { minLength: 1, maxLength: 4 }), { maxLength: 12 });
  fc.assert(fc.property(rounds, fc.integer({ min: 100, max: 3000 }), (lengths, window) => {
    let entries = entriesOf(lengths);
    for (let times = 0; times < 3; times++) {
      const before = measure(fold(entries));
      const made = planCompaction({ window, entries, fold, measure });
      if (!made) return;
      entries = [...entries, { ...entries.at(-1)!, seq: entries.length + 1, kind: "compaction", data: made } as Entry];
      const after = fold(entries);
      assert.ok(measure(after) < before);
      assert.equal(after[0]?.role === "user" && after[0].text, "the task");
      const asked = after.flatMap((each) =>
        each.role === "assistant" ? each.parts.flatMap((part) => part.type === "tool_call" ? [part.call] : []) : []
      );
      assert.deepEqual(after.flatMap((each) => each.role === "tool" ? [each.call] : []), asked);
      const last = lengths.at(-1) ?? [];
      assert.deepEqual(asked.slice(-last.length), last.map((_, n) => `${lengths.length - 1}-${n}`));
    }
  }));
});

Deno.test("the size of a token is taken from a call that was measured", () => {
  const context: ContextMessage[] = [{ role: "user", text: "x".repeat(2000), images: [] }];
  const length = measuredLength(frame, context, 1000);
  assert.ok(length > 2 && length < 2.1);
  assert.equal(estimateTokens(frame, context, length), 1000);
});

Deno.test("a long run under an 8k window ends well: 40 results of 4k, each request within it, the log whole", async () => {
  await using bench = await openRun();
  const { fixture } = bench;
  const model = scriptedModel((_, n) =>
    n < 40 ? { tool_calls: [{ name: "read", arguments: { x: `${n}` } }] } : { text: "done" }
  );
  const recorder = new Recorder(fixture.log, { conversation: "C", turn: "T", run: "R" }, () => new Date());
  const card = recorder.openCard({ agent: "a", task: "the task", status: "running", model: "m" });
  const outcome = await runAgent(
    {
      name: "a",
      system: "s",
      model,
      tools: [textTool("read", (x) => x.padEnd(4000, "word "))],
      generation: {},
      maxIterations: 50,
      concurrentTools: true,
    },
    { history: [], said: [] },
    {
      recorder,
      blobs: fixture.storage.blobs,
      lock: new ToolLock(),
      now: () => new Date(),
      service: new Services().service,
      captureRequests: false,
      costOf: () => undefined,
      ledger: new Ledger({}, "this turn"),
      window: 8000,
    },
    new AbortController().signal,
  );
  await card.close();
  assert.equal(outcome.status, "done");
  const entries = (await fixture.stored("C")).filter((entry) => entry.run === "R");
  assert.equal(entries.filter((entry) => entry.kind === "tool").length, 40);
  const made = entries.filter((entry): entry is Entry<"compaction"> => entry.kind === "compaction");
  assert.ok(made.length >= 2 && made.length < 40, `${made.length}`);
  assert.ok(made.every(({ data }) => data.tokens_after < data.tokens_before));
  const sent = model.requests.at(-1)!.messages;
  assert.equal(sent[0]?.role === "user" && sent[0].text, "the task");
  const upTo = foldContext(entries.slice(0, entries.findLastIndex((entry) => entry.kind === "text")), "R");
  assert.deepEqual(
    sent.map(({ role }) => role),
    upTo.map(({ role }) => role),
    "the request is the fold of the stored entries",
  );
});
