import assert from "node:assert/strict";
import fc from "fast-check";
import { JsonScan, nestsDeeper } from "../../../../core/model/providers/json_scan.ts";

function scanned(pieces: readonly string[]): JsonScan {
  const scan = new JsonScan();
  for (const piece of pieces) scan.push(piece);
  return scan;
}

function cut(text: string, size: number): string[] {
  return text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

Deno.test("a JSON text is scanned to its depth, and an object alone is closed, wherever it is cut", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), fc.constantFrom(0, 2), (value, size, space) => {
    const scan = scanned(cut(` ${JSON.stringify(value, null, space)}\n`, size));
    assert.equal(scan.deepest, depthOf(value));
    assert.equal(scan.closed, typeof value === "object" && value !== null && !Array.isArray(value));
  }));
});

Deno.test("no proper beginning of an object is closed", () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
    const text = JSON.stringify(value);
    for (let length = 0; length < text.length; length++) assert.equal(scanned([text.slice(0, length)]).closed, false);
  }));
});

Deno.test("an object with anything after it is not closed", () => {
  for (const text of ["{}{}", "{} x", "{}]", '{}"', "{},", "[{}]", "1{}", "}{", "]{}"]) {
    assert.equal(scanned([text]).closed, false, text);
  }
});

Deno.test("brackets and quotes inside a text count for nothing", () => {
  const scan = scanned(['{"a[{', '\\"', '{\\\\"', ': "]}"', "}"]);
  assert.equal(scan.closed, true);
  assert.equal(scan.deepest, 1);
});

Deno.test("nestsDeeper() tells a text that is nested past the bound", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  assert.equal(nestsDeeper(nested(200), 200), false);
  assert.equal(nestsDeeper(nested(201), 200), true);
  assert.equal(nestsDeeper(JSON.stringify(nested(1000)), 200), false);
});
