/**
 * What was used over time, by day, agent and model.
 *
 * The database adds up what happened within the same quarter of an hour by the same agent and models, and that is then put
 * together by day: every clock there is differs from the world's by whole quarters of an hour, so a day begins where it does
 * for the person, and a hundred thousand turns need not be read one by one.
 *
 * @module
 */
import type { Database, Row } from "../storage/mod.ts";
import { addUsage, type Usage } from "../log/mod.ts";
import { parseModelString } from "../model/mod.ts";

/** One row of `GET /api/usage?by=`: the turns of a day, an agent or a model, added up. */
export interface UsageRow {
  /** A day as `2026-03-01`, the name of an agent, or a model string. */
  readonly key: string;
  readonly turns: number;
  /** Of these, how many cost something that is not known; models of this machine cost nothing. */
  readonly unpriced: number;
  /** US dollars of the turns whose cost is known: all there is to say where `usage.cost` is absent. */
  readonly known_cost: number;
  readonly usage: Usage;
}

/** The same turns three times: days from the newest to the oldest, the others by name. Turns without a model call are not in it. */
export interface UsageReport {
  readonly day: readonly UsageRow[];
  readonly agent: readonly UsageRow[];
  readonly model: readonly UsageRow[];
}

export interface UsageReportOptions {
  readonly now: Date;
  /** IANA name of the zone in which days begin. */
  readonly zone: string;
  /** How many days, today included; all there are if absent. */
  readonly days?: number;
}

const QUARTER_SECONDS = 900;
const DAY_MS = 24 * 60 * 60 * 1000;

/** What one agent used with the same models within a quarter of an hour. */
interface Group extends Omit<UsageRow, "key"> {
  readonly day: string;
  readonly agent: string;
  readonly model: string;
}

/** Reads and adds up. Throws `RangeError` on a zone that does not exist. */
export async function reportUsage(database: Database, options: UsageReportOptions): Promise<UsageReport> {
  const { now, zone, days } = options;
  const dayOf = dayFinder(zone);
  const first = days === undefined ? "" : dayBefore(dayOf(now.getTime()), days - 1);
  // Any day begins within 14 hours of the world's; the first one is cut exactly afterwards.
  const since = first === "" ? "" : new Date(Date.parse(first) - DAY_MS).toISOString();
  const [sums, shares] = await Promise.all([database.read(SUMS, [since]), database.read(SHARES, [since])]);
  const sharesOf = Map.groupBy(shares, groupKey);
  const groups = sums.map((row) => groupOf(row, dayOf, sharesOf)).filter(({ day }) => day >= first);
  return {
    day: addUp(groups, ({ day }) => day).reverse(),
    agent: addUp(groups, ({ agent }) => agent),
    model: addUp(groups, ({ model }) => model),
  };
}

/** The day so many days before one. */
export function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
}

const COUNTS = [
  "calls",
  "reported_calls",
  "input_tokens",
  "output_tokens",
  "cached_tokens",
  "reasoning_tokens",
] as const;

const COLUMNS = `unixepoch(started_at) / ${QUARTER_SECONDS} as quarter, agent, model`;

const SUMS = `select ${COLUMNS}, usage ->> '$.models' as models, count(*) as turns,
    ${[...COUNTS, "model_seconds", "wall_seconds"].map((key) => `sum(usage ->> '$.${key}') as ${key}`).join(", ")},
    total(usage ->> '$.cost') as cost, count(usage ->> '$.cost') as priced
  from turns where usage is not null and started_at >= ? group by quarter, agent, model, models`;

const SHARES =
  `select ${COLUMNS}, usage ->> '$.models' as models, share.key as name, sum(share.value ->> '$.calls') as calls,
    sum(share.value ->> '$.input_tokens') as input_tokens, sum(share.value ->> '$.output_tokens') as output_tokens
  from turns, json_each(usage, '$.by_agent') as share
  where usage is not null and started_at >= ? group by quarter, agent, model, models, name`;

function groupKey({ quarter, agent, model, models }: Row): string {
  return JSON.stringify([quarter, agent, model, models]);
}

function groupOf(row: Row, dayOf: (time: number) => string, shares: ReadonlyMap<string, readonly Row[]>): Group {
  const models = JSON.parse(String(row.models)) as string[];
  const [turns, priced] = [Number(row.turns), Number(row.priced)];
  const own = shares.get(groupKey(row)) ?? [];
  return {
    day: dayOf(Number(row.quarter) * QUARTER_SECONDS * 1000),
    agent: String(row.agent),
    model: String(row.model),
    turns,
    unpriced: models.every(isFree) ? 0 : turns - priced,
    known_cost: Number(row.cost),
    usage: {
      ...Object.fromEntries(COUNTS.map((key) => [key, Number(row[key])])) as Record<typeof COUNTS[number], number>,
      model_seconds: Number(row.model_seconds),
      wall_seconds: Number(row.wall_seconds),
      ...(priced === turns ? { cost: Number(row.cost) } : {}),
      models,
      by_agent: Object.fromEntries(own.map(({ name, calls, input_tokens, output_tokens }) => [String(name), {
        calls: Number(calls),
        input_tokens: Number(input_tokens),
        output_tokens: Number(output_tokens),
      }])),
    },
  };
}

function addUp(groups: readonly Group[], keyOf: (group: Group) => string): UsageRow[] {
  return [...Map.groupBy(groups, keyOf)].map(([key, own]) => addRows(key, own)).sort((a, b) => a.key < b.key ? -1 : 1);
}

/** Several rows as one: the days of a month, for instance. */
export function addRows(key: string, rows: readonly Omit<UsageRow, "key">[]): UsageRow {
  const sum = (of: (row: Omit<UsageRow, "key">) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    key,
    turns: sum(({ turns }) => turns),
    unpriced: sum(({ unpriced }) => unpriced),
    known_cost: sum(({ known_cost }) => known_cost),
    usage: addUsage(rows.map(({ usage }) => usage)),
  };
}

/** The day of an instant in a zone. */
function dayFinder(zone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return (time) => format.format(time);
}

/** Whether a model runs on the person's machine or is the demonstration: it costs nothing. */
function isFree(model: string): boolean {
  try {
    const { provider } = parseModelString(model);
    return ["demo", "ollama", "lmstudio", "llamacpp", "vllm"].includes(provider);
  } catch {
    return false;
  }
}
