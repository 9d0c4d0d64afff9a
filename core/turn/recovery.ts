/**
 * After a crash: closes what the last process left open, so that every later request is well formed.
 *
 * Invariants (ARCHITECTURE section 4; tests/core/turn/recovery_test.ts)
 * 1. After `recoverTurns` no turn is `running` and no entry is open, but for those a full disk left for later.
 * 2. A call without a result has exactly one: "interrupted; it may have run", or, where it still waited to be allowed, that
 *    it did not run.
 * 3. Text that was stored stays.
 *
 * @module
 */
import { type Database, type Row, type Statement, StorageFull } from "../storage/mod.ts";
import {
  type CountedCall,
  type Entry,
  ENTRY_COLUMNS,
  type EntryDraft,
  entryOfRow,
  foldUsage,
  insertEntry,
  INTERRUPTED,
  NOT_RUN,
  type NoticeData,
  type Turn,
  TURN_COLUMNS,
  turnOfRow,
} from "../log/mod.ts";
import { endTurn } from "./turn_store.ts";

/** What the person is told in a turn that a crash or a shutdown ended. */
export const INTERRUPTED_NOTICE = "Malama was stopped during this turn. What it had written is kept, and it can go on";

/**
 * Closes every running turn as interrupted, each in one transaction. Gives how many there were. On a full disk nothing can
 * be closed; `onFull` is then handed each, to close it later, so that what is stored can be read meanwhile.
 */
export async function recoverTurns(
  database: Database,
  now: () => Date,
  onFull?: (ended: Turn, notice: NoticeData) => void,
): Promise<number> {
  const rows = await database.read(`select ${TURN_COLUMNS} from turns where status = 'running' order by id`);
  const notice: NoticeData = { text: INTERRUPTED_NOTICE, level: "warning" };
  for (const row of rows) {
    const turn = turnOfRow(row);
    const at = now().toISOString();
    const entries = await entriesOf(database, turn);
    const ended: Turn = {
      ...turn,
      status: "interrupted",
      usage: usageOf(turn, entries),
      ended_at: lastSign(entries, at),
    };
    try {
      await database.write(await closing(database, ended, entries, { notice, records: [], also: [] }, at));
    } catch (error) {
      if (!(error instanceof StorageFull) || onFull === undefined) throw error;
      onFull(ended, notice);
    }
  }
  return rows.length;
}

/** What is written with the end of a turn: entries, the notice last, and whatever else belongs to it. */
export interface Closing {
  readonly notice: NoticeData;
  readonly records: readonly EntryDraft[];
  readonly also: readonly Statement[];
}

/** Closes a turn that ended, as it ended, with whatever of it is still open, in one transaction. */
export async function closeTurn(database: Database, ended: Turn, rest: Closing, at: string): Promise<void> {
  await database.write(await closing(database, ended, await entriesOf(database, ended), rest, at));
}

async function entriesOf(database: Database, { conversation, id }: Turn): Promise<readonly Entry[]> {
  const rows = await database.read(
    `select ${ENTRY_COLUMNS} from entries where conversation = ? and turn = ? order by seq`,
    [conversation, id],
  );
  return rows.map(entryOfRow);
}

async function closing(
  database: Database,
  ended: Turn,
  entries: readonly Entry[],
  { notice, records, also }: Closing,
  at: string,
): Promise<Statement[]> {
  const { conversation, id } = ended;
  const [last] = await database.read(
    `select max(last_seq, coalesce((select max(seq) from entries where conversation = ?1), 0)) as seq
     from conversations where id = ?1`,
    [conversation],
  );
  const seq = Number((last as Row | undefined)?.seq ?? 0);
  const asked = undecided(entries);
  const drafts: readonly EntryDraft[] = [...records, { turn: id, kind: "notice", data: notice }];
  return [
    ...also,
    ...entries.filter((entry) => entry.state === "open").map((entry) => close(entry, seq, asked)),
    ...drafts.map(({ turn, kind, data }, index) =>
      insertEntry(
        {
          conversation,
          seq: seq + 1 + index,
          turn,
          run: null,
          parent_run: null,
          kind,
          state: "done",
          at,
          data,
        } as Entry,
      )
    ),
    { sql: "update conversations set last_seq = ? where id = ?", args: [seq + drafts.length, conversation] },
    endTurn(ended),
  ];
}

/** The `seq` of every call whose question nobody has answered: an answer is stored before its call runs. */
function undecided(entries: readonly Entry[]): ReadonlySet<number> {
  return new Set(entries.flatMap(({ kind, data }) => kind === "approval" && !data.decision ? [data.entry] : []));
}

function close(entry: Entry, touched: number, asked: ReadonlySet<number>): Statement {
  return {
    sql: "update entries set data = ?, state = 'done', touched = ? where conversation = ? and seq = ?",
    args: [JSON.stringify(closedData(entry, asked)), touched, entry.conversation, entry.seq],
  };
}

function closedData(entry: Entry, asked: ReadonlySet<number>): unknown {
  switch (entry.kind) {
    case "tool": {
      const result = entry.data.status === "waiting" && asked.has(entry.seq) ? NOT_RUN : INTERRUPTED;
      return { ...entry.data, status: "interrupted", result };
    }
    case "approval":
      return entry.data.decision ? entry.data : { ...entry.data, decision: "deny", by: "restart" };
    case "run":
      return { ...entry.data, status: "interrupted" };
    default:
      return entry.data;
  }
}

function usageOf(turn: Turn, entries: readonly Entry[]): Turn["usage"] {
  const agents = new Map(entries.flatMap((entry) => entry.kind === "run" ? [[entry.run, entry.data.agent]] : []));
  const calls = entries.flatMap((entry): CountedCall[] => {
    if (entry.kind !== "round") return [];
    const { model, ms, usage } = entry.data;
    return [{ agent: agents.get(entry.run) ?? turn.agent, model, ms, usage }];
  });
  const last = entries.at(-1)?.at ?? turn.started_at;
  return foldUsage(calls, Math.max(0, (Date.parse(last) - Date.parse(turn.started_at)) / 1000));
}

/** Nobody saw when it ended: the last sign of life is the best that is known. */
function lastSign(entries: readonly Entry[], otherwise: string): string {
  return entries.at(-1)?.at ?? otherwise;
}
