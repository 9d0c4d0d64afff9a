/**
 * Version 5: memories and documents, each with an index of its words (K-331, K-332).
 *
 * A memory's `embedding` is a vector of 32-bit floats, little-endian, of length one; `embedding_model` says what made it. Both
 * are derived from the text: they are set after the row is there, and taken out when the text changes. `n` is the row's
 * place in the index and in time. A document's `characters` are UTF-16 units, counted once: asking the text would read it all.
 *
 * @module
 */
import type { Migration } from "./migration.ts";
import { DOCUMENT_INDEX, MEMORY_INDEX } from "../search_index.ts";

const remember = `insert into memory_search(rowid, text) select new.n, new.text where new.deleted_at is null;`;
const forget = `insert into memory_search(memory_search, rowid, text)
  select 'delete', old.n, old.text where old.deleted_at is null;`;

const enter = `insert into document_search(rowid, path, content) values (new.n, new.path, new.content);`;
const leave = `insert into document_search(document_search, rowid, path, content)
  values ('delete', old.n, old.path, old.content);`;

export const MEMORY: Migration = {
  version: 5,
  statements: [
    `create table memories (
      n integer primary key, id text not null unique, text text not null, origin_conversation text,
      created_at text not null, updated_at text not null, deleted_at text,
      embedding blob, embedding_model text
    ) strict`,
    `create unique index memories_by_text on memories(text) where deleted_at is null`,
    `create index memories_deleted on memories(deleted_at) where deleted_at is not null`,
    `create index memories_unembedded on memories(n) where embedding_model is null and deleted_at is null`,
    `create view memory_text as select n as rowid, text from memories where deleted_at is null`,
    MEMORY_INDEX,
    `create trigger memories_insert after insert on memories begin ${remember} end`,
    `create trigger memories_update after update of text, deleted_at on memories begin ${forget} ${remember} end`,
    `create trigger memories_delete after delete on memories begin ${forget} end`,

    `create table documents (
      n integer primary key, path text not null unique, content text not null, characters integer not null,
      origin_conversation text, revision integer not null default 1, created_at text not null, updated_at text not null
    ) strict`,
    DOCUMENT_INDEX,
    `create trigger documents_insert after insert on documents begin ${enter} end`,
    `create trigger documents_update after update of path, content on documents begin ${leave} ${enter} end`,
    `create trigger documents_delete after delete on documents begin ${leave} end`,
  ],
};
