/**
 * Changes of the tree of turns: which leaf is in view, and taking turns away (K-055, T-084).
 *
 * Invariants (tests/core/conversation/tree_test.ts)
 * 1. The head is a leaf, whatever is asked for ("setHead() goes down to the newest").
 * 2. Turns go together with all below them, their entries and what only these held, or not at all; looking whether a turn
 *    runs or waits and taking away are one write ("truncating while a turn waits").
 * 3. `updated_at` stays, and so does `last_seq`: a number that was given out is never given out again.
 *
 * @module
 */
import type { Database, Statement } from "../storage/mod.ts";
import { TurnInFlight, TurnNotFound } from "./errors.ts";
import { namedHashes } from "./stored_reference.ts";
import { UNTITLED } from "./title.ts";

/** Puts the newest leaf at or below a turn in view. Throws `TurnNotFound`. */
export async function moveHead(database: Database, conversation: string, turn: string): Promise<void> {
  const [rows] = await database.write([{
    sql: `update conversations set head = coalesce(${leafBelow("?2")}, ?2)
          where id = ?1 and exists (select 1 from turns where conversation = ?1 and id = ?2) returning id`,
    args: [conversation, turn],
  }]);
  if (rows?.length !== 1) throw new TurnNotFound(conversation, turn);
}

/**
 * Takes a turn and everything below it away. `isRunning` is asked in the same moment in which the write takes its place in
 * line. Throws `TurnNotFound`, `TurnInFlight`.
 */
export async function removeTurn(
  database: Database,
  conversation: string,
  turn: string,
  isRunning: () => boolean,
): Promise<void> {
  const [found] = await database.read("select parent from turns where conversation = ? and id = ?", [
    conversation,
    turn,
  ]);
  if (!found) throw new TurnNotFound(conversation, turn);
  if (isRunning()) throw new TurnInFlight(conversation);
  const parent = found.parent === undefined ? null : found.parent;
  const [, , gone] = await database.write(removal(conversation, turn, parent === null ? null : String(parent)));
  if (gone && gone.length > 0) return;
  const [still] = await database.read("select 1 from turns where conversation = ? and id = ?", [conversation, turn]);
  throw still ? new TurnInFlight(conversation) : new TurnNotFound(conversation, turn);
}

/** Nothing runs and nothing waits there. It holds for a whole transaction: nothing here begins a turn. */
const AT_REST = `not exists (select 1 from turns where conversation = ?1 and status = 'running')
  and not exists (select 1 from pending where conversation = ?1)`;

/** The turn and all below it. */
const DOOMED = `with recursive doomed(id) as (
  select id from turns where conversation = ?1 and id = ?2
  union select t.id from doomed d join turns t on t.conversation = ?1 and t.parent = d.id)`;

function removal(conversation: string, turn: string, parent: string | null): Statement[] {
  const below = [conversation, turn];
  return [
    {
      // Before the entries go that say what they named.
      sql: `${DOOMED} delete from blob_holders where conversation = ?1 and ${AT_REST}
            and hash in (${
        namedHashes("entries.conversation = ?1 and entries.turn in (select id from doomed)")
      }) and hash not in (${
        namedHashes(
          "entries.conversation = ?1 and (entries.turn is null or entries.turn not in (select id from doomed))",
        )
      })`,
      args: below,
    },
    {
      sql: `${DOOMED} delete from entries where conversation = ?1 and turn in (select id from doomed) and ${AT_REST}`,
      args: below,
    },
    {
      sql: `${DOOMED} delete from turns where conversation = ?1 and id in (select id from doomed) and ${AT_REST}
            returning id`,
      args: below,
    },
    {
      sql: `update conversations set
              head = case
                when exists (select 1 from turns where turns.conversation = ?1 and turns.id = head) then head
                else coalesce(${
        leafBelow("(select max(s.id) from turns s where s.conversation = ?1 and s.parent is ?3)")
      }, ?3) end,
              title = case when ${HAS_TURNS} then title else ?4 end,
              title_kind = case when ${HAS_TURNS} then title_kind else 'placeholder' end,
              turn_count = (select count(*) from turns where turns.conversation = ?1)
            where id = ?1 and ${AT_REST} and not exists (select 1 from turns where conversation = ?1 and id = ?2)`,
      args: [conversation, turn, parent, UNTITLED],
    },
  ];
}

const HAS_TURNS = "exists (select 1 from turns where turns.conversation = ?1)";

/** Follows the newest child from a turn of `?1` down to the end. In a circle (a damaged store) there is none. */
function leafBelow(start: string): string {
  return `(with recursive down(id) as (
      select ${start}
      union select (select max(k.id) from turns k where k.conversation = ?1 and k.parent = down.id)
      from down where down.id is not null)
    select down.id from down where down.id is not null
      and not exists (select 1 from turns k where k.conversation = ?1 and k.parent = down.id))`;
}
