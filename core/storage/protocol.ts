/**
 * What the storage worker and its client say to each other over `postMessage`.
 *
 * @module
 */
import type { SqlValue, Statement } from "./contract.ts";

/** Where the database is. A file is opened here; anything else is a libSQL server. */
export type DatabaseLocation =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "server"; readonly url: string; readonly token: string | null };

/** What a person is told the database is called; never a token that an address may carry. */
export function displayName(location: DatabaseLocation): string {
  if (location.kind === "file") return location.path;
  return URL.canParse(location.url) ? `${new URL(location.url).protocol}//${new URL(location.url).host}` : "the server";
}

/** Rows as columns and values, which clone more cheaply than one object a row. */
export interface ResultTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
}

/** How one group of statements of a `write` request ended. */
export type WriteOutcome =
  | { readonly ok: true; readonly results: readonly ResultTable[] }
  | { readonly ok: false; readonly failure: Failure };

/** What was found and done when the database was opened. */
export interface OpenReport {
  /** What was rebuilt, in words for a person. */
  readonly repaired: readonly string[];
  /** What the check said when the database had to be opened read-only; `null` when it is sound. */
  readonly damage: string | null;
}

export type Request =
  | { readonly op: "open"; readonly location: DatabaseLocation; readonly now: Date }
  | { readonly op: "read"; readonly statement: Statement }
  /** Each group is one caller's transaction; groups may share one commit. */
  | { readonly op: "write"; readonly groups: readonly (readonly Statement[])[] }
  | { readonly op: "close" };

/** What each request is answered with. */
export interface Answers {
  readonly open: OpenReport;
  readonly read: ResultTable;
  readonly write: readonly WriteOutcome[];
  readonly close: null;
}

export type RequestMessage = { readonly id: number; readonly request: Request };

export type WorkerMessage =
  | AnswerMessage
  /** Damage met after opening: what is known now. */
  | { readonly report: OpenReport };

export type AnswerMessage =
  | { readonly id: number; readonly ok: true; readonly value: Answers[Request["op"]] }
  | { readonly id: number; readonly ok: false; readonly failure: Failure };

/** An error in a form that survives cloning; `failureError` turns it into the error a caller sees. */
export type Failure =
  | {
    readonly kind: "full" | "read_only" | "damaged" | "failed";
    readonly message: string;
    readonly code: string | null;
  }
  | { readonly kind: "too_new"; readonly found: number; readonly known: number };
