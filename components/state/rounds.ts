/**
 * The model calls of a transcript, as the head and the panel need them. Pure.
 *
 * @module
 */
import type { Entry } from "../../core/log/entry.ts";
import type { Transcript, TurnView } from "../../core/log/folds/transcript.ts";

/** The calls of the agent that answers (`run`: `null`) or of a sub-agent, in order. */
export function roundsIn(view: TurnView, run: string | null): readonly Entry<"round">[] {
  if (run === null) return view.rounds;
  return view.entries.filter((entry): entry is Entry<"round"> => entry.kind === "round" && entry.run === run);
}

/** The last model call that is known of: its turn, and its place in it. */
export function lastRounds(transcript: Transcript): { readonly turn: string; readonly index: number } | null {
  const view = transcript.turns.findLast(({ rounds }) => rounds.length > 0);
  return view ? { turn: view.turn.id, index: view.rounds.length - 1 } : null;
}

/** What the last call that was reported read: which model, and how many tokens. */
export function lastReading(transcript: Transcript): { readonly model: string; readonly tokens: number } | null {
  for (const view of transcript.turns.toReversed()) {
    const round = view.rounds.findLast(({ data }) => data.usage !== undefined && data.usage.input_tokens > 0);
    if (round?.data.usage) return { model: round.data.model, tokens: round.data.usage.input_tokens };
  }
  return null;
}
