import assert from "node:assert/strict";
import { computed, Signal, signal } from "@preact/signals";
import fc from "fast-check";
import { h } from "preact";
import { readTable } from "../../fresh/deserialize.ts";
import { UnserializableError, writeTable } from "../../fresh/serialize.ts";
import { SlotReference } from "../../fresh/table.ts";

function write(value: unknown): string {
  return writeTable({ value });
}

function trip<Value>(value: Value): Value {
  return (readTable(JSON.parse(write(value))) as { value: Value }).value;
}

Deno.test("any plain value survives", () => {
  const value = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withSparseArray: true,
  });
  fc.assert(fc.property(value, (value) => assert.deepStrictEqual(trip(value), value)), { numRuns: 500 });
});

Deno.test("the numbers that JSON lacks survive", () => {
  for (const number of [NaN, Infinity, -Infinity, -0, 0, 1e300]) assert.ok(Object.is(trip(number), number));
  assert.deepStrictEqual(trip([undefined, null, NaN, -0]), [undefined, null, NaN, -0]);
});

Deno.test("an array keeps its holes", () => {
  // deno-lint-ignore no-sparse-arrays
  const read = trip([1, , 3]);
  assert.deepEqual([read.length, 1 in read, read[2]], [3, false, 3]);
});

Deno.test("objects of the platform survive", () => {
  assert.equal(trip(new URL("https://example.org/a?b#c")).href, "https://example.org/a?b#c");
  assert.deepStrictEqual(trip(/a<b/giu), /a<b/giu);
  assert.ok(Number.isNaN(trip(new Date(NaN)).getTime()));
});

Deno.test("bytes are those of the view, not of its buffer", () => {
  assert.deepStrictEqual(trip(new Uint8Array([9, 1, 2, 9]).subarray(1, 3)), new Uint8Array([1, 2]));
});

Deno.test("shared references and cycles survive", () => {
  const shared = { name: "one" };
  const read = trip({ a: shared, b: [shared], c: new Map([[shared, shared]]) });
  assert.equal(read.a, read.b[0]);
  assert.equal(read.c.get(read.a), read.a);
  const circle: { self?: unknown; list: unknown[] } = { list: [] };
  circle.self = circle;
  circle.list.push(circle.list);
  const round = trip(circle);
  assert.equal(round.self, round);
  assert.equal(round.list[0], round.list);
});

Deno.test("a signal stays a signal, and one signal", () => {
  const count = signal(1);
  const read = trip({ a: count, b: { deep: count } });
  assert.ok(read.a instanceof Signal);
  assert.equal(read.a, read.b.deep);
  read.a.value = 5;
  assert.equal(read.b.deep.value, 5);
});

Deno.test("a computed keeps the value it had", () => {
  const count = signal(2);
  const read = trip({ count, doubled: computed(() => count.value * 2) });
  assert.equal(read.doubled.value, 4);
  read.count.value = 10;
  assert.equal(read.doubled.value, 4);
});

Deno.test("a signal that holds itself survives", () => {
  const outer: Signal<unknown> = signal(null);
  outer.value = { outer };
  const read = trip(outer);
  assert.equal((read.peek() as { outer: unknown }).outer, read);
});

Deno.test("a key named __proto__ is only a key", () => {
  const read = trip(JSON.parse(`{"__proto__": {"polluted": true}}`));
  assert.deepEqual(Object.keys(read), ["__proto__"]);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  assert.equal(read.polluted, undefined);
});

Deno.test("the table cannot end the element it stands in", () => {
  const json = write("</script><!--\u2028\u2029");
  assert.doesNotMatch(json, /[<\u2028\u2029]/);
  assert.equal(trip("</script><!--\u2028\u2029"), "</script><!--\u2028\u2029");
});

Deno.test("a class instance becomes a plain object", () => {
  class Point {
    x = 1;
  }
  const read = trip(new Point());
  assert.equal(Object.getPrototypeOf(read), Object.prototype);
  assert.equal(read.x, 1);
});

Deno.test("a function is refused with its place", () => {
  const refuse = (value: unknown, path: string, what: string) =>
    assert.throws(() => write(value), (error) => {
      assert.ok(error instanceof UnserializableError);
      assert.deepEqual([error.path, error.what], [`value${path}`, what]);
      return true;
    });
  refuse({ items: [{ onClick: () => {} }] }, ".items[0].onClick", "a function");
  refuse(new Map([["key", Symbol("x")]]), "", "a symbol");
  refuse([h("p", null)], "[0]", "markup nested");
  refuse({ wait: Promise.resolve() }, ".wait", "a Promise");
  refuse([new Float32Array(1)], "[0]", "a Float32Array");
});

Deno.test("a slot is a reference to markup in the page", () => {
  assert.equal(trip(new SlotReference(7)).id, 7);
});

Deno.test("a table of another version is refused", () => {
  assert.throws(() => readTable([["hologram", 1]]), /unknown tag "hologram"; reload the page/);
});
