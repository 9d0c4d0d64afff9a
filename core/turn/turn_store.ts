/**
 * Turns and waiting messages as rows.
 *
 * @module
 */
import type { Database, Row, Statement } from "../storage/mod.ts";
import type { ImageRef, Thinking, Turn, TurnOrigin, UserData } from "../log/mod.ts";

/** A message that was accepted and waits for its conversation's slot; its id becomes the turn's. */
export interface WaitingMessage {
  readonly id: string;
  readonly conversation: string;
  readonly parent: string | null;
  readonly token: string | null;
  readonly text: string;
  readonly images: readonly ImageRef[];
  readonly thinking: Thinking | null;
  readonly origin: TurnOrigin;
  readonly from: string;
  readonly injected?: UserData["injected"];
  readonly at: string;
}

export function insertWaiting(message: WaitingMessage): Statement {
  const { id, conversation, parent, token, text, images, thinking, origin, from, at } = message;
  return {
    sql: `insert into pending (id, conversation, parent, token, text, images, thinking, origin, sender, at)
          values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    args: [id, conversation, parent, token, text, JSON.stringify(images), thinkingText(thinking), origin, from, at],
  };
}

export function deleteWaiting(id: string): Statement {
  return { sql: "delete from pending where id = ?", args: [id] };
}

/** Messages that were accepted before the process ended, in the order they came. */
export async function readWaiting(database: Database): Promise<WaitingMessage[]> {
  const rows = await database.read(
    `select p.* from pending p join conversations c on c.id = p.conversation where c.deleted_at is null order by p.id`,
  );
  return rows.map((row: Row) => ({
    id: String(row.id),
    conversation: String(row.conversation),
    parent: row.parent === null ? null : String(row.parent),
    token: row.token === null ? null : String(row.token),
    text: String(row.text),
    images: JSON.parse(String(row.images)),
    thinking: row.thinking === null ? null : JSON.parse(String(row.thinking)),
    origin: String(row.origin) as TurnOrigin,
    from: String(row.sender),
    at: String(row.at),
  }));
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

/** What became of an earlier message with this token: the turn it started or will start. */
export async function findToken(
  database: Database,
  conversation: string,
  token: string,
): Promise<{ turn: string; queued: boolean; seq?: number } | null> {
  // One statement: a message leaves `pending` as it becomes a turn, and must not be missed on its way.
  const [found] = await database.read(
    `select t.id as id, 0 as queued,
       (select min(seq) from entries e where e.conversation = t.conversation and e.turn = t.id) as seq
     from turns t where t.conversation = ?1 and t.token = ?2
     union all select id, 1, null from pending where conversation = ?1 and token = ?2`,
    [conversation, token],
  );
  if (!found) return null;
  return {
    turn: String(found.id),
    queued: found.queued === 1,
    ...(found.seq === null ? {} : { seq: Number(found.seq) }),
  };
}

function thinkingText(thinking: Thinking | null): string | null {
  return thinking === null ? null : JSON.stringify(thinking);
}
