/**
 * Vectors without a model: runs of three and four letters, counted in 512 buckets. They are close for texts that are spelled
 * alike, in any language, and know nothing of meaning.
 *
 * @module
 */
import { type Embedder, toUnit } from "./embedder.ts";

const DIMENSIONS = 512;

/** Counts letters; needs nothing and cannot fail. */
export class HashEmbedder implements Embedder {
  readonly model = "hash-512-v1";
  readonly batch = 16;

  embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    return Promise.resolve(texts.map(hashVector));
  }

  weightOf(): number {
    return 0.4;
  }

  close(): void {}
}

function hashVector(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of wordsOf(text)) {
    for (const size of [3, 4]) {
      for (let at = 0; at + size <= word.length; at++) count(vector, word.slice(at, at + size));
    }
  }
  // A text without a word has a direction, too, so that every stored vector can be told from a broken one.
  if (vector.every((value) => value === 0)) vector[0] = 1;
  return toUnit(vector);
}

/** Words in lower case without accents, with a mark at both ends. */
function wordsOf(text: string): readonly string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `^${word}$`);
}

/** Half of the runs count down, so that runs that share a bucket by chance cancel out. */
function count(vector: Float32Array, run: string): void {
  const hash = fnv(run);
  const bucket = hash % DIMENSIONS;
  vector[bucket] = (vector[bucket] ?? 0) + (hash & 0x4000_0000 ? 1 : -1);
}

/** FNV-1a, 32 bits. */
function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
