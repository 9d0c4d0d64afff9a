/**
 * Closing what was still being written when a conversation was copied or exported: as after a crash, so that every later
 * request is well formed (ARCHITECTURE section 4; core/turn/recovery.ts does the same to a conversation that stays).
 *
 * Invariants (tests/core/conversation/copy_test.ts, "a turn that runs"; tests/core/conversation/import_test.ts)
 * 1. No entry is left open, and a call without a result has exactly one: "interrupted; it may have run", or, where it still
 *    waited to be allowed, that it did not run.
 * 2. Text that was stored stays.
 * 3. A turn that ran ends with one notice that says so.
 *
 * @module
 */
import {
  type CountedCall,
  foldUsage,
  INTERRUPTED,
  NOT_RUN,
  type NoticeData,
  type RoundData,
  type Usage,
} from "../log/mod.ts";
import type { Statement } from "../storage/mod.ts";

/** A turn that ran, how it is closed, and what is said at its end. */
export interface ClosedTurn {
  readonly id: string;
  /** `null` where no model was called. */
  readonly usage: Usage | null;
  /** The last sign of life. */
  readonly ended_at: string;
}

/** A model call of a turn that ran. */
export type Call = Pick<RoundData, "model" | "ms" | "usage">;

/** How a turn that ran is closed, from the calls it had made and its last sign of life. */
export function closedTurn(
  turn: { readonly id: string; readonly agent: string; readonly started_at: string },
  calls: readonly Call[],
  lastAt: string | null,
): ClosedTurn {
  const counted = calls.map(({ model, ms, usage }): CountedCall => ({ agent: turn.agent, model, ms, usage }));
  const ended_at = lastAt ?? turn.started_at;
  const seconds = (Date.parse(ended_at) - Date.parse(turn.started_at)) / 1000;
  return { id: turn.id, usage: foldUsage(counted, Math.max(0, seconds || 0)), ended_at };
}

/**
 * Closes the entries of a conversation that are open, or say that something still goes on, and these turns of it. Its
 * `last_seq` is the caller's to set.
 */
export function closingStatements(
  conversation: string,
  turns: readonly ClosedTurn[],
  { text, at }: { readonly text: string; readonly at: string },
): Statement[] {
  const notice: NoticeData = { text, level: "warning" };
  return [
    {
      sql: `update entries set state = 'done', touched = 0,
              data = json_set(data, '$.status', 'interrupted', '$.result', ?2)
            where conversation = ?1 and kind = 'tool'
              and case when json_valid(data) then data ->> '$.status' = 'waiting' else false end
              and seq in (
                select case when json_valid(data) and data ->> '$.decision' is null then data ->> '$.entry' end
                from entries where conversation = ?1 and kind = 'approval')`,
      args: [conversation, NOT_RUN],
    },
    {
      sql: `update entries set state = 'done', touched = 0, data = case
              when not json_valid(data) then data
              when kind = 'tool' then json_set(data, '$.status', 'interrupted', '$.result', ?2)
              when kind = 'approval' and json_extract(data, '$.decision') is null
                then json_set(data, '$.decision', 'deny', '$.by', 'restart')
              when kind = 'run' then json_set(data, '$.status', 'interrupted')
              else data end
            where conversation = ?1 and (state = 'open' or case
              when not json_valid(data) then false
              when kind = 'tool' then data ->> '$.status' in ('waiting', 'running') or json_type(data, '$.result') is null
              when kind = 'approval' then data ->> '$.decision' is null
              when kind = 'run' then data ->> '$.status' = 'running'
              else false end)`,
      args: [conversation, INTERRUPTED],
    },
    ...turns.flatMap(({ id, usage, ended_at }) => [
      {
        sql: "update turns set status = 'interrupted', usage = ?, ended_at = ? where conversation = ? and id = ?",
        args: [usage === null ? null : JSON.stringify(usage), ended_at, conversation, id],
      },
      {
        sql: `insert into entries (conversation, seq, turn, kind, state, at, touched, data)
              select ?1, max(last_seq, coalesce((select max(seq) from entries where conversation = ?1), 0)) + 1,
                ?2, 'notice', 'done', ?3, 0, ?4
              from conversations where id = ?1`,
        args: [conversation, id, at, JSON.stringify(notice)],
      },
    ]),
  ];
}
