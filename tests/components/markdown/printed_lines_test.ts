import assert from "node:assert/strict";
import fc from "fast-check";
import { readerOf, START } from "../../../components/markdown/highlight/mod.ts";
import { CHUNK, PrintedLines } from "../../../components/markdown/printed_lines.ts";

const reader = readerOf("javascript");
const textOf = (printed: PrintedLines) => printed.chunks.map(({ lines }) => lines.join("\n")).join("\n");

function readAll(printed: PrintedLines, withLast: boolean): number {
  let steps = 0;
  while (printed.readNext(reader, START, withLast)) steps++;
  return steps;
}

const lines = fc.array(fc.constantFrom("const a = 1;", "/* open", "close */", "`half", "", "// c", '"s"'), {
  maxLength: 180,
});

Deno.test("property: the chunks are the text and its pieces those of one reading, however it grew", () => {
  fc.assert(
    fc.property(lines, fc.array(fc.nat(60), { maxLength: 20 }), (all, sizes) => {
      const text = all.join("\n");
      const grown = new PrintedLines();
      let at = 0;
      for (const size of sizes) {
        at = Math.min(text.length, at + size * 10);
        grown.take(text.slice(0, at));
        assert.equal(textOf(grown), text.slice(0, at));
        if (size % 2 === 0) readAll(grown, size % 3 === 0);
      }
      grown.take(text);
      const once = new PrintedLines();
      once.take(text);
      readAll(grown, true);
      readAll(once, true);
      assert.deepEqual(grown.chunks, once.chunks);
      assert.equal(grown.count, Math.max(1, all.length));
    }),
  );
});

Deno.test("a chunk that is full keeps its identity while the listing grows", () => {
  const printed = new PrintedLines();
  const text = "const a = 1;\n".repeat(CHUNK * 2);
  printed.take(text);
  readAll(printed, false);
  const [first, second] = printed.chunks;
  printed.take(`${text}more\nand more`);
  assert.equal(printed.chunks[0], first);
  assert.equal(printed.chunks[1], second);
});

Deno.test("the last line, which may still grow, is read only when that is asked for", () => {
  const printed = new PrintedLines();
  printed.take("const a\nretu");
  assert.equal(readAll(printed, false), 1);
  assert.deepEqual(printed.chunks[0]?.pieces.length, 1);
  printed.take("const a\nreturn");
  assert.equal(readAll(printed, true), 1);
  assert.deepEqual(printed.chunks[0]?.pieces[1], [["k", "return"]]);
});

Deno.test("a text that does not go on begins anew", () => {
  const printed = new PrintedLines();
  printed.take("one\ntwo");
  readAll(printed, true);
  printed.take("else");
  assert.equal(textOf(printed), "else");
  assert.equal(printed.chunks[0]?.pieces.length, 0);
});

Deno.test("a listing of many thousand lines is read a chunk at a time, and has an end", () => {
  const printed = new PrintedLines();
  printed.take("return 1\n".repeat(12_000));
  const began = performance.now();
  const steps = readAll(printed, true);
  assert.equal(steps, Math.ceil(10_000 / CHUNK));
  assert.ok((performance.now() - began) / steps < 50, "no step blocks");
  assert.equal(printed.chunks.at(-1)?.pieces.length, 0);
});
