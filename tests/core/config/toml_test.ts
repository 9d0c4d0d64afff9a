import assert from "node:assert/strict";
import { isTable, lineFinder, outline, parseToml, TomlSyntaxError } from "../../../core/config/toml.ts";

function syntaxError(text: string): TomlSyntaxError {
  try {
    parseToml(text);
  } catch (error) {
    assert.ok(error instanceof TomlSyntaxError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: "This parsed" });
}

Deno.test("parseToml() says in one line what is wrong and where", () => {
  const error = syntaxError("a = 1\nb = hello\nc = 3\n");
  assert.equal(error.line, 2);
  assert.equal(error.message, '"hello" is no value: a text needs quotes around it');
  assert.ok(!error.message.includes("\n"), error.message);
});

Deno.test("parseToml() tells a line that breaks off, not the next one", () => {
  assert.equal(syntaxError("a = 1\nb = \nc = 3\n").line, 2);
  assert.equal(syntaxError("[web\nport = 1\n").line, 1);
  assert.equal(syntaxError("a = [1, 2\nb = 3\n").line, 2);
});

Deno.test("parseToml() refuses a key and a table written twice", () => {
  assert.equal(syntaxError("a = 1\na = 2\n").line, 2);
  assert.equal(syntaxError("[a]\nx = 1\n\n[a]\ny = 1\n").line, 4);
});

Deno.test("parseToml() answers a document nested too deeply instead of ending the process", () => {
  const deep = "a = " + "[".repeat(200_000) + "]".repeat(200_000);
  assert.match(syntaxError(deep).message, /nested too deeply/);
});

Deno.test("parseToml() keeps dangerous names as plain keys", () => {
  const parsed = parseToml('[__proto__]\npolluted = true\n[constructor]\nx = "y"\n');
  assert.deepEqual(Object.keys(parsed), ["__proto__", "constructor"]);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

Deno.test("isTable() tells tables from lists, dates and nothing", () => {
  const parsed = parseToml("t = {}\nl = []\nd = 2027-01-31\n");
  assert.deepEqual(Object.values(parsed).map(isTable), [true, false, false]);
  assert.equal(isTable(null), false);
});

const LAYOUT = `# 😀 a comment before anything
top = 1
[a.b] # the header
x.y = { k = 1, "z q" = [1, { deep = 2 }] }  # same line

list = [
  1, # one
  2,
]
[[s.t]]
n = 1
[[s.t]]
n = 2
[s.t.sub]
m = 3
`;

for (const [kind, text] of [["LF", LAYOUT], ["CRLF", LAYOUT.replaceAll("\n", "\r\n")]] as const) {
  Deno.test(`outline() gives spans that cut exactly what they name (${kind})`, () => {
    const layout = outline(text);
    const assignments = layout.blocks.flatMap((block) => block.assignments);
    const cut = assignments.map(({ value }) => text.slice(value.start, value.end).replaceAll("\r\n", "\n"));
    assert.deepEqual(cut, [
      "1",
      '{ k = 1, "z q" = [1, { deep = 2 }] }',
      "[\n  1, # one\n  2,\n]",
      "1",
      "2",
      "3",
    ]);
    const keys = assignments.map(({ start, value }) => text.slice(start, value.start));
    assert.deepEqual(keys, ["top = ", "x.y = ", "list = ", "n = ", "n = ", "m = "]);
    const inline = assignments[1]!.inline!;
    assert.deepEqual(inline.items.map((item) => text.slice(item.start, item.end)), [
      "k = 1",
      '"z q" = [1, { deep = 2 }]',
    ]);
    const headers = layout.blocks.map(({ header }) => header && text.slice(header.start, header.end));
    assert.deepEqual(headers, [null, "[a.b]", "[[s.t]]", "[[s.t]]", "[s.t.sub]"]);
    assert.ok(layout.comments.some(({ start, end }) => text.slice(start, end) === "# the header"));
  });
}

Deno.test("outline() counts the elements of a list of tables, also for what hangs below them", () => {
  assert.deepEqual(outline(LAYOUT).blocks.map((block) => block.path), [
    [],
    ["a", "b"],
    ["s", "t", 0],
    ["s", "t", 1],
    ["s", "t", 1, "sub"],
  ]);
});

Deno.test("lineFinder() finds headers, keys, dotted keys, inline keys and list elements", () => {
  const lineOf = lineFinder(LAYOUT);
  assert.equal(lineOf(["top"]), 2);
  assert.equal(lineOf(["a", "b"]), 3);
  assert.equal(lineOf(["a", "b", "x"]), 4);
  assert.equal(lineOf(["a", "b", "x", "y", "z q"]), 4);
  assert.equal(lineOf(["a", "b", "list"]), 6);
  assert.equal(lineOf(["s", "t", 1, "n"]), 13);
  assert.equal(lineOf(["s", "t", 1, "sub", "m"]), 15);
});

Deno.test("lineFinder() falls back to the nearest table around, and to nothing", () => {
  const lineOf = lineFinder(LAYOUT);
  assert.equal(lineOf(["a", "b", "missing"]), 3);
  assert.equal(lineOf(["a", "b", "list", 1]), 6);
  assert.equal(lineOf(["nowhere", "at", "all"]), undefined);
});
