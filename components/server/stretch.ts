/**
 * Which part of a conversation a page begins with: its end, a page before or after an entry, or what is around one.
 *
 * Invariant: it is one stretch of the path, from the message of a turn on, and it does not end inside the last turn
 * (tests/components/server/stretch_test.ts).
 *
 * @module
 */
import type { ConversationDetail } from "../../core/conversation/mod.ts";
import type { Entry, LogReader } from "../../core/log/mod.ts";
import type { Boot } from "../state/boot.ts";

/** How many entries of a conversation a page begins with. */
export const FIRST_ENTRIES = 200;

/** What the address asks for. */
export type Place =
  | { readonly kind: "end" }
  | { readonly kind: "before" | "after" | "at"; readonly seq: number };

export type Stretch = Required<Pick<Boot, "entries" | "older" | "newer" | "at">>;

/** `?at=`, `?before=` and `?after=` with a whole number from 1; anything else is the end. */
export function placeIn(query: URLSearchParams): Place {
  for (const kind of ["at", "before", "after"] as const) {
    const text = query.get(kind);
    const seq = Number(text);
    if (text !== null && Number.isSafeInteger(seq) && seq > 0) return { kind, seq };
  }
  return { kind: "end" };
}

/** Reads the stretch. An entry that is not on the path is not found: then it is the end. */
export async function readStretch(log: LogReader, { id, path }: ConversationDetail, place: Place): Promise<Stretch> {
  switch (place.kind) {
    case "end":
      return await before(log, id, path, undefined);
    case "before":
      return await before(log, id, path, place.seq);
    case "after":
      return await around(log, id, path, place.seq, null);
    case "at": {
      const found = await log.entries(id, { after: place.seq - 1, before: place.seq + 1 });
      if (found.items.length === 0) return await before(log, id, path, undefined);
      return await around(log, id, path, place.seq - 1, place.seq);
    }
    default:
      return place satisfies never;
  }
}

type Path = ConversationDetail["path"];

async function before(log: LogReader, id: string, path: Path, seq: number | undefined): Promise<Stretch> {
  const page = await log.entries(id, { before: seq, limit: FIRST_ENTRIES });
  const up = await fromMessage(log, id, page.items, FIRST_ENTRIES);
  const down = seq === undefined ? { items: up.items, newer: null } : await toTurnEnd(log, id, path, up.items, true);
  return { entries: { items: down.items, last_seq: page.last_seq }, older: up.older, newer: down.newer, at: null };
}

async function around(log: LogReader, id: string, path: Path, after: number, at: number | null): Promise<Stretch> {
  const limit = at === null ? FIRST_ENTRIES : FIRST_ENTRIES / 2;
  const [above, below] = await Promise.all([
    log.entries(id, { before: after + 1, limit: FIRST_ENTRIES - limit + 1 }),
    log.entries(id, { after, limit }),
  ]);
  const up = await fromMessage(log, id, [...above.items, ...below.items], above.items.length);
  const older = above.items.length <= FIRST_ENTRIES - limit ? null : up.older;
  const down = await toTurnEnd(log, id, path, up.items, below.items.length >= limit);
  return { entries: { items: down.items, last_seq: below.last_seq }, older, newer: down.newer, at };
}

/** With what is missing of the first turn. `full`: as many entries as say that there are more before them. */
async function fromMessage(log: LogReader, id: string, items: readonly Entry[], full: number) {
  const first = items[0];
  if (!first || items.length < full) return { items, older: null };
  if (first.kind === "user" || first.turn === null) return { items, older: first.seq > 1 ? first.seq : null };
  const turn = await log.entriesOfTurns(id, [first.turn]);
  const whole = [...turn.filter((entry) => entry.seq < first.seq), ...items];
  const start = whole[0]!.seq;
  return { items: whole, older: start > 1 ? start : null };
}

/** With what is missing of the last turn of the path. `more`: there may be entries after these. */
async function toTurnEnd(log: LogReader, id: string, path: Path, items: readonly Entry[], more: boolean) {
  const last = items.at(-1);
  if (!last || !more) return { items, newer: null };
  if (last.turn === null || last.turn !== path.at(-1)?.id) return { items, newer: last.seq };
  const turn = await log.entriesOfTurns(id, [last.turn]);
  return { items: [...items, ...turn.filter((entry) => entry.seq > last.seq)], newer: null };
}
