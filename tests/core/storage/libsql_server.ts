/**
 * A small libSQL server on loopback: the Hrana 2 protocol over HTTP, with a real SQLite file behind it. It speaks what the
 * client sends for `execute` and `batch`; each request is a stream of its own.
 *
 * @module
 */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

export interface LibsqlServer {
  readonly url: string;
  /** The `authorization` header of each request so far. */
  readonly authorizations: readonly (string | null)[];
  /** How many transactions the client tried to commit. */
  readonly batches: number;
  /** From now on a batch is done but its answer arrives cut short. */
  breakAnswers(): void;
  close(): Promise<void>;
}

/** Starts a server over the SQLite file at `path`; with a token it refuses requests that do not carry it. */
export function startLibsqlServer(path: string, token: string | null = null): LibsqlServer {
  const database = new DatabaseSync(path);
  const authorizations: (string | null)[] = [];
  const state = { batches: 0, broken: false };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    if (new URL(request.url).pathname !== "/v2/pipeline") return new Response("no such version", { status: 404 });
    const authorization = request.headers.get("authorization");
    authorizations.push(authorization);
    if (token !== null && authorization !== `Bearer ${token}`) return new Response("wrong token", { status: 401 });
    const { requests } = await request.json() as { requests: readonly StreamRequest[] };
    const sql = new Map<number, string>();
    const results = requests.map((step) => answer(database, step, sql));
    if (requests.some((step) => step.type === "batch")) state.batches++;
    if (state.broken) return new Response('{"baton":', { headers: { "content-type": "application/json" } });
    return Response.json({ baton: null, base_url: null, results });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    authorizations,
    get batches() {
      return state.batches;
    },
    breakAnswers: () => void (state.broken = true),
    close: async () => {
      await server.shutdown();
      database.close();
    },
  };
}

interface WireStatement {
  readonly sql?: string;
  readonly sql_id?: number;
  readonly args?: readonly WireValue[];
}

type WireValue =
  | { readonly type: "null" }
  | { readonly type: "integer"; readonly value: string }
  | { readonly type: "float"; readonly value: number }
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "blob"; readonly base64: string };

type Condition =
  | { readonly type: "ok" | "error"; readonly step: number }
  | { readonly type: "not"; readonly cond: Condition }
  | { readonly type: "and" | "or"; readonly conds: readonly Condition[] };

interface Step {
  readonly stmt: WireStatement;
  readonly condition?: Condition;
}

type StreamRequest =
  | { readonly type: "close" }
  | { readonly type: "execute"; readonly stmt: WireStatement }
  | { readonly type: "batch"; readonly batch: { readonly steps: readonly Step[] } }
  | { readonly type: "store_sql"; readonly sql_id: number; readonly sql: string }
  | { readonly type: "close_sql"; readonly sql_id: number };

function answer(database: DatabaseSync, request: StreamRequest, sql: Map<number, string>): unknown {
  try {
    return { type: "ok", response: { type: request.type, ...perform(database, request, sql) } };
  } catch (error) {
    return { type: "error", error: wireError(error) };
  }
}

function perform(database: DatabaseSync, request: StreamRequest, sql: Map<number, string>): object {
  switch (request.type) {
    case "execute":
      return { result: execute(database, request.stmt, sql) };
    case "batch":
      return { result: batch(database, request.batch.steps, sql) };
    case "store_sql":
      sql.set(request.sql_id, request.sql);
      return {};
    case "close_sql":
    case "close":
      return {};
    default:
      return request satisfies never;
  }
}

function batch(database: DatabaseSync, steps: readonly Step[], sql: ReadonlyMap<number, string>): object {
  const results: unknown[] = [];
  const errors: unknown[] = [];
  for (const { stmt, condition } of steps) {
    const due = condition === undefined || holds(condition, results, errors);
    try {
      results.push(due ? execute(database, stmt, sql) : null);
      errors.push(null);
    } catch (error) {
      results.push(null);
      errors.push(wireError(error));
    }
  }
  return { step_results: results, step_errors: errors };
}

function holds(condition: Condition, results: readonly unknown[], errors: readonly unknown[]): boolean {
  switch (condition.type) {
    case "ok":
      return results[condition.step] !== null;
    case "error":
      return errors[condition.step] !== null;
    case "not":
      return !holds(condition.cond, results, errors);
    case "and":
      return condition.conds.every((one) => holds(one, results, errors));
    case "or":
      return condition.conds.some((one) => holds(one, results, errors));
    default:
      return condition satisfies never;
  }
}

function execute(database: DatabaseSync, stmt: WireStatement, sql: ReadonlyMap<number, string>): object {
  const statement = database.prepare(stmt.sql ?? sql.get(stmt.sql_id ?? -1) ?? "");
  statement.setReadBigInts(true);
  const rows = statement.all(...(stmt.args ?? []).map(fromWire)) as Record<string, unknown>[];
  const names = statement.columns().map((column) => column.name);
  return {
    cols: names.map((name) => ({ name })),
    rows: rows.map((row) => names.map((name) => toWire(row[name]))),
    affected_row_count: 0,
    last_insert_rowid: null,
  };
}

function fromWire(value: WireValue): SQLInputValue {
  switch (value.type) {
    case "null":
      return null;
    case "integer":
      return BigInt(value.value);
    case "float":
    case "text":
      return value.value;
    case "blob":
      return Uint8Array.fromBase64(value.base64);
    default:
      return value satisfies never;
  }
}

function toWire(value: unknown): WireValue {
  if (typeof value === "bigint") return { type: "integer", value: String(value) };
  if (typeof value === "number") return { type: "float", value };
  if (value instanceof Uint8Array) return { type: "blob", base64: value.toBase64({ omitPadding: true }) };
  return value === null || value === undefined ? { type: "null" } : { type: "text", value: String(value) };
}

function wireError(error: unknown): { message: string; code: string } {
  const { message, errcode } = error as { message: string; errcode?: number };
  const codes: Readonly<Record<number, string>> = { 5: "SQLITE_BUSY", 13: "SQLITE_FULL", 19: "SQLITE_CONSTRAINT" };
  return { message: `SQLite error: ${message}`, code: codes[(errcode ?? 1) & 0xff] ?? "SQLITE_UNKNOWN" };
}
