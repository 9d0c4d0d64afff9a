import assert from "node:assert/strict";
import { appendRows, groupRows, refreshRows, removeRow, upsertRow } from "../../../components/state/rows.ts";
import type { Conversation } from "../../../core/log/entry.ts";

const row = (id: string, updated_at: string, more: Partial<Conversation> = {}): Conversation => ({
  id,
  title: id,
  agent: "assistant",
  model: null,
  head: null,
  running: false,
  pinned: false,
  unread: false,
  task: null,
  graph: null,
  origin: null,
  turns: 1,
  created_at: updated_at,
  updated_at,
  ...more,
});
const ids = (rows: readonly Conversation[]) => rows.map(({ id }) => id);

Deno.test("upsertRow() keeps the newest first and each row once", () => {
  const rows = [row("b", "2026-11-30T10:00:00Z"), row("a", "2026-11-30T09:00:00Z")];
  assert.deepEqual(ids(upsertRow(rows, row("a", "2026-11-30T11:00:00Z"))), ["a", "b"]);
  assert.deepEqual(ids(upsertRow(rows, row("c", "2026-11-30T09:30:00Z"))), ["b", "c", "a"]);
  assert.deepEqual(ids(upsertRow(rows, row("c", "2026-11-30T12:30:00+03:00"))), ["b", "c", "a"]);
});

Deno.test("removeRow() changes nothing when the row is not there", () => {
  const rows = [row("a", "2026-11-30T09:00:00Z")];
  assert.equal(removeRow(rows, "x"), rows);
  assert.deepEqual(removeRow(rows, "a"), []);
});

Deno.test("refreshRows() drops what is gone from the first page and keeps older pages", () => {
  const rows = [row("c", "2026-11-30T11:00:00Z"), row("b", "2026-11-30T10:00:00Z"), row("a", "2026-11-29T09:00:00Z")];
  const first = [row("d", "2026-11-30T12:00:00Z"), row("b", "2026-11-30T10:00:00Z")];
  assert.deepEqual(ids(refreshRows(rows, first)), ["d", "b", "a"]);
  assert.deepEqual(refreshRows(rows, []), []);
});

Deno.test("appendRows() adds only what is new", () => {
  const rows = [row("b", "2026-11-30T10:00:00Z")];
  assert.deepEqual(ids(appendRows(rows, [row("b", "2026-11-30T10:00:00Z"), row("a", "2026-11-29T10:00:00Z")])), [
    "b",
    "a",
  ]);
});

Deno.test("groupRows() goes from pinned over the days to the months", () => {
  const at = (year: number, month: number, day: number, hour = 12) =>
    new Date(year, month - 1, day, hour).toISOString();
  const rows = [
    row("now", at(2026, 11, 30, 9)),
    row("late", at(2026, 11, 29, 23)),
    row("week", at(2026, 11, 24)),
    row("pin", at(2026, 11, 20), { pinned: true }),
    row("month", at(2026, 11, 3)),
    row("spring", at(2026, 4, 3)),
    row("old", at(2024, 4, 3)),
  ];
  const groups = groupRows(rows, new Date(2026, 10, 30, 10).getTime());
  assert.deepEqual(groups.map(({ name, rows }) => [name, ...ids(rows)]), [
    ["Pinned", "pin"],
    ["Today", "now"],
    ["Yesterday", "late"],
    ["Last week", "week"],
    ["November", "month"],
    ["April", "spring"],
    ["April 2024", "old"],
  ]);
});

Deno.test("groupRows() puts a clock that is ahead, or a time that cannot be read, somewhere sensible", () => {
  const now = new Date(2026, 10, 30).getTime();
  assert.equal(groupRows([row("a", new Date(2026, 11, 2).toISOString())], now)[0]!.name, "Today");
  assert.equal(groupRows([row("a", "nonsense")], now)[0]!.name, "January 1970");
});
