import assert from "node:assert/strict";
import fc from "fast-check";
import { parseToml } from "../../../core/config/toml.ts";
import { NoTomlValue, tomlValue } from "../../../core/config/toml_value.ts";

function roundTrip(value: unknown): unknown {
  return parseToml(`key = ${tomlValue(value)}\n`).key;
}

const CASES: readonly (readonly [unknown, string])[] = [
  ["plain", '"plain"'],
  ['quotes " and \\', '"quotes \\" and \\\\"'],
  ["two\nlines\ttab", '"two\\nlines\\ttab"'],
  ["\x7f\x00", '"\\u007F\\u0000"'],
  [8000, "8000"],
  [-0.5, "-0.5"],
  [1e21, "1e+21"],
  [Number.POSITIVE_INFINITY, "inf"],
  [true, "true"],
  [[], "[]"],
  [["a", 1], '["a", 1]'],
  [{}, "{}"],
  [{ a: 1, "b c": { d: [] }, gone: undefined }, '{ a = 1, "b c" = { d = [] } }'],
];

for (const [value, text] of CASES) {
  Deno.test(`tomlValue() writes ${text}`, () => assert.equal(tomlValue(value), text));
}

Deno.test("tomlValue() refuses what TOML cannot hold", () => {
  for (const value of [null, undefined, "\ud800", Symbol("x"), () => 1, new Date(), [null], { a: null }]) {
    assert.throws(() => tomlValue(value), NoTomlValue);
  }
});

Deno.test("tomlValue() writes texts, numbers, lists and tables that read back the same", () => {
  const leaf = fc.oneof(
    fc.string({ unit: "binary" }).filter((text) => text.isWellFormed()),
    fc.boolean(),
    fc.double({ noNaN: true }).filter((number) => !Object.is(number, -0)),
    fc.maxSafeInteger(),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 3 }, leaf, tie("list"), tie("table")),
    list: fc.array(tie("any"), { maxLength: 4 }),
    table: fc.dictionary(fc.string({ maxLength: 6 }), tie("any"), { maxKeys: 4 }),
  })).any;
  fc.assert(fc.property(value, (written) => {
    assert.deepEqual(JSON.stringify(roundTrip(written)), JSON.stringify(written));
  }));
});
