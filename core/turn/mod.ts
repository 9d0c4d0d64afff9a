/** Turns: the slot, the runner, and recovery after a crash. */
export * from "./contract.ts";
