/**
 * What a person typed into a search, as FTS5 can take it.
 *
 * Invariants
 * 1. Whatever is typed is a string in FTS5's grammar and never a part of it (tests/core/conversation/search_test.ts).
 *
 * @module
 */
import { UNSPACED } from "../storage/mod.ts";

/** The longest phrase that is looked for and the most words that are looked for together; what comes after is left out. */
const MAX_WORDS = 32;

/** What is looked for. */
export interface SearchWords {
  /** In order, without what no index holds. */
  readonly words: readonly string[];
  /** Whether the last word may still be being typed: then it stands for every word that begins so. */
  readonly isBegun: boolean;
}

/** Stands around what matched in a snippet; taken out of the text itself. Both are private-use characters. */
export const MARK = { open: "\ue000", close: "\ue001" } as const;

const MARKS = /[\ue000\ue001]/g;

/** What the index of words takes for a part of a word. */
const LETTER = /[\p{L}\p{N}\p{Co}]/u;
const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`, "u");

/** Text without marks of its own. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, "");
}

/** Reads what was typed. None of it may be a word: then nothing is found. */
export function readWords(typed: string): SearchWords {
  const text = withoutMarks(typed.slice(0, 10_000).toWellFormed().replace(/\0/g, " "));
  const all = text.split(/\s+/u).filter((word) => LETTER.test(word));
  const words = all.slice(0, MAX_WORDS);
  return { words, isBegun: words.length === all.length && LETTER.test(Array.from(text).at(-1) ?? "") };
}

/** The words next to each other. */
export function phrase({ words, isBegun }: SearchWords): string {
  return isBegun ? `${quoted(words.join(" "))} *` : quoted(words.join(" "));
}

/** All words, anywhere in one message. */
export function allTerms({ words, isBegun }: SearchWords): string {
  const last = words.length - 1;
  return words.map((word, index) => isBegun && index === last ? `${quoted(word)} *` : quoted(word)).join(" AND ");
}

/** A string of FTS5's grammar, in which nothing but the quotation mark means anything. */
export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Whether a word is found by its characters, because such writing has no blanks between words. */
export function isUnspacedWord(word: string): boolean {
  return UNSPACED_LETTER.test(word);
}
