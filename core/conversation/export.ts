/**
 * Exporting a conversation: as Markdown for a person, or as JSONL from which all of it can be rebuilt.
 *
 * **The JSONL format, version 1.** UTF-8, one JSON object a line, each line ended by `\n`, in this order:
 *
 * 1. The header: `{"malama": 1, "kind": "conversation", "full": false, "id": …}` with the columns of the conversation's row:
 *    `id, title, title_kind, agent, model, head, task, graph, origin, pinned, created_at, updated_at, last_seq, read_seq`.
 *    `malama` is the version of this format: a reader refuses a larger one. `origin` is JSON, `pinned` a boolean.
 * 2. `{"turn": {…}}` for each turn of every branch, in the order they began; a turn stands after its `parent`. The columns
 *    of the row: `id, conversation, n, parent, origin, status, agent, model, thinking, usage, failure, token, started_at,
 *    ended_at`, of which `thinking` and `usage` are JSON.
 * 3. `{"entry": {…}}` for each entry of every branch and of no turn, in order of `seq`. The columns of the row:
 *    `conversation, seq, turn, run, parent_run, kind, state, at, data`, of which `data` is JSON. Kinds and keys that this
 *    version does not know are there too. `seq` may have holes, where turns were deleted.
 * 4. Where `full` is true, `{"blob": {"hash", "media_type", "bytes", "data"}}` for each file the conversation holds, in order
 *    of `hash`: pictures, long results, captured requests. `data` is base64 with padding, `null` for a file that is lost.
 *    `hash` is the SHA-256 in 64 lower-case hex digits; entries name it in `/images/<hash>` and `/payloads/<hash>`.
 * 5. `{"end": {"turns": 2, "entries": 31, "blobs": 0}}`: how many of each there are. A file without this line was cut off.
 *
 * A column that should hold JSON and does not (a damaged store) is `null`, and its text stands beside it under the same name
 * with `_text` behind it. What a reader does not know, keys as well as lines, it passes over. While a turn runs, the file has
 * what stood when it was asked for: up to `last_seq` of the header, open entries (`"state": "open"`) with what they hold, the
 * turn as `running`; whoever imports it closes both as after a crash (core/turn/recovery.ts). Messages that wait for their
 * turn are not in it, for nothing has been said about them yet. What is counted or derived (`turns`, `unread`, `running`)
 * and what serves only watchers (`touched`) is not in it either.
 *
 * Invariants (tests/core/conversation/export_test.ts)
 * 1. A line reads back as exactly the stored row ("… any row").
 * 2. A page of rows or one file is in memory at a time, never a conversation ("… in pages").
 * 3. Nothing is read before it is asked for, and nothing after whoever asked has left.
 *
 * @module
 */
import { type Conversation, ENTRY_COLUMNS, type LogReader, TURN_COLUMNS } from "../log/mod.ts";
import type { Row, Storage } from "../storage/mod.ts";
import type { Book } from "./contract.ts";
import { ConversationNotFound } from "./errors.ts";
import { markdownPieces } from "./export_markdown.ts";
import { type ExportFormat, type ExportName, exportName } from "./export_name.ts";

/** The version of the JSONL format. */
export const EXPORT_VERSION = 1;

/** Rows that are read at a time. */
export const EXPORT_PAGE = 200;

/** Where an export is read from: an `Assistant` is one. */
export interface ExportSource {
  readonly conversations: Pick<Book, "get">;
  readonly log: Pick<LogReader, "entries" | "entriesOfTurns">;
  readonly storage: Pick<Storage, "database" | "blobs">;
}

export interface ExportOptions {
  readonly format: ExportFormat;
  /** With what is otherwise left out: thinking and whole results in Markdown, files in JSONL. */
  readonly full?: boolean;
  /** The zone Markdown tells times in; this machine's by default. */
  readonly timeZone?: string;
}

/** An export that can be read, once. */
export interface ConversationExport extends ExportName {
  readonly mediaType: string;
  /** Read as it is asked for. */
  readonly pieces: AsyncGenerator<string>;
}

/** The first line of a JSONL export. */
export interface ExportHeader {
  readonly malama: typeof EXPORT_VERSION;
  readonly kind: "conversation";
  readonly full: boolean;
  readonly [column: string]: unknown;
}

const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  md: "text/markdown; charset=utf-8",
  jsonl: "application/jsonl",
};

const CONVERSATION_COLUMNS =
  "id, title, title_kind, agent, model, head, task, graph, origin, pinned, created_at, updated_at, last_seq, read_seq";

/** Begins an export. Throws `ConversationNotFound`. */
export async function openExport(
  source: ExportSource,
  id: string,
  options: ExportOptions,
): Promise<ConversationExport> {
  const { format, full = false, timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone } = options;
  const begun = (of: Pick<Conversation, "id" | "title" | "created_at">, pieces: AsyncGenerator<string>) => ({
    ...exportName(of, format, full),
    mediaType: MEDIA_TYPES[format],
    pieces,
  });
  if (format === "md") {
    const detail = await source.conversations.get(id);
    return begun(detail, markdownPieces(source, detail, { full, timeZone }));
  }
  const found = await standing(source, id);
  const { title, created_at } = found.row;
  return begun({ id, title: String(title), created_at: String(created_at) }, jsonlPieces(source, found, full));
}

/** The conversation's row, and up to where its log goes now. */
interface Standing {
  readonly row: Row;
  /** The newest turn, by the order in which turns were stored. */
  readonly lastTurn: number;
}

async function standing({ storage }: ExportSource, id: string): Promise<Standing> {
  const [row] = await storage.database.read(
    `select ${CONVERSATION_COLUMNS}, (select max(rowid) from turns where conversation = ?1) as last_turn
     from conversations where id = ?1 and deleted_at is null`,
    [id],
  );
  if (!row) throw new ConversationNotFound(id);
  const { last_turn, ...columns } = row;
  return { row: columns, lastTurn: Number(last_turn ?? 0) };
}

async function* jsonlPieces(source: ExportSource, { row, lastTurn }: Standing, full: boolean): AsyncGenerator<string> {
  const { database } = source.storage;
  const id = String(row.id);
  const header = { ...row, pinned: Number(row.pinned) === 1, ...jsonColumn(row, "origin") };
  yield line({ malama: EXPORT_VERSION, kind: "conversation", full, ...header } satisfies ExportHeader);
  const counts = { turns: 0, entries: 0, blobs: 0 };

  const turns = pages(0, (after) =>
    database.read(
      `select rowid as place, ${TURN_COLUMNS} from turns where conversation = ? and rowid > ? and rowid <= ?
       order by rowid limit ${EXPORT_PAGE}`,
      [id, after, lastTurn],
    ), (last) => Number(last.place));
  for await (const page of turns) {
    counts.turns += page.length;
    yield page.map(({ place: _, ...turn }) =>
      line({ turn: { ...turn, ...jsonColumn(turn, "thinking"), ...jsonColumn(turn, "usage") } })
    ).join("");
  }

  const entries = pages(0, (after) =>
    database.read(
      `select ${ENTRY_COLUMNS} from entries where conversation = ? and seq > ? and seq <= ?
       order by seq limit ${EXPORT_PAGE}`,
      [id, after, Number(row.last_seq)],
    ), (last) => Number(last.seq));
  for await (const page of entries) {
    counts.entries += page.length;
    const lines: string[] = [];
    for (const entry of page) lines.push(line({ entry: await asItStands(source, entry) }));
    yield lines.join("");
  }

  if (full) {
    for await (const blob of blobs(source, id)) {
      counts.blobs++;
      yield blob;
    }
  }
  yield line({ end: counts });
}

/** An entry's row; of one that is still written, with the text that is not in the database yet. */
async function asItStands({ log }: ExportSource, row: Row): Promise<unknown> {
  if (row.state === "open") {
    const seq = Number(row.seq);
    const [entry] = (await log.entries(String(row.conversation), { after: seq - 1, limit: 1 })).items;
    if (entry?.seq === seq && entry.kind === row.kind) return entry;
  }
  return { ...row, ...jsonColumn(row, "data") };
}

async function* blobs({ storage }: ExportSource, id: string): AsyncGenerator<string> {
  const held = pages("", (after) =>
    storage.database.read(
      `select hash, media_type, bytes from blob_holders left join blobs using (hash)
       where conversation = ? and hash > ? order by hash limit ${EXPORT_PAGE}`,
      [id, after],
    ), (last) => String(last.hash));
  for await (const page of held) {
    for (const { hash, media_type, bytes } of page) {
      const blob = await storage.blobs.get(String(hash));
      yield line({ blob: { hash, media_type, bytes, data: blob?.bytes.toBase64() ?? null } });
    }
  }
}

/** Rows after `from`, page by page; `cursor` says where the next page begins. */
async function* pages<Cursor>(
  from: Cursor,
  read: (after: Cursor) => Promise<readonly Row[]>,
  cursor: (last: Row) => Cursor,
): AsyncGenerator<readonly Row[]> {
  for (let after = from;;) {
    const page = await read(after);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < EXPORT_PAGE) return;
    after = cursor(last);
  }
}

/** A column of JSON as what it says; as its text under another name where it says nothing. */
function jsonColumn(row: Row, column: string): Readonly<Record<string, unknown>> {
  const text = row[column];
  if (typeof text !== "string") return { [column]: null };
  try {
    return { [column]: JSON.parse(text) };
  } catch {
    return { [column]: null, [`${column}_text`]: text };
  }
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
