import assert from "node:assert/strict";
import fc from "fast-check";
import { addUsage, type Usage } from "../../../core/log/mod.ts";
import type { Database } from "../../../core/storage/mod.ts";
import { addRows, dayBefore, reportUsage, type UsageReportOptions } from "../../../core/turn/mod.ts";
import { insertConversation, withStorage } from "../storage/sample_store.ts";

const NOW = new Date("2026-03-10T12:00:00Z");

interface Spent {
  readonly at?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly usage?: Partial<Usage> | null;
}

function usageOf(part: Partial<Usage> = {}): Usage {
  return {
    calls: 1,
    reported_calls: 1,
    input_tokens: 100,
    output_tokens: 10,
    cached_tokens: 40,
    reasoning_tokens: 5,
    model_seconds: 1.5,
    wall_seconds: 2,
    models: ["anthropic:a"],
    by_agent: { assistant: { calls: 1, input_tokens: 100, output_tokens: 10 } },
    ...part,
  };
}

async function spend(database: Database, ...turns: readonly Spent[]): Promise<void> {
  const rows = turns.map((
    { at = NOW.toISOString(), agent = "assistant", model = "anthropic:a", usage = {} },
  ) => [at, agent, model, usage && JSON.stringify(usageOf({ models: [model], ...usage }))]);
  await database.write([{ ...insertConversation("c"), sql: insertConversation("c").sql + " on conflict do nothing" }, {
    sql: `insert into turns (id, conversation, n, origin, status, agent, model, started_at, usage)
      select lower(hex(randomblob(13))), 'c', 1, 'person', 'done', value ->> 1, value ->> 2, value ->> 0, value ->> 3
      from json_each(?)`,
    args: [JSON.stringify(rows)],
  }]);
}

function withSpent(
  turns: readonly Spent[],
  body: (read: (options?: Partial<UsageReportOptions>) => ReturnType<typeof reportUsage>) => Promise<void>,
): Promise<void> {
  return withStorage(async ({ database }) => {
    await spend(database, ...turns);
    await body((options) => reportUsage(database, { now: NOW, zone: "UTC", ...options }));
  });
}

Deno.test("reportUsage() adds up the same turns by day, agent and model", () =>
  withSpent([
    { at: "2026-03-09T10:00:00.000Z" },
    { at: "2026-03-09T10:01:00.000Z", model: "anthropic:b" },
    { at: "2026-03-10T10:00:00.000Z", agent: "gardener" },
    { at: "2026-03-10T10:00:00.000Z", usage: null },
  ], async (read) => {
    const { day, agent, model } = await read();
    assert.deepEqual(day.map(({ key, turns }) => [key, turns]), [["2026-03-10", 1], ["2026-03-09", 2]], "newest first");
    assert.deepEqual(agent.map(({ key, turns }) => [key, turns]), [["assistant", 2], ["gardener", 1]]);
    assert.deepEqual(model.map(({ key, turns }) => [key, turns]), [["anthropic:a", 2], ["anthropic:b", 1]]);
    assert.deepEqual(day[1]?.usage, {
      ...usageOf(),
      calls: 2,
      reported_calls: 2,
      input_tokens: 200,
      output_tokens: 20,
      cached_tokens: 80,
      reasoning_tokens: 10,
      model_seconds: 3,
      wall_seconds: 4,
      models: ["anthropic:a", "anthropic:b"],
      by_agent: { assistant: { calls: 2, input_tokens: 200, output_tokens: 20 } },
    });
  }));

Deno.test("a day begins where it does for the person, summer time and zones of odd minutes included", () =>
  withSpent([
    { at: "2026-03-09T22:59:59.000Z" },
    { at: "2026-03-09T23:00:00.000Z" },
    { at: "2026-03-09T18:14:00.000Z" },
    { at: "2026-03-09T18:15:00.000Z" },
    { at: "2026-03-10T01:00:00+02:00" },
    { at: "2026-07-09T22:00:00.000Z" },
  ], async (read) => {
    const days = async (zone: string) => (await read({ zone })).day.map(({ key, turns }) => `${key} ${turns}`);
    assert.deepEqual(await days("Europe/Berlin"), ["2026-07-10 1", "2026-03-10 2", "2026-03-09 3"]);
    assert.deepEqual(
      await days("Asia/Kathmandu"),
      ["2026-07-10 1", "2026-03-10 4", "2026-03-09 1"],
      "5 h 45 min ahead",
    );
    assert.deepEqual(await days("America/New_York"), ["2026-07-09 1", "2026-03-09 5"]);
    await assert.rejects(days("Nowhere/Here"), RangeError);
  }));

Deno.test("reportUsage() of some days reaches from today back, as days are in the zone", () =>
  withSpent([
    { at: "2026-03-10T11:00:00.000Z" },
    { at: "2026-03-09T11:00:00.000Z" },
    { at: "2026-03-08T23:30:00.000Z" },
    { at: "2026-03-01T11:00:00.000Z" },
  ], async (read) => {
    const turns = async (days: number, zone = "UTC") =>
      (await read({ days, zone })).agent.reduce((sum, row) => sum + row.turns, 0);
    assert.deepEqual(await Promise.all([turns(1), turns(2), turns(3), turns(10), turns(9)]), [1, 2, 3, 4, 3]);
    assert.equal(await turns(2, "Europe/Berlin"), 3, "half past eleven is the next day there");
    assert.deepEqual(await read({ days: 1, now: new Date("2030-01-01T00:00:00Z") }), { day: [], agent: [], model: [] });
  }));

Deno.test("a cost that is not known is never told as nothing, and models of this machine cost nothing", () =>
  withSpent([
    { usage: { cost: 0.25 } },
    { model: "anthropic:new" },
    { model: "anthropic:new", usage: { cost: 0.5 } },
    { model: "ollama:own" },
    { model: "demo:tour" },
    { model: "no model string" },
  ], async (read) => {
    const { day: [day], model } = await read();
    assert.deepEqual([day?.usage.cost, day?.known_cost, day?.unpriced], [undefined, 0.75, 2]);
    const facts = model.map(({ key, unpriced, known_cost, usage }) => [key, usage.cost, known_cost, unpriced]);
    assert.deepEqual(facts, [
      ["anthropic:a", 0.25, 0.25, 0],
      ["anthropic:new", undefined, 0.5, 1],
      ["demo:tour", undefined, 0, 0],
      ["no model string", undefined, 0, 1],
      ["ollama:own", undefined, 0, 0],
    ]);
  }));

Deno.test("reportUsage() says what was not reported, and whose share was whose", () =>
  withSpent([
    { usage: { calls: 3, reported_calls: 1 } },
    { usage: { by_agent: { helper: { calls: 2, input_tokens: 7, output_tokens: 1 } } } },
  ], async (read) => {
    const [row] = (await read()).model;
    assert.deepEqual([row?.usage.calls, row?.usage.reported_calls], [4, 2]);
    assert.deepEqual(row?.usage.by_agent, {
      assistant: { calls: 1, input_tokens: 100, output_tokens: 10 },
      helper: { calls: 2, input_tokens: 7, output_tokens: 1 },
    });
  }));

Deno.test("every way to add up counts the same turns as adding them one by one", () =>
  withStorage(async ({ database }) => {
    const turn = fc.record({
      at: fc.integer({ min: 0, max: 40 * 24 * 60 }).map((minutes) =>
        new Date(NOW.getTime() - minutes * 60_000).toISOString()
      ),
      agent: fc.constantFrom("assistant", "gardener"),
      model: fc.constantFrom("anthropic:a", "openai:b", "demo:tour"),
      usage: fc.record({ input_tokens: fc.nat(1000), output_tokens: fc.nat(1000), calls: fc.nat(5) }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 30 }), async (turns) => {
        await database.write([{ sql: "delete from turns" }]);
        await spend(database, ...turns);
        const report = await reportUsage(database, { now: NOW, zone: "Pacific/Auckland" });
        const whole = addUsage(turns.map(({ usage, model }) => usageOf({ ...usage, models: [model] })));
        for (const rows of [report.day, report.agent, report.model]) {
          const { turns: count, usage } = addRows("all", rows);
          assert.deepEqual([count, usage.input_tokens, usage.output_tokens, usage.calls], [
            turns.length,
            whole.input_tokens,
            whole.output_tokens,
            whole.calls,
          ]);
          assert.deepEqual(usage.by_agent, whole.by_agent);
        }
      }),
      { numRuns: 40 },
    );
  }));

Deno.test("a hundred thousand turns are added up in the time of a page", () =>
  withStorage(async ({ database }) => {
    const turns = Array.from({ length: 100_000 }, (_, n) => ({
      at: new Date(NOW.getTime() - n * 60_000).toISOString(),
      model: n % 3 === 0 ? "anthropic:a" : "ollama:own",
    }));
    for (let from = 0; from < turns.length; from += 10_000) await spend(database, ...turns.slice(from, from + 10_000));
    const asked = performance.now();
    const { agent } = await reportUsage(database, { now: NOW, zone: "Europe/Berlin" });
    const all = performance.now() - asked;
    const month = (await reportUsage(database, { now: NOW, zone: "Europe/Berlin", days: 30 })).day.length;
    assert.deepEqual([agent[0]?.turns, month], [100_000, 30]);
    assert.ok(all < 20_000, `${Math.round(all)} ms`);
    if (Deno.env.has("SHOW_TIMES")) {
      console.log(Math.round(all), "ms, a month", Math.round(performance.now() - asked - all), "ms");
    }
  }));

Deno.test("dayBefore() counts days across months and years", () => {
  assert.deepEqual([dayBefore("2026-03-01", 1), dayBefore("2026-01-01", 366), dayBefore("2026-03-01", 0)], [
    "2026-02-28",
    "2024-12-31",
    "2026-03-01",
  ]);
});
