import assert from "node:assert/strict";
import { ApprovalPolicies, GateConflict, GatesNotResolved } from "../../../../core/tool/mod.ts";
import { type Pair, policyConfig } from "./policy_config.ts";

function policies(pair: Pair, floor: readonly string[] = [], shipped: readonly string[] = []): ApprovalPolicies {
  return new ApprovalPolicies(policyConfig(pair, { assistant: {} }, floor), shipped);
}

Deno.test("a call before the gates are resolved throws; it never passes (K-187)", () => {
  const made = policies({});
  assert.throws(() => made.demand("assistant", "compute", "calculate"), GatesNotResolved);
  made.resolve(new Map());
  assert.deepEqual(made.demand("assistant", "compute", "calculate"), { gated: false, reviewable: false });
});

Deno.test("a toolset that comes late is gated from its first call on (K-184)", () => {
  const made = policies({ confirm: ["linear.create_issue"] });
  made.resolve(new Map());
  assert.ok(made.demand("assistant", "linear", "create_issue").gated);
  made.built("assistant", "linear", ["create_issue", "list_issues"]);
  assert.ok(made.demand("assistant", "linear", "create_issue").gated);
  assert.ok(!made.demand("assistant", "linear", "list_issues").gated);
});

Deno.test("an entry that a late toolset shows to match nothing fails its build, on every attempt (K-184)", () => {
  const made = policies({ confirm: ["linear.create_isue"] });
  made.resolve(new Map());
  for (let attempt = 0; attempt < 3; attempt++) {
    assert.throws(
      () => made.built("assistant", "linear", ["create_issue"]),
      (error) => error instanceof GateConflict && /did you mean "linear\.create_issue"\?/.test(error.message),
    );
  }
  made.built("assistant", "web", ["search"]);
});

Deno.test("an entry that has matched once stays matched, whatever later builds name (K-184)", () => {
  const made = policies({ confirm: ["linear.create_issue"] });
  made.resolve(new Map());
  made.built("assistant", "linear", ["create_issue"]);
  made.built("assistant", "linear", ["list_issues"]);
  made.built("assistant", "linear", []);
  assert.ok(made.demand("assistant", "linear", "create_issue").gated);
});

Deno.test("a server that gives no tools now shows nothing: its entry goes on waiting (K-184)", () => {
  const made = policies({ confirm: ["linear.create_issue"] });
  made.resolve(new Map());
  made.built("assistant", "linear", []);
  assert.deepEqual(made.inForce("assistant", []).confirm, ["linear.create_issue"]);
});

Deno.test("an overlap that only the built names reveal fails that build, on every attempt (K-184)", () => {
  const uncovered = policies({ confirm: ["linear.create_issue"], review: ["linear"] });
  uncovered.resolve(new Map());
  for (let attempt = 0; attempt < 2; attempt++) {
    assert.throws(
      () => uncovered.built("assistant", "linear", ["create_issue", "delete"]),
      /linear\.delete, which no gate/,
    );
  }
  const grounded = policies({ confirm: ["linear"], review: ["linear"] }, ["linear.delete"]);
  grounded.resolve(new Map());
  assert.throws(() => grounded.built("assistant", "linear", ["delete"]), /never_auto_approve/);
});

Deno.test("what another agent's policy says keeps no build back (K-183, K-184)", () => {
  const config = policyConfig({}, { assistant: {}, coder: { confirm: ["linear.wrong"] } });
  const made = new ApprovalPolicies(config, []);
  made.built("assistant", "linear", ["create_issue"]);
  assert.throws(() => made.built("coder", "linear", ["create_issue"]), GateConflict);
});

Deno.test("an entry Malama ships with never fails a build (K-188)", () => {
  const made = policies({ confirm: ["skills.add_skill_script"] }, [], ["skills.add_skill_script"]);
  made.built("assistant", "skills", ["list_skills"]);
  assert.deepEqual(made.inForce("assistant", [{ toolset: "skills", name: "list_skills" }]), {
    confirm: [],
    review: [],
  });
});

Deno.test("inForce() names what is gated of the tools an agent has, and what still waits", () => {
  const made = policies({ confirm: ["compute", "linear.create_issue"], review: ["compute.run_command"] });
  made.resolve(new Map([["compute", ["calculate", "run_command"]]]));
  const held = [{ toolset: "compute", name: "run_command" }, { toolset: "web", name: "search" }];
  assert.deepEqual(made.inForce("assistant", held), {
    confirm: ["compute.run_command", "linear.create_issue"],
    review: ["compute.run_command"],
  });
});
