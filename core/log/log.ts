/**
 * The log: append, patch, close, read and watch.
 *
 * Invariants
 * 1. `seq` is dense per conversation and given out in the order of `append`, none of them twice, also after turns were
 *    taken away; entries reach the database and the watchers in that order ("append() gives dense numbers", "open() goes
 *    on behind what was taken away").
 * 2. What a watcher is told is stored already; growing text alone may run ahead, by 250 ms or 4 KB at most
 *    ("announces an entry once it is stored").
 * 3. A watcher that leaves at any moment and comes back with its last `seq` ends with exactly what is stored
 *    ("watch() resumes from every cursor", a property test). So changes are announced in the order they were asked for,
 *    the end of an entry before what was appended after it ("close() is announced before"): by the cursor alone nobody
 *    would know that it is still to come.
 * 4. Only one process writes a store (core/storage), so `seq` may be counted in memory.
 *
 * All in tests/core/log/log_test.ts.
 *
 * @module
 */
import type { Database, Statement } from "../storage/mod.ts";
import type { Entry, EntryData, EntryKind, LogOperation, Turn } from "./entry.ts";
import type { Feed, FeedListener } from "./feed.ts";
import { type Closing, OpenEntry } from "./open_entry.ts";
import type { EntryPage, LogReader } from "./reader.ts";
import { ENTRY_COLUMNS, entryOfRow, TURN_COLUMNS, turnOfRow } from "./rows.ts";

/** What an entry is made from; the log adds `seq`, `at` and `state`. */
export interface EntryDraft<K extends EntryKind = EntryKind> {
  readonly turn: string | null;
  readonly run?: string | null;
  readonly parent_run?: string | null;
  readonly kind: K;
  readonly data: EntryData[K];
}

interface ConversationState {
  lastSeq: number;
  readonly open: Map<number, OpenEntry>;
}

/** The most entries one page holds. */
export const MAX_PAGE = 500;

/** The log of every conversation in one store. */
export class Log implements LogReader {
  readonly #database: Database;
  readonly #feed: Feed;
  readonly #now: () => Date;
  readonly #states = new Map<string, ConversationState>();

  constructor(database: Database, feed: Feed, now: () => Date = () => new Date()) {
    this.#database = database;
    this.#feed = feed;
    this.#now = now;
  }

  /**
   * Makes the conversation writable: reads where its numbering stands. `append` needs it once. `lastSeq` saves the reading
   * to whoever has just read `conversations.last_seq` and knows that nothing was written since.
   */
  async open(conversation: string, lastSeq?: number): Promise<void> {
    if (this.#states.has(conversation)) return;
    if (lastSeq !== undefined) return void this.#states.set(conversation, { lastSeq, open: new Map() });
    // Not the number of the newest entry: what was taken away keeps its numbers, or a watcher would miss what came instead.
    const [row] = await this.#database.read(
      `select max(last_seq, coalesce((select max(seq) from entries where conversation = ?1), 0)) as last
       from conversations where id = ?1`,
      [conversation],
    );
    if (!this.#states.has(conversation)) {
      this.#states.set(conversation, { lastSeq: Number(row?.last ?? 0), open: new Map() });
    }
  }

  /** Of how many conversations something is held in memory: those that are being written. */
  get held(): number {
    return this.#states.size;
  }

  /** Drops what is held in memory about a conversation without open entries. */
  release(conversation: string): void {
    if (this.#states.get(conversation)?.open.size === 0) this.#states.delete(conversation);
  }

  /**
   * Appends a whole entry. Resolves when it is durable, together with `also`, in one transaction; `announceFirst` is
   * called then, before watchers hear of the entry. `numbered` is called at once, with the entry as it will be stored.
   */
  async append<K extends EntryKind>(
    conversation: string,
    draft: EntryDraft<K>,
    { also = [], announceFirst, numbered }: {
      also?: readonly Statement[];
      announceFirst?: () => void;
      numbered?: (entry: Entry) => void;
    } = {},
  ): Promise<Entry<K>> {
    const entry = this.#number(conversation, draft, "done");
    numbered?.(entry);
    await this.#insert(entry, also, () => {
      announceFirst?.();
      return entry;
    });
    return entry as Entry<K>;
  }

  /** Appends several whole entries, in this order, together with `also`, in one transaction. None at all is `also` alone. */
  async appendAll(
    conversation: string,
    drafts: readonly EntryDraft[],
    { also = [] }: { also?: readonly Statement[] } = {},
  ): Promise<readonly Entry[]> {
    const entries = drafts.map((draft) => this.#number(conversation, draft, "done"));
    if (entries.length > 0) await this.#insertAll(entries, also, () => entries);
    else if (also.length > 0) await this.#database.write(also);
    return entries;
  }

  /** Appends an entry that will grow. The handle is there at once; its `durable` says when the entry is stored. */
  appendOpen<K extends EntryKind>(conversation: string, draft: EntryDraft<K>): OpenEntry<K> {
    const entry = this.#number(conversation, draft, "open");
    const state = this.#state(conversation);
    const durable = this.#insert(entry, [], () => state.open.get(entry.seq)?.markStored() ?? entry);
    const handle = new OpenEntry<K>(entry as Entry<K>, durable, {
      commit: async (statement, done) => {
        await this.#database.write([statement]);
        done?.();
      },
      lastSeq: () => state.lastSeq,
      announceDelta: (seq, at, text) => this.#feed.announce({ op: "delta", conversation, seq, at, text }),
      announcePatch: (changed) =>
        this.#feed.announce({ op: "patch", conversation, seq: changed.seq, state: changed.state, data: changed.data }),
      forget: (seq) => state.open.delete(seq),
    });
    state.open.set(entry.seq, handle as unknown as OpenEntry);
    return handle;
  }

  /** Closes several entries in one transaction: after a crash all of them are closed, or none is. */
  async closeAll(closings: readonly Closing[]): Promise<void> {
    const endings = closings.map(({ handle, data }) => handle.ending(data));
    try {
      await this.#database.write(endings.map(({ statement }) => statement));
    } catch (error) {
      for (const ending of endings) ending.failed();
      throw error;
    }
    for (const ending of endings) ending.stored();
  }

  /** @inheritdoc */
  async entries(
    conversation: string,
    options: { after?: number; before?: number; limit?: number; all?: boolean } = {},
  ): Promise<EntryPage> {
    const { after, before, all = false } = options;
    const limit = Math.max(1, Math.min(MAX_PAGE, Math.trunc(options.limit ?? 200)));
    // Read before the entries: a cursor must not be ahead of what came with it.
    const lastSeq = await this.#lastSeq(conversation);
    const path = all ? null : await this.#pathFilter(conversation);
    const conditions = ["conversation = ?"];
    const args: (string | number)[] = [conversation];
    if (after !== undefined) conditions.push("seq > ?"), args.push(after);
    if (before !== undefined) conditions.push("seq < ?"), args.push(before);
    if (path) conditions.push("(turn is null or turn in (select value from json_each(?)))"), args.push(path);
    const direction = after === undefined ? "desc" : "asc";
    const rows = await this.#database.read(
      `select ${ENTRY_COLUMNS} from entries where ${conditions.join(" and ")} order by seq ${direction} limit ?`,
      [...args, limit],
    );
    const items = rows.map(entryOfRow).map((entry) => this.#asItStands(entry));
    if (direction === "desc") items.reverse();
    return { items, last_seq: Math.max(lastSeq, items.at(-1)?.seq ?? 0) };
  }

  /** @inheritdoc */
  async entriesOfTurns(conversation: string, turns: readonly string[]): Promise<readonly Entry[]> {
    // The plus keeps the planner from reading the whole conversation in order instead of looking the turns up.
    const rows = await this.#database.read(
      `select ${ENTRY_COLUMNS} from entries
       where conversation = ? and turn in (select value from json_each(?)) order by +seq`,
      [conversation, JSON.stringify(turns)],
    );
    return rows.map(entryOfRow).map((entry) => this.#asItStands(entry));
  }

  /** The turns of a conversation, oldest first, over all branches. */
  async turns(conversation: string): Promise<readonly Turn[]> {
    const rows = await this.#database.read(
      `select ${TURN_COLUMNS} from turns where conversation = ? order by id`,
      [conversation],
    );
    return rows.map(turnOfRow);
  }

  /** @inheritdoc */
  async watch(conversation: string, after: number, listener: FeedListener): Promise<() => void> {
    let waiting: LogOperation[] | null = [];
    const unsubscribe = this.#feed.subscribe((operation) => {
      if (!concerns(operation, conversation)) return;
      if (waiting) waiting.push(operation);
      else listener(operation);
    });
    // Their newest text is in no row yet, and what grows them from here on is told as pieces: the watcher needs them whole.
    const open = [...this.#states.get(conversation)?.open.values() ?? []].filter((handle) => handle.isAnnounced)
      .map((handle) => handle.entry);
    try {
      // A cursor past the end is from another history (a restored backup): send everything.
      const cursor = after > await this.#lastSeq(conversation) ? 0 : after;
      const rows = await this.#database.read(
        `select ${ENTRY_COLUMNS} from entries where conversation = ? and (seq > ? or touched >= ?) order by seq`,
        [conversation, cursor, Math.max(cursor, 1)],
      );
      const turns = await this.#turnsSince(conversation, cursor);
      const items = this.#catchUp([...open, ...rows.map(entryOfRow)], waiting);
      const others = waiting.filter((operation) => !["entries", "delta", "patch"].includes(operation.op));
      waiting = null;
      listener({ op: "entries", conversation, items, last_seq: Math.max(cursor, items.at(-1)?.seq ?? 0) });
      for (const turn of turns) listener({ op: "turn", conversation, turn });
      for (const operation of others) listener(operation);
    } catch (error) {
      unsubscribe();
      throw error;
    }
    return unsubscribe;
  }

  /** What was open and read (the later goes first), with all that was announced while it was being read, as it stands now. */
  #catchUp(read: readonly Entry[], announced: readonly LogOperation[]): Entry[] {
    const bySeq = new Map(read.map((entry) => [entry.seq, entry]));
    for (const operation of announced) {
      if (operation.op === "entries") { for (const entry of operation.items) bySeq.set(entry.seq, entry); }
      if (operation.op === "patch") {
        const entry = bySeq.get(operation.seq);
        if (entry) bySeq.set(entry.seq, { ...entry, state: operation.state, data: operation.data } as Entry);
      }
    }
    return [...bySeq.values()].sort((a, b) => a.seq - b.seq).map((entry) => this.#asItStands(entry));
  }

  /** Turns a resuming watcher may hold an old state of: those with entries after the cursor, and the newest. */
  async #turnsSince(conversation: string, after: number): Promise<readonly Turn[]> {
    const rows = await this.#database.read(
      `select ${TURN_COLUMNS} from turns where conversation = ?1 and (
         id in (select turn from entries where conversation = ?1 and seq >= ?2)
         or id = (select head from conversations where id = ?1)) order by id`,
      [conversation, after],
    );
    return rows.map(turnOfRow);
  }

  async #pathFilter(conversation: string): Promise<string | null> {
    const rows = await this.#database.read(
      `with recursive path(id, parent) as (
         select t.id, t.parent from turns t join conversations c on c.head = t.id where c.id = ?
         union all select t.id, t.parent from turns t join path p on t.id = p.parent)
       select id, (select count(*) from turns where conversation = ?) as total from path`,
      [conversation, conversation],
    );
    // Without branches every turn is on the path, and the filter would only cost time.
    if (rows.length === 0 || rows.length === Number(rows[0]?.total)) return null;
    return JSON.stringify(rows.map((row) => row.id));
  }

  async #lastSeq(conversation: string): Promise<number> {
    const rows = await this.#database.read("select last_seq from conversations where id = ?", [conversation]);
    return Number(rows[0]?.last_seq ?? 0);
  }

  #asItStands(entry: Entry): Entry {
    if (entry.state === "done") return entry;
    return this.#states.get(entry.conversation)?.open.get(entry.seq)?.entry ?? entry;
  }

  #state(conversation: string): ConversationState {
    const state = this.#states.get(conversation);
    if (!state) throw new Error(`Conversation "${conversation}" is not open for writing`);
    return state;
  }

  #number(conversation: string, draft: EntryDraft, state: "open" | "done"): Entry {
    const seq = ++this.#state(conversation).lastSeq;
    return {
      conversation,
      seq,
      turn: draft.turn,
      run: draft.run ?? null,
      parent_run: draft.parent_run ?? null,
      kind: draft.kind,
      state,
      at: this.#now().toISOString(),
      data: draft.data,
    } as Entry;
  }

  async #insert(entry: Entry, also: readonly Statement[], current: () => Entry): Promise<void> {
    await this.#insertAll([entry], also, () => [current()]);
  }

  async #insertAll(
    entries: readonly Entry[],
    also: readonly Statement[],
    current: () => readonly Entry[],
  ): Promise<void> {
    const { conversation, seq } = entries.at(-1)!;
    try {
      await this.#database.write([
        ...also,
        ...entries.map(insertEntry),
        { sql: "update conversations set last_seq = ? where id = ?", args: [seq, conversation] },
      ]);
    } catch (error) {
      // The numbers were never stored: forget the numbering, so that the next writer reads it anew.
      this.#states.delete(conversation);
      throw error;
    }
    this.#feed.announce({ op: "entries", conversation, items: current(), last_seq: seq });
  }
}

/** Writes an entry as it stands. */
export function insertEntry(entry: Entry): Statement {
  const { conversation, seq, turn, run, parent_run, kind, state, at, data } = entry;
  // `touched` is what a resuming watcher is caught up by: the newest `seq` when the entry last changed. An entry that
  // was whole from the start never changes, so it never has to be sent again.
  const touched = state === "open" ? seq : 0;
  return {
    sql: `insert into entries (conversation, seq, turn, run, parent_run, kind, state, at, touched, data)
          values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    args: [conversation, seq, turn, run, parent_run, kind, state, at, touched, JSON.stringify(data)],
  };
}

function concerns(operation: LogOperation, conversation: string): boolean {
  switch (operation.op) {
    case "entries":
    case "delta":
    case "patch":
    case "turn":
    case "head":
    case "pending":
      return operation.conversation === conversation;
    case "conversation":
    case "conversation_removed":
      return false;
    default:
      return operation satisfies never;
  }
}
