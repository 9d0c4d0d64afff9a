import assert from "node:assert/strict";
import { growMarkdown, parseMarkdown } from "../../../components/markdown/document.ts";
import { isUnreadable, lex, lexAfter } from "../../../components/markdown/lexer.ts";

Deno.test("a text nested past what the parser's stack holds is one listing of its source", () => {
  const deep = [
    `${">".repeat(20_000)} x`,
    `${"> ".repeat(20_000)}x`,
    "- ".repeat(20_000) + "y",
    "1. ".repeat(20_000) + "y",
    Array.from({ length: 300 }, (_, level) => `${"  ".repeat(level)}- x`).join("\n"),
  ];
  for (const text of deep) {
    for (const { blocks } of [parseMarkdown(text), growMarkdown(undefined, text, false)]) {
      assert.deepEqual(blocks.map((block) => [block.type, block.raw]), [["code", text]]);
    }
  }
  const fine = Array.from({ length: 30 }, (_, level) => `${"  ".repeat(level)}- x`).join("\n");
  assert.equal(parseMarkdown(fine).blocks[0]?.type, "list");
});

Deno.test("no text keeps the parser busy for long, whatever it repeats", () => {
  const bits = [
    "*a",
    "$$",
    "$$a\n",
    "\\[",
    "\\(",
    "[a](",
    "![",
    "`a``",
    "~~a",
    "_a ",
    "<!--",
    "&#",
    "| a ",
    "a\n",
    "```\n",
  ];
  const texts = [...bits.map((bit) => bit.repeat(40_000)), `${"a.".repeat(40_000)}@`, "x".repeat(2_000_000)];
  for (const text of texts) {
    const began = performance.now();
    parseMarkdown(text);
    assert.ok(performance.now() - began < 10_000, text.slice(0, 10));
  }
});

Deno.test("a paragraph past 10,000 characters is plain text, and its neighbours are what they are", () => {
  const [long, next] = parseMarkdown(`${"*a* ".repeat(3000)}\n\n*b*`).blocks as readonly {
    tokens?: { type: string }[];
  }[];
  assert.deepEqual(long?.tokens?.map((token) => token.type), ["text"]);
  assert.deepEqual(next?.tokens?.map((token) => token.type), ["em"]);
});

Deno.test("a tag that is never closed ends with its block", () => {
  const [first, second] = lex("a <a href=x> https://b.example\n\nhttps://b.example") as readonly { tokens?: unknown }[];
  const types = (block: { tokens?: unknown } | undefined) =>
    (block?.tokens as { type: string }[]).map(({ type }) => type);
  assert.deepEqual(types(first), ["text", "html", "text"]);
  assert.deepEqual(types(lex("x\n\nhttps://b.example").at(-1) as { tokens?: unknown }), ["link"]);
  assert.ok(second);
  assert.deepEqual(types(lex("a <a href=x> b\n\nhttps://b.example").at(-1) as { tokens?: unknown }), ["link"]);
});

Deno.test("lexAfter() links with definitions that stand before, and gives only what stands after", () => {
  const blocks = lexAfter("[a]: https://a.example\n\n", "See [a]");
  assert.deepEqual(blocks.map(({ raw }) => raw), ["See [a]"]);
  assert.equal((blocks[0] as { tokens: { type: string }[] }).tokens[1]?.type, "link");
});

Deno.test("isUnreadable() finds what would keep the parser busy, and leaves alone what would not", () => {
  assert.ok(isUnreadable("x".repeat(500_001)));
  assert.ok(isUnreadable(`${"a.".repeat(600)}@b`));
  assert.ok(!isUnreadable("a@b.example, and > > > some words"));
});
