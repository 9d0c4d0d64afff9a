/**
 * Memories on a real database, with an embedder that a test can hold, break and change.
 *
 * @module
 */
import { type Embedder, EmbeddingFailed } from "../../../core/memory/embedding/embedder.ts";
import { HashEmbedder } from "../../../core/memory/embedding/hash.ts";
import { Memories } from "../../../core/memory/memories.ts";
import { idSource } from "../../../core/log/mod.ts";
import { openStorage, type Storage } from "../../../core/storage/mod.ts";
import { withFolder } from "../storage/sample_store.ts";

/** Hashed letters under any name, which fail when told to and remember what they were asked. */
export class TestEmbedder implements Embedder {
  readonly asked: string[] = [];
  batch = 4;
  failure: EmbeddingFailed | null = null;
  /** Texts that are refused. */
  readonly refuses = new Set<string>();
  /** Awaited before each answer. */
  gate: Promise<void> = Promise.resolve();
  closed = false;
  readonly #waiting = new Map<string, () => void>();
  readonly #hash = new HashEmbedder();

  constructor(public model = "test-1", readonly weight = 0.8) {}

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]> {
    this.asked.push(...texts);
    for (const text of texts) this.#waiting.get(text)?.();
    await this.gate;
    signal?.throwIfAborted();
    if (this.failure) throw this.failure;
    const bad = texts.find((text) => this.refuses.has(text));
    if (bad !== undefined) throw new EmbeddingFailed(this.model, "refused", `"${bad}" is too much`);
    return await this.#hash.embed(texts);
  }

  /** Resolves when this text is asked for the next time. */
  wasAsked(text: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(text, resolve));
  }

  weightOf(): number {
    return this.weight;
  }

  close(): void {
    this.closed = true;
  }
}

export interface House {
  readonly storage: Storage;
  readonly memories: Memories;
  readonly embedder: TestEmbedder;
  readonly said: string[];
  readonly clock: { now: Date };
}

/** Opens the memories of a folder. */
export async function openHouse(folder: string, embedder = new TestEmbedder()): Promise<House> {
  const clock = { now: new Date("2026-03-01T12:00:00Z") };
  const said: string[] = [];
  const storage = await openStorage({ dataDir: folder });
  const now = () => clock.now;
  const memories = new Memories({
    database: storage.database,
    embedder,
    now,
    newId: idSource(now),
    report: (message) => said.push(message),
  });
  return { storage, memories, embedder, said, clock };
}

export async function closeHouse({ memories, storage }: House): Promise<void> {
  await memories.close();
  await storage.close();
}

/** Runs `body` with memories in a folder of their own. */
export function withHouse(body: (house: House) => Promise<void>, embedder?: TestEmbedder): Promise<void> {
  return withFolder(async (folder) => {
    const house = await openHouse(folder, embedder);
    try {
      await body(house);
    } finally {
      await closeHouse(house);
    }
  });
}
