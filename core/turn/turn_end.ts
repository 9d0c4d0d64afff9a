/**
 * The end of a turn: its status and usage, the notice that says why, and what it did not read, in one transaction.
 *
 * Invariants (tests/core/turn/fates_test.ts)
 * 1. A message that was accepted and not read runs after the turn; when a person ended the turn it is given back instead,
 *    and nothing runs (K-107, K-129).
 * 2. What agents wrote and nobody took is recorded on every ending but a deletion (K-108).
 * 3. When the end cannot be stored, `LateClosing` stores it, whole, as soon as something can be.
 *
 * @module
 */
import { type EntryDraft, errorText, foldUsage, type Turn } from "../log/mod.ts";
import type { Statement } from "../storage/mod.ts";
import { endingNotice } from "./ending_notice.ts";
import { returned, unheard } from "./follow_up.ts";
import type { LateClosing } from "./late_closing.ts";
import type { CurrentTurn, InLine, Slot } from "./slot.ts";
import type { Ran } from "./turn_run.ts";
import type { TurnServices } from "./turn_services.ts";
import { endTurn } from "./turn_store.ts";
import { deleteWaiting } from "./waiting_store.ts";

/** A turn whose run is over. */
export interface Ending extends Ran {
  readonly turn: Turn;
  readonly slot: Slot;
  readonly current: CurrentTurn;
}

/** Closes the bus and the turn. Gives what is to run as a follow-up: what was accepted and not read. */
export async function finishTurn(
  services: TurnServices,
  late: LateClosing,
  { turn, outcome, recorder, calls, slot, current }: Ending,
): Promise<readonly InLine[]> {
  const { feed, log, now, report } = services;
  const { conversation } = turn;
  const { endedBy } = slot;
  const { unread, undelivered } = current.bus.close();
  const accepted = await keptOf(unread.flatMap(({ id }) => current.joined.get(id) ?? []));
  const goesBack = endedBy === "person" || endedBy === "deletion";
  const back = goesBack ? accepted : [];
  const ended = now();
  const isInterrupted = outcome.status === "stopped" && endedBy === "shutdown";
  const closed: Turn = {
    ...turn,
    status: isInterrupted ? "interrupted" : outcome.status,
    usage: foldUsage(calls, Math.max(0, (ended.getTime() - Date.parse(turn.started_at)) / 1000)),
    failure: "failure" in outcome ? outcome.failure : null,
    ended_at: ended.toISOString(),
  };
  const also: readonly Statement[] = [
    ...back.map(({ message }) => deleteWaiting(message.id)),
    endTurn(closed),
    {
      sql: "update conversations set updated_at = ? where id = ?",
      args: [ended.toISOString(), conversation],
    },
  ];
  const records: readonly EntryDraft[] = [
    ...back.map(({ message }) => returned(message, turn.id, turn.agent)),
    ...(endedBy === "deletion" ? [] : undelivered.map((message) => unheard(message, turn.id))),
  ];
  const notice = endingNotice(closed, endedBy, back.length);
  try {
    await log.open(conversation);
    await recorder.settled();
    const last: readonly EntryDraft[] = notice ? [{ turn: turn.id, kind: "notice", data: notice }] : [];
    await log.appendAll(conversation, [...records, ...last], { also });
  } catch (error) {
    // The store is full or broken, and what is on disk still says "running".
    report("ERROR", "turns", `turn ${turn.id} could not be closed: ${errorText(error)}`);
    late.add(closed, notice, { records, also });
  }
  current.joined.clear();
  if (!goesBack && endedBy !== "shutdown") slot.leftOver = accepted;
  feed.announce({ op: "turn", conversation, turn: closed });
  return slot.leftOver;
}

/** Those that could be stored: the others were refused to their sender. */
async function keptOf(messages: readonly InLine[]): Promise<readonly InLine[]> {
  await Promise.allSettled(messages.map(({ durable }) => durable));
  return messages.filter(({ isStored }) => isStored);
}
