/** What is kept across conversations: memories, found by meaning, and documents, found by their words. */
export * from "./memory.ts";
export { type OpenMemory, openMemory, type OpenMemoryOptions } from "./open.ts";
export { Memories, type MemoriesServices } from "./memories.ts";
export { createEmbedder, type CreateEmbedderOptions, embeddingProblem } from "./embedding/create.ts";
export { type Embedder, EmbeddingFailed } from "./embedding/embedder.ts";
export * from "./document.ts";
export { documentPath } from "./document_path.ts";
export { Documents, type DocumentsServices } from "./documents.ts";
