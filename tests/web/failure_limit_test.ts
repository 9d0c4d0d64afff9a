import assert from "node:assert/strict";
import { FailureLimit } from "../../web/failure_limit.ts";

Deno.test("FailureLimit refuses the failure after the last allowed one, and says how long", () => {
  const limit = new FailureLimit(5, 60_000, () => 0);
  for (let count = 0; count < 5; count++) assert.equal(limit.fail("a"), 0);
  assert.equal(limit.fail("a"), 12);
});

Deno.test("FailureLimit gives one failure back at a time", () => {
  let now = 0;
  const limit = new FailureLimit(5, 60_000, () => now);
  for (let count = 0; count < 5; count++) limit.fail("a");
  now = 11_999;
  assert.equal(limit.fail("a"), 1);
  now = 12_000;
  assert.equal(limit.fail("a"), 0);
  assert.equal(limit.fail("a"), 12);
});

Deno.test("FailureLimit counts addresses apart", () => {
  const limit = new FailureLimit(1, 60_000, () => 0);
  assert.equal(limit.fail("a"), 0);
  assert.equal(limit.fail("b"), 0);
  assert.ok(limit.fail("a") > 0);
});

Deno.test("FailureLimit does not open when the clock jumps back", () => {
  let now = 1_000_000;
  const limit = new FailureLimit(2, 60_000, () => now);
  limit.fail("a");
  limit.fail("a");
  now = 0;
  assert.ok(limit.fail("a") > 0);
});

Deno.test("FailureLimit forgets the addresses that waited longest, not the busy ones", () => {
  const limit = new FailureLimit(1, 60_000, () => 0);
  limit.fail("old");
  for (let count = 0; count < 1000; count++) limit.fail(`address ${count}`);
  assert.equal(limit.fail("old"), 0);
  assert.ok(limit.fail("address 999") > 0);
});
