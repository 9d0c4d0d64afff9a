/**
 * A log over a real store in a folder of its own.
 *
 * @module
 */
import { openStorage, type Storage } from "../../../core/storage/mod.ts";
import { type Entry, Feed, Log, type LogOperation } from "../../../core/log/mod.ts";

export interface LogFixture extends AsyncDisposable {
  readonly dataDir: string;
  readonly storage: Storage;
  readonly feed: Feed;
  readonly log: Log;
  /** Everything the feed announced. */
  readonly heard: LogOperation[];
  /** Adds a conversation row, opened for writing. */
  conversation(id: string): Promise<string>;
  /** The stored entries of a conversation, read past everything held in memory. */
  stored(id: string): Promise<readonly Entry[]>;
}

/** Opens a log; disposing of it closes the store and removes the folder. */
export async function openLog(): Promise<LogFixture> {
  const dataDir = await Deno.makeTempDir({ prefix: "malama-log-" });
  const storage = await openStorage({ dataDir });
  const feed = new Feed();
  const log = new Log(storage.database, feed);
  const heard: LogOperation[] = [];
  feed.subscribe((operation) => heard.push(operation));
  return {
    dataDir,
    storage,
    feed,
    log,
    heard,
    async conversation(id) {
      const at = new Date().toISOString();
      await storage.database.write([{
        sql: `insert into conversations (id, title, title_kind, agent, created_at, updated_at)
              values (?, 'T', 'placeholder', 'assistant', ?, ?)`,
        args: [id, at, at],
      }]);
      await log.open(id);
      return id;
    },
    async stored(id) {
      const fresh = new Log(storage.database, new Feed());
      return (await fresh.entries(id, { limit: 500 })).items;
    },
    async [Symbol.asyncDispose]() {
      await storage.close();
      await Deno.remove(dataDir, { recursive: true });
    },
  };
}
