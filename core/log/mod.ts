/** The log: entries, the append-only store of them, and what is read from it. */
export * from "./entry.ts";
export * from "./feed.ts";
export * from "./reader.ts";
