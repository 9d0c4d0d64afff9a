import assert from "node:assert/strict";
import { composedLabel, policyOf, readEntries } from "../../../../core/tool/mod.ts";
import { isReviewable } from "../../../../core/tool/approval/policy.ts";
import { policyConfig } from "./policy_config.ts";

const texts = (entries: readonly { readonly text: string }[]) => entries.map(({ text }) => text);

Deno.test("an agent that writes neither list has the default pair whole (K-183)", () => {
  const config = policyConfig({ confirm: ["fs_write"], review: ["fs_write.write_file"] });
  const policy = policyOf(config, "assistant");
  assert.deepEqual([texts(policy.confirm), texts(policy.review)], [["fs_write"], ["fs_write.write_file"]]);
  assert.equal(policy.section, "assistant.tools");
});

Deno.test("an agent that writes one list has that pair alone, and nothing of the default (K-183)", () => {
  const config = policyConfig({ confirm: ["fs_write"], review: ["fs_write"] }, { coder: { confirm: ["compute"] } });
  const policy = policyOf(config, "coder");
  assert.deepEqual([texts(policy.confirm), texts(policy.review)], [["compute"], []]);
  assert.equal(policy.section, "agents.coder.tools");
});

Deno.test("a composed worker has the default pair, also when it is called like a declared agent (K-183)", () => {
  const config = policyConfig({ confirm: ["fs_write"] }, { coder: { confirm: [] } });
  assert.deepEqual(texts(policyOf(config, "coder").confirm), []);
  assert.deepEqual(texts(policyOf(config, composedLabel("coder")).confirm), ["fs_write"]);
});

Deno.test("an agent named like a part of every object has the default pair (bad input)", () => {
  const config = policyConfig({ confirm: ["fs_write"] });
  for (const name of ["constructor", "toString", "__proto__"]) {
    assert.deepEqual(texts(policyOf(config, name).confirm), ["fs_write"]);
  }
});

Deno.test("what stands on the floor is never reviewed, and neither is what no gate covers (K-206)", () => {
  const policy = policyOf(policyConfig({ confirm: ["mcp", "fs"], review: ["mcp", "fs", "web"] }), "assistant");
  const floor = readEntries(["mcp.add_mcp_server"]);
  assert.ok(isReviewable(policy, floor, "fs", "write"));
  assert.ok(!isReviewable(policy, floor, "mcp", "add_mcp_server"));
  assert.ok(isReviewable(policy, floor, "mcp", "remove_mcp_server"));
  assert.ok(!isReviewable(policy, floor, "web", "search"));
});
