import assert from "node:assert/strict";
import fc from "fast-check";
import { linesOf } from "../../../core/conversation/import_lines.ts";
import { BadRequest } from "../../../core/conversation/mod.ts";

async function* pieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const reused = new Uint8Array(bytes.length);
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    // The same memory for every piece, as a reader with a buffer of its own would.
    reused.set(bytes.subarray(from, to));
    yield await Promise.resolve(reused.subarray(0, to - from));
    from = to;
  }
}

const read = (bytes: Uint8Array, cuts: readonly number[] = [], longest?: number) =>
  Array.fromAsync(linesOf(pieces(bytes, cuts), longest));

const encode = (text: string) => new TextEncoder().encode(text);

Deno.test("linesOf() gives the same lines however the bytes are cut", async () => {
  const text = fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("", " ", "é", "🌊", "\r"))).map((
    lines,
  ) => lines.map((line) => line.replaceAll("\n", "")).join("\n"));
  await fc.assert(fc.asyncProperty(text, fc.array(fc.nat(200)), async (value, numbers) => {
    const bytes = encode(value);
    const cuts = numbers.map((number) => Math.min(number, bytes.length)).sort((a, b) => a - b);
    const expected = value.split("\n").flatMap((line, index) => {
      const shown = index === 0 ? line.replace(/^\uFEFF/, "") : line;
      return shown.trim() === "" ? [] : [{ number: index + 1, text: shown }];
    });
    assert.deepEqual(await read(bytes, cuts), expected);
  }));
});

Deno.test("linesOf() takes a last line without its end, and a byte order mark at the front", async () => {
  assert.deepEqual(await read(encode("\uFEFFa\r\n\nb")), [{ number: 1, text: "a\r" }, { number: 3, text: "b" }]);
  assert.deepEqual(await read(encode("")), []);
});

Deno.test("linesOf() refuses 2 MB on one line where one may be held, before all of it is there", async () => {
  let given = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      given += 64 * 1024;
      yield await Promise.resolve(new Uint8Array(64 * 1024).fill(0x61));
    }
  }
  const error = await Array.fromAsync(linesOf(endless(), 1024 * 1024)).catch((caught) => caught);
  assert.ok(error instanceof BadRequest);
  assert.deepEqual([error.path, /longer than 1 MiB/.test(error.message)], ["line 1", true]);
  assert.ok(given < 1.2 * 1024 * 1024);
});

Deno.test("linesOf() names the line that is not UTF-8", async () => {
  const bytes = new Uint8Array([...encode("fine\n"), 0xff, 0xfe, 0x0a]);
  const error = await read(bytes).catch((caught) => caught);
  assert.ok(error instanceof BadRequest);
  assert.deepEqual([error.path, error.message.includes("UTF-8")], ["line 2", true]);
  const half = await read(encode("é").subarray(0, 1)).catch((caught) => caught);
  assert.equal(half.path, "line 1");
});
