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
 * Runs the steps the database does not have yet, each in one transaction together with its version, so that a crash
 * between two of them leaves a database that the next start brings on. Refuses one that is newer than the last step, and
 * a database with tables but no version, which is somebody else's.
 */
export async function migrate(client: Client, migrations: readonly Migration[]): Promise<void> {
  const found = await schemaVersion(client);
  const known = migrations.at(-1)?.version ?? 0;
  if (found > known) throw new KnownFailure({ kind: "too_new", found, known });
  if (found === 0) await refuseForeignDatabase(client);
  for (const migration of migrations.filter(({ version }) => version > found)) {
    await client.batch([...migration.statements, `pragma user_version = ${migration.version}`], "write");
  }
}

async function refuseForeignDatabase(client: Client): Promise<void> {
  const tables = await client.execute("select name from sqlite_schema where type = 'table' limit 1");
  const name = tables.rows[0]?.[0];
  if (name === undefined) return;
  throw new KnownFailure({
    kind: "damaged",
    message: `it belongs to another program (it holds a table "${name}" that Malama did not make)`,
    code: null,
  });
}
