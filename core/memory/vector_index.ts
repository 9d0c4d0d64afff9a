/**
 * Every vector of one model, side by side in memory, compared one by one: 20,000 of 512 numbers are 40 MB and take some 15 ms,
 * where SQL takes 100 and an index on disk 51 ms for each new row (bench/memory_search_bench.ts).
 *
 * Invariants (tests/core/memory/vector_index_test.ts)
 * 1. It answers as a comparison with each vector would, after any additions, changes and removals.
 * 2. A vector of another length than the first is refused, and changes nothing.
 *
 * @module
 */

/** Rows of one stretch of work; between stretches others get a turn. */
const STRETCH = 8192;

/** How near a row is: the cosine of the angle between the vectors. */
export interface Nearness {
  readonly n: number;
  readonly cosine: number;
}

/** The nearest rows, and what the least near of all is like. */
export interface Nearest {
  /** The nearest first. */
  readonly rows: readonly Nearness[];
  /** The smallest cosine of all rows. */
  readonly least: number;
}

export class VectorIndex {
  #data = new Float32Array(0);
  #dimensions = 0;
  readonly #rows: number[] = [];
  readonly #places = new Map<number, number>();

  get size(): number {
    return this.#rows.length;
  }

  has(n: number): boolean {
    return this.#places.has(n);
  }

  /** Puts a row's vector, of length one, in place of the one it had. `false` when it does not fit the others. */
  put(n: number, vector: Float32Array): boolean {
    if (this.size === 0) this.#dimensions = vector.length;
    if (vector.length !== this.#dimensions) return false;
    const place = this.#places.get(n) ?? this.#rows.length;
    if (place === this.#rows.length) this.#rows.push(n);
    this.#places.set(n, place);
    this.#grow(this.#rows.length * this.#dimensions);
    this.#data.set(vector, place * this.#dimensions);
    return true;
  }

  delete(n: number): void {
    const place = this.#places.get(n);
    const last = this.#rows.at(-1);
    if (place === undefined || last === undefined) return;
    const width = this.#dimensions;
    this.#data.copyWithin(place * width, (this.#rows.length - 1) * width, this.#rows.length * width);
    this.#rows[place] = last;
    this.#places.set(last, place);
    this.#places.delete(n);
    this.#rows.pop();
  }

  clear(): void {
    this.#data = new Float32Array(0);
    this.#rows.length = 0;
    this.#places.clear();
  }

  /** The `limit` rows nearest to a vector of length one, and those asked for besides; `null` when it does not fit. */
  async nearest(vector: Float32Array, limit: number, besides: readonly number[] = []): Promise<Nearest | null> {
    if (this.size === 0) return { rows: [], least: 0 };
    if (vector.length !== this.#dimensions) return null;
    const best = new Best(limit);
    const asked = new Set(besides);
    const others: Nearness[] = [];
    let least = Infinity;
    for (let at = 0; at < this.#rows.length; at++) {
      if (at > 0 && at % STRETCH === 0) await new Promise((resolve) => setTimeout(resolve, 0));
      const n = this.#rows[at];
      if (n === undefined) break;
      const cosine = this.#cosine(at, vector);
      if (cosine < least) least = cosine;
      if (asked.has(n)) others.push({ n, cosine });
      else best.offer(n, cosine);
    }
    return { rows: [...best.rows, ...others].toSorted((a, b) => b.cosine - a.cosine || b.n - a.n), least };
  }

  #cosine(place: number, vector: Float32Array): number {
    const data = this.#data;
    const start = place * vector.length;
    let one = 0;
    let two = 0;
    // Two sums at a time: the processor does not wait for one before the other.
    let at = 0;
    for (; at + 1 < vector.length; at += 2) {
      one += (data[start + at] ?? 0) * (vector[at] ?? 0);
      two += (data[start + at + 1] ?? 0) * (vector[at + 1] ?? 0);
    }
    if (at < vector.length) one += (data[start + at] ?? 0) * (vector[at] ?? 0);
    return one + two;
  }

  #grow(length: number): void {
    if (length <= this.#data.length) return;
    const larger = new Float32Array(Math.max(length, this.#data.length * 2));
    larger.set(this.#data);
    this.#data = larger;
  }
}

/** The best few of many, kept in order. */
class Best {
  readonly rows: Nearness[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(n: number, cosine: number): void {
    const last = this.rows.at(-1);
    if (this.rows.length >= this.#limit && (last === undefined || cosine <= last.cosine)) return;
    const at = this.rows.findLastIndex((row) => row.cosine >= cosine) + 1;
    this.rows.splice(at, 0, { n, cosine });
    if (this.rows.length > this.#limit) this.rows.pop();
  }
}
