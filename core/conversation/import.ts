/**
 * Taking a conversation in that was exported as JSONL, here or elsewhere.
 *
 * It is read and stored as it comes, under a conversation that nobody can see, which is shown by the last write.
 *
 * Invariants (tests/core/conversation/import_test.ts)
 * 1. All or nothing: what fails, breaks off or is killed leaves no conversation, and files that nothing holds.
 * 2. It is a new conversation with new turns: nothing that is there is touched, however often a file is imported.
 * 3. An export of it equals the file, but for ids, the head (a leaf here), where it came from and when.
 * 4. A batch of rows, or one file, is in memory at a time, never a conversation.
 *
 * @module
 */
import type { Conversation, RoundData } from "../log/mod.ts";
import type { SqlValue, Statement, Storage } from "../storage/mod.ts";
import type { ConversationBook } from "./book.ts";
import { type ClosedTurn, closedTurn, closingStatements } from "./closing.ts";
import type { Imports } from "./contract.ts";
import { BadRequest } from "./errors.ts";
import { type CheckedEntry, ImportCheck } from "./import_check.ts";
import { lineName, linesOf } from "./import_lines.ts";
import type { BlobLine, HeaderLine, TurnLine } from "./import_schema.ts";
import { namedHashes } from "./stored_reference.ts";
import { clampTitle, UNTITLED } from "./title.ts";
import { moveHead } from "./tree_change.ts";

/** What the end of a turn says that still ran when it was exported. */
export const IMPORTED_NOTICE = "This turn was still running when it was exported. What it had written is here";

/** Rows, and characters of data, that are written together. */
const BATCH_ROWS = 200;
const BATCH_LENGTH = 4 * 1024 * 1024;

export interface ImportServices {
  readonly storage: Pick<Storage, "database" | "blobs">;
  readonly book: Pick<ConversationBook, "announce">;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Stands in for an agent that no table declares here. */
  readonly entryAgent: string;
  readonly isAgent: (name: string) => boolean;
  /** What is wrong with a model string, or `null`. */
  readonly modelProblem: (model: string) => string | null;
}

export class Importer implements Imports {
  readonly #services: ImportServices;

  constructor(services: ImportServices) {
    this.#services = services;
  }

  /** @inheritdoc */
  async import(
    pieces: AsyncIterable<Uint8Array>,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<Conversation> {
    const staged = new StagedConversation(this.#services);
    const check = new ImportCheck();
    try {
      for await (const line of linesOf(pieces)) {
        signal?.throwIfAborted();
        const item = check.take(line);
        switch (item.kind) {
          case "header":
            await staged.begin(item.header);
            break;
          case "entry":
            await staged.add(item.entry, check.turns);
            break;
          case "blob":
            await staged.keep(item.blob, line.number);
            break;
          case "turn":
          case "end":
          case "unknown":
            break;
          default:
            item satisfies never;
        }
      }
      check.finish();
      signal?.throwIfAborted();
      await staged.show(check.turns);
    } catch (error) {
      await staged.remove().catch(() => {});
      throw error;
    }
    return await this.#services.book.announce(staged.id);
  }
}

/**
 * A conversation on its way in. Until it is shown it is stored as one that was deleted a moment ago, so that housekeeping
 * takes it away if this process ends.
 */
class StagedConversation {
  readonly id: string;
  readonly #services: ImportServices;
  #header: HeaderLine | null = null;
  /** New ids of the turns, once all of them are known. */
  #ids: ReadonlyMap<string, string> | null = null;
  /** Of turns that ran: their calls, and their last sign of life. */
  readonly #running = new Map<string, { calls: RoundData[]; lastAt: string | null }>();
  #batch: Statement[] = [];
  #length = 0;

  constructor(services: ImportServices) {
    this.#services = services;
    this.id = services.newId();
  }

  async begin(header: HeaderLine): Promise<void> {
    const { entryAgent, isAgent, modelProblem } = this.#services;
    this.#header = header;
    const { title, title_kind, agent, model, pinned, created_at } = header;
    const at = this.#now();
    await this.#write([{
      sql: `insert into conversations
              (id, title, title_kind, agent, model, pinned, origin, created_at, updated_at, deleted_at)
            values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)`,
      args: [
        this.id,
        clampTitle(title) || UNTITLED,
        title_kind,
        isAgent(agent) ? agent : entryAgent,
        model === null || modelProblem(model) !== null ? null : model,
        pinned ? 1 : 0,
        JSON.stringify({ kind: "import", conversation: header.id } satisfies Conversation["origin"]),
        new Date(created_at).toISOString(),
        at,
      ],
    }]);
  }

  async add(entry: CheckedEntry, turns: ReadonlyMap<string, TurnLine>): Promise<void> {
    const ids = await this.#named(turns);
    const { seq, turn, run, parent_run, kind, state, at, text } = entry;
    const running = this.#running.get(turn ?? "");
    if (running) running.lastAt = at;
    if (running && kind === "round") running.calls.push(JSON.parse(text));
    await this.#later({
      sql: `insert into entries (conversation, seq, turn, run, parent_run, kind, state, at, touched, data)
            values (?, ?, ?, ?, ?, ?, ?, ?, 0, ?)`,
      args: [this.id, seq, turn === null ? null : ids.get(turn)!, run, parent_run, kind, state, at, text],
    }, text.length);
  }

  /** Stores a file under what it hashes to, which has to be what it is called. */
  async keep({ hash, media_type, data }: BlobLine, line: number): Promise<void> {
    if (data === null || media_type === null) return;
    const stored = await this.#services.storage.blobs.put(bytesOf(data, line), media_type, this.id);
    if (stored !== hash) throw new BadRequest(lineName(line), "The file is not what its hash says: it was changed");
    await this.#stay();
  }

  /** Everything is there: closes what was open and shows the conversation. */
  async show(turns: ReadonlyMap<string, TurnLine>): Promise<void> {
    const ids = await this.#named(turns);
    await this.#flush();
    const header = this.#header!;
    const closed = [...this.#running].map(([turn, { calls, lastAt }]): ClosedTurn =>
      closedTurn({ ...turns.get(turn)!, id: ids.get(turn)! }, calls, lastAt)
    );
    const { id } = this;
    const at = this.#now();
    const head = header.head ?? [...turns.keys()].at(-1);
    if (head !== undefined) await moveHead(this.#services.storage.database, id, ids.get(head)!);
    await this.#write([
      {
        sql: "update conversations set last_seq = ?2, read_seq = min(?3, ?2) where id = ?1",
        args: [id, header.last_seq, header.read_seq],
      },
      ...closingStatements(id, closed, { text: IMPORTED_NOTICE, at }),
      {
        // Also what the file does not bring along, and is here.
        sql: `insert into blob_holders (hash, conversation) select hash, ?1 from blobs
              where hash in (${namedHashes("entries.conversation = ?1")}) on conflict do nothing`,
        args: [id],
      },
      {
        sql: `update conversations set deleted_at = null, updated_at = ?2, turn_count = ?3,
                last_seq = max(last_seq, coalesce((select max(seq) from entries where conversation = ?1), 0))
              where id = ?1`,
        args: [id, at, turns.size],
      },
    ]);
  }

  /** Takes everything away again. */
  async remove(): Promise<void> {
    if (this.#header === null) return;
    await this.#write([{ sql: "delete from conversations where id = ?", args: [this.id] }]);
    await this.#services.storage.blobs.sweep();
  }

  /** The turns' new ids; stores the turns when the first of what follows them comes. */
  async #named(turns: ReadonlyMap<string, TurnLine>): Promise<ReadonlyMap<string, string>> {
    if (this.#ids !== null) return this.#ids;
    // In the order of their ids, so that versions of a turn keep theirs.
    this.#ids = new Map([...turns.keys()].sort().map((id) => [id, this.#services.newId()]));
    for (const turn of turns.values()) {
      if (turn.status === "running") this.#running.set(turn.id, { calls: [], lastAt: null });
      await this.#later(insertTurn(this.id, turn, this.#ids), 0);
    }
    return this.#ids;
  }

  async #later(statement: Statement, length: number): Promise<void> {
    this.#batch.push(statement);
    this.#length += length;
    if (this.#batch.length >= BATCH_ROWS || this.#length >= BATCH_LENGTH) await this.#flush();
  }

  async #flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#length = 0;
    if (batch.length > 0) await this.#write([...batch, this.#deletedNow()]);
  }

  /** Keeps housekeeping away from an import that takes long. */
  async #stay(): Promise<void> {
    await this.#write([this.#deletedNow()]);
  }

  #deletedNow(): Statement {
    return { sql: "update conversations set deleted_at = ? where id = ?", args: [this.#now(), this.id] };
  }

  #now(): string {
    return this.#services.now().toISOString();
  }

  async #write(statements: readonly Statement[]): Promise<void> {
    await this.#services.storage.database.write(statements);
  }
}

/** A turn that ran is stored as interrupted: nothing runs it here. */
function insertTurn(conversation: string, turn: TurnLine, ids: ReadonlyMap<string, string>): Statement {
  const json = (value: unknown): SqlValue => value === null ? null : JSON.stringify(value);
  return {
    sql: `insert into turns (id, conversation, parent, n, origin, status, agent, model, thinking, usage, failure, token,
            started_at, ended_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    args: [
      ids.get(turn.id)!,
      conversation,
      turn.parent === null ? null : ids.get(turn.parent)!,
      turn.n,
      turn.origin,
      turn.status === "running" ? "interrupted" : turn.status,
      turn.agent,
      turn.model,
      json(turn.thinking),
      json(turn.usage),
      turn.failure,
      turn.token,
      turn.started_at,
      turn.ended_at,
    ],
  };
}

function bytesOf(data: string, line: number): Uint8Array {
  try {
    return Uint8Array.fromBase64(data, { lastChunkHandling: "strict" });
  } catch {
    throw new BadRequest(lineName(line), "The file is not base64: it was cut off or changed");
  }
}
