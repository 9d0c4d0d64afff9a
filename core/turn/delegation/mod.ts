/** Delegation: sub-agents of a turn, and the messages between its runs. */
export * from "./contract.ts";
export { Delegator } from "./delegator.ts";
export { ledgerOf, runServices, type TurnRuns } from "./turn_runs.ts";
