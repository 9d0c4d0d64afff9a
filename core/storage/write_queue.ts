/**
 * The one queue every write goes through.
 *
 * Invariants
 * 1. Writes take effect in the order they were asked for; at most one request is with the database at a time.
 * 2. Writes that wait together may share one commit; what one caller gets never depends on the others of its group.
 * 3. `drain()` resolves when everything asked for before it is settled.
 *
 * @module
 */
import type { Row, Statement } from "./contract.ts";
import type { Failure, ResultTable, WriteOutcome } from "./protocol.ts";

/** At most this many statements share a commit, so that reads do not wait long behind one. */
const MOST_STATEMENTS = 200;

interface Waiting {
  readonly statements: readonly Statement[];
  resolve(results: readonly (readonly Row[])[]): void;
  reject(error: unknown): void;
}

export interface WriteQueueOptions {
  /** Commits the groups, each atomic by itself, in order. */
  readonly commit: (groups: readonly (readonly Statement[])[]) => Promise<readonly WriteOutcome[]>;
  readonly toError: (failure: Failure) => Error;
}

export class WriteQueue {
  readonly #options: WriteQueueOptions;
  #waiting: Waiting[] = [];
  #running: Promise<void> | null = null;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  /** Queues one transaction; resolves with the rows of each statement once it is committed. */
  write(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly (readonly Row[])[]>();
    this.#waiting.push({ statements, resolve, reject });
    this.#running ??= this.#run();
    return promise;
  }

  /** Resolves when nothing waits and nothing runs. */
  async drain(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#commit(this.#takeGroup());
    this.#running = null;
  }

  #takeGroup(): readonly Waiting[] {
    let count = 0;
    const end = this.#waiting.findIndex((write, index) => {
      count += write.statements.length;
      return index > 0 && count > MOST_STATEMENTS;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#options.commit(group.map((write) => write.statements));
      group.forEach((write, index) => this.#settle(write, outcomes[index]));
    } catch (error) {
      for (const write of group) write.reject(error);
    }
  }

  #settle(write: Waiting, outcome: WriteOutcome | undefined): void {
    if (outcome === undefined) write.reject(new Error("The database did not answer"));
    else if (outcome.ok) write.resolve(outcome.results.map(toRows));
    else write.reject(this.#options.toError(outcome.failure));
  }
}

/** Rows as objects, the form callers read. */
export function toRows({ columns, rows }: ResultTable): readonly Row[] {
  return rows.map((values) => Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null])));
}
