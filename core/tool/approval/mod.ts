/** Approval, as far as it is pure: policies, rules, and what a reviewer is shown and may decide. */
export { covers, type GateEntry, readEntries, readEntry } from "./entry.ts";
export { composedLabel, type PolicyConfig, policyOf } from "./policy.ts";
export { gateProblems } from "./problems.ts";
export { ApprovalPolicies, GateConflict, type GatesInForce, GatesNotResolved } from "./policies.ts";
export { LONGEST_RULE, ruleCovers, type RuledCall, ruleFor } from "./rule.ts";
export { LONGEST_VALUE, makePacket, type PacketFacts } from "./packet.ts";
export { decide, readReview, REVIEW_SCHEMA } from "./decide.ts";
export { canonicalJson } from "./json_value.ts";
export * from "./taint.ts";
