/**
 * The nearest of some known names to one that was mistyped, for the end of an error sentence.
 *
 * @module
 */

/**
 * The closest of `names` to `text`: at most two edits away (one for names of up to four letters), or beginning the same way;
 * `undefined` when none is close enough to be worth suggesting.
 */
export function closest<T extends string>(text: string, names: readonly T[]): T | undefined {
  let best: T | undefined;
  let bestDistance = Infinity;
  for (const name of names) {
    const allowed = Math.min(name.length, text.length) <= 4 ? 1 : 2;
    const distance = editDistance(text, name);
    if (distance <= allowed && distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best ?? names.find((name) => text.length >= 3 && (name.startsWith(text) || text.startsWith(name)));
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
export function editDistance(left: string, right: string): number {
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1] ? 0 : 1;
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return row[right.length] ?? 0;
}
