/**
 * What becomes of messages that a turn accepted and never read (K-107, K-108, K-128).
 *
 * @module
 */
import type { EntryDraft, UndeliveredData } from "../log/mod.ts";
import type { BusMessage } from "./bus.ts";
import type { WaitingMessage } from "./waiting_store.ts";

/** The most that is kept of an agent's message that nobody took, in UTF-16 code units (K-139). */
export const MAX_UNDELIVERED = 2000;

/** The one message that stands for all of them and answers after the turn that did not read them. */
export function followUp(
  unread: readonly WaitingMessage[],
  { id, at, place }: Pick<WaitingMessage, "id" | "at" | "place">,
): WaitingMessage {
  const [first] = unread;
  if (!first) throw new Error("A follow-up turn needs a message that was not read");
  return {
    ...first,
    id,
    at,
    place,
    parent: first.joins,
    atRoot: false,
    joins: null,
    token: unread.find(({ token }) => token !== null)?.token ?? null,
    text: unread.map(({ text }) => text).join("\n\n"),
    thinking: null,
    origin: "follow_up",
    merges: unread,
  };
}

/** The tokens of every message that one stands for; `undefined` when it stands for none. */
export function tokensOf({ merges }: WaitingMessage): readonly string[] | undefined {
  return merges?.flatMap(({ token }) => token ?? []);
}

/** The record of a person's message that goes back to them, whole. */
export function returned({ text, token }: WaitingMessage, turn: string, to: string): EntryDraft<"undelivered"> {
  return undelivered(turn, { text, from: "person", to, ...(token === null ? {} : { token }) });
}

/** The record of an agent's message that nobody took. */
export function unheard({ text, sender, to }: BusMessage, turn: string): EntryDraft<"undelivered"> {
  return undelivered(turn, { text: capped(text), from: sender, to });
}

function undelivered(turn: string, data: UndeliveredData): EntryDraft<"undelivered"> {
  return { turn, kind: "undelivered", data };
}

function capped(text: string): string {
  const missing = text.length - MAX_UNDELIVERED;
  if (missing <= 0) return text;
  return `${text.slice(0, MAX_UNDELIVERED).toWellFormed()} … (${missing} more characters)`;
}
