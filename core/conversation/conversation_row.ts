/**
 * A row of `conversations` as what the sidebar shows, and as what those who run its turns need.
 *
 * @module
 */
import type { Conversation, TitleKind } from "../log/mod.ts";
import type { Row } from "../storage/mod.ts";

/** The columns `conversationOfRow` reads. */
export const COLUMNS = `id, title, title_kind, agent, model, head, task, graph, origin, pinned, created_at, updated_at,
  last_seq, read_seq, turn_count`;

/** The columns `storedOfRow` reads. */
export const STORED_COLUMNS = `${COLUMNS}, (select n from turns where turns.id = head) as head_n`;

/** A conversation as stored, with what only those who run its turns need. */
export interface StoredConversation extends Conversation {
  readonly title_kind: TitleKind;
  readonly last_seq: number;
  /** How deep the turn in view stands in the tree; 0 for none. */
  readonly head_n: number;
}

/** The row as everyone is shown it. A turn's end is what makes it unread, not the turn on its way. */
export function conversationOfRow(row: Row, running: boolean): Conversation {
  return {
    id: String(row.id),
    title: String(row.title),
    agent: String(row.agent),
    model: textOrNull(row.model),
    head: textOrNull(row.head),
    running,
    pinned: Number(row.pinned) === 1,
    unread: !running && Number(row.last_seq) > Number(row.read_seq),
    task: textOrNull(row.task),
    graph: textOrNull(row.graph),
    origin: originOf(row.origin),
    turns: Number(row.turn_count),
    created_at: String(row.created_at),
    updated_at: String(row.updated_at),
  };
}

/** The row with its inner facts. */
export function storedOfRow(row: Row, running: boolean): StoredConversation {
  return {
    ...conversationOfRow(row, running),
    title_kind: String(row.title_kind) as TitleKind,
    last_seq: Number(row.last_seq),
    head_n: Number(row.head_n ?? 0),
  };
}

/** A conversation without its inner facts. */
export function shown({ title_kind: _, last_seq: __, head_n: ___, ...conversation }: StoredConversation): Conversation {
  return conversation;
}

/** Where a copy came from only describes it: what cannot be read must not hide the conversation (K-058). */
function originOf(text: Row[string] | undefined): Conversation["origin"] {
  if (typeof text !== "string") return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function textOrNull(value: Row[string] | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
