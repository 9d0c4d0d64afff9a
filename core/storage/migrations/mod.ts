/**
 * The schema's history. A published step is never edited: what comes later is a new file and a new line here.
 *
 * @module
 */
import { LOG } from "./m0001_log.ts";
import { BLOB_HOLDERS } from "./m0002_blob_holders.ts";
import { WAITING_MESSAGES } from "./m0003_waiting_messages.ts";
import { SEARCH } from "./m0004_search.ts";
import { MEMORY } from "./m0005_memory.ts";
import { APPROVAL_RULES } from "./m0006_approval_rules.ts";
import type { Migration } from "./migration.ts";

export type { Migration } from "./migration.ts";

/** Every step, oldest first. */
export const MIGRATIONS: readonly Migration[] = [LOG, BLOB_HOLDERS, WAITING_MESSAGES, SEARCH, MEMORY, APPROVAL_RULES];
