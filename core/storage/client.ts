/**
 * The `Database` the rest of the house uses: the worker behind it, one queue of writes, reads that go straight through.
 *
 * @module
 */
import type { Database, Row, SqlValue, Statement } from "./contract.ts";
import { ReadOnlyStorage, StorageClosed, StorageFailed } from "./errors.ts";
import { failureError } from "./failure.ts";
import type { DatabaseLocation, OpenReport } from "./protocol.ts";
import { WorkerLink } from "./worker_link.ts";
import { toRows, WriteQueue } from "./write_queue.ts";

export interface DatabaseClientOptions {
  readonly location: DatabaseLocation;
  /** The data folder, for error text. */
  readonly folder: string;
  /** Told when the worker dies by itself; everything asked for then and later is rejected as well. */
  readonly onCrash: (error: StorageFailed) => void;
  /** The worker to talk to; a test puts a failing one in its place. */
  readonly worker?: () => Worker;
  readonly signal?: AbortSignal;
}

export class DatabaseClient implements Database {
  readonly report: OpenReport;
  readonly #link: WorkerLink;
  readonly #queue: WriteQueue;
  #closed = false;

  private constructor(link: WorkerLink, queue: WriteQueue, report: OpenReport) {
    this.#link = link;
    this.#queue = queue;
    this.report = report;
  }

  /** Starts the worker and opens the database in it. Throws the errors of `errors.ts`. */
  static async open({ location, folder, onCrash, worker, signal }: DatabaseClientOptions): Promise<DatabaseClient> {
    signal?.throwIfAborted();
    const where = { folder, file: location.kind === "file" ? location.path : location.url };
    const toError = (failure: Parameters<typeof failureError>[0]) => failureError(failure, where);
    const link = new WorkerLink({ worker: (worker ?? startWorker)(), toError, onCrash });
    const abort = () => link.end(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      const report = await link.ask({ op: "open", location });
      const queue = new WriteQueue({ commit: (groups) => link.ask({ op: "write", groups }), toError });
      return new DatabaseClient(link, queue, report);
    } catch (error) {
      link.end(new StorageClosed());
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  async read(sql: string, args: readonly SqlValue[] = []): Promise<readonly Row[]> {
    this.#refuseWhenClosed();
    if (!/^\s*(?:select|with|values|explain|pragma)\b/i.test(sql)) {
      throw new StorageFailed("read() takes a query; use write() to change something");
    }
    return toRows(await this.#link.ask({ op: "read", statement: { sql, args } }));
  }

  async write(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
    this.#refuseWhenClosed();
    if (this.report.damage !== null) {
      throw new ReadOnlyStorage("the database is damaged and was opened for reading only, to keep what is left of it");
    }
    if (statements.length === 0) return [];
    return await this.#queue.write(statements);
  }

  /** Refuses what comes later, waits for what was asked before, and closes the file. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#queue.drain();
    try {
      await this.#link.ask({ op: "close" });
    } finally {
      this.#link.end(new StorageClosed());
    }
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new StorageClosed();
  }
}

function startWorker(): Worker {
  return new Worker(import.meta.resolve("./worker.ts"), { type: "module", name: "malama-storage" });
}
