/**
 * The vectors of memories: made in the background after a memory is stored, loaded when they are first needed, compared with
 * that of a search.
 *
 * Invariants (tests/core/memory/embeddings_test.ts)
 * 1. A memory is never lost or changed by what happens to its vector: it is stored before, and found by its words until then.
 * 2. Only vectors of one model are compared. After a change of model each memory is embedded anew, the newest first.
 * 3. A stored vector that is none is thrown away and made again.
 * 4. A failure is reported once, and tried again after a minute at the earliest; a text that is refused holds up no other.
 *
 * @module
 */
import { errorText } from "../log/mod.ts";
import type { Database } from "../storage/mod.ts";
import { type Embedder, EmbeddingFailed } from "./embedding/embedder.ts";
import { fromBytes, toBytes } from "./vector.ts";
import { type Nearest, VectorIndex } from "./vector_index.ts";

/** Rows that are loaded at once. */
const PAGE = 2000;
/** How long a failure is left alone, in milliseconds. */
const PAUSE_MS = 60_000;
/** How long a search waits for its vector, in milliseconds; the first one waits for the model to load. */
const SEARCH_MS = 10_000;

export interface EmbeddingsServices {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly now: () => Date;
  readonly report: (message: string) => void;
}

interface Unembedded {
  readonly n: number;
  readonly text: string;
}

export class Embeddings {
  readonly #services: EmbeddingsServices;
  readonly #index = new VectorIndex();
  readonly #closing = new AbortController();
  /** Rows whose text was refused; tried again at the next start. */
  readonly #refused = new Set<number>();
  #loaded: { readonly model: string; readonly done: Promise<void> } | null = null;
  #running: Promise<void> | null = null;
  #again = false;
  /** The model for which every row was looked at: from then on only rows without a vector are. */
  #settledModel: string | null = null;
  #pausedUntil = 0;
  #isFailing = false;
  #wasReset = false;

  constructor(services: EmbeddingsServices) {
    this.#services = services;
  }

  /** Embeds what has no vector of the present model, in the background. */
  wake(): void {
    if (this.#closing.signal.aborted || this.#services.now().getTime() < this.#pausedUntil) return;
    this.#again = true;
    this.#running ??= this.#run().finally(() => this.#running = null);
  }

  /** Tries again after a failure; otherwise nothing is begun. */
  retry(): void {
    if (this.#isFailing) this.wake();
  }

  /** Resolves when nothing is being embedded. */
  async settled(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  /**
   * The memories nearest in meaning to a text, those `besides` among them; `null` where that cannot be told. Throws the
   * signal's reason.
   */
  async nearest(
    text: string,
    { limit, besides, signal }: {
      readonly limit: number;
      readonly besides: readonly number[];
      readonly signal?: AbortSignal;
    },
  ): Promise<Nearest | null> {
    this.wake();
    await this.#load();
    // A model is not started to search among nothing.
    if (this.#index.size === 0) return null;
    const vector = await this.#vectorOf(text, signal);
    await this.#load();
    if (vector === null) return null;
    const nearest = await this.#index.nearest(vector, limit, besides);
    if (nearest === null) await this.#reset();
    return nearest;
  }

  /** How much the words of a search count less than its meaning. */
  weightOf(text: string): number {
    return this.#services.embedder.weightOf(text);
  }

  /** Takes out the vector of a row that is gone or says something else now. */
  forget(n: number): void {
    this.#index.delete(n);
    this.#refused.delete(n);
  }

  /** Ends what is under way; the rest is done after the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.settled();
    this.#services.embedder.close();
  }

  async #vectorOf(text: string, signal?: AbortSignal): Promise<Float32Array | null> {
    const signals = [AbortSignal.timeout(SEARCH_MS), this.#closing.signal, ...signal ? [signal] : []];
    try {
      const [vector] = await this.#services.embedder.embed([text], AbortSignal.any(signals));
      return vector ?? null;
    } catch (error) {
      signal?.throwIfAborted();
      this.#fail(error);
      return null;
    }
  }

  /** Loads the vectors of the present model, unless they are there. */
  #load(): Promise<void> {
    const { model } = this.#services.embedder;
    if (this.#loaded?.model !== model) {
      this.#index.clear();
      const loading = { model, done: this.#readAll(model) };
      loading.done.catch(() => {
        if (this.#loaded === loading) this.#loaded = null;
      });
      this.#loaded = loading;
    }
    return this.#loaded.done;
  }

  async #readAll(model: string): Promise<void> {
    const { database } = this.#services;
    const broken: number[] = [];
    let after = 0;
    while (true) {
      const rows = await database.read(
        `select n, embedding from memories where n > ? and embedding_model = ? and deleted_at is null order by n limit ?`,
        [after, model, PAGE],
      );
      for (const row of rows) {
        const n = Number(row.n);
        const vector = fromBytes(row.embedding);
        if (!this.#index.has(n) && (vector === null || !this.#index.put(n, vector))) broken.push(n);
        after = n;
      }
      if (rows.length < PAGE) break;
    }
    if (broken.length > 0) await this.#discard(broken);
  }

  async #discard(rows: readonly number[]): Promise<void> {
    const { database, report } = this.#services;
    report(`the vectors of ${rows.length} memories were damaged and are made again`);
    const sql = `update memories set embedding = null, embedding_model = null
      where n in (select value from json_each(?))`;
    // Where nothing can be written they stay, and are passed over.
    await database.write([{ sql, args: [JSON.stringify(rows)] }]).catch((error) => this.#fail(error));
    this.wake();
  }

  /** The model makes vectors of another length than it did: all are made again. Once, so that it ends. */
  async #reset(): Promise<void> {
    if (this.#wasReset) return;
    this.#wasReset = true;
    const { database, embedder } = this.#services;
    const sql = "update memories set embedding = null, embedding_model = null where embedding_model = ?";
    await database.write([{ sql, args: [embedder.model] }]);
    this.#loaded = null;
    this.wake();
  }

  async #run(): Promise<void> {
    try {
      while (this.#again && !this.#closing.signal.aborted) {
        this.#again = false;
        await this.#pass();
      }
      this.#isFailing = false;
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#fail(error);
    }
  }

  /** Once through what has no vector, then once for each model through what has one of another; the newest first. */
  async #pass(): Promise<void> {
    const { embedder } = this.#services;
    await this.#passOver("embedding_model is null", []);
    const { model } = embedder;
    if (this.#settledModel === model) return;
    await this.#passOver("embedding_model <> ?", [model]);
    if (!this.#closing.signal.aborted && embedder.model === model) this.#settledModel = model;
  }

  async #passOver(which: string, args: readonly string[]): Promise<void> {
    const { database, embedder } = this.#services;
    let before = Number.MAX_SAFE_INTEGER;
    while (!this.#closing.signal.aborted) {
      const rows = await database.read(
        `select n, text from memories where ${which} and deleted_at is null and n < ? order by n desc limit ?`,
        [...args, before, embedder.batch],
      );
      const batch = rows.map((row) => ({ n: Number(row.n), text: String(row.text) }));
      const last = batch.at(-1);
      if (last === undefined) return;
      before = last.n;
      await this.#embed(batch.filter(({ n }) => !this.#refused.has(n)));
    }
  }

  async #embed(batch: readonly Unembedded[]): Promise<void> {
    if (batch.length === 0) return;
    try {
      const { embedder } = this.#services;
      const vectors = await embedder.embed(batch.map(({ text }) => text), this.#closing.signal);
      await this.#keep(batch, vectors, embedder.model);
    } catch (error) {
      if (!(error instanceof EmbeddingFailed) || error.kind !== "refused") throw error;
      const [only] = batch;
      if (batch.length === 1 && only) {
        this.#refused.add(only.n);
        this.#services.report(`${error.message}; that memory is found by its words alone`);
      } else {
        for (const each of batch) await this.#embed([each]);
      }
    }
  }

  /** A text that changed meanwhile gets no vector of its old words. */
  async #keep(batch: readonly Unembedded[], vectors: readonly Float32Array[], model: string): Promise<void> {
    const results = await this.#services.database.write(batch.map(({ n, text }, at) => ({
      sql: `update memories set embedding = ?, embedding_model = ?
        where n = ? and text = ? and deleted_at is null returning n`,
      args: [toBytes(vectors[at] ?? new Float32Array()), model, n, text],
    })));
    if (this.#loaded?.model !== model) return;
    batch.forEach(({ n }, at) => {
      const vector = vectors[at];
      if (results[at]?.length && vector) this.#index.put(n, vector);
    });
  }

  #fail(error: unknown): void {
    this.#pausedUntil = this.#services.now().getTime() + PAUSE_MS;
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#services.report(`${errorText(error)}. Memories are stored all the same, and found by their words meanwhile`);
  }
}
