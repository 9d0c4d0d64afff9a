/** Conversations: the book of them, and what can be wrong with a request about one. */
export * from "./book.ts";
export * from "./contract.ts";
export * from "./errors.ts";
export * from "./housekeeping.ts";
export * from "./title.ts";
export * from "./turn_tree.ts";
