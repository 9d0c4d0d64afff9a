/** Conversations: the book of them, and what can be wrong with a request about one. */
export * from "./contract.ts";
export * from "./errors.ts";
