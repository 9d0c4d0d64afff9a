/** Entries and turns as the tests of the folds need them: small, in order, with everything that is not under test filled in. */
import type { Entry, EntryData, EntryKind, PathTurn } from "../../../../core/log/entry.ts";

export const CONVERSATION = "01K7Q2M0000000000000000000";

/** One entry; done, of turn `t1`, unless told otherwise. */
export function entry<K extends EntryKind>(
  seq: number,
  kind: K,
  data: EntryData[K],
  more: { turn?: string | null; run?: string | null; parent_run?: string | null; state?: "open" | "done" } = {},
): Entry {
  return {
    conversation: CONVERSATION,
    seq,
    turn: more.turn === undefined ? "t1" : more.turn,
    run: more.run ?? null,
    parent_run: more.parent_run ?? null,
    kind,
    state: more.state ?? "done",
    at: "2026-11-30T09:00:00+01:00",
    data,
  } as unknown as Entry;
}

/** One turn on a path; ended, a child of nothing, unless told otherwise. */
export function turn(id: string, more: Partial<PathTurn> = {}): PathTurn {
  return {
    id,
    conversation: CONVERSATION,
    n: 1,
    parent: null,
    origin: "person",
    status: "done",
    agent: "assistant",
    model: "demo:tour",
    thinking: null,
    usage: null,
    failure: null,
    token: null,
    started_at: "2026-11-30T09:00:00+01:00",
    ended_at: "2026-11-30T09:00:05+01:00",
    siblings: [id],
    ...more,
  };
}
