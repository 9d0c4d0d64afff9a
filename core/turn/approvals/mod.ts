/** Approvals: the desk where questions wait, the gate of each turn, the reviewers and the rules. */
export * from "./contract.ts";
export { type After, ApprovalDesk } from "./desk.ts";
export { type GateServices, TurnGate } from "./turn_gate.ts";
export { type PanelServices, type Reviewer, ReviewPanel } from "./review_panel.ts";
export { RuleStore } from "./rule_store.ts";
export { approvalProblems } from "./start_checks.ts";
export { openApprovals } from "./house.ts";
