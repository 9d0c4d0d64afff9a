import assert from "node:assert/strict";
import fc from "fast-check";
import { decide, readReview } from "../../../../core/tool/mod.ts";

const yes = { in_scope: true, reversible: true, injection_suspected: false, reason: "It is what was asked" };

Deno.test("decide() refuses an empty quorum (K-200)", () => assert.equal(decide([]), false));

Deno.test("decide() wants all of them: one dissent approves nothing (K-200)", () => {
  assert.equal(decide([yes]), true);
  assert.equal(decide([yes, yes]), true);
  for (const dissent of [{ in_scope: false }, { reversible: false }, { injection_suspected: true }]) {
    assert.equal(decide([yes, { ...yes, ...dissent }]), false);
    assert.equal(decide([{ ...yes, ...dissent }, yes]), false);
  }
});

Deno.test('decide() goes by identity: the string "false", 1, null and what is missing approve nothing (K-200)', () => {
  for (const value of ["false", "true", 0, 1, "", null, undefined, [], {}]) {
    assert.equal(decide([{ ...yes, injection_suspected: value }]), false, `injection_suspected ${String(value)}`);
    assert.equal(decide([{ ...yes, in_scope: value }]), false);
    assert.equal(decide([{ ...yes, reversible: value }]), false);
  }
  for (const answer of [null, undefined, "yes", 1, []]) assert.equal(decide([answer]), false);
});

Deno.test("decide() approves exactly one of all answers there can be (property)", () => {
  const value = fc.oneof(fc.boolean(), fc.constantFrom("true", "false", null, 1, 0, undefined));
  fc.assert(fc.property(value, value, value, (in_scope, reversible, injection_suspected) => {
    const expected = in_scope === true && reversible === true && injection_suspected === false;
    assert.equal(decide([{ in_scope, reversible, injection_suspected }]), expected);
  }));
});

Deno.test("readReview() tells no JSON, the wrong shape and the wrong types apart (K-203)", () => {
  assert.deepEqual(readReview(JSON.stringify(yes)), yes);
  assert.equal(readReview("I approve"), "its answer was not JSON");
  for (const text of ["[]", "null", '"yes"', "{}", JSON.stringify({ ...yes, verdict: "approve" })]) {
    assert.equal(readReview(text), "its answer did not have the shape asked for", text);
  }
  for (const part of [{ injection_suspected: "false" }, { in_scope: 1 }, { reason: null }]) {
    assert.equal(readReview(JSON.stringify({ ...yes, ...part })), "its answer had values of the wrong type");
  }
});
