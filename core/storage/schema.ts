/**
 * Bringing a database to the newest schema.
 *
 * @module
 */
import type { Client } from "@libsql/client";
import { KnownFailure } from "./failure.ts";
import type { Migration } from "./migrations/mod.ts";

/** The version of the schema the database has; 0 for a fresh one. */
export async function schemaVersion(client: Client): Promise<number> {
  return Number((await client.execute("pragma user_version")).rows[0]?.[0] ?? 0);
}

/**
 * Refuses a database that is not ours to change: one newer than the last step, and one with tables but no version, which
 * is another program's. Gives the version of any other.
 */
export async function acceptedVersion(client: Client, migrations: readonly Migration[]): Promise<number> {
  const found = await schemaVersion(client);
  const known = migrations.at(-1)?.version ?? 0;
  if (found > known) throw new KnownFailure({ kind: "too_new", found, known });
  if (found > 0) return found;
  const table = (await client.execute("select name from sqlite_schema where type = 'table' limit 1")).rows[0]?.[0];
  if (table === undefined) return 0;
  const message = `it belongs to another program (it holds a table "${table}" that Malama did not make)`;
  throw new KnownFailure({ kind: "damaged", message, code: null });
}

/**
 * Runs the steps the database does not have yet, each in one transaction together with its version, so that a crash
 * between two of them leaves a database that the next start brings on.
 */
export async function migrate(client: Client, migrations: readonly Migration[]): Promise<void> {
  const found = await acceptedVersion(client, migrations);
  for (const { version, statements } of migrations) {
    if (version > found) await client.batch([...statements, `pragma user_version = ${version}`], "write");
  }
}
