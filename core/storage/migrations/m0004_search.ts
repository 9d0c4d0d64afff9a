/**
 * Version 4: search finds exactly what was said. Messages of a person that went into a running turn join the index; what
 * tasks, triggers, sub-agents and the loop itself wrote leaves it. Words of which one or two letters are typed are found
 * quickly, and writing without blanks between words by its characters (`search_index.ts`).
 *
 * `entry_gram_text` ends each text with two blank characters, so that its last two characters begin a run of three as well,
 * and `entry_gram_places` can find any one or two characters as the beginning of such a run.
 *
 * @module
 */
import type { Migration } from "./migration.ts";
import { GRAM_INDEX, isUnspaced, SEARCH_INDEX, wasSaid } from "../search_index.ts";

const PAD = "char(10) || char(10)";

function text(row: "new" | "old"): string {
  return `json_extract(${row}.data, '$.text')`;
}

function add(row: "new"): string {
  return `insert into entry_search(rowid, text) select ${row}.id, ${text(row)} where ${wasSaid(row)};
    insert into entry_grams(rowid, text)
      select ${row}.id, ${text(row)} || ${PAD} where ${wasSaid(row)} and ${isUnspaced(text(row))};`;
}

function remove(row: "old"): string {
  return `insert into entry_search(entry_search, rowid, text)
      select 'delete', ${row}.id, ${text(row)} where ${wasSaid(row)};
    insert into entry_grams(entry_grams, rowid, text)
      select 'delete', ${row}.id, ${text(row)} || ${PAD} where ${wasSaid(row)} and ${isUnspaced(text(row))};`;
}

export const SEARCH: Migration = {
  version: 4,
  statements: [
    `drop trigger entries_said_insert`,
    `drop trigger entries_said_update`,
    `drop trigger entries_said_delete`,
    `drop table entry_search`,
    `drop view entry_text`,
    `create view entry_text as
      select id as rowid, json_extract(data, '$.text') as text from entries where ${wasSaid("entries")}`,
    `create view entry_gram_text as
      select rowid, text || ${PAD} as text from entry_text where ${isUnspaced("text")}`,
    SEARCH_INDEX,
    GRAM_INDEX,
    `create virtual table entry_gram_places using fts5vocab(entry_grams, instance)`,
    `create trigger entries_said_insert after insert on entries when ${wasSaid("new")} begin ${add("new")} end`,
    `create trigger entries_said_update after update of kind, state, run, data on entries
      when ${wasSaid("old")} or ${wasSaid("new")} begin ${remove("old")} ${add("new")} end`,
    `create trigger entries_said_delete after delete on entries when ${wasSaid("old")} begin ${remove("old")} end`,
    `insert into entry_search(entry_search) values ('rebuild')`,
    `insert into entry_grams(entry_grams) values ('rebuild')`,
  ],
};
