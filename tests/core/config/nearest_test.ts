import assert from "node:assert/strict";
import { nearest } from "../../../core/config/nearest.ts";

const KNOWN = ["host", "port", "auth", "allowed_hosts", "base_path"];

for (
  const [written, meant] of [
    ["prot", "port"],
    ["Port", "port"],
    ["hst", "host"],
    ["hosts", "host"],
    ["allowed_host", "allowed_hosts"],
    ["basepath", "base_path"],
    ["x", undefined],
    ["temperature", undefined],
    ["", undefined],
  ] as const
) {
  Deno.test(`nearest() takes "${written}" for ${meant === undefined ? "nothing known" : `"${meant}"`}`, () => {
    assert.equal(nearest(written, KNOWN), meant);
  });
}

Deno.test("nearest() prefers the closest, and the first of those as close", () => {
  assert.equal(nearest("aab", ["abb", "aab", "aaa"]), "aab");
  assert.equal(nearest("aac", ["aab", "aaa"]), "aab");
});
