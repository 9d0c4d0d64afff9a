import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { denyingInstance } from "../../../../core/model/demo/structured.ts";
import { tour } from "../../../../core/model/demo/tour.ts";

const make = (schema: z.ZodType) => {
  const made = denyingInstance(z.toJSONSchema(schema), { title: "A title" });
  if (made !== undefined) schema.parse(made);
  return made;
};

Deno.test("a reviewer's verdict is no in every field (K-199, K-200)", () => {
  const verdict = z.object({
    in_scope: z.boolean(),
    reversible: z.boolean(),
    injection_suspected: z.boolean(),
    reason: z.string(),
  });
  const made = make(verdict) as z.output<typeof verdict>;
  assert.deepEqual([made.in_scope, made.reversible, made.injection_suspected], [false, false, true]);
  assert.match(made.reason, /does not judge/);
});

Deno.test("a critic's verdict is not approved, and has an issue (K-263)", () => {
  const verdict = z.object({ approved: z.boolean(), issues: z.array(z.string()), suggestions: z.array(z.string()) });
  const made = make(verdict) as z.output<typeof verdict>;
  assert.equal(made.approved, false);
  assert.equal(made.issues.length, 1);
  assert.deepEqual(made.suggestions, []);
});

const DENIES: readonly (readonly [string, unknown])[] = [
  ["approved", false],
  ["isApproved", false],
  ["allow", false],
  ["safe", false],
  ["is_safe_to_run", false],
  ["ok", false],
  ["proceed", false],
  ["unsafe", true],
  ["denied", true],
  ["rejected", true],
  ["blocked", true],
  ["is_dangerous", true],
  ["injectionSuspected", true],
  ["needs_person", true],
  ["requires_approval", true],
  ["not_approved", true],
  ["disallowed", true],
  ["unapproved", true],
  ["harmless", false],
  ["no_risk", false],
  ["risk_free", false],
  ["not_dangerous", false],
  ["something", false],
];

for (const [name, value] of DENIES) {
  Deno.test(`a yes or no called ${name} is ${value}`, () => {
    assert.deepEqual(make(z.object({ [name]: z.boolean() })), { [name]: value });
  });
}

const CHOICES: readonly (readonly [readonly string[], string])[] = [
  [["approve", "deny"], "deny"],
  [["allow", "ask"], "ask"],
  [["APPROVED", "REJECTED"], "REJECTED"],
  [["yes", "no"], "no"],
  [["accept", "needs_work"], "needs_work"],
  [["pass", "fail"], "fail"],
  [["allow_once", "allow_always", "escalate_to_person"], "escalate_to_person"],
  [["ok", "not_ok"], "not_ok"],
  [["continue", "stop"], "stop"],
  [["safe", "unsafe"], "unsafe"],
  [["approve", "unsure"], "unsure"],
  [["red", "green"], "red"],
];

for (const [members, member] of CHOICES) {
  Deno.test(`a choice of ${members.join(", ")} is ${member}`, () => {
    assert.deepEqual(make(z.object({ verdict: z.enum(members as [string, ...string[]]) })), { verdict: member });
  });
}

Deno.test("a schema whose every instance approves has none", () => {
  assert.equal(make(z.object({ decision: z.literal("approve") })), undefined);
  assert.equal(make(z.object({ approved: z.literal(true) })), undefined);
  assert.equal(make(z.object({ verdict: z.enum(["allow", "accept"]) })), undefined);
  assert.equal(make(z.object({ unsafe: z.literal(false) })), undefined);
});

Deno.test("of several shapes the first that does not approve is taken", () => {
  const verdict = z.discriminatedUnion("decision", [
    z.object({ decision: z.literal("approve") }),
    z.object({ decision: z.literal("deny"), reason: z.string() }),
  ]);
  assert.equal((make(verdict) as { decision: string }).decision, "deny");
});

Deno.test("a score is as low as it may be, and a risk as high", () => {
  const made = make(z.object({
    score: z.number().min(0).max(10),
    confidence: z.number().min(0.1),
    risk: z.number().min(0).max(10),
    danger_level: z.int().min(1).max(5),
  }));
  assert.deepEqual(made, { score: 0, confidence: 0.1, risk: 10, danger_level: 5 });
});

Deno.test("text that decides says deny", () => {
  const made = make(z.object({ verdict: z.string(), decision: z.string(), approval: z.string() }));
  assert.deepEqual(made, { verdict: "deny", decision: "deny", approval: "deny" });
});

Deno.test("a title is taken from the conversation", () => {
  assert.deepEqual(make(z.object({ title: z.string() })), { title: "A title" });
  assert.deepEqual(make(z.object({ title: z.string().max(4) })), { title: "A ti" });
});

Deno.test("what is optional is left out, but for a list of concerns", () => {
  assert.deepEqual(make(z.object({ note: z.string().optional() })), {});
  const made = make(z.object({ concerns: z.array(z.string()).optional() })) as { concerns: string[] };
  assert.equal(made.concerns.length, 1);
});

Deno.test("an instance fits its schema: lengths, bounds, formats, nesting, references", () => {
  const node: z.ZodType = z.object({ name: z.string(), children: z.array(z.lazy(() => node)) });
  const schemas: readonly z.ZodType[] = [
    z.object({ a: z.string().min(60), b: z.string().max(2), c: z.array(z.int()).min(3).max(4) }),
    z.object({ a: z.number().gt(5).lt(6), b: z.int().gt(5), c: z.int().max(-3) }),
    z.object({ a: z.iso.date(), b: z.iso.datetime(), c: z.uuid(), d: z.email(), e: z.url() }),
    z.object({ a: z.object({ b: z.object({ c: z.boolean() }) }), d: z.null(), e: z.nullable(z.string()) }),
    z.tuple([z.string()]).rest(z.string()).or(z.object({ x: z.string() })),
    node,
    z.intersection(z.object({ a: z.string() }), z.object({ b: z.boolean() })),
    z.record(z.string(), z.number()),
    z.array(z.object({ a: z.string() })).min(2),
    z.string().regex(/^[a-z]{1,3}$/),
  ];
  for (const schema of schemas) assert.notEqual(make(schema), undefined, JSON.stringify(z.toJSONSchema(schema)));
});

Deno.test("a schema without end has no instance, and ends all the same", () => {
  const endless = { $ref: "#" };
  assert.equal(denyingInstance(endless, { title: "" }), undefined);
  const nested = { type: "object", properties: { a: { $ref: "#" } }, required: ["a"] };
  assert.equal(denyingInstance(nested, { title: "" }), undefined);
  assert.equal(denyingInstance({ $ref: "#/$defs/missing" }, { title: "" }), undefined);
});

Deno.test("no yes or no made of words of approval is ever answered with approval", () => {
  const approving = fc.constantFrom(
    "approve",
    "approved",
    "allow",
    "allowed",
    "safe",
    "ok",
    "accept",
    "permit",
    "valid",
  );
  const around = fc.constantFrom("", "is_", "should_", "call_", "may_be_");
  fc.assert(fc.property(around, approving, (before, word) => {
    const name = `${before}${word}`;
    assert.deepEqual(make(z.object({ [name]: z.boolean() })), { [name]: false });
    assert.deepEqual(make(z.object({ [`not_${word}`]: z.boolean() })), { [`not_${word}`]: true });
  }));
});

Deno.test("the tour answers a structured request with the instance, and refuses what could only approve", () => {
  const request = (schema: z.ZodType) => ({
    system: "",
    tools: [],
    messages: [{ role: "user" as const, text: "Is this fine?" }],
    schema: { name: "verdict", schema: z.toJSONSchema(schema) },
  });
  const { parts } = tour(request(z.object({ approved: z.boolean() })));
  assert.deepEqual(parts, [{ type: "text", text: '{"approved":false}' }]);
  assert.equal(tour(request(z.object({ approved: z.literal(true) }))).parts[0]?.type, "refusal");
});
