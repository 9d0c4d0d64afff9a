import assert from "node:assert/strict";
import fc from "fast-check";
import { MarkdownScreen } from "../../cli/markdown_screen.ts";
import { styleFor } from "../../cli/style.ts";

function screenOf(text: string, cuts: readonly number[] = [], colour = true): string {
  const screen = new MarkdownScreen(styleFor(colour));
  const places = [0, ...[...cuts].map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
  const pieces = places.slice(1).map((at, index) => text.slice(places[index], at));
  return pieces.map((piece) => screen.push(piece)).join("") + screen.end();
}

/** With the styles written as words. */
function plainOf(text: string): string {
  const names: Readonly<Record<string, string>> = { "1": "[b]", "3": "[i]", "36": "[c]", "2": "[d]" };
  // deno-lint-ignore no-control-regex
  return screenOf(text).replaceAll(/\u001b\[(\d+)m/g, (_, code) => names[code] ?? "[/]");
}

/** Each letter with the styles it is printed in: where a style is left and taken again at once is not seen. */
function seen(screen: string): readonly string[] {
  const on = new Set<string>();
  const letters: string[] = [];
  // deno-lint-ignore no-control-regex
  for (const [token, code] of screen.matchAll(/\u001b\[(\d+)m|[^\u001b]/gu)) {
    if (code === undefined) letters.push(`${token}${[...on].sort().join(",")}`);
    else if (code === "22") on.delete("1"), on.delete("2");
    else if (code === "23" || code === "39") on.delete(code === "23" ? "3" : "36");
    else on.add(code);
  }
  return letters;
}

Deno.test("headings, emphasis and code are set, and their marks are gone", () => {
  assert.equal(plainOf("## Bread"), "[b]Bread[/]");
  assert.equal(
    plainOf("a **strong** and *quiet* word, and `code`"),
    "a [b]strong[/] and [i]quiet[/] word, and [c]code[/]",
  );
  assert.equal(plainOf("***both***, _one_, __two__"), "[b][i]both[/][/], [i]one[/], [b]two[/]");
  assert.equal(plainOf("`**not bold**`"), "[c]**not bold**[/]");
});

Deno.test("marks that mark nothing are letters", () => {
  for (const text of ["2 * 3 * 4", "a*b", "snake_case_name", "5 ** 2"]) assert.equal(plainOf(text), text);
  assert.equal(plainOf("\\*as it is\\*"), "*as it is*");
});

Deno.test("an unclosed mark ends with its line", () => {
  assert.equal(plainOf("an **open mark\nand more"), "an [b]open mark[/]\nand more");
});

Deno.test("lists keep their place and numbers, quotes stand beside a line", () => {
  assert.equal(plainOf("- one\n  - two\n3. three\n> said"), "• one\n  • two\n3. three\n[d]│ [/]said");
});

Deno.test("a listing stands four columns in, as it was written, below its language", () => {
  assert.equal(plainOf("```ts\nconst a = **b**;\n```\nafter"), "    [d]ts[/]\n    const a = **b**;\nafter");
});

Deno.test("a table is printed whole, its columns below each other, wide letters counted as two", () => {
  const table = "| Name | Sum |\n| --- | ---: |\n| 東京 | 1 |\n| `Bonn` | 20 |\n\nafter";
  assert.equal(screenOf(table, [], false), "Name  Sum\n────  ───\n東京    1\nBonn   20\n\nafter");
});

Deno.test("rows without a line of dashes below their head are printed as they are", () => {
  assert.equal(screenOf("| a | b |\n| c | d |\n"), "| a | b |\n| c | d |\n");
});

Deno.test("words are printed as they come, not when their line ends", () => {
  const screen = new MarkdownScreen(styleFor(false));
  assert.equal(screen.push("The first words of"), "The first words");
  assert.equal(screen.push(" a long line"), " of a long");
  assert.equal(screen.end(), " line");
});

Deno.test("however the answer was cut, the same text comes out", () => {
  const piece = fc.constantFrom(
    "# ",
    "- ",
    "1. ",
    "> ",
    "```\n",
    "```js\n",
    "| a | b |\n",
    "| - | -: |\n",
    "**",
    "*",
    "_",
    "`",
    "\\",
    " ",
    "\n",
    "\n\n",
    "word",
    "two words",
    "東京",
    "e\u0301",
    "---\n",
    "~~~\n",
    "    ",
    "\t",
    "12",
    "$x$",
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("")),
      fc.array(fc.nat(200), { maxLength: 12 }),
      (text, cuts) => assert.deepEqual(seen(screenOf(text, cuts)), seen(screenOf(text))),
    ),
    { numRuns: 2000 },
  );
});

Deno.test("no word of an answer is lost", () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  const line = fc.tuple(fc.constantFrom("", "# ", "- ", "2. ", "> ", "| "), fc.array(word, { maxLength: 6 }));
  fc.assert(fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
    const text = lines.map(([mark, words]) => mark + words.join(" ")).join("\n");
    const words = (of: string) => of.match(/[a-z]+/g) ?? [];
    assert.deepEqual(words(screenOf(text, [], false)), words(text));
  }));
});
