import assert from "node:assert/strict";
import fc from "fast-check";
import { marked, type Tokens } from "marked";
import {
  beginning,
  blocks,
  code,
  fenced,
  link,
  quoted,
  verbatim,
  words,
} from "../../../../core/log/folds/markdown_text.ts";

const any = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.constantFrom("`", "```", "~~~", "\n", "\r", "\r\n", " ", "> ", "- ", "<!--", "a", "#", "*", "[", "]"))
    .map(
      (parts) => parts.join(""),
    ),
);

/** What marked reads a line break as. */
const lines = (text: string) => text.replace(/\r\n|\r/g, "\n");

Deno.test("fenced() is one block of code with the text in it, whatever the text", () => {
  fc.assert(fc.property(any, (text) => {
    const [block, ...rest] = marked.lexer(`${fenced(text, "json")}\n\n## After\n`).filter(({ type }) =>
      type !== "space"
    );
    assert.equal(block?.type, "code");
    assert.equal((block as Tokens.Code).lang, "json");
    assert.equal((block as Tokens.Code).text.trimEnd(), lines(text).trimEnd());
    assert.deepEqual(rest.map(({ type }) => type), ["heading"]);
  }));
});

Deno.test("fenced() takes three marks, and more only where it must", () => {
  assert.equal(fenced("a"), "```\na\n```");
  assert.equal(fenced(""), "```\n```");
  assert.equal(fenced("a\n", "text"), "```text\na\n```");
  assert.equal(fenced("````\n"), "`````\n````\n`````");
  assert.ok(fenced("` ".repeat(300_000)).startsWith("```\n"));
});

Deno.test("quoted() is one quotation, whatever the text", () => {
  fc.assert(fc.property(any, (text) => {
    const tokens = marked.lexer(`${quoted(`a\n\n${text}`)}\n\n## After\n`).filter(({ type }) => type !== "space");
    assert.deepEqual(tokens.map(({ type }) => type), ["blockquote", "heading"]);
  }));
});

Deno.test("words() stay the words they are, in one line", () => {
  const rendered = (text: string) =>
    (marked.parseInline(words(text)) as string)
      .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll(
        "&amp;",
        "&",
      );
  const text = fc.array(
    fc.constantFrom("*", "_", "`", "[", "]", "(x)", "<b>", "&amp;", "~~", "a", " ", "\\", "#", "!", "|", "$", "\n"),
  ).map(
    (parts) => parts.join(""),
  );
  fc.assert(fc.property(text, (each) => {
    assert.equal(rendered(each), each.replace(/\s+/g, " ").trim());
  }));
});

Deno.test("code() holds marks of code", () => {
  assert.equal(code("a"), "`a`");
  assert.equal(code("a`b"), "`` a`b ``");
  assert.equal(code("`"), "`` ` ``");
  assert.equal(code(" \n "), "");
});

Deno.test("link() is a link by name, whatever the name", () => {
  fc.assert(fc.property(any, (name) => {
    const [paragraph] = marked.lexer(`- ${link(name, "/images/ab")}`);
    const [item] = (paragraph as Tokens.List).items;
    const text = item!.tokens[0] as Tokens.Text;
    assert.deepEqual(text.tokens!.map((token) => token.type), ["link"]);
    assert.equal((text.tokens![0] as Tokens.Link).href, "/images/ab");
  }));
  assert.equal(link("", "/images/a b<>"), "[file](</images/a%20b%3C%3E>)");
});

Deno.test("beginning() cuts at the limit, and no character in two", () => {
  assert.deepEqual(beginning("abc", 3), { text: "abc", cut: false });
  assert.deepEqual(beginning("abcd", 3), { text: "abc", cut: true });
  assert.deepEqual(beginning("ab🐚", 3), { text: "ab", cut: true });
});

Deno.test("verbatim() begins with the text, to the character", () => {
  fc.assert(fc.property(any, (text) => verbatim(text).startsWith(text)));
  assert.equal(verbatim("```\na"), "```\na\n```");
});

Deno.test("blocks() leaves out what is empty", () => {
  assert.equal(blocks("a", "", "b"), "a\n\nb");
});
