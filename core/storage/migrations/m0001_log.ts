/**
 * Version 1: conversations, turns, entries, messages that wait, blobs, and the full-text index over what was said.
 *
 * `entry_search` is an external-content index over the closed `user` and `text` entries: the words are stored once, in
 * `entries.data`, and the triggers keep the index in step. It can always be rebuilt from the entries (`search_index.ts`).
 * `insert or replace` into `entries` would skip the delete trigger; do not use it.
 *
 * @module
 */
import type { Migration } from "./migration.ts";
import { FIRST_SEARCH_INDEX } from "../search_index.ts";

export const LOG: Migration = {
  version: 1,
  statements: [
    `create table meta (key text primary key, value text not null) strict, without rowid`,

    `create table conversations (
      id text primary key, title text not null, title_kind text not null, agent text not null, model text, head text,
      task text, graph text, origin text, pinned integer not null default 0,
      created_at text not null, updated_at text not null,
      last_seq integer not null default 0, read_seq integer not null default 0, turn_count integer not null default 0,
      deleted_at text
    ) strict`,
    `create index conversations_by_update on conversations(updated_at desc, id desc) where deleted_at is null`,

    `create table turns (
      id text primary key, conversation text not null references conversations(id) on delete cascade,
      parent text, n integer not null, origin text not null, status text not null, agent text not null,
      model text not null, thinking text, usage text, failure text, token text,
      started_at text not null, ended_at text
    ) strict`,
    `create index turns_by_conversation on turns(conversation, id)`,
    `create index turns_by_parent on turns(conversation, parent)`,
    `create unique index turns_by_token on turns(conversation, token) where token is not null`,
    `create index turns_running on turns(id) where status = 'running'`,
    `create index turns_by_start on turns(started_at)`,

    `create table entries (
      id integer primary key, conversation text not null references conversations(id) on delete cascade,
      seq integer not null, turn text, run text, parent_run text, kind text not null, state text not null,
      at text not null, touched integer not null, data text not null,
      unique (conversation, seq)
    ) strict`,
    `create index entries_by_turn on entries(conversation, turn, seq)`,
    `create index entries_open on entries(conversation) where state = 'open'`,

    `create table pending (
      id text primary key, conversation text not null references conversations(id) on delete cascade,
      parent text, token text, text text not null, images text not null, thinking text, origin text not null,
      sender text not null, at text not null
    ) strict`,
    `create index pending_by_conversation on pending(conversation, id)`,
    `create unique index pending_by_token on pending(conversation, token) where token is not null`,

    `create table blobs (
      hash text primary key, media_type text not null, bytes integer not null, created_at text not null
    ) strict, without rowid`,

    `create view entry_text as
      select id as rowid, json_extract(data, '$.text') as text from entries
      where kind in ('user', 'text') and state = 'done'`,
    FIRST_SEARCH_INDEX,
    `create trigger entries_said_insert after insert on entries
      when new.kind in ('user', 'text') and new.state = 'done'
      begin
        insert into entry_search(rowid, text) values (new.id, json_extract(new.data, '$.text'));
      end`,
    `create trigger entries_said_update after update on entries
      when new.kind in ('user', 'text') and (old.state = 'done' or new.state = 'done')
      begin
        insert into entry_search(entry_search, rowid, text)
          select 'delete', old.id, json_extract(old.data, '$.text') where old.state = 'done';
        insert into entry_search(rowid, text)
          select new.id, json_extract(new.data, '$.text') where new.state = 'done';
      end`,
    `create trigger entries_said_delete after delete on entries
      when old.kind in ('user', 'text') and old.state = 'done'
      begin
        insert into entry_search(entry_search, rowid, text)
          values ('delete', old.id, json_extract(old.data, '$.text'));
      end`,
  ],
};
