/**
 * The database itself, as the worker holds it: opened, then read and written.
 *
 * Invariants
 * 1. A group of statements is committed whole or not at all, whatever the groups that share its commit do
 *    (tests/core/storage/engine_test.ts).
 * 2. Groups take effect in the order they are given (tests/core/storage/engine_test.ts).
 * 3. A database with damage in an ordinary table is never written (tests/core/storage/damage_test.ts).
 *
 * @module
 */
import { type Client, createClient, type ResultSet } from "@libsql/client";
import type { SqlValue, Statement } from "./contract.ts";
import { closeDatabaseFile, forbidWriting, openDatabaseFile, SOUND } from "./database_file.ts";
import { KnownFailure, plainError, sqliteCode, toFailure } from "./failure.ts";
import { inspectDatabase } from "./health.ts";
import { type Migration, MIGRATIONS } from "./migrations/mod.ts";
import {
  type DatabaseLocation,
  displayName,
  type OpenReport,
  type ResultTable,
  type WriteOutcome,
} from "./protocol.ts";
import { migrate } from "./schema.ts";

export interface EngineOptions {
  readonly location: DatabaseLocation;
  readonly now: Date;
  /** Told when damage met later on changes what was found at first. */
  readonly onReport?: (report: OpenReport) => void;
  readonly migrations?: readonly Migration[];
  /** Files up to this size get the full check at every start; 32 MB if absent. */
  readonly fullCheckBytes?: number;
}

export class Engine {
  readonly #client: Client;
  readonly #local: boolean;
  readonly #onReport: (report: OpenReport) => void;
  #report: OpenReport;

  private constructor(client: Client, local: boolean, report: OpenReport, onReport: (report: OpenReport) => void) {
    this.#client = client;
    this.#local = local;
    this.#report = report;
    this.#onReport = onReport;
  }

  /** Opens the database. Throws what `toFailure` can sort. */
  static async open(options: EngineOptions): Promise<Engine> {
    const { location, now, migrations = MIGRATIONS, fullCheckBytes = 32 * 1024 * 1024 } = options;
    const onReport = options.onReport ?? (() => {});
    if (location.kind === "server") {
      return new Engine(await connect(location, migrations), false, SOUND, onReport);
    }
    const { client, report } = await openDatabaseFile({ path: location.path, migrations, now, fullCheckBytes });
    return new Engine(client, true, report, onReport);
  }

  /** What was found and done so far. */
  get report(): OpenReport {
    return this.#report;
  }

  async read(statement: Statement): Promise<ResultTable> {
    try {
      return await this.#query(statement);
    } catch (error) {
      if (!await this.#recovered(error)) throw error;
      return await this.#query(statement);
    }
  }

  /** Commits the groups together; when that fails, one by one, so that each answers for itself alone. */
  async write(groups: readonly (readonly Statement[])[]): Promise<readonly WriteOutcome[]> {
    try {
      return await this.#commit(groups);
    } catch (error) {
      // Of a server only its own refusal says that nothing was committed; a lost answer leaves that open.
      const undone = this.#local || sqliteCode(error)?.startsWith("SQLITE_");
      if (!undone) return groups.map(() => refused(error));
    }
    const outcomes: WriteOutcome[] = [];
    for (const group of groups) outcomes.push(await this.#writeAlone(group));
    return outcomes;
  }

  async close(): Promise<void> {
    if (this.#local) await closeDatabaseFile(this.#client, this.#report);
    else this.#client.close();
  }

  async #query(statement: Statement): Promise<ResultTable> {
    return toTable(await this.#client.execute(toLibsql(statement)));
  }

  async #writeAlone(group: readonly Statement[]): Promise<WriteOutcome> {
    try {
      return (await this.#commit([group]))[0] ?? refused(new Error("Nothing was asked"));
    } catch (error) {
      if (!await this.#recovered(error)) return refused(error);
    }
    try {
      return (await this.#commit([group]))[0] ?? refused(new Error("Nothing was asked"));
    } catch (error) {
      return refused(error);
    }
  }

  async #commit(groups: readonly (readonly Statement[])[]): Promise<readonly WriteOutcome[]> {
    const results = await this.#client.batch(groups.flat().map(toLibsql), "write");
    let at = 0;
    return groups.map((group) => ({ ok: true, results: results.slice(at, at += group.length).map(toTable) }));
  }

  /**
   * After an error that speaks of damage: rebuilds the full-text index when only that is damaged, and says whether it
   * is worth trying again. Damage anywhere else ends writing.
   */
  async #recovered(error: unknown): Promise<boolean> {
    if (!this.#local || this.#report.damage !== null || !speaksOfDamage(error)) return false;
    const { repaired, damage } = await inspectDatabase(this.#client, "full");
    if (damage !== null) await forbidWriting(this.#client);
    if (damage === null && repaired.length === 0) return false;
    this.#report = { repaired: [...this.#report.repaired, ...repaired], damage };
    this.#onReport(this.#report);
    return damage === null;
  }
}

/** A damaged full-text index may also break its own constraints; then the code names no kind of constraint. */
function speaksOfDamage(error: unknown): boolean {
  return toFailure(error).kind === "damaged" || sqliteCode(error) === "SQLITE_CONSTRAINT";
}

/** A libSQL server checks its own files and takes no pragmas that tune one; only the schema is ours. */
async function connect(location: ServerLocation, migrations: readonly Migration[]): Promise<Client> {
  const { url, token } = location;
  let client: Client | null = null;
  try {
    client = createClient(token === null ? { url } : { url, authToken: token });
    await migrate(client, migrations);
    return client;
  } catch (error) {
    client?.close();
    throw error instanceof KnownFailure ? error : unreachable(location, error);
  }
}

type ServerLocation = Extract<DatabaseLocation, { kind: "server" }>;

function unreachable(location: ServerLocation, error: unknown): KnownFailure {
  const { message, code } = plainError(error);
  const advice = "check that it runs, [storage] url, and MALAMA_STORAGE_TOKEN";
  return new KnownFailure({
    kind: "failed",
    message: `the libSQL server "${displayName(location)}" could not be used (${message}); ${advice}`,
    code,
  });
}

function refused(error: unknown): WriteOutcome {
  return { ok: false, failure: toFailure(error) };
}

function toLibsql(statement: Statement): { sql: string; args: (null | string | number | bigint | ArrayBuffer)[] } {
  return { sql: statement.sql, args: (statement.args ?? []).map(toLibsqlValue) };
}

/** Whole numbers travel as integers: libSQL would store every JavaScript number as a real. */
function toLibsqlValue(value: SqlValue): null | string | number | bigint | ArrayBuffer {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (value instanceof Uint8Array) return value.slice().buffer;
  return value;
}

function toTable(result: ResultSet): ResultTable {
  const rows = result.rows.map((row) => result.columns.map((_, index) => row[index] as SqlValue));
  return { columns: result.columns, rows };
}
