import assert from "node:assert/strict";
import fc from "fast-check";
import { closest } from "../../../core/model/mod.ts";
import { editDistance } from "../../../core/model/near_miss.ts";

const NAMES = ["ollama", "openai", "groq", "anthropic"] as const;

Deno.test("closest() finds a name a slip or two away", () => {
  assert.equal(closest("olama", NAMES), "ollama");
  assert.equal(closest("opneai", NAMES), "openai");
  assert.equal(closest("anthropci", NAMES), "anthropic");
  assert.equal(closest("grok", NAMES), "groq");
});

Deno.test("closest() finds a name by its beginning", () => {
  assert.equal(closest("anth", NAMES), "anthropic");
  assert.equal(closest("groqcloud", NAMES), "groq");
});

Deno.test("closest() suggests nothing that is not close", () => {
  assert.equal(closest("mistral", NAMES), undefined);
  assert.equal(closest("x", NAMES), undefined);
  assert.equal(closest("", NAMES), undefined);
  assert.equal(closest("anything", []), undefined);
});

Deno.test("closest() prefers the nearest of several", () => {
  assert.equal(closest("tools", ["tool", "tools", "toolset"]), "tools");
  assert.equal(closest("toolz", ["toolset", "tools"]), "tools");
});

Deno.test("editDistance() counts a swap of neighbours as one", () => {
  assert.equal(editDistance("ab", "ba"), 1);
  assert.equal(editDistance("opneai", "openai"), 1);
  assert.equal(editDistance("kitten", "sitting"), 3);
});

Deno.test("editDistance() is a distance: zero only between equals, and the same both ways", () => {
  const word = fc.string({ maxLength: 8 });
  fc.assert(fc.property(word, word, (left, right) => {
    const distance = editDistance(left, right);
    assert.equal(distance === 0, left === right);
    assert.equal(distance, editDistance(right, left));
    assert.ok(distance <= Math.max(left.length, right.length));
    assert.ok(distance >= Math.abs(left.length - right.length));
  }));
});
