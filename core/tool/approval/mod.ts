/** Approval, as far as it is pure: policies, rules, and what a reviewer is shown and may decide. */
export { covers, type GateEntry, readEntries, readEntry } from "./entry.ts";
export { type ApprovalPolicy, composedLabel, type PolicyConfig, policyOf } from "./policy.ts";
export { type GateFacts, gateProblems } from "./problems.ts";
export { ApprovalPolicies, GateConflict, type GateDemand, type GatesInForce, GatesNotResolved } from "./policies.ts";
export { LONGEST_RULE, ruleCovers, type RuledCall, ruleFor } from "./rule.ts";
export { LONGEST_VALUE, makePacket, type Packet, type PacketFacts } from "./packet.ts";
export { decide, readReview, type Review, REVIEW_SCHEMA } from "./decide.ts";
export { canonicalJson } from "./json_value.ts";
export * from "./taint.ts";
