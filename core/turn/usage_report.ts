/**
 * What was used over time, by day, agent or model.
 *
 * @module
 */
import type { Database } from "../storage/mod.ts";
import { addUsage, type Usage, usageSchema } from "../log/mod.ts";

/** One row of `GET /api/usage?by=`: the turns of a day, an agent or a model, added up. */
export interface UsageRow {
  readonly key: string;
  readonly turns: number;
  readonly usage: Usage;
}

const KEYS = { day: "substr(started_at, 1, 10)", agent: "agent", model: "model" } as const;

/** One row per day (UTC, newest first), agent or model; turns without a model call are not counted. */
export async function reportUsage(database: Database, by: keyof typeof KEYS): Promise<UsageRow[]> {
  const rows = await database.read(
    `select ${KEYS[by]} as key, usage from turns where usage is not null order by key ${by === "day" ? "desc" : "asc"}`,
  );
  const groups = Map.groupBy(rows, (row) => String(row.key));
  return [...groups].map(([key, group]) => ({
    key,
    turns: group.length,
    usage: addUsage(group.map((row) => usageSchema.parse(JSON.parse(String(row.usage))) as Usage)),
  }));
}
