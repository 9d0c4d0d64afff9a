import assert from "node:assert/strict";
import { Columns, columnWidths, LONG_TABLE } from "../../../components/markdown/columns.ts";
import { parseMarkdown } from "../../../components/markdown/document.ts";
import type { Tokens } from "marked";

function table(rows: readonly string[], line = "|---|---|"): Tokens.Table {
  return parseMarkdown(["| a | b |", line, ...rows].join("\n")).blocks[0] as Tokens.Table;
}

Deno.test("a column of figures stands at the right, one with a word or of nothing does not", () => {
  assert.deepEqual(new Columns().kinds(table(["| 1 | x |", "| 2,5 % | 3 |"])), ["num", undefined]);
  assert.deepEqual(new Columns().kinds(table(["| | |"])), [undefined, undefined]);
  assert.deepEqual(new Columns().kinds(table(["| x | y |"], "|:-:|--:|")), ["mid", "num"]);
});

Deno.test("the kinds of a table that grows are those of the whole, whatever the word comes", () => {
  const rows = Array.from({ length: 40 }, (_, n) => n === 30 ? "| 1 | word |" : `| ${n} | ${n} |`);
  const columns = new Columns();
  const whole = table(rows);
  for (let upto = 0; upto <= rows.length; upto++) {
    const grown = { ...whole, rows: whole.rows.slice(0, upto) };
    assert.deepEqual(columns.kinds(grown), new Columns().kinds(grown), `${upto} rows`);
  }
  assert.deepEqual(columns.kinds(table(["| x | 1 |"])), [undefined, "num"], "another table begins anew");
});

Deno.test("a long table has widths by its first rows, that do not change with more", () => {
  const rows = Array.from({ length: LONG_TABLE + 40 }, (_, n) => `| ${n} | some words that are longer |`);
  assert.equal(columnWidths(table(rows.slice(0, LONG_TABLE))), null);
  const widths = columnWidths(table(rows.slice(0, LONG_TABLE + 1)));
  assert.deepEqual(columnWidths(table(rows)), widths);
  assert.ok(widths![1]! > 3 * widths![0]!);
  assert.ok(Math.abs(widths!.reduce((sum, width) => sum + width, 0) - 100) < 1);
});
