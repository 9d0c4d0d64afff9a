import assert from "node:assert/strict";
import { parseMarkdown } from "../../../components/markdown/mod.ts";

/** The formulas of a text, in order: `[source, display]`. */
function formulas(text: string): [string, boolean][] {
  const found: [string, boolean][] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk);
    if (typeof value !== "object" || value === null) return;
    const token = value as { type?: string; source?: string; display?: boolean };
    if (token.type === "math") found.push([token.source!, token.display!]);
    for (const key of ["tokens", "items", "header", "rows"] as const) walk((value as Record<string, unknown>)[key]);
  };
  walk([...parseMarkdown(text).blocks]);
  return found;
}

Deno.test("the four ways to write a formula are known", () => {
  assert.deepEqual(formulas("It is $x^2$ here"), [["x^2", false]]);
  assert.deepEqual(formulas("It is \\(x^2\\) here"), [["x^2", false]]);
  assert.deepEqual(formulas("$$\nx^2\n$$\n\nnext"), [["x^2", true]]);
  assert.deepEqual(formulas("\\[\nx^2\n\\]"), [["x^2", true]]);
  assert.deepEqual(formulas("Inside a line $$x^2$$ too"), [["x^2", true]]);
});

Deno.test("money is not mathematics", () => {
  for (
    const text of [
      "It costs $5 and $10.",
      "From $5 to $10",
      "$5-$10",
      "costs $5, or 10$ in all",
      "US$20 and CA$30",
      "a $ b $ c",
      "only $5",
      "$1,000.00 plus $20 tax",
    ]
  ) assert.deepEqual(formulas(text), [], text);
});

Deno.test("code is never looked into", () => {
  assert.deepEqual(formulas("`$x$` and `\\(y\\)`"), []);
  assert.deepEqual(formulas("```\n$$x$$\n```"), []);
  assert.deepEqual(formulas("    $x$"), []);
});

Deno.test("formulas stand in lists, tables, quotations and headings", () => {
  assert.deepEqual(formulas("- $a$\n- b"), [["a", false]]);
  assert.deepEqual(formulas("| $a$ | b |\n| --- | --- |\n| c | $d$ |"), [["a", false], ["d", false]]);
  assert.deepEqual(formulas("> $a$"), [["a", false]]);
  assert.deepEqual(formulas("# $a$"), [["a", false]]);
});

Deno.test("a formula that is not closed, or is empty, is text", () => {
  for (const text of ["$x", "$$x", "\\(x", "\\[x", "$$$$", "$ $", "$\n\nx$"]) {
    assert.deepEqual(formulas(text), [], text);
  }
});

Deno.test("a mark that never closes leaves the paragraph whole", () => {
  const text = "a b\n$$c\n\\[ d\ne";
  assert.deepEqual(formulas(text), []);
  assert.deepEqual(parseMarkdown(text).blocks.map((block) => block.raw), [text]);
  assert.deepEqual(formulas("a\n$$c\n$$\nb"), [["c", true]]);
  assert.deepEqual(formulas(`$$\n${"x".repeat(20_000)}\n$$`), []);
});
