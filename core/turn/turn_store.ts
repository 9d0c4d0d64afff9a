/**
 * Turns as rows.
 *
 * @module
 */
import type { Database, Statement } from "../storage/mod.ts";
import { type Turn, TURN_COLUMNS, turnOfRow } from "../log/mod.ts";
import { thinkingText } from "./waiting_store.ts";

/** The turn with this id, or `null` when that conversation has none. */
export async function readTurn(database: Database, conversation: string, id: string): Promise<Turn | null> {
  const [row] = await database.read(
    `select ${TURN_COLUMNS} from turns where conversation = ? and id = ?`,
    [conversation, id],
  );
  return row ? turnOfRow(row) : null;
}

export function insertTurn(turn: Turn): Statement {
  return {
    sql: `insert into turns (id, conversation, parent, n, origin, status, agent, model, thinking, token, started_at)
          values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    args: [
      turn.id,
      turn.conversation,
      turn.parent,
      turn.n,
      turn.origin,
      turn.status,
      turn.agent,
      turn.model,
      thinkingText(turn.thinking),
      turn.token,
      turn.started_at,
    ],
  };
}

/** Writes how a turn ended. */
export function endTurn({ id, status, usage, failure, ended_at }: Turn): Statement {
  return {
    sql: "update turns set status = ?, usage = ?, failure = ?, ended_at = ? where id = ?",
    args: [status, usage === null ? null : JSON.stringify(usage), failure, ended_at, id],
  };
}
