import assert from "node:assert/strict";
import fc from "fast-check";
import { canonicalJson, LONGEST_RULE, readEntries, ruleCovers, ruleFor } from "../../../../core/tool/mod.ts";

const call = (toolset: string, tool: string, given: unknown = {}) => ({
  agent: "assistant",
  toolset,
  tool,
  arguments: given,
});
const plain = { floor: [], provider: "built-in" } as const;

Deno.test("an ordinary tool gets a rule for the tool, whatever it is given", () => {
  const rule = ruleFor(call("fs_write", "write_file", { path: "a" }), plain);
  assert.deepEqual(rule, { agent: "assistant", toolset: "fs_write", tool: "write_file" });
  assert.ok(rule && ruleCovers(rule, call("fs_write", "write_file", { path: "b" })));
});

Deno.test("what runs code or commands gets a rule for exactly these arguments", () => {
  for (const tool of ["run_command", "execute_typescript", "execute_python"]) {
    const rule = ruleFor(call("compute", tool, { command: "git status" }), plain);
    assert.deepEqual(rule?.arguments, { command: "git status" });
    assert.ok(rule && !ruleCovers(rule, call("compute", tool, { command: "git push" })));
  }
  assert.equal(ruleFor(call("compute", "calculate", { expression: "1" }), plain)?.arguments, undefined);
});

Deno.test("a skill's script and whatever stands on the floor get exact arguments too", () => {
  assert.deepEqual(ruleFor(call("photos", "resize", { w: 1 }), { floor: [], provider: "skill" })?.arguments, { w: 1 });
  const floor = readEntries(["email"]);
  assert.deepEqual(ruleFor(call("email", "send", { to: "a" }), { ...plain, floor })?.arguments, { to: "a" });
});

Deno.test("what changes Malama itself gets no rule, and neither do arguments nobody could read", () => {
  for (
    const [toolset, tool] of [["config", "update_config"], ["mcp", "add_mcp_server"], [
      "skills",
      "add_skill_script",
    ]] as const
  ) assert.equal(ruleFor(call(toolset, tool), plain), null);
  assert.equal(ruleFor(call("compute", "run_command", { command: "x".repeat(LONGEST_RULE) }), plain), null);
});

Deno.test("a rule covers one agent, one toolset and one tool, in whatever order the keys stand", () => {
  const rule = ruleFor(call("compute", "run_command", { a: 1, b: { c: [1, { d: 2, e: 3 }] } }), plain);
  assert.ok(rule);
  assert.ok(ruleCovers(rule, call("compute", "run_command", { b: { c: [1, { e: 3, d: 2 }] }, a: 1 })));
  assert.ok(!ruleCovers(rule, { ...call("compute", "run_command", rule.arguments), agent: "coder" }));
  assert.ok(!ruleCovers(rule, call("other", "run_command", rule.arguments)));
  assert.ok(!ruleCovers(rule, call("compute", "execute_python", rule.arguments)));
  assert.ok(!ruleCovers(rule, call("compute", "run_command", { a: 1 })));
});

Deno.test("no rule covers another call of a mighty tool, whatever the arguments (property)", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
    const rule = ruleFor(call("compute", "run_command", one), plain);
    if (rule === null) return;
    const equal = canonicalJson(one) === canonicalJson(other);
    assert.equal(ruleCovers(rule, call("compute", "run_command", other)), equal);
    assert.ok(ruleCovers(rule, call("compute", "run_command", JSON.parse(canonicalJson(one)))));
  }));
});
