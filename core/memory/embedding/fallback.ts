/**
 * One way of making vectors, and another for a machine where the first cannot work.
 *
 * Invariant: once the second has stepped in it stays until the next start, and that is reported once
 * (tests/core/memory/embedding/embedders_test.ts).
 *
 * @module
 */
import { type Embedder, EmbeddingFailed } from "./embedder.ts";

export class FallbackEmbedder implements Embedder {
  readonly #first: Embedder;
  readonly #second: Embedder;
  readonly #report: (message: string) => void;
  #current: Embedder;

  constructor(first: Embedder, second: Embedder, report: (message: string) => void) {
    this.#first = first;
    this.#second = second;
    this.#current = first;
    this.#report = report;
  }

  get model(): string {
    return this.#current.model;
  }

  get batch(): number {
    return this.#current.batch;
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]> {
    const used = this.#current;
    try {
      return await used.embed(texts, signal);
    } catch (error) {
      if (used !== this.#first || !(error instanceof EmbeddingFailed) || error.kind !== "missing") throw error;
      this.#stepIn(error);
      return await this.#second.embed(texts, signal);
    }
  }

  weightOf(text: string): number {
    return this.#current.weightOf(text);
  }

  close(): void {
    this.#current.close();
  }

  #stepIn(error: EmbeddingFailed): void {
    if (this.#current === this.#second) return;
    this.#current = this.#second;
    this.#first.close();
    this.#report(
      `${error.message}. Until the next start memories are compared by their spelling (${this.#second.model})`,
    );
  }
}
