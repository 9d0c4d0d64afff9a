import assert from "node:assert/strict";
import { orNearest, orUsual } from "../../toolsets/bounds.ts";

const bounds = { least: 1, most: 10, usual: 5 };

Deno.test("a number out of its bounds becomes the usual one, or the nearest; none is refused (K-166)", () => {
  const usual = [undefined, 3, 3.7, 0, -1, 11].map((given) => orUsual(bounds).parse(given));
  assert.deepEqual(usual, [5, 3, 3, 5, 5, 5]);
  const nearest = [undefined, 3, 3.7, 0, -1, 11].map((given) => orNearest(bounds).parse(given));
  assert.deepEqual(nearest, [5, 3, 3, 5, 1, 10]);
});
