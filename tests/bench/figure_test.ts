import assert from "node:assert/strict";
import { figureLine, median, spread } from "../../bench/figure.ts";
import { benchNames, runBenches } from "../../bench/main.ts";

const LOAD = [1.234, 0.5, 0.25];

Deno.test("figureLine() is one line of JSON with the load it saw", () => {
  const line = figureLine({ name: "start", value: 282.4567, unit: "ms", aim: 500, note: "of 9" }, LOAD);
  assert.ok(!line.includes("\n"));
  assert.deepEqual(JSON.parse(line), {
    name: "start",
    value: 282,
    unit: "ms",
    aim: 500,
    ratio: 0.565,
    load: [1.23, 0.5, 0.25],
    note: "of 9",
  });
});

Deno.test("figureLine() has a ratio above 1 for a miss, whichever way is better", () => {
  const ratio = (line: string) => JSON.parse(line).ratio;
  assert.equal(ratio(figureLine({ name: "a", value: 200, unit: "ms", aim: 100 }, LOAD)), 2);
  const fast = { name: "b", value: 50, unit: "tokens/s", aim: 100, smallerIsBetter: false } as const;
  assert.equal(ratio(figureLine(fast, LOAD)), 2);
});

Deno.test("figureLine() has no ratio where nothing was promised", () => {
  assert.ok(!("ratio" in JSON.parse(figureLine({ name: "a", value: 1, unit: "ms", aim: null }, LOAD))));
});

Deno.test("median() is the middle, and refuses to make one of nothing", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.throws(() => median([]), RangeError);
});

Deno.test("spread() tells the ends", () => assert.equal(spread([3, 1.5]), "fastest 1.5, slowest 3 of 2"));

Deno.test("There is a bench for each figure that was promised, and each can be loaded", async () => {
  const names = benchNames();
  assert.deepEqual(names, [
    "agent_build",
    "first_token",
    "listing",
    "memory",
    "memory_search",
    "opening",
    "page",
    "plugin",
    "search",
    "start",
    "stop",
    "streaming",
    "tabs",
    "throughput",
    "tool_round",
    "workers",
  ]);
  for (const name of names) {
    const { bench } = await import(`../../bench/${name}_bench.ts`);
    assert.equal(typeof bench.measure, "function");
    assert.notEqual(bench.about, "");
  }
});

Deno.test("runBenches() refuses a bench that is not there", async () => {
  assert.equal(await runBenches(["throughptu"]), 2);
});
