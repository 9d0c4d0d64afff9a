/**
 * The database itself, as the worker holds it: opened, checked, brought to the newest schema, then read and written.
 *
 * Invariants
 * 1. A group of statements is committed whole or not at all, whatever the groups that share its commit do.
 * 2. Groups take effect in the order they are given.
 * 3. A database that was opened damaged is never written.
 *
 * @module
 */
import { type Client, createClient, type ResultSet } from "@libsql/client";
import type { SqlValue, Statement } from "./contract.ts";
import { KnownFailure, sqliteCode, toFailure } from "./failure.ts";
import { type CheckDepth, inspectDatabase } from "./health.ts";
import { type Migration, MIGRATIONS } from "./migrations/mod.ts";
import type { DatabaseLocation, OpenReport, ResultTable, WriteOutcome } from "./protocol.ts";
import { migrate, schemaVersion } from "./schema.ts";

/** Files up to this size get the full check at every start. */
const FULL_CHECK_BYTES = 64 * 1024 * 1024;

/** Milliseconds to wait for another process that holds the file, a backup tool for instance. */
const BUSY_TIMEOUT = 5000;

export class Engine {
  readonly #client: Client;
  readonly #local: boolean;
  readonly report: OpenReport;

  private constructor(client: Client, local: boolean, report: OpenReport) {
    this.#client = client;
    this.#local = local;
    this.report = report;
  }

  /** Opens the database and says what was found. Throws what `toFailure` can sort. */
  static async open(location: DatabaseLocation, migrations: readonly Migration[] = MIGRATIONS): Promise<Engine> {
    if (location.kind === "server") return await Engine.#openServer(location, migrations);
    const state = await fileState(location.path);
    const client = createClient({ url: fileUrl(location.path), timeout: BUSY_TIMEOUT, concurrency: 1 });
    try {
      return new Engine(client, true, await prepareFile(client, state, migrations));
    } catch (error) {
      client.close();
      throw error;
    }
  }

  static async #openServer(
    { url, token }: { readonly url: string; readonly token: string | null },
    migrations: readonly Migration[],
  ): Promise<Engine> {
    const client = createClient(token === null ? { url } : { url, authToken: token });
    try {
      await migrate(client, migrations);
    } catch (error) {
      client.close();
      throw error;
    }
    return new Engine(client, false, { repaired: [], damage: null });
  }

  async read(statement: Statement): Promise<ResultTable> {
    return toTable(await this.#client.execute(toLibsql(statement)));
  }

  /** Commits the groups together; when that fails, one by one, so that each answers for itself alone. */
  async write(groups: readonly (readonly Statement[])[]): Promise<readonly WriteOutcome[]> {
    const together = await this.#commit(groups);
    if (groups.length < 2 || "outcomes" in together) return settled(groups, together);
    // Only where the database itself refused is it certain that nothing was committed.
    if (!together.code?.startsWith("SQLITE_")) return settled(groups, together);
    const outcomes: WriteOutcome[] = [];
    for (const group of groups) outcomes.push(...settled([group], await this.#commit([group])));
    return outcomes;
  }

  async close(): Promise<void> {
    if (this.#local && this.report.damage === null) {
      // An empty write-ahead log is the mark of a clean end (`fileState`).
      await this.#client.execute("pragma wal_checkpoint(truncate)").catch(() => {});
    }
    this.#client.close();
  }

  async #commit(groups: readonly (readonly Statement[])[]): Promise<Commit> {
    try {
      const results = await this.#client.batch(groups.flat().map(toLibsql), "write");
      let at = 0;
      const outcomes = groups.map((group): WriteOutcome => {
        const own = results.slice(at, at += group.length);
        return { ok: true, results: own.map(toTable) };
      });
      return { outcomes };
    } catch (error) {
      return { code: sqliteCode(error), outcome: { ok: false, failure: toFailure(error) } };
    }
  }
}

type Commit =
  | { readonly outcomes: readonly WriteOutcome[] }
  | { readonly code: string | null; readonly outcome: WriteOutcome };

function settled(groups: readonly unknown[], commit: Commit): readonly WriteOutcome[] {
  return "outcomes" in commit ? commit.outcomes : groups.map(() => commit.outcome);
}

interface FileState {
  readonly fresh: boolean;
  readonly depth: CheckDepth;
}

/** Looks at the file before SQLite does, so that a file that is no database is told apart from a damaged one. */
async function fileState(path: string): Promise<FileState> {
  const bytes = await sizeOf(path);
  if (bytes === 0) return { fresh: true, depth: "full" };
  using file = await Deno.open(path, { read: true });
  const head = new Uint8Array(16);
  const read = await file.read(head) ?? 0;
  if (new TextDecoder().decode(head.subarray(0, read)) !== "SQLite format 3\0") {
    throw new KnownFailure({ kind: "damaged", message: "it is not a database", code: "SQLITE_NOTADB" });
  }
  const endedCleanly = await sizeOf(`${path}-wal`) === 0;
  return { fresh: false, depth: endedCleanly && bytes > FULL_CHECK_BYTES ? "quick" : "full" };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
}

async function prepareFile(client: Client, state: FileState, migrations: readonly Migration[]): Promise<OpenReport> {
  const known = migrations.at(-1)?.version ?? 0;
  const found = await schemaVersion(client);
  if (found > known) throw new KnownFailure({ kind: "too_new", found, known });
  await client.execute("pragma journal_mode = wal");
  await client.execute("pragma synchronous = normal");
  await client.execute("pragma foreign_keys = on");
  const report = state.fresh || found === 0 ? SOUND : await inspectDatabase(client, state.depth);
  if (report.damage === null) await migrate(client, migrations);
  else await client.execute("pragma query_only = on");
  return report;
}

const SOUND: OpenReport = { repaired: [], damage: null };

/** `?`, `#` and `%` in a folder's name must not be read as parts of an address. */
function fileUrl(path: string): string {
  return `file:${path.split("/").map(encodeURIComponent).join("/")}`;
}

function toLibsql(statement: Statement): { sql: string; args: (null | string | number | bigint | ArrayBuffer)[] } {
  return { sql: statement.sql, args: (statement.args ?? []).map(toLibsqlValue) };
}

/** Whole numbers travel as integers: libSQL would store a JavaScript number as a real. */
function toLibsqlValue(value: SqlValue): null | string | number | bigint | ArrayBuffer {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (value instanceof Uint8Array) return value.slice().buffer;
  return value;
}

function toTable(result: ResultSet): ResultTable {
  const rows = result.rows.map((row) => result.columns.map((_, index) => row[index] as SqlValue));
  return { columns: result.columns, rows };
}
