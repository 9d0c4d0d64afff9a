/**
 * Memories and documents on an open store, as the assistant holds them.
 *
 * @module
 */
import type { Database } from "../storage/mod.ts";
import { Documents } from "./documents.ts";
import type { DocumentStore } from "./document.ts";
import { createEmbedder, type CreateEmbedderOptions } from "./embedding/create.ts";
import { Memories } from "./memories.ts";
import type { MemoryStore } from "./memory.ts";

export interface OpenMemoryOptions extends CreateEmbedderOptions {
  /** `[memory] embedding`; `local` if absent. */
  readonly embedding?: unknown;
  readonly database: Database;
  readonly now: () => Date;
  readonly newId: () => string;
}

export interface OpenMemory {
  readonly memories: MemoryStore;
  readonly documents: DocumentStore;
  /** What is done now and then: what was removed ten minutes ago goes for good, and failed embeddings are tried again. */
  tidy(): Promise<void>;
  /** Ends what embeds. The store stays open. */
  close(): Promise<void>;
}

/** Opens nothing: the first call does (K-164). */
export function openMemory({ embedding, ...options }: OpenMemoryOptions): OpenMemory {
  const setting = typeof embedding === "string" ? embedding : "local";
  const memories = new Memories({ ...options, embedder: createEmbedder(setting, options) });
  return {
    memories,
    documents: new Documents(options),
    tidy: () => memories.tidy(),
    close: () => memories.close(),
  };
}
