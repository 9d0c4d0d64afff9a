/**
 * Version 3: what a waiting message asks for, messages that join a running turn, and the tokens of messages that became no
 * turn of their own.
 *
 * A `pending` row with `joins` was accepted into that turn and waits to be read by it; without, it waits to be a turn of its
 * own. `place` is its place in line before its age: smaller goes first. `at_root` tells a message that begins a new root
 * from one that answers after whatever the head will be; both have no `parent`.
 *
 * `tokens` answers a message that comes again after it was delivered, merged, given back or taken back: `turns` and
 * `pending` do not know its token any more.
 *
 * @module
 */
import type { Migration } from "./migration.ts";

export const WAITING_MESSAGES: Migration = {
  version: 3,
  statements: [
    `alter table pending add column joins text`,
    `alter table pending add column place integer not null default 0`,
    `alter table pending add column at_root integer not null default 0`,
    `alter table pending add column model text`,
    `alter table pending add column injected text`,
    `alter table pending add column files text not null default '[]'`,
    `create table tokens (
      conversation text not null references conversations(id) on delete cascade,
      token text not null, turn text not null, fate text not null,
      primary key (conversation, token)
    ) strict, without rowid`,
  ],
};
