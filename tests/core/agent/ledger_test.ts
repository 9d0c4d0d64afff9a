import assert from "node:assert/strict";
import fc from "fast-check";
import { Ledger } from "../../../core/agent/mod.ts";
import type { CountedCall } from "../../../core/log/mod.ts";

const used = (tokens: number, cost?: number): CountedCall => ({
  agent: "a",
  model: "m",
  ms: 1,
  usage: { input_tokens: tokens, output_tokens: 0, cached_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 },
  ...cost !== undefined && { cost },
});
const need = (tokens: number, cost = 0) => ({ tokens, cost });

Deno.test("the first call is allowed however large it is; none that would go past the budget after it", () => {
  const ledger = new Ledger({ tokens: 100 }, "this turn");
  assert.ok(ledger.isFresh);
  assert.equal(ledger.refusal(need(1000)), undefined);
  ledger.book(need(60)).settle(used(60));
  assert.equal(ledger.refusal(need(40)), undefined);
  assert.match(ledger.refusal(need(41)) ?? "", /this turn has used 60 tokens of its budget of 100$/);
});

Deno.test("a budget that was reached once refuses every call from then on", () => {
  const ledger = new Ledger({ cost: 1 }, "this turn");
  ledger.book(need(0, 0.6)).settle(used(5, 0.6));
  const said = ledger.refusal(need(0, 0.6));
  assert.match(said ?? "", /this turn has cost \$0\.6000 of its budget of \$1$/);
  assert.equal(ledger.refusal(need(0)), said);
});

Deno.test("a call counts in its run and in all that the run is part of, and each has its own limit", () => {
  const turn = new Ledger({ tokens: 1000 }, "this turn");
  const run = new Ledger({ tokens: 100 }, "this run of a", turn);
  const other = new Ledger({}, "this run of b", turn);
  run.book(need(0)).settle(used(90));
  assert.deepEqual([turn.calls.length, run.calls.length, other.calls.length], [1, 1, 0]);
  assert.ok(!other.isFresh, "its turn has been used");
  assert.match(run.refusal(need(20)) ?? "", /this run of a/);
  assert.equal(other.refusal(need(20)), undefined, "one run's budget holds back no other run");
  assert.match(other.refusal(need(2000)) ?? "", /this turn/);
});

Deno.test("a call that was booked and not made gives its room back, in its run and in all that the run is part of", () => {
  const turn = new Ledger({ tokens: 100 }, "this turn");
  const run = new Ledger({}, "this run of a", turn);
  run.book(need(10)).settle(used(10));
  {
    using _booking = run.book(need(60));
    assert.deepEqual([turn.isFresh, turn.calls.length], [false, 1]);
  }
  assert.equal(turn.refusal(need(90)), undefined);
  const made = turn.book(need(60));
  made.settle(used(60));
  made[Symbol.dispose]();
  assert.equal(turn.calls.length, 2);
});

Deno.test("however runs take turns, no call begins whose known size goes past the budget", () => {
  const step = fc.record({ run: fc.nat({ max: 3 }), tokens: fc.integer({ min: 1, max: 60 }), late: fc.boolean() });
  fc.assert(fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 50, max: 400 }), (steps, tokens) => {
    const turn = new Ledger({ tokens }, "this turn");
    const runs = [0, 1, 2, 3].map((n) => new Ledger({}, `${n}`, turn));
    const open: (() => void)[] = [];
    let begun = 0;
    let count = 0;
    for (const { run, tokens: size, late } of steps) {
      const ledger = runs[run]!;
      if (ledger.refusal(need(size)) !== undefined) continue;
      begun += size;
      count++;
      const booking = ledger.book(need(size));
      const settle = () => booking.settle(used(size));
      if (late) open.push(settle);
      else settle();
    }
    for (const settle of open) settle();
    assert.ok(count <= 1 || begun <= tokens, `${begun} of ${tokens}`);
    assert.equal(turn.calls.length, count);
  }));
});
