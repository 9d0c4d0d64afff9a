/**
 * The full-text index over what was said, and how it is made anew from the entries.
 *
 * The index is derived data: when it is damaged it is thrown away and rebuilt. Throwing it away never frees its pages
 * (a damaged page may point at pages that belong to the entries, and freeing those would be real damage): its lines are
 * taken out of the schema, the pages stay behind unused, and `vacuum` gives them back afterwards.
 *
 * @module
 */
import type { Client } from "@libsql/client";

/** The index itself, as the first migration makes it. */
export const SEARCH_INDEX = `create virtual table entry_search using fts5(
  text, content = 'entry_text', content_rowid = 'rowid', tokenize = 'unicode61 remove_diacritics 2'
)`;

/** True for the index and the tables FTS5 keeps behind it. */
export function isSearchTable(table: string): boolean {
  return table === "entry_search" || table.startsWith("entry_search_");
}

/** Opens the index, no more; throws when FTS5 cannot. */
export async function openSearchIndex(client: Client): Promise<void> {
  await client.execute("select rowid from entry_search limit 1");
}

/** Compares the index with every entry it is made of; throws when it lacks one. SQLite's own check does not do this. */
export async function compareSearchIndex(client: Client): Promise<void> {
  await client.execute("insert into entry_search(entry_search, rank) values ('integrity-check', 1)");
}

/** Makes the index anew. The caller has made sure that nothing else in the file is damaged. */
export async function rebuildSearchIndex(client: Client): Promise<void> {
  await client.execute("pragma writable_schema = on");
  try {
    await client.execute(
      "delete from sqlite_schema where name = 'entry_search' or name like 'entry\\_search\\_%' escape '\\'",
    );
  } finally {
    await client.execute("pragma writable_schema = reset");
  }
  await client.batch([SEARCH_INDEX, "insert into entry_search(entry_search) values ('rebuild')"], "write");
}
