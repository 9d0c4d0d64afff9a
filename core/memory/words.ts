/**
 * Words that are looked for, any of them.
 *
 * Invariant: whatever is typed is words, never a part of FTS5's grammar (tests/core/memory/memories_test.ts).
 *
 * @module
 */
import { UNSPACED } from "../storage/mod.ts";

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
