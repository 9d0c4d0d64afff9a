import assert from "node:assert/strict";
import fc from "fast-check";
import { fromBytes, toBytes } from "../../../core/memory/vector.ts";
import { VectorIndex } from "../../../core/memory/vector_index.ts";
import { rank } from "../../../core/memory/ranking.ts";

const unit = (angle: number) => Float32Array.from([Math.cos(angle), Math.sin(angle), 0]);
const angle = fc.double({ min: 0, max: Math.PI, noNaN: true });

Deno.test("the index answers as a comparison with each vector would, after any changes", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ n: fc.integer({ min: 1, max: 12 }), angle: fc.option(angle) }), { maxLength: 60 }),
      angle,
      fc.integer({ min: 1, max: 15 }),
      async (changes, query, limit) => {
        const index = new VectorIndex();
        const model = new Map<number, number>();
        for (const { n, angle } of changes) {
          if (angle === null) {
            index.delete(n);
            model.delete(n);
          } else {
            assert.ok(index.put(n, unit(angle)));
            model.set(n, angle);
          }
        }
        const nearest = await index.nearest(unit(query), limit);
        assert.equal(index.size, model.size);
        const expected = [...model.values()].map((each) => Math.cos(each - query)).toSorted((a, b) => b - a);
        const found = nearest?.rows.map(({ cosine }) => cosine) ?? [];
        assert.equal(found.length, Math.min(limit, model.size));
        found.forEach((cosine, at) => assert.ok(Math.abs(cosine - expected[at]!) < 1e-5));
      },
    ),
  ));

Deno.test("rows that are asked for besides are there however far they are", async () => {
  const index = new VectorIndex();
  for (let n = 1; n <= 20; n++) index.put(n, unit(n / 10));
  const nearest = await index.nearest(unit(0), 3, [20, 2, 99]);
  assert.deepEqual(nearest?.rows.map(({ n }) => n), [1, 2, 3, 4, 20]);
});

Deno.test("a vector of another length is refused and changes nothing", async () => {
  const index = new VectorIndex();
  assert.ok(index.put(1, unit(0)));
  assert.equal(index.put(2, new Float32Array(2)), false);
  assert.equal(index.size, 1);
  assert.equal(await index.nearest(new Float32Array(2), 1), null);
});

Deno.test("stored bytes give the vector back, and anything else gives null", () => {
  const vector = unit(1);
  assert.deepEqual(fromBytes(toBytes(vector).buffer), vector);
  for (const broken of [null, "text", 1, new ArrayBuffer(0), new ArrayBuffer(7), new ArrayBuffer(8)]) {
    assert.equal(fromBytes(broken), null);
  }
});

Deno.test("rank() adds meaning and words with their weights, and judges by words where there is no vector (FACTS C4)", () => {
  const words = new Map([[1, 1], [2, 0.5], [9, 0.6]]);
  const meaning = { rows: [{ n: 3, cosine: 0.9 }, { n: 1, cosine: 0.8 }, { n: 2, cosine: 0.1 }], least: 0.1 };
  const ranked = rank(words, meaning, 0.8);
  assert.deepEqual(ranked.map(({ n }) => n), [1, 3, 9, 2]);
  assert.ok(Math.abs(ranked[0]!.score - (0.8 * 0.875 + 0.2)) < 1e-6);
  assert.deepEqual(rank(words, null, 0.8).map(({ n, score }) => [n, score]), [[1, 1], [9, 0.6], [2, 0.5]]);
});
