/**
 * Checking a database file when it is opened.
 *
 * @module
 */
import type { Client } from "@libsql/client";
import type { OpenReport } from "./protocol.ts";
import { checkSearchIndex, isSearchTable, rebuildSearchIndex } from "./search_index.ts";

/** How thorough a check is: `full` also compares every index with its table. */
export type CheckDepth = "full" | "quick";

/**
 * Checks the file, rebuilds the full-text index when that alone is damaged, and says what was found. Nothing is written
 * when an ordinary table is damaged.
 */
export async function inspectDatabase(client: Client, depth: CheckDepth): Promise<OpenReport> {
  const problems = await checkFile(client, depth);
  const searchProblem = await problemOf(() => checkSearchIndex(client));
  if (problems.length === 0 && searchProblem === null) return { repaired: [], damage: null };

  const damaged = await damagedTables(client);
  const ordinary = damaged.filter((table) => !isSearchTable(table.name));
  const searchDamaged = searchProblem !== null || damaged.length > ordinary.length;
  if (ordinary.length > 0) return { repaired: [], damage: ordinary.map(describe).join("; ") };
  if (!searchDamaged) return { repaired: [], damage: problems.join("; ") };
  return await repairSearchIndex(client);
}

async function repairSearchIndex(client: Client): Promise<OpenReport> {
  const failure = await problemOf(async () => {
    await rebuildSearchIndex(client);
    await checkSearchIndex(client);
  });
  const left = failure === null ? await checkFile(client, "full") : [failure];
  if (left.length > 0) return { repaired: [], damage: left.join("; ") };
  // Gives back the pages of the old index. Without space for that they stay unused, which harms nothing.
  await problemOf(() => client.execute("vacuum"));
  return { repaired: ["the full-text index, which was damaged, was rebuilt from the conversations"], damage: null };
}

/** What SQLite's own check says, unused pages aside; empty when the file is sound. */
async function checkFile(client: Client, depth: CheckDepth): Promise<readonly string[]> {
  const pragma = depth === "full" ? "integrity_check" : "quick_check";
  try {
    const result = await client.execute(`pragma ${pragma}(1000)`);
    return problemLines(result.rows.map((row) => String(row[0])));
  } catch (error) {
    return [messageOf(error)];
  }
}

interface DamagedTable {
  readonly name: string;
  readonly detail: string;
}

/** Checks each table by itself, to tell the index from what it is made of. */
async function damagedTables(client: Client): Promise<readonly DamagedTable[]> {
  const tables = await client.execute(
    "select name from sqlite_schema where type = 'table' and sql not like 'create virtual%' order by name",
  );
  const damaged: DamagedTable[] = [];
  for (const row of tables.rows) {
    const name = String(row[0]);
    const detail = await problemOf(async () => {
      const result = await client.execute(`pragma integrity_check("${name}")`);
      const lines = problemLines(result.rows.map((line) => String(line[0])));
      if (lines.length > 0) throw new Error(lines[0]);
    });
    if (detail !== null) damaged.push({ name, detail });
  }
  return damaged;
}

function describe(table: DamagedTable): string {
  return `table "${table.name}": ${table.detail}`;
}

/** The lines that name a problem: neither "ok", nor a heading, nor a page that is merely unused. */
export function problemLines(rows: readonly string[]): readonly string[] {
  return rows.flatMap((row) => row.split("\n")).filter((line) =>
    line !== "" && line !== "ok" && !line.startsWith("*** in database") && !/^Page \d+: never used$/.test(line)
  );
}

async function problemOf(attempt: () => Promise<unknown>): Promise<string | null> {
  try {
    await attempt();
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
