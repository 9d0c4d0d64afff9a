import assert from "node:assert/strict";
import fc from "fast-check";
import { LineReader, type Piece, readerOf, START } from "../../../components/markdown/highlight/mod.ts";
import { GRAMMARS } from "../../../components/markdown/highlight/languages.ts";
import { type GrammarName, grammarName } from "../../../components/markdown/language_tags.ts";

/** The pieces of a listing that are not plain, line by line. */
function marked(tag: string, text: string): readonly (readonly Piece[])[] {
  const reader = readerOf(grammarName(tag)!);
  let state = START;
  return text.split("\n").map((line) => {
    const read = reader.read(line, state);
    state = read.state;
    return read.pieces.filter(([kind]) => kind !== "");
  });
}

Deno.test("keywords, comments and strings of TypeScript are what they are", () => {
  assert.deepEqual(marked("ts", 'const name = "a \\" b"; // const\nreturn `one\nconst two` + 1'), [
    [["k", "const"], ["s", '"a \\" b"'], ["c", "// const"]],
    [["k", "return"], ["s", "`one"]],
    [["s", "const two`"]],
  ]);
});

Deno.test("a comment and a string go on in the next lines until they end", () => {
  assert.deepEqual(marked("c", "int a; /* one\nint two\nend */ int b"), [
    [["k", "int"], ["c", "/* one"]],
    [["c", "int two"]],
    [["c", "end */"], ["k", "int"]],
  ]);
  assert.deepEqual(marked("python", 'x = """one\ndef two\n""" if y'), [
    [["s", '"""one']],
    [["s", "def two"]],
    [["s", '"""'], ["k", "if"]],
  ]);
});

Deno.test("a string that is not closed ends with its line", () => {
  assert.deepEqual(marked("js", "a = 'half\nreturn 1"), [[["s", "'half"]], [["k", "return"]]]);
});

Deno.test("each language has its own signs", () => {
  assert.deepEqual(marked("rust", "fn f<'a>(x: &'a str) { 'c' }")[0], [["k", "fn"], ["k", "str"], ["s", "'c'"]]);
  assert.deepEqual(marked("sh", "echo ${#name} # say it")[0], [["c", "# say it"]]);
  assert.deepEqual(marked("sql", "SELECT 'it''s' -- all")[0]?.[0], ["k", "SELECT"]);
  assert.deepEqual(marked("html", `<a href="x">don't</a> <!-- no -->`)[0], [
    ["k", "<a"],
    ["s", '"x"'],
    ["k", "</a"],
    ["c", "<!-- no -->"],
  ]);
  assert.deepEqual(marked("yaml", "on: true # yes\nurl: a#b")[1], []);
  assert.deepEqual(marked("json", '{"a": true}')[0], [["s", '"a"'], ["k", "true"]]);
  assert.deepEqual(marked("css", "@media print { a { color: red } }")[0], [["k", "@media"]]);
});

Deno.test("grammarName() knows the tags people write, and no others", () => {
  for (const tag of ["ts", "TypeScript", "py", "c++", "sh {1}", "json:a.json", "html", "yml"]) {
    assert.notEqual(grammarName(tag), null, tag);
  }
  for (const tag of ["", "txt", "mermaid", "constructor", "__proto__"]) assert.equal(grammarName(tag), null, tag);
});

const names = Object.keys(GRAMMARS) as GrammarName[];
const text = fc.string({
  unit: fc.constantFrom(
    '"',
    "'",
    "`",
    "/",
    "*",
    "#",
    "-",
    "<",
    "!",
    ">",
    "\\",
    "=",
    "[",
    "]",
    " ",
    "a",
    "if",
    "let",
    "é",
    "\t",
  ),
  maxLength: 80,
});

Deno.test("property: the pieces of a line put together are the line, in every language and after every state", () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.array(text, { maxLength: 6 }), (name, lines) => {
      const reader = readerOf(name);
      let state = START;
      for (const line of lines) {
        const read = reader.read(line, state);
        assert.equal(read.pieces.map(([, piece]) => piece).join(""), line);
        assert.deepEqual(new LineReader(GRAMMARS[name]).read(line, state), read, "only the line and the state count");
        state = read.state;
      }
    }),
  );
});

Deno.test("no line keeps the reader busy, however long and whatever it repeats", () => {
  for (const bit of ['"', "/*", "\\", "'a", "<!--", "[[", "a_"]) {
    const began = performance.now();
    for (const name of names) readerOf(name).read(bit.repeat(100_000), START);
    for (const name of names) for (let n = 0; n < 20; n++) readerOf(name).read(bit.repeat(900), START);
    assert.ok(performance.now() - began < 5000, bit);
  }
});
