/**
 * Checking a database file, and rebuilding what is only derived from the rest.
 *
 * SQLite's check covers the full-text index too, its own structure included, but not whether it still lists every entry;
 * the full check adds that. What SQLite does not say plainly is whose pages are damaged, so when it complains each table
 * is checked by itself.
 *
 * Invariants
 * 1. Nothing is written while an ordinary table is damaged (tests/core/storage/damage_test.ts).
 * 2. A damaged index never costs an entry: it is rebuilt from them (tests/core/storage/damage_test.ts).
 *
 * @module
 */
import type { Client } from "@libsql/client";
import { plainError, toFailure } from "./failure.ts";
import type { OpenReport } from "./protocol.ts";
import {
  compareSearchIndex,
  isSearchTable,
  namesSearchIndex,
  openSearchIndex,
  rebuildSearchIndex,
} from "./search_index.ts";

/** How thorough a check is: `full` also compares every index with what it is made of, `glance` only opens the full-text index. */
export type CheckDepth = "full" | "quick" | "glance";

/** What a person reads about a repair. */
export const REPAIRED_SEARCH = "The full-text index was damaged and has been rebuilt from the conversations";
export const REPAIRED_PAGES = "The list of unused pages was damaged and has been rebuilt";

/** Checks the file, repairs what can be repaired without loss, and says what was found. */
export async function inspectDatabase(client: Client, depth: CheckDepth): Promise<OpenReport> {
  const problems = depth === "glance" ? [] : await checkFile(client, depth);
  const compares = depth === "full" && problems.length === 0;
  const searchProblem = await problemOf(() => compares ? compareWithSpace(client) : openSearchIndex(client));
  if (problems.length === 0 && searchProblem === null) return { repaired: [], damage: null };

  const damaged = await damagedTables(client);
  const ordinary = damaged.filter((table) => !isSearchTable(table.name));
  if (ordinary.length > 0) return { repaired: [], damage: ordinary.map(describe).join("; ") };
  const searchDamaged = searchProblem !== null || damaged.length > 0 || problems.some(namesSearchIndex);
  return searchDamaged
    ? await repair(client, REPAIRED_SEARCH, () => rebuildSearchIndex(client))
    : await repair(client, REPAIRED_PAGES, () => Promise.resolve());
}

/** `vacuum` writes every live page anew and so leaves behind whatever belongs to no table. */
async function repair(client: Client, what: string, rebuild: () => Promise<void>): Promise<OpenReport> {
  const failure = await problemOf(async () => {
    await rebuild();
    // Without space for it the pages of the old index stay unused, which harms nothing.
    await unlessFull(client.execute("vacuum"));
    await compareWithSpace(client);
  });
  const left = [...(failure === null ? [] : [failure]), ...await checkFile(client, "full")];
  return left.length > 0 ? { repaired: [], damage: left.join("; ") } : { repaired: [what], damage: null };
}

/** The comparison takes the form of a write; on a full disk it is left out, so that what is stored can be read. */
async function compareWithSpace(client: Client): Promise<void> {
  await openSearchIndex(client);
  await unlessFull(compareSearchIndex(client));
}

async function unlessFull(attempt: Promise<unknown>): Promise<void> {
  try {
    await attempt;
  } catch (error) {
    if (toFailure(error).kind !== "full") throw error;
  }
}

/** What SQLite's own check says, unused pages aside; empty when the file is sound. */
async function checkFile(client: Client, depth: "full" | "quick"): Promise<readonly string[]> {
  const pragma = depth === "full" ? "integrity_check" : "quick_check";
  try {
    const all = await client.execute(`pragma ${pragma}(1000)`);
    // SQLite leaves the list of unused pages out when the table it happens to check first is a view or a virtual one.
    const unused = await client.execute(`pragma ${pragma}(sqlite_schema)`);
    return [...new Set(problemLines([...all.rows, ...unused.rows].map((row) => String(row[0]))))];
  } catch (error) {
    return [problemText(error)];
  }
}

interface DamagedTable {
  readonly name: string;
  readonly detail: string;
}

/** Checks each table with its indexes by itself, to tell the full-text index from what it is made of. */
async function damagedTables(client: Client): Promise<readonly DamagedTable[]> {
  const tables = await client.execute(
    "select name from sqlite_schema where type = 'table' and sql not like 'create virtual%' order by name",
  );
  const damaged: DamagedTable[] = [];
  for (const row of tables.rows) {
    const name = String(row[0]);
    const detail = await tableProblem(client, name);
    if (detail !== null) damaged.push({ name, detail });
  }
  return damaged;
}

async function tableProblem(client: Client, name: string): Promise<string | null> {
  try {
    const result = await client.execute(`pragma integrity_check("${name}")`);
    return problemLines(result.rows.map((line) => String(line[0])))[0] ?? null;
  } catch (error) {
    return problemText(error);
  }
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
    return problemText(error);
  }
}

/** Result codes that speak of the disk, of permissions or of other processes, and not of what the file holds. */
const NO_DAMAGE = /^SQLITE_(?:FULL|BUSY|LOCKED|IOERR|NOMEM|READONLY|CANTOPEN|PERM|INTERRUPT|PROTOCOL)/;

/** What an error says of the file; throws it again when it is about something else. */
function problemText(error: unknown): string {
  const { message, code } = plainError(error);
  if (code === null || NO_DAMAGE.test(code)) throw error;
  return message;
}
