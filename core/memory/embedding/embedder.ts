/**
 * What turns texts into vectors that lie close together when the texts mean the same.
 *
 * @module
 */

/** One way of making vectors. */
export interface Embedder {
  /** What makes the vectors, version included: only vectors of one name can be compared. It may change when a fallback steps in. */
  readonly model: string;
  /** So many texts are worth one call: more keep others waiting, fewer cost more. */
  readonly batch: number;
  /** One vector of length one for each text, in order. Throws `EmbeddingFailed`, or the signal's reason. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
  /** How much nearness in meaning says about a search for this text, from 0 to 1; its words say the rest. */
  weightOf(text: string): number;
  /** Ends what it runs. A later call of `embed` starts it again. */
  close(): void;
}

/** Texts could not be turned into vectors. */
export class EmbeddingFailed extends Error {
  override readonly name = "EmbeddingFailed";
  /**
   * `missing`: it cannot work here at all; `refused`: these texts were refused, others may not be; `failed`: it may work
   * the next time.
   */
  constructor(
    readonly model: string,
    readonly kind: "missing" | "refused" | "failed",
    why: string,
    options?: ErrorOptions,
  ) {
    super(`${model} could not compare meanings: ${why}`, options);
  }
}

/** Pieces of a text of at most `length` characters, cut between words where there is a blank; never none. */
export function pieces(text: string, length: number): readonly string[] {
  const found: string[] = [];
  let rest = text.trim();
  while (rest.length > length) {
    const blank = rest.lastIndexOf(" ", length);
    const cut = blank > length / 2 ? blank : rest.charCodeAt(length - 1) >> 10 === 0x36 ? length - 1 : length;
    found.push(rest.slice(0, cut));
    rest = rest.slice(cut).trimStart();
  }
  return [...found, rest];
}

/** The middle of several vectors, of length one. Throws `RangeError` when there are none, or of several lengths. */
export function middle(vectors: readonly Float32Array[]): Float32Array {
  const [first] = vectors;
  if (first === undefined) throw new RangeError("There is no middle of nothing");
  const sum = new Float32Array(first.length);
  for (const vector of vectors) {
    if (vector.length !== sum.length) throw new RangeError("Vectors of several lengths have no middle");
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0);
  }
  return toUnit(sum);
}

/** The same direction at length one. A vector without a direction stays as it is. */
export function toUnit(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : vector;
}

/** Embeds texts of any length by pieces that `embed` takes, so many at a time. */
export async function embedByPieces(
  texts: readonly string[],
  options: {
    readonly length: number;
    readonly batch: number;
    readonly embed: (pieces: readonly string[]) => Promise<readonly Float32Array[]>;
  },
): Promise<readonly Float32Array[]> {
  const parts = texts.map((text) => pieces(text, options.length));
  const all = parts.flat();
  const vectors: Float32Array[] = [];
  for (let at = 0; at < all.length; at += options.batch) {
    vectors.push(...await options.embed(all.slice(at, at + options.batch)));
  }
  let at = 0;
  return parts.map(({ length }) => middle(vectors.slice(at, at += length)));
}
