/** What is kept across conversations: memories, found by meaning, and documents, found by their words. */
export * from "./memory.ts";
export * from "./document.ts";
export { type OpenMemory, openMemory, type OpenMemoryOptions } from "./open.ts";
export { embeddingProblem } from "./embedding/create.ts";
