/**
 * Database rows as the log's own types, and back: the one place where the two meet.
 *
 * @module
 */
import { z } from "zod";
import type { Row } from "../storage/mod.ts";
import type { Entry, EntryKind, Turn } from "./entry.ts";
import { entryData, turnRow } from "./entry_schema.ts";

/** The columns of an entry, in the order the log's queries name them. */
export const ENTRY_COLUMNS = "conversation, seq, turn, run, parent_run, kind, state, at, data";

/** The columns of a turn. */
export const TURN_COLUMNS =
  "id, conversation, n, parent, origin, status, agent, model, thinking, usage, failure, token, started_at, ended_at";

/**
 * One entry of a row. A row whose data does not fit its kind (a damaged or newer file) becomes a `notice` that says so: the
 * rest of the conversation stays readable.
 */
export function entryOfRow(row: Row): Entry {
  const kind = String(row.kind) as EntryKind;
  const frame = {
    conversation: String(row.conversation),
    seq: Number(row.seq),
    turn: textOrNull(row.turn),
    run: textOrNull(row.run),
    parent_run: textOrNull(row.parent_run),
    state: row.state === "open" ? "open" as const : "done" as const,
    at: String(row.at),
  };
  const data = parseData(kind, String(row.data));
  if (data === null) {
    return { ...frame, kind: "notice", data: { text: `Entry ${frame.seq} cannot be read`, level: "warning" } };
  }
  return { ...frame, kind, data } as Entry;
}

/** One turn of a row. Throws when the row is not one: a turn is what everything else hangs on. */
export function turnOfRow(row: Row): Turn {
  const turn = turnRow.parse(row);
  return { ...turn, thinking: turn.thinking as Turn["thinking"], usage: turn.usage as Turn["usage"] };
}

function parseData(kind: EntryKind, text: string): unknown {
  const schema: z.ZodType | undefined = entryData[kind];
  if (!schema) return null;
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function textOrNull(value: Row[string] | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
