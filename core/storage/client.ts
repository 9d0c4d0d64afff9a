/**
 * The `Database` the rest of the house uses: the worker behind it, one queue of writes, reads that go straight through.
 *
 * @module
 */
import type { Database, Row, SqlValue, Statement } from "./contract.ts";
import { ReadOnlyStorage, StorageClosed, StorageFailed } from "./errors.ts";
import { failureError } from "./failure.ts";
import { type DatabaseLocation, displayName, type Failure, type OpenReport } from "./protocol.ts";
import { WorkerLink } from "./worker_link.ts";
import { toRows, WriteQueue } from "./write_queue.ts";

export interface DatabaseClientOptions {
  readonly location: DatabaseLocation;
  /** The data folder, for error text. */
  readonly folder: string;
  readonly now: Date;
  /** Told when the worker dies by itself; everything asked for then and later is rejected as well. */
  readonly onCrash: (error: StorageFailed) => void;
  /** Told when damage met after opening was repaired, or ended writing. */
  readonly onReport?: (report: OpenReport) => void;
  /** The worker to talk to; a test puts a failing one in its place. */
  readonly worker?: () => Worker;
  readonly signal?: AbortSignal;
}

export class DatabaseClient implements Database {
  readonly #link: WorkerLink;
  readonly #queue: WriteQueue;
  #report: OpenReport = { repaired: [], damage: null };
  #closing: Promise<void> | null = null;

  private constructor({ location, folder, onCrash, onReport, worker = startWorker }: DatabaseClientOptions) {
    const where = { folder, file: displayName(location) };
    const toError = (failure: Failure) => failureError(failure, where);
    const link = new WorkerLink({
      worker: worker(),
      toError,
      onCrash,
      onReport: (report) => {
        this.#report = report;
        onReport?.(report);
      },
    });
    this.#link = link;
    this.#queue = new WriteQueue({ commit: (groups) => link.ask({ op: "write", groups }), toError });
  }

  /** Starts the worker and opens the database in it. Throws the errors of `errors.ts`, or the signal's reason. */
  static async open(options: DatabaseClientOptions): Promise<DatabaseClient> {
    const { location, now, signal } = options;
    signal?.throwIfAborted();
    const client = new DatabaseClient(options);
    const abort = () => client.#link.end(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      client.#report = await client.#link.ask({ op: "open", location, now });
      return client;
    } catch (error) {
      client.#link.end(new StorageClosed());
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** What is known of the database's health. */
  get report(): OpenReport {
    return this.#report;
  }

  /** Rows of one query. `explain` is refused: libSQL leaves its statement open, and nothing could be checkpointed. */
  async read(sql: string, args: readonly SqlValue[] = []): Promise<readonly Row[]> {
    if (this.#closing !== null) throw new StorageClosed();
    if (!/^\s*(?:select|with|values|pragma)\b/i.test(sql)) {
      throw new StorageFailed("read() takes a query; use write() to change something");
    }
    checkValues(args);
    return toRows(await this.#link.ask({ op: "read", statement: { sql, args } }));
  }

  async write(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
    if (this.#closing !== null) throw new StorageClosed();
    if (this.#report.damage !== null) {
      throw new ReadOnlyStorage("the database is damaged and is open for reading only, to keep what is left of it");
    }
    if (statements.length === 0) return [];
    for (const { args } of statements) checkValues(args ?? []);
    return await this.#queue.write(statements);
  }

  /** Refuses what comes later, waits for what was asked before, and closes the file. */
  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    await this.#queue.drain();
    // Only a worker that died can fail here, and that was reported when it happened.
    await this.#link.ask({ op: "close" }).catch(() => {});
    this.#link.end(new StorageClosed());
  }
}

/** Refuses what no column can hold before it joins a group, so that it fails its own caller alone. */
function checkValues(values: readonly unknown[]): void {
  const index = values.findIndex((value) => !isSqlValue(value));
  if (index >= 0) {
    throw new StorageFailed(`value ${index + 1} of a statement is ${String(values[index])}, not a SQL value`);
  }
}

function isSqlValue(value: unknown): value is SqlValue {
  if (value === null || typeof value === "string") return true;
  if (typeof value === "number") return Number.isFinite(value);
  return value instanceof ArrayBuffer || value instanceof Uint8Array;
}

function startWorker(): Worker {
  return new Worker(import.meta.resolve("./worker.ts"), { type: "module", name: "malama-storage" });
}
