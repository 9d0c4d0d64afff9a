/**
 * Copying a conversation: a path of it, or all of it. The database does the copying, in one transaction (K-056, K-057).
 *
 * Invariants (tests/core/conversation/copy_test.ts)
 * 1. The original is not touched, and a copy is of one moment: what is written meanwhile is not in it.
 * 2. In a copy `seq` is dense from 1, turns have new ids, and what names a `seq` names the copied entry.
 * 3. A copy holds the stored files that its entries name, in the same transaction.
 * 4. A copy is at rest: a turn that runs in the original is closed in it as after a crash.
 *
 * @module
 */
import { type Conversation, type Turn, TURN_COLUMNS, turnOfRow } from "../log/mod.ts";
import type { Database, Row, Statement } from "../storage/mod.ts";
import { type Call, type ClosedTurn, closedTurn, closingStatements } from "./closing.ts";
import { ConversationNotFound, TurnNotFound } from "./errors.ts";
import { namedHashes } from "./stored_reference.ts";
import { clampTitle } from "./title.ts";
import { pathTo } from "./turn_tree.ts";

/** What the end of a turn says that still ran when it was copied. */
export const COPIED_NOTICE = "This turn was still running when the copy was made. What it had written is here";

export interface CopyServices {
  readonly database: Database;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Copies the path through a turn; gives the new conversation's id. Throws `ConversationNotFound`, `TurnNotFound`. */
export async function copyBranch(services: CopyServices, conversation: string, turn: string): Promise<string> {
  const standing = await read(services.database, conversation);
  const path = pathTo(standing.turns, turn);
  if (path.length === 0) throw new TurnNotFound(conversation, turn);
  const origin = { kind: "branch", conversation, turn } as const;
  const head = { title: `Branch of ${standing.title}`, origin, head: turn };
  return await copy(services, { ...standing, turns: path }, head);
}

/** Copies all branches; gives the new conversation's id. Throws `ConversationNotFound`. */
export async function copyWhole(services: CopyServices, conversation: string): Promise<string> {
  const standing = await read(services.database, conversation);
  const origin = { kind: "copy", conversation } as const;
  return await copy(services, standing, { title: `Copy of ${standing.title}`, origin, head: standing.head });
}

/** A conversation at one moment. */
interface Standing {
  readonly id: string;
  readonly title: string;
  readonly head: string | null;
  /** Up to where its log goes. */
  readonly upto: number;
  readonly turns: readonly Turn[];
}

interface Heading {
  readonly title: string;
  readonly origin: NonNullable<Conversation["origin"]>;
  readonly head: string | null;
}

async function read(database: Database, id: string): Promise<Standing> {
  // One query, so that all of it is of one moment.
  const columns = TURN_COLUMNS.split(", ").map((column) => `t.${column}`).join(", ");
  const rows = await database.read(
    `select ${columns}, c.title as c_title, c.head as c_head, c.last_seq as c_upto
     from conversations c left join turns t on t.conversation = c.id
     where c.id = ? and c.deleted_at is null order by t.id`,
    [id],
  );
  const [first] = rows;
  if (!first) throw new ConversationNotFound(id);
  return {
    id,
    title: String(first.c_title),
    head: first.c_head === null ? null : String(first.c_head),
    upto: Number(first.c_upto),
    turns: first.id === null ? [] : rows.map((row: Row) => turnOfRow(row)),
  };
}

async function copy(services: CopyServices, standing: Standing, heading: Heading): Promise<string> {
  const { database, now, newId } = services;
  const copied = newId();
  // In the order of their ids, so that versions of a turn keep theirs.
  const ids = new Map(standing.turns.map(({ id }) => id).sort().map((id) => [id, newId()]));
  const running = standing.turns.filter(({ status }) => status === "running");
  const closed = await Promise.all(running.map((turn) => closedAt(database, standing, turn, ids.get(turn.id)!)));
  const at = now().toISOString();
  const [made] = await database.write([
    insertConversation(copied, standing, heading, ids, at),
    insertTurns(copied, standing, ids),
    insertEntries(copied, standing, ids),
    ...closingStatements(copied, closed, { text: COPIED_NOTICE, at }),
    {
      sql: `insert into blob_holders (hash, conversation)
            select hash, ?2 from blob_holders where conversation = ?1
              and hash in (${namedHashes("entries.conversation = ?2")})`,
      args: [standing.id, copied],
    },
    {
      sql: `update conversations set last_seq = made.seq, read_seq = made.seq
            from (select coalesce(max(seq), 0) as seq from entries where conversation = ?1) as made where id = ?1`,
      args: [copied],
    },
  ]);
  if (made?.length !== 1) throw new ConversationNotFound(standing.id);
  return copied;
}

function insertConversation(
  copied: string,
  { id, turns }: Standing,
  { title, origin, head }: Heading,
  ids: ReadonlyMap<string, string>,
  at: string,
): Statement {
  return {
    sql: `insert into conversations
            (id, title, title_kind, agent, model, head, origin, created_at, updated_at, turn_count)
          select ?2, ?3, 'given', agent, model, ?4, ?5, ?6, ?6, ?7
          from conversations where id = ?1 and deleted_at is null returning id`,
    args: [id, copied, clampTitle(title), ids.get(head ?? "") ?? null, JSON.stringify(origin), at, turns.length],
  };
}

/** The new ids of turns, as a table. Empty where the conversation was deleted meanwhile, so that nothing is copied. */
const NAMES = `names(old, new) as materialized (
  select value ->> 0, value ->> 1 from json_each(?3) where exists (select 1 from conversations where id = ?2))`;

function insertTurns(copied: string, { id }: Standing, ids: ReadonlyMap<string, string>): Statement {
  return {
    sql: `with ${NAMES}
          insert into turns (id, conversation, parent, n, origin, status, agent, model, thinking, usage, failure, token,
            started_at, ended_at)
          select names.new, ?2, parents.new, t.n, t.origin, t.status, t.agent, t.model, t.thinking, t.usage, t.failure,
            t.token, t.started_at, t.ended_at
          from names join turns t on t.conversation = ?1 and t.id = names.old
          left join names as parents on parents.old = t.parent order by t.rowid`,
    args: [id, copied, JSON.stringify([...ids])],
  };
}

/**
 * Entries of no turn go along as far as those of the turns do. An approval names its tool entry, a compaction the last
 * entry it stands for; both get the new numbers.
 */
function insertEntries(copied: string, { id, upto }: Standing, ids: ReadonlyMap<string, string>): Statement {
  return {
    sql: `with ${NAMES},
          chosen as materialized (
            select e.id, e.seq, names.new as turn from entries e left join names on names.old = e.turn
            where e.conversation = ?1 and e.seq <= ?4 and (e.turn is null or names.new is not null)),
          numbered as materialized (
            select id, seq, turn, row_number() over (order by seq) as place from chosen
            where turn is not null or seq <= (select max(seq) from chosen where turn is not null)
              or not exists (select 1 from turns t where t.conversation = ?1 and t.id not in (select old from names)))
          insert into entries (conversation, seq, turn, run, parent_run, kind, state, at, touched, data)
          select ?2, n.place, n.turn, e.run, e.parent_run, e.kind, e.state, e.at, 0,
            case
              when asked.place is not null then json_set(e.data, '$.entry', asked.place)
              when e.kind = 'compaction' and json_valid(e.data) and json_type(e.data, '$.upto') = 'integer'
                then json_set(e.data, '$.upto',
                  coalesce((select max(b.place) from numbered b where b.seq <= json_extract(e.data, '$.upto')), 0))
              else e.data end
          from numbered n join entries e on e.id = n.id
          left join numbered asked on e.kind = 'approval'
            and asked.seq = case when e.kind = 'approval' and json_valid(e.data) then e.data ->> '$.entry' end
          where exists (select 1 from conversations where id = ?2)
          order by n.place`,
    args: [id, copied, JSON.stringify([...ids]), upto],
  };
}

/** How a turn that runs is closed in the copy: with the calls it had made by then. */
async function closedAt(database: Database, { id, upto }: Standing, turn: Turn, name: string): Promise<ClosedTurn> {
  const rows = await database.read(
    `select at, case when kind = 'round' and json_valid(data) then data end as round
     from entries where conversation = ? and turn = ? and seq <= ? order by seq`,
    [id, turn.id, upto],
  );
  const calls = rows.flatMap(({ round }) => typeof round === "string" ? [JSON.parse(round) as Call] : []);
  const last = rows.at(-1)?.at;
  return closedTurn({ ...turn, id: name }, calls, last === undefined ? null : String(last));
}
