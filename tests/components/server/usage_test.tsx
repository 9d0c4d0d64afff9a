import assert from "node:assert/strict";
import { renderToString } from "preact-render-to-string";
import type { UsageRow } from "../../../core/assistant.ts";
import { Figures, UsageTable } from "../../../components/server/usage.tsx";
import { ceiling, UsageChart } from "../../../components/server/usage_chart.tsx";
import { periodIn, spread } from "../../../components/server/usage_period.ts";

function row(
  key: string,
  more: Partial<UsageRow> & { readonly input?: number; readonly cached?: number } = {},
): UsageRow {
  const { input = 100, cached = 40, ...rest } = more;
  return {
    key,
    turns: 1,
    unpriced: 0,
    known_cost: 0,
    usage: {
      calls: 1,
      reported_calls: 1,
      input_tokens: input,
      output_tokens: 10,
      cached_tokens: cached,
      reasoning_tokens: 0,
      model_seconds: 1,
      wall_seconds: 1,
      models: ["anthropic:a"],
      by_agent: {},
    },
    ...rest,
  };
}

const period = (query: string) => periodIn(new URLSearchParams(query));

Deno.test("periodIn() reads the periods that are offered, and takes 30 days for anything else", () => {
  assert.deepEqual(["", "days=7", "days=90", "days=all", "days=8", "days=", "days=null"].map(period), [
    30,
    7,
    90,
    null,
    30,
    30,
    30,
  ]);
});

Deno.test("spread() gives every day of the period a place, used or not, up to today", () => {
  const { unit, keys, rows } = spread([row("2026-03-01")], 7, "2026-03-03");
  assert.deepEqual([unit, keys.length, keys[0], keys.at(-1), rows.length], ["day", 7, "2026-02-25", "2026-03-03", 1]);
});

Deno.test("spread() shows a long time by month, across the turn of a year, and adds the days up", () => {
  const days = [row("2026-03-02"), row("2026-03-01"), row("2025-11-30")];
  const { unit, keys, rows } = spread(days, null, "2026-03-03");
  assert.equal(unit, "month");
  assert.deepEqual(keys, ["2025-11", "2025-12", "2026-01", "2026-02", "2026-03"]);
  assert.deepEqual(rows.map(({ key, turns }) => [key, turns]), [["2026-03", 2], ["2025-11", 1]]);
});

Deno.test("the chart stacks what was read anew, from the cache and written, and has no style attribute", () => {
  const html = renderToString(
    <UsageChart keys={["2026-03-01", "2026-03-02"]} rows={[row("2026-03-02")]} titleId="by-day" />,
  );
  assert.equal(html.match(/class="bar"/g)?.length, 1, "a day without use has no bar");
  for (const name of ["bar-2", "bar-3"]) assert.equal(html.split(`class="${name}"`).length, 2);
  assert.match(html, /1 Mar.*2 Mar/);
  assert.doesNotMatch(html, /style=|NaN|Infinity/);
});

Deno.test("ceiling() is the next number that is easy to halve", () => {
  assert.deepEqual([1, 3, 5, 7, 11, 110, 99_000, 1e6].map(ceiling), [1, 5, 5, 10, 20, 200, 100_000, 1e6]);
});

Deno.test("a cost that is not known is said, not shown as zero", () => {
  const figures = (rows: readonly UsageRow[]) => renderToString(<Figures rows={rows} />);
  assert.match(figures([row("a", { unpriced: 1 })]), /not known/);
  assert.match(figures([row("a", { unpriced: 1 }), row("b", { known_cost: 2 })]), /\$2\.00 and more/);
  assert.match(figures([row("a", { known_cost: 2 })]), /\$2\.00(?! and)/);
  assert.match(figures([row("a")]), /none/);
});

Deno.test("each table ends with its sums", () => {
  const html = renderToString(
    <UsageTable name="By model" label="Model" rows={[row("x:a"), row("x:b")]} kind="model" />,
  );
  assert.match(html, /<tfoot>.*Together.*200.*<\/tfoot>/);
});
