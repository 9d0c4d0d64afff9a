import assert from "node:assert/strict";
import fc from "fast-check";
import { type EntryData, type EntryKind, foldContext, INTERRUPTED, NOT_RUN } from "../../../core/log/mod.ts";
import { scriptedModel } from "../../../core/model/mod.ts";
import { recoverTurns } from "../../../core/turn/mod.ts";
import { openLog } from "../log/log_fixture.ts";
import { openTurns } from "./turn_fixture.ts";

const insertTurn = (id: string, conversation: string) => ({
  sql: `insert into turns (id, conversation, n, origin, status, agent, model, started_at)
        values (?, ?, 1, 'person', 'running', 'assistant', 'demo:tour', '2026-01-01T00:00:00.000Z')`,
  args: [id, conversation],
});

Deno.test("recoverTurns() closes what a crash left open, and keeps the text", async () => {
  await using fixture = await openLog();
  const { log, storage } = fixture;
  await fixture.conversation("C");
  await storage.database.write([insertTurn("T", "C")]);
  await log.append("C", { turn: "T", kind: "user", data: { text: "hi", images: [], from: "person" } });
  const open = <K extends EntryKind>(kind: K, data: EntryData[K]) =>
    log.appendOpen("C", { turn: "T", kind, data }).durable;
  await open("text", { text: "half of an ans" });
  const tool = { call: "1", name: "echo", toolset: "t", arguments: {}, status: "running" } as const;
  await open("tool", tool);
  await open("approval", { entry: 3, agent: "assistant", tool: "echo", arguments: {} });

  assert.equal(await recoverTurns(storage.database, () => new Date()), 1);

  const entries = await fixture.stored("C");
  assert.deepEqual(entries.map((entry) => entry.state), entries.map(() => "done"));
  assert.equal(entries[1]?.kind === "text" && entries[1].data.text, "half of an ans");
  assert.equal(entries[2]?.kind === "tool" && entries[2].data.result, INTERRUPTED);
  assert.deepEqual(entries[3]?.kind === "approval" && [entries[3].data.decision, entries[3].data.by], [
    "deny",
    "restart",
  ]);
  assert.equal(entries[4]?.kind, "notice");
  const [turn] = await log.turns("C");
  assert.equal(turn?.status, "interrupted");
  assert.equal(await recoverTurns(storage.database, () => new Date()), 0);
});

Deno.test("recoverTurns() says of a call that still waited to be allowed that it did not run, of others that they may have", async () => {
  await using fixture = await openLog();
  const { log, storage } = fixture;
  await fixture.conversation("C");
  await storage.database.write([insertTurn("T", "C")]);
  const open = <K extends EntryKind>(kind: K, data: EntryData[K]) =>
    log.appendOpen("C", { turn: "T", kind, data }).durable;
  const tool = { call: "1", name: "echo", toolset: "t", arguments: {}, status: "waiting" } as const;
  const question = { agent: "assistant", tool: "echo", arguments: {} };
  await open("tool", tool);
  await open("approval", { ...question, entry: 1 });
  await open("tool", { ...tool, call: "2" });
  await open("approval", { ...question, entry: 3, decision: "allow", by: "person" });
  await open("tool", { ...tool, call: "3", status: "running" });

  await recoverTurns(storage.database, () => new Date());

  const results = (await fixture.stored("C")).flatMap(({ kind, data }) => kind === "tool" ? [data.result] : []);
  assert.deepEqual(results, [NOT_RUN, INTERRUPTED, INTERRUPTED]);
});

Deno.test("recoverTurns() closes the cards of sub-agents, and counts their calls under them", async () => {
  await using fixture = await openLog();
  const { log, storage } = fixture;
  await fixture.conversation("C");
  await storage.database.write([insertTurn("T", "C")]);
  const usage = { input_tokens: 5, output_tokens: 1, cached_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 };
  const round = { kind: "plain", model: "m", request_bytes: 1, ms: 1, stop_reason: "stop", usage } as const;
  await log.append("C", { turn: "T", kind: "round", data: round });
  const card = { agent: "coder", task: "x", status: "running", model: "m" } as const;
  await log.appendOpen("C", { turn: "T", run: "R", kind: "run", data: card }).durable;
  await log.append("C", { turn: "T", run: "R", kind: "round", data: round });

  await recoverTurns(storage.database, () => new Date());

  const closed = (await fixture.stored("C")).find((entry) => entry.kind === "run");
  assert.deepEqual([closed?.state, closed?.data], ["done", { ...card, status: "interrupted" }]);
  const [turn] = await log.turns("C");
  assert.deepEqual(turn?.usage?.by_agent, {
    assistant: { calls: 1, input_tokens: 5, output_tokens: 1 },
    coder: { calls: 1, input_tokens: 5, output_tokens: 1 },
  });
});

Deno.test("recoverTurns() tells a watcher that had seen the entry open", async () => {
  await using fixture = await openLog();
  const { log, storage } = fixture;
  await fixture.conversation("C");
  await storage.database.write([insertTurn("T", "C")]);
  await log.appendOpen("C", { turn: "T", kind: "text", data: { text: "half" } }).durable;
  await recoverTurns(storage.database, () => new Date());
  const seen: number[] = [];
  const stop = await log.watch("C", 1, (operation) => {
    if (operation.op === "entries") seen.push(...operation.items.map((entry) => entry.seq));
  });
  stop();
  assert.deepEqual(seen, [1, 2]);
});

Deno.test("after any crash the next request has exactly one result per call, adjacent and in order", async () => {
  await using fixture = await openLog();
  const { log, storage } = fixture;
  let n = 0;
  const step = fc.constantFrom("text", "thinking", "waiting", "running", "done", "round");
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const id = await fixture.conversation(`C${n++}`);
      await storage.database.write([insertTurn(`T${id}`, id)]);
      await log.append(id, { turn: `T${id}`, kind: "user", data: { text: "hi", images: [], from: "person" } });
      for (const [index, each] of steps.entries()) {
        const turn = `T${id}`;
        const base = { call: `c${index}`, name: "echo", toolset: "t", arguments: {} };
        if (each === "round") {
          const data = { kind: "plain", model: "m", request_bytes: 1, ms: 1, stop_reason: "" } as const;
          await log.append(id, { turn, kind: "round", data });
        } else if (each === "text" || each === "thinking") {
          await log.appendOpen(id, { turn, kind: each, data: { text: "t" } }).durable;
        } else if (each === "done") {
          await log.append(id, { turn, kind: "tool", data: { ...base, status: "done", result: "r" } });
        } else await log.appendOpen(id, { turn, kind: "tool", data: { ...base, status: each as "running" } }).durable;
      }
      log.release(id);
      await recoverTurns(storage.database, () => new Date());
      const entries = await fixture.stored(id);
      assert.ok(entries.every((entry) => entry.state === "done"));
      const context = foldContext(entries);
      context.forEach((message, index) => {
        if (message.role !== "assistant") return;
        const calls = message.parts.flatMap((part) => part.type === "tool_call" ? [part.call] : []);
        const results = context.slice(index + 1, index + 1 + calls.length);
        assert.deepEqual(results.map((result) => result.role === "tool" && result.call), calls);
      });
    }),
    { numRuns: 40 },
  );
});

Deno.test("recover() of a healthy store does nothing", async () => {
  await using fixture = await openTurns({ model: scriptedModel([]) });
  await fixture.turns.recover();
  assert.deepEqual(fixture.heard, []);
});
