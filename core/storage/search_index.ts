/**
 * The full-text indexes over what was said, remembered and written down, and how they are made anew from the rows.
 *
 * Of what was said there are two. `entry_search` holds words: every message is in it. `entry_grams` holds runs of three characters, and only
 * of messages with writing that puts no blanks between words (Chinese, Japanese, Thai …), where a word is found by its
 * characters alone; who writes none of it pays nothing for it. What counts as said is one condition, `wasSaid()`.
 *
 * The indexes are derived data: when one is damaged both are thrown away and rebuilt. Throwing one away never frees its pages
 * (a damaged page may point at pages that belong to the entries, and freeing those would be real damage): its lines are
 * taken out of the schema, the pages stay behind unused, and `vacuum` gives them back afterwards.
 *
 * @module
 */
import type { Client } from "@libsql/client";

/** The index of words as the first migration made it. */
export const FIRST_SEARCH_INDEX = `create virtual table entry_search using fts5(
  text, content = 'entry_text', content_rowid = 'rowid', tokenize = 'unicode61 remove_diacritics 2'
)`;

/**
 * The index of words. Without `prefix`, a word of which only one or two letters are typed would be put together from every
 * word that begins so: 260 ms with a million messages, against 10 (bench/search_bench.ts). It makes the index 2.6 times as
 * large: about 220 bytes for a message of 30 words.
 */
export const SEARCH_INDEX = `create virtual table entry_search using fts5(
  text, content = 'entry_text', content_rowid = 'rowid', tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2'
)`;

/** The index of characters. */
export const GRAM_INDEX = `create virtual table entry_grams using fts5(
  text, content = 'entry_gram_text', content_rowid = 'rowid', tokenize = 'trigram remove_diacritics 1'
)`;

/** The index of memories' words, by their English stems. */
export const MEMORY_INDEX = `create virtual table memory_search using fts5(
  text, content = 'memory_text', content_rowid = 'rowid', tokenize = 'porter unicode61 remove_diacritics 2'
)`;

/** The index of documents' words, those of their paths among them. */
export const DOCUMENT_INDEX = `create virtual table document_search using fts5(
  path, content, content = 'documents', content_rowid = 'n', tokenize = 'porter unicode61 remove_diacritics 2'
)`;

/** Writing without blanks between words, as ranges that hold in a character class of GLOB and of a regular expression. */
export const UNSPACED = [
  ["\u0e00", "\u0eff"], // Thai, Lao
  ["\u1000", "\u109f"], // Burmese
  ["\u1780", "\u17ff"], // Khmer
  ["\u2e80", "\u2fdf"], // radicals
  ["\u3005", "\u3007"],
  ["\u3040", "\u30ff"], // kana
  ["\u3100", "\u312f"], // bopomofo
  ["\u31f0", "\u31ff"],
  ["\u3400", "\u4dbf"], // Han
  ["\u4e00", "\u9fff"],
  ["\uf900", "\ufaff"],
  ["\uff66", "\uff9d"], // half-width kana
  ["\u{20000}", "\u{323af}"],
].map(([first, last]) => `${first}-${last}`).join("");

/** SQL that is true of a text with such writing in it. */
export function isUnspaced(text: string): string {
  return `${text} glob '*[${UNSPACED}]*'`;
}

/** SQL that is true of a row of `entries` a person or their assistant said: no thinking, no tools, no sub-agent, no loop. */
export function wasSaid(row: "new" | "old" | "entries"): string {
  return `(${row}.state = 'done' and case ${row}.kind
    when 'text' then ${row}.run is null
    when 'user' then ${row}.data ->> '$.from' = 'person' and ${row}.data ->> '$.injected' is null
    when 'inbox' then ${row}.data ->> '$.from' = 'person'
    else 0 end)`;
}

const INDEXES = {
  entry_search: SEARCH_INDEX,
  entry_grams: GRAM_INDEX,
  memory_search: MEMORY_INDEX,
  document_search: DOCUMENT_INDEX,
} as const;

type IndexName = keyof typeof INDEXES;

const NAMES = Object.keys(INDEXES) as IndexName[];

/** True for the indexes and the tables FTS5 keeps behind them. */
export function isSearchTable(table: string): boolean {
  return NAMES.some((index) => table === index || table.startsWith(`${index}_`));
}

/** Whether a line of a check speaks of the indexes. */
export function namesSearchIndex(problem: string): boolean {
  return NAMES.some((index) => problem.includes(index));
}

/** Opens the indexes, no more; throws when FTS5 cannot. */
export async function openSearchIndex(client: Client): Promise<void> {
  for (const { name } of await indexesOf(client)) {
    // Without words it would read the entries until one is in the index: all of them, where none is.
    await client.execute(`select rowid from ${name} where ${name} match 'aaa' limit 1`);
  }
}

/** Compares the indexes with every entry they are made of; throws when one lacks one. SQLite's own check does not do this. */
export async function compareSearchIndex(client: Client): Promise<void> {
  for (const { name } of await indexesOf(client)) {
    await client.execute(`insert into ${name}(${name}, rank) values ('integrity-check', 1)`);
  }
}

/** Makes the indexes anew. The caller has made sure that nothing else in the file is damaged. */
export async function rebuildSearchIndex(client: Client): Promise<void> {
  const indexes = await indexesOf(client);
  await client.execute("pragma writable_schema = on");
  try {
    for (const { name } of indexes) {
      await client.execute(
        `delete from sqlite_schema where name = '${name}' or name like '${name.replace("_", "\\_")}\\_%' escape '\\'`,
      );
    }
  } finally {
    await client.execute("pragma writable_schema = reset");
  }
  const statements = indexes.flatMap(({ name, sql }) => [sql, `insert into ${name}(${name}) values ('rebuild')`]);
  await client.batch(statements, "write");
}

/** The indexes that belong to the schema this file has: a check runs before the migrations do. */
async function indexesOf(client: Client): Promise<readonly { name: IndexName; sql: string }[]> {
  const found = await client.execute("select name from sqlite_schema where name in ('entry_gram_text', 'memories')");
  const has = new Set(found.rows.map((row) => row[0]));
  if (!has.has("entry_gram_text")) return [{ name: "entry_search", sql: FIRST_SEARCH_INDEX }];
  const later: readonly IndexName[] = ["memory_search", "document_search"];
  return NAMES.filter((name) => has.has("memories") || !later.includes(name)).map((name) => ({
    name,
    sql: INDEXES[name],
  }));
}
