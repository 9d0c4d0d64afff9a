/**
 * Conversations whose turns a test writes itself, over a real store: no model, no runner.
 *
 * @module
 */
import { ConversationBook, Importer, openExport } from "../../../core/conversation/mod.ts";
import {
  type EntryData,
  type EntryKind,
  Feed,
  idSource,
  Log,
  type LogOperation,
  type Turn,
  type TurnStatus,
} from "../../../core/log/mod.ts";
import { openStorage, type Storage } from "../../../core/storage/mod.ts";

export interface TreeFixture extends AsyncDisposable {
  readonly storage: Storage;
  readonly log: Log;
  readonly book: ConversationBook;
  readonly imports: Importer;
  readonly heard: LogOperation[];
  /** Conversations the runner is said to be busy with. */
  readonly busy: Set<string>;
  readonly newId: () => string;
  /** Begins a turn under another one and puts it in view, as the runner does. `label` becomes its model. */
  begin(conversation: string, parent: string | null, label: string, row?: Partial<Turn>): Promise<string>;
  end(turn: string, status?: TurnStatus): Promise<void>;
  say<K extends EntryKind>(conversation: string, turn: string | null, kind: K, data: EntryData[K]): Promise<number>;
  /** A turn with a question and an answer, ended. */
  exchange(conversation: string, parent: string | null, label: string): Promise<string>;
  /** The JSONL export, line by line. */
  lines(conversation: string, full?: boolean): Promise<string[]>;
}

/** Opens a store; disposing closes it and removes the folder. */
export async function openTree(): Promise<TreeFixture> {
  const dataDir = await Deno.makeTempDir({ prefix: "malama-tree-" });
  const storage = await openStorage({ dataDir });
  const { database } = storage;
  const feed = new Feed();
  const heard: LogOperation[] = [];
  feed.subscribe((operation) => heard.push(operation));
  const now = () => new Date();
  const newId = idSource(now);
  const log = new Log(database, feed, now);
  const busy = new Set<string>();
  const services = {
    entryAgent: "assistant",
    isAgent: (name: string) => name === "assistant",
    modelProblem: (model: string) => model.includes(":") ? null : `"${model}" is no model string`,
    now,
    newId,
  };
  const book = new ConversationBook({
    ...services,
    database,
    feed,
    log,
    isRunning: (id) => busy.has(id),
    stopTurn: () => Promise.resolve(),
  });
  const imports = new Importer({ ...services, storage, book });

  const fixture: TreeFixture = {
    storage,
    log,
    book,
    imports,
    heard,
    busy,
    newId,
    async begin(conversation, parent, label, row = {}) {
      const id = newId();
      const at = row.started_at ?? now().toISOString();
      await database.write([{
        sql: `insert into turns (id, conversation, parent, n, origin, status, agent, model, thinking, token, started_at)
              values (?1, ?2, ?3, coalesce((select n from turns where id = ?3), 0) + 1, ?4, 'running', 'assistant', ?5, ?6,
                ?7, ?8)`,
        args: [
          id,
          conversation,
          parent,
          row.origin ?? "person",
          label,
          row.thinking ? JSON.stringify(row.thinking) : null,
          row.token ?? null,
          at,
        ],
      }, {
        sql: "update conversations set head = ?, turn_count = turn_count + 1, updated_at = ? where id = ?",
        args: [id, at, conversation],
      }]);
      return id;
    },
    async end(turn, status = "done") {
      await database.write([{
        sql: "update turns set status = ?, ended_at = ? where id = ?",
        args: [status, now().toISOString(), turn],
      }]);
    },
    async say(conversation, turn, kind, data) {
      await log.open(conversation);
      return (await log.append(conversation, { turn, kind, data })).seq;
    },
    async exchange(conversation, parent, label) {
      const turn = await fixture.begin(conversation, parent, label);
      await fixture.say(conversation, turn, "user", { text: `ask ${label}`, images: [], from: "person" });
      await fixture.say(conversation, turn, "text", { text: `answer ${label}` });
      await fixture.end(turn);
      return turn;
    },
    async lines(conversation, full = false) {
      const source = { conversations: book, log, storage };
      const { pieces } = await openExport(source, conversation, { format: "jsonl", full });
      const text = (await Array.fromAsync(pieces)).join("");
      return text.slice(0, -1).split("\n");
    },
    async [Symbol.asyncDispose]() {
      await storage.close();
      await Deno.remove(dataDir, { recursive: true });
    },
  };
  return fixture;
}

/** Lines as the bytes of a file, cut into pieces of so many bytes. */
export async function* bytesOf(lines: readonly string[], size = 64 * 1024): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}
