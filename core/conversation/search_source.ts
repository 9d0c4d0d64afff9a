/**
 * Which index answers a search, and how it is asked.
 *
 * @module
 */
import { allTerms, isUnspacedWord, phrase, quoted, type SearchWords } from "./search_words.ts";

/** A query that gives the `id` of each entry that matches, and how the place is found again in its text. */
export interface Source {
  /** Without an order; takes `args`. */
  readonly sql: string;
  readonly args: readonly string[];
  readonly place: Place;
}

/** How a place is found in a text: by an index, or as it is written. */
export type Place =
  | { readonly kind: "index"; readonly index: "entry_search" | "entry_grams"; readonly match: string }
  | { readonly kind: "literal"; readonly text: string };

/** The words as they stand, next to each other. */
export function phraseSource(search: SearchWords): Source {
  const text = search.words.join(" ");
  return isUnspacedWord(text) ? gramSource(text) : indexSource("entry_search", phrase(search));
}

/** All words, in any order and any distance, in one message. */
export function allSource(search: SearchWords): Source {
  const unspaced = search.words.filter(isUnspacedWord).map(gramSource);
  if (unspaced.length === 0) return indexSource("entry_search", allTerms(search));
  const words = search.words.filter((word) => !isUnspacedWord(word));
  const isBegun = search.isBegun && words.at(-1) === search.words.at(-1);
  const sources = words.length === 0
    ? unspaced
    : [...unspaced, indexSource("entry_search", allTerms({ words, isBegun }))];
  return {
    sql: `select id from (${sources.map(({ sql }) => sql).join(" intersect ")})`,
    args: sources.flatMap(({ args }) => args),
    place: sources[0]!.place,
  };
}

function indexSource(index: "entry_search" | "entry_grams", match: string): Source {
  return {
    sql: `select rowid as id from ${index} where ${index} match ?`,
    args: [match],
    place: { kind: "index", index, match },
  };
}

/** The index holds runs of three characters; fewer are looked for as the beginning of one. */
function gramSource(text: string): Source {
  if (Array.from(text).length >= 3) return indexSource("entry_grams", quoted(text));
  const begin = text.toLowerCase();
  return {
    sql: "select distinct doc as id from entry_gram_places where term >= ? and term < ?",
    args: [begin, `${begin}\u{10ffff}`],
    place: { kind: "literal", text },
  };
}
