/**
 * The nearest known name to one that was mistyped.
 *
 * @module
 */

/**
 * The name in `known` that takes the fewest edits (insert, delete, replace, swap of neighbours) to reach from `word`, or
 * `null` when none is near: at most one edit in three letters, two for short words. Upper and lower case do not differ.
 *
 * @example
 * ```ts
 * import { nearest } from "./nearest.ts";
 * nearest("--prot", ["--port", "--open"]); // "--port"
 * ```
 */
export function nearest(word: string, known: readonly string[]): string | null {
  const limit = Math.max(2, Math.floor(word.length / 3));
  let best: string | null = null;
  let least = limit + 1;
  for (const name of known) {
    const edits = editDistance(word.toLowerCase(), name.toLowerCase());
    if (edits < least && edits < name.length) [best, least] = [name, edits];
  }
  return best;
}

/** Optimal string alignment distance: three rows are enough, since a swap looks back two. */
function editDistance(a: string, b: string): number {
  let older: number[] = [];
  let old = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = old[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let edits = Math.min(replace, old[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits = Math.min(edits, older[j - 2]! + 1);
      row.push(edits);
    }
    [older, old] = [old, row];
  }
  return old[b.length]!;
}
