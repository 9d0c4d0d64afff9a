/**
 * Version 6: what a person allowed for a conversation or from now on. `arguments` is canonical JSON, or null for any; a rule
 * without a conversation holds in all of them.
 *
 * @module
 */
import type { Migration } from "./migration.ts";

export const APPROVAL_RULES: Migration = {
  version: 6,
  statements: [
    `create table approval_rules (
      id text primary key, conversation text references conversations(id) on delete cascade,
      agent text not null, toolset text not null, tool text not null, arguments text, created_at text not null
    ) strict, without rowid`,
    `create unique index approval_rules_once
      on approval_rules(agent, toolset, tool, coalesce(arguments, ''), coalesce(conversation, ''))`,
    `create index approval_rules_conversation on approval_rules(conversation) where conversation is not null`,
  ],
};
