/**
 * Finding texts by any of some words, the best match first.
 *
 * Invariant: whatever is typed is words, never a part of FTS5's grammar (tests/core/memory/memories_test.ts).
 *
 * @module
 */
import { type Database, UNSPACED } from "../storage/mod.ts";

/** The most words that are looked for together; what comes after is left out. */
const MAX_WORDS = 32;

/** Words that nearly every English text has: they would cost much and tell nothing. */
const COMMON = new Set(
  "a an and are as at be by do does for from how i in is it its me my of on or that the this to was what when where who with you your"
    .split(" "),
);

const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`, "u");

/** What is looked for. */
export interface Words {
  /** For the index of words; those that tell nothing are left out where others are there. */
  readonly spaced: readonly string[];
  /** Of writing that puts no blanks between words: looked for as they stand. */
  readonly unspaced: readonly string[];
}

/** Reads what was typed; both lists are empty when none of it is a word. */
export function readWords(typed: string): Words {
  const all = (typed.slice(0, 10_000).toWellFormed().match(/[\p{L}\p{N}\p{Co}\p{M}]+/gu) ?? []).slice(0, MAX_WORDS);
  const spaced = all.filter((word) => !UNSPACED_LETTER.test(word));
  const telling = spaced.filter((word) => !COMMON.has(word.toLowerCase()));
  return {
    spaced: telling.length > 0 ? telling : spaced,
    unspaced: all.filter((word) => UNSPACED_LETTER.test(word)),
  };
}

/** Any of the words, for FTS5. */
export function anyOf(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(" OR ");
}

/** Where texts are found by their words. */
export interface WordSource {
  /** The FTS5 table. */
  readonly index: string;
  /** What is scanned for writing without blanks: a table or view with `rowid` and the column. */
  readonly table: string;
  readonly column: string;
}

/**
 * How well rows match, from 0 to 1, the best being 1; rows that do not match are left out. At most `limit` of them.
 */
export async function matchWords(
  database: Database,
  source: WordSource,
  words: Words,
  limit: number,
): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>();
  const take = (n: unknown, score: number) => found.set(Number(n), Math.max(found.get(Number(n)) ?? 0, score));
  if (words.spaced.length > 0) {
    const rows = await database.read(
      `select rowid as n, rank from ${source.index} where ${source.index} match ? order by rank limit ?`,
      [anyOf(words.spaced), limit],
    );
    // bm25 is below zero, the best the furthest.
    const best = Number(rows[0]?.rank ?? -1);
    for (const { n, rank } of rows) take(n, best < 0 ? Number(rank) / best : 1);
  }
  if (words.unspaced.length > 0) {
    const share = words.unspaced.map(() => `(instr(${source.column}, ?) > 0)`).join(" + ");
    const rows = await database.read(
      `select rowid as n, ${share} as hits from ${source.table} where hits > 0 order by hits desc, n desc limit ?`,
      [...words.unspaced, limit],
    );
    for (const { n, hits } of rows) take(n, Number(hits) / words.unspaced.length);
  }
  return found;
}
