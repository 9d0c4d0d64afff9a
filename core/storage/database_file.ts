/**
 * Opening a database file: looking at it before SQLite does, settling how it is run, checking it, bringing it up to date.
 *
 * How thorough the check is follows from what it costs (measured on two cores, pages in the system's cache): the full one
 * 4.5 ms a MB, the quick one 1.9 ms a MB. So a file up to 32 MB gets the full check at every start (150 ms at most), as
 * does any file after an end that was not clean; a larger one gets the quick check once a day, and a glance otherwise.
 *
 * @module
 */
import { type Client, createClient } from "@libsql/client";
import { KnownFailure } from "./failure.ts";
import { type CheckDepth, inspectDatabase } from "./health.ts";
import type { Migration } from "./migrations/mod.ts";
import type { OpenReport } from "./protocol.ts";
import { acceptedVersion, migrate } from "./schema.ts";

/** Milliseconds to wait for another process that holds the file, a backup tool for instance. */
const BUSY_TIMEOUT = 5000;

/** Milliseconds after which a large file is checked again. */
const CHECK_INTERVAL = 24 * 60 * 60 * 1000;

export interface DatabaseFileOptions {
  readonly path: string;
  readonly migrations: readonly Migration[];
  readonly now: Date;
  /** Files up to this size get the full check at every start. */
  readonly fullCheckBytes: number;
}

/** The open file and what was found. With damage in it, it takes no writes. */
export async function openDatabaseFile(
  options: DatabaseFileOptions,
): Promise<{ readonly client: Client; readonly report: OpenReport }> {
  const { path, migrations } = options;
  const file = await look(path);
  const client = createClient({ url: fileUrl(path), timeout: BUSY_TIMEOUT, concurrency: 1 });
  try {
    const found = await acceptedVersion(client, migrations);
    await settle(client);
    const report = found === 0 ? SOUND : await check(client, file, options);
    if (report.damage === null) await migrate(client, migrations);
    else await forbidWriting(client);
    return { client, report };
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Closes the file so that the next start sees a clean end: with an empty write-ahead log. */
export async function closeDatabaseFile(client: Client, report: OpenReport): Promise<void> {
  if (report.damage === null) await client.execute("pragma wal_checkpoint(truncate)").catch(() => {});
  client.close();
}

/** From here on SQLite itself refuses every change. */
export async function forbidWriting(client: Client): Promise<void> {
  await client.execute("pragma query_only = on");
}

export const SOUND: OpenReport = { repaired: [], damage: null };

interface FileFacts {
  readonly bytes: number;
  readonly endedCleanly: boolean;
}

/** Tells a file that is no database at all from a damaged one. */
async function look(path: string): Promise<FileFacts> {
  const bytes = await sizeOf(path);
  const endedCleanly = await sizeOf(`${path}-wal`) === 0;
  if (bytes > 0 && await heading(path) !== "SQLite format 3\0") {
    throw new KnownFailure({ kind: "damaged", message: "it is not a database", code: "SQLITE_NOTADB" });
  }
  return { bytes, endedCleanly };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
}

async function heading(path: string): Promise<string> {
  using file = await Deno.open(path, { read: true });
  const head = new Uint8Array(16);
  const length = await file.read(head) ?? 0;
  return new TextDecoder().decode(head.subarray(0, length));
}

/** In write-ahead mode `normal` loses nothing committed when the process dies, and never damages the file. */
async function settle(client: Client): Promise<void> {
  await client.execute("pragma journal_mode = wal");
  await client.execute("pragma synchronous = normal");
  await client.execute("pragma foreign_keys = on");
}

async function check(client: Client, file: FileFacts, options: DatabaseFileOptions): Promise<OpenReport> {
  const large = file.bytes > options.fullCheckBytes;
  const depth = !large || !file.endedCleanly ? "full" : await checkOfLargeFile(client, options.now);
  const report = await inspectDatabase(client, depth);
  if (large && depth !== "glance" && report.damage === null) await rememberCheck(client, options.now);
  return report;
}

/** `glance` within a day of the last check; anything odd about the time of it counts as none. */
async function checkOfLargeFile(client: Client, now: Date): Promise<CheckDepth> {
  try {
    const rows = (await client.execute("select value from meta where key = 'checked_at'")).rows;
    const age = now.getTime() - Date.parse(String(rows[0]?.[0]));
    return age >= 0 && age < CHECK_INTERVAL ? "glance" : "quick";
  } catch {
    return "full";
  }
}

async function rememberCheck(client: Client, now: Date): Promise<void> {
  await client.execute({
    sql:
      "insert into meta (key, value) values ('checked_at', ?) on conflict (key) do update set value = excluded.value",
    args: [now.toISOString()],
  });
}

/** `?`, `#` and `%` in a folder's name must not be read as parts of an address. */
function fileUrl(path: string): string {
  return `file:${path.split("/").map(encodeURIComponent).join("/")}`;
}
