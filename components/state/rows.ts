/**
 * The conversation list as the side shows it: newest first, in groups. Pure.
 *
 * @module
 */
import type { Conversation } from "../../core/log/entry.ts";
import { MONTHS } from "../words.ts";

export interface RowGroup {
  readonly name: string;
  readonly rows: readonly Conversation[];
}

/** Puts a row where it belongs, in place of the one it replaces. */
export function upsertRow(rows: readonly Conversation[], row: Conversation): readonly Conversation[] {
  return sortRows([...rows.filter((other) => other.id !== row.id), row]);
}

export function removeRow(rows: readonly Conversation[], id: string): readonly Conversation[] {
  return rows.some((row) => row.id === id) ? rows.filter((row) => row.id !== id) : rows;
}

/** The first page as it now is, with the older rows that were loaded before it: what is gone from it is gone. */
export function refreshRows(rows: readonly Conversation[], first: readonly Conversation[]): readonly Conversation[] {
  const oldest = first.at(-1)?.updated_at;
  const listed = new Set(first.map((row) => row.id));
  const kept = oldest === undefined ? [] : rows.filter((row) => !listed.has(row.id) && row.updated_at < oldest);
  return sortRows([...first, ...kept]);
}

/** A further page at the end. */
export function appendRows(rows: readonly Conversation[], more: readonly Conversation[]): readonly Conversation[] {
  const held = new Set(rows.map((row) => row.id));
  return sortRows([...rows, ...more.filter((row) => !held.has(row.id))]);
}

function sortRows(rows: readonly Conversation[]): readonly Conversation[] {
  return rows.toSorted((a, b) => a.updated_at === b.updated_at ? (a.id < b.id ? 1 : -1) : time(b) - time(a));
}

function time(row: Conversation): number {
  return Date.parse(row.updated_at) || 0;
}

/** Pinned, Today, Yesterday, Last week, then months. Groups with nothing in them are left out. */
export function groupRows(rows: readonly Conversation[], now: number): readonly RowGroup[] {
  const groups = new Map<string, Conversation[]>();
  const pinned = rows.filter((row) => row.pinned);
  if (pinned.length > 0) groups.set("Pinned", pinned);
  for (const row of rows) {
    if (row.pinned) continue;
    const name = groupOf(new Date(time(row)), new Date(now));
    const held = groups.get(name);
    if (held) held.push(row);
    else groups.set(name, [row]);
  }
  return [...groups].map(([name, rows]) => ({ name, rows }));
}

/** When something was, as the groups say it: `today`, `last week`, `October`. */
export function dayOf(iso: string, now: number): string {
  const name = groupOf(new Date(iso), new Date(now));
  return /^[TYL]/.test(name) ? name.toLowerCase() : name;
}

function groupOf(at: Date, now: Date): string {
  const days = Math.round((midnight(now) - midnight(at)) / 86_400_000);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days <= 7) return "Last week";
  const month = MONTHS[at.getMonth()]!;
  return at.getFullYear() === now.getFullYear() ? month : `${month} ${at.getFullYear()}`;
}

function midnight(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}
