/**
 * The word somebody probably meant.
 *
 * @module
 */

/**
 * The known word closest to the one written, when it is close enough to suggest: one edit in three letters, upper and lower
 * case alike, or the same beginning; `undefined` when none is.
 *
 * @example
 * ```ts
 * import { nearest } from "./nearest.ts";
 * nearest("--prot", ["--port", "--open"]); // "--port"
 * ```
 */
export function nearest<T extends string>(written: string, known: readonly T[]): T | undefined {
  const word = written.toLowerCase();
  let best: T | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(word, name.toLowerCase());
    if (distance < least) [best, least] = [name, distance];
  }
  return best ?? known.find((name) => word.length >= 3 && (name.startsWith(word) || word.startsWith(name)));
}

/** Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
