/**
 * Waiting messages and the tokens of messages, as rows.
 *
 * @module
 */
import type { Database, Row, Statement } from "../storage/mod.ts";
import type { FileRef, ImageRef, PendingMessage, Thinking, TurnOrigin, UserData } from "../log/mod.ts";

/** A message that was accepted and waits for its conversation's slot; its id becomes the turn's. */
export interface WaitingMessage {
  readonly id: string;
  readonly conversation: string;
  /** The turn it answers after; `null`: whatever the head will be, or with `atRoot` none. */
  readonly parent: string | null;
  readonly atRoot: boolean;
  readonly token: string | null;
  readonly text: string;
  readonly images: readonly ImageRef[];
  readonly files: readonly FileRef[];
  readonly thinking: Thinking | null;
  /** The model string for this turn alone; `null` for the conversation's. */
  readonly model: string | null;
  readonly origin: TurnOrigin;
  readonly from: string;
  readonly injected: UserData["injected"] | null;
  /** The running turn that is to read it. */
  readonly joins: string | null;
  /** Its place in line before its age: smaller goes first. */
  readonly place: number;
  readonly at: string;
  /** The joined messages that it stands for: their rows go when it begins. */
  readonly merges?: readonly WaitingMessage[];
}

/** What became of an earlier message with the same token. */
export interface FoundToken {
  readonly fate: "turn" | "joined";
  readonly turn: string;
  readonly queued: boolean;
  readonly seq?: number;
}

export function insertWaiting(message: WaitingMessage): Statement {
  const { id, conversation, parent, token, text, images, files, thinking, origin, from, at } = message;
  return {
    sql: `insert into pending (id, conversation, parent, token, text, images, thinking, origin, sender, at,
            joins, place, at_root, model, injected, files)
          values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    args: [
      ...[id, conversation, parent, token, text, JSON.stringify(images), thinkingText(thinking), origin, from, at],
      ...[message.joins, message.place, message.atRoot ? 1 : 0, message.model, message.injected ?? null],
      JSON.stringify(files),
    ],
  };
}

export function deleteWaiting(id: string): Statement {
  return { sql: "delete from pending where id = ?", args: [id] };
}

/** Writes what of a waiting message can change: its text, its place, and which turn reads it. */
export function updateWaiting({ id, text, place, joins }: WaitingMessage): Statement {
  return { sql: "update pending set text = ?, place = ?, joins = ? where id = ?", args: [text, place, joins, id] };
}

/** Keeps what a message with this token is answered with once `turns` and `pending` no longer know it. */
export function keepToken(conversation: string, token: string, { fate, turn }: Omit<FoundToken, "seq">): Statement {
  return {
    sql: `insert into tokens (conversation, token, turn, fate) values (?, ?, ?, ?)
          on conflict (conversation, token) do update set turn = excluded.turn, fate = excluded.fate`,
    args: [conversation, token, turn, fate],
  };
}

/** Messages of one conversation, or of all that are not deleted, in the order they are to be run. */
export async function readWaiting(database: Database, conversation?: string): Promise<WaitingMessage[]> {
  const rows = await database.read(
    `select p.* from pending p join conversations c on c.id = p.conversation
     where c.deleted_at is null ${conversation === undefined ? "" : "and c.id = ?"} order by p.place, p.id`,
    conversation === undefined ? [] : [conversation],
  );
  return rows.map(waitingOfRow);
}

function waitingOfRow(row: Row): WaitingMessage {
  return {
    id: String(row.id),
    conversation: String(row.conversation),
    parent: textOrNull(row.parent),
    atRoot: row.at_root === 1,
    token: textOrNull(row.token),
    text: String(row.text),
    images: JSON.parse(String(row.images)),
    files: JSON.parse(String(row.files)),
    thinking: row.thinking === null ? null : JSON.parse(String(row.thinking)),
    model: textOrNull(row.model),
    origin: String(row.origin) as TurnOrigin,
    from: String(row.sender),
    injected: textOrNull(row.injected) as WaitingMessage["injected"],
    joins: textOrNull(row.joins),
    place: Number(row.place),
    at: String(row.at),
  };
}

/** What became of an earlier message with this token: the turn it started, will start, or was accepted into. */
export async function findToken(database: Database, conversation: string, token: string): Promise<FoundToken | null> {
  // One statement: a message leaves `pending` as it becomes a turn or is delivered, and must not be missed on its way.
  const [found] = await database.read(
    `select 0 as rank, turn as id, fate, fate = 'turn' as queued, null as seq
     from tokens where conversation = ?1 and token = ?2
     union all select 1, t.id, 'turn', 0,
       (select min(seq) from entries e where e.conversation = t.conversation and e.turn = t.id)
     from turns t where t.conversation = ?1 and t.token = ?2
     union all select 2, id, 'turn', 1, null from pending where conversation = ?1 and token = ?2
     order by rank limit 1`,
    [conversation, token],
  );
  if (!found) return null;
  return {
    fate: found.fate === "joined" ? "joined" : "turn",
    turn: String(found.id),
    queued: found.queued === 1,
    ...(found.seq === null ? {} : { seq: Number(found.seq) }),
  };
}

/** A waiting message as the page is told of it. */
export function pendingMessage(message: WaitingMessage): PendingMessage {
  const { id, text, images, files, token, thinking, joins, at } = message;
  return { id, text, images, files, token, thinking, joins, at };
}

/** What the loop wrote itself is no message of a person, and is neither shown nor taken back. */
export function isShown({ injected }: WaitingMessage): boolean {
  return injected === null;
}

/** A request for thinking as its column holds it. */
export function thinkingText(thinking: Thinking | null): string | null {
  return thinking === null ? null : JSON.stringify(thinking);
}

function textOrNull(value: Row[string] | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
