/**
 * Version 2: which conversations hold which blobs, so that a blob goes when the last of them does.
 *
 * A row is written together with the blob, before any entry can name it (`Blobs.put`), and goes with its conversation. It
 * costs the log nothing: triggers on `entries` that keep the same table double what an append costs, because SQLite
 * compiles them into every statement, and would still leave a gap between a blob and the entry that names it. So
 * whoever copies entries into another conversation copies these rows too, in the same transaction.
 *
 * What older versions stored is found by looking for references anywhere in the data of entries and waiting messages.
 *
 * @module
 */
import type { Migration } from "./migration.ts";

/** References in a JSON column: `/payloads/<sha256>` and `/images/<sha256>`, at any depth. Text that is no JSON has none. */
function references(table: string, column: string): string {
  return `insert into blob_holders (hash, conversation)
    select substr(tree.atom, -64), ${table}.conversation
    from ${table}, json_tree(case
      when (instr(${column}, '"/payloads/') or instr(${column}, '"/images/')) and json_valid(${column}) then ${column}
      else '{}' end) as tree
    where tree.type = 'text' and (
      tree.atom glob '/payloads/*' and length(tree.atom) = 74 or tree.atom glob '/images/*' and length(tree.atom) = 72)
    on conflict do nothing`;
}

export const BLOB_HOLDERS: Migration = {
  version: 2,
  statements: [
    `create table blob_holders (
      hash text not null, conversation text not null references conversations(id) on delete cascade,
      primary key (hash, conversation)
    ) strict, without rowid`,
    `create index blob_holders_by_conversation on blob_holders(conversation)`,
    references("entries", "data"),
    references("pending", "images"),
  ],
};
