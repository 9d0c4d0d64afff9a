import assert from "node:assert/strict";
import fc from "fast-check";
import { ReadingGuard } from "../../../core/memory/reading_guard.ts";

Deno.test("a revision counts as read exactly when its parts leave no gap, in any order (K-333)", () => {
  const part = fc.tuple(fc.nat(12), fc.nat(12)).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
  fc.assert(fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
    const guard = new ReadingGuard();
    const seen = new Set<number>();
    for (const each of parts) {
      for (let at = each.from; at < each.to; at++) seen.add(at);
      const isWhole = guard.note("C", "p", { ...each, revision: 1, characters: 12 });
      assert.equal(isWhole, seen.size === 12);
    }
    assert.equal(guard.hasRead("C", "p", { revision: 1, characters: 12 }), seen.size === 12);
    assert.equal(guard.hasRead("D", "p", { revision: 1, characters: 12 }), false);
  }));
});

Deno.test("a change begins the reading anew, and an empty document is read by looking at it", () => {
  const guard = new ReadingGuard();
  assert.ok(guard.note("C", "p", { revision: 1, characters: 4, from: 0, to: 4 }));
  assert.equal(guard.hasRead("C", "p", { revision: 2, characters: 4 }), false);
  assert.equal(guard.note("C", "p", { revision: 2, characters: 4, from: 2, to: 4 }), false);
  assert.ok(guard.note("C", "empty", { revision: 1, characters: 0, from: 0, to: 0 }));
});

Deno.test("the oldest of more than a thousand readings is forgotten and has to be done again", () => {
  const guard = new ReadingGuard();
  const whole = { revision: 1, characters: 1, from: 0, to: 1 };
  for (let index = 0; index <= 1000; index++) guard.note("C", `p${index}`, whole);
  assert.equal(guard.hasRead("C", "p0", whole), false);
  assert.equal(guard.hasRead("C", "p1", whole), true);
});
