import assert from "node:assert/strict";
import fc from "fast-check";
import { lineEndingOf, replaceOnce, withEnding } from "../../../core/files/edit_text.ts";

Deno.test("nothing but the passage changes: what is before and behind it stays, line ends too", () => {
  const part = fc.string({ unit: fc.constantFrom("a", "b", "ä", "\n", "\r\n", "$&"), maxLength: 20 });
  fc.assert(fc.property(part, part, part, (before, after, fresh) => {
    const text = `${before}<<HERE>>${after}`;
    const outcome = replaceOnce(text, "<<HERE>>", fresh);
    assert.equal(outcome.is, "done");
    if (outcome.is !== "done") return;
    assert.equal(outcome.text, before + withEnding(fresh, lineEndingOf(text)) + after);
  }));
});

Deno.test("a line feed in what is looked for stands for either ending, and what is put in gets the text's own", () => {
  assert.deepEqual(replaceOnce("one\r\ntwo\r\nthree\r\n", "one\ntwo", "1\n2"), {
    is: "done",
    text: "1\r\n2\r\nthree\r\n",
    line: 1,
  });
  assert.deepEqual(replaceOnce("one\ntwo\n", "one\r\ntwo", "1\r\n2"), { is: "done", text: "1\n2\n", line: 1 });
  assert.deepEqual(replaceOnce("a\r\nb\nc\n", "b\nc", "x"), { is: "done", text: "a\r\nx\n", line: 2 });
});

Deno.test("undoing an edit gives the text back, whatever its line ends", () => {
  for (const text of ["one\r\ntwo\r\n", "one\ntwo\n", "one two"]) {
    const there = replaceOnce(text, "two", "2");
    assert.equal(there.is, "done");
    if (there.is !== "done") continue;
    assert.equal((replaceOnce(there.text, "2", "two") as { text: string }).text, text);
  }
});

Deno.test("a passage that stands more than once is named with its lines; overlaps count", () => {
  assert.deepEqual(replaceOnce("a\nb\na\n", "a", "x"), { is: "ambiguous", count: 2, lines: [1, 3] });
  assert.deepEqual(replaceOnce("aaa", "aa", "x"), { is: "ambiguous", count: 2, lines: [1, 1] });
  const many = replaceOnce("a\n".repeat(50), "a", "x");
  assert.deepEqual(many, { is: "ambiguous", count: 50, lines: [1, 2, 3, 4, 5] });
});

Deno.test("a passage that is not there is answered with where it stands with other blanks", () => {
  assert.deepEqual(replaceOnce("one\n\tif (x)  {\n\t}\n", "if (x) {\n}", ""), { is: "absent", near: 2 });
  assert.deepEqual(replaceOnce("one\n", "two", ""), { is: "absent", near: null });
  assert.deepEqual(replaceOnce("one\n", "\n  \n", ""), { is: "absent", near: null });
});
