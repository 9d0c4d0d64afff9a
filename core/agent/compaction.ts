/**
 * Makes room in the context of a long sub-agent (K-153): before a model call that would fill three quarters of the window, its
 * oldest whole rounds are left out of what its model is sent, and a line stands for them. The log keeps everything.
 *
 * Invariants (tests/core/agent/compaction_test.ts)
 * 1. A call and its result are left out together or not at all.
 * 2. The task and the last round always stay.
 * 3. It makes the context shorter or does nothing.
 *
 * @module
 */
import type { CompactionData, ContextMessage, Entry } from "../log/mod.ts";
import type { ToolSpec } from "../model/mod.ts";
import { leftOutLine } from "./prompt.ts";

/** Share of the window at which it starts. */
export const COMPACTION_STARTS_AT = 0.75;

/** Share of the window it makes the context fit into, where that can be done. */
export const COMPACTION_TARGET = 0.5;

/** UTF-16 code units that are taken for one token where nothing better is known. */
const LENGTH_OF_TOKEN = 4;

/** What a request holds besides its messages. */
export interface RequestFrame {
  readonly system: string;
  readonly tools: readonly ToolSpec[];
}

/** Tokens of a request, estimated from its length. `lengthOfToken` comes from calls that were measured. */
export function estimateTokens(
  { system, tools }: RequestFrame,
  context: readonly ContextMessage[],
  lengthOfToken = LENGTH_OF_TOKEN,
): number {
  return Math.ceil((system.length + lengthOf(tools) + lengthOf(context)) / lengthOfToken);
}

/** How many code units a token has, from a call whose size its provider told. */
export function measuredLength(
  { system, tools }: RequestFrame,
  context: readonly ContextMessage[],
  tokens: number,
): number {
  const length = system.length + lengthOf(tools) + lengthOf(context);
  return tokens > 0 ? Math.max(1, length / tokens) : LENGTH_OF_TOKEN;
}

function lengthOf(value: readonly unknown[]): number {
  return value.reduce<number>((sum, item) => sum + JSON.stringify(item).length, 0);
}

/** What is known when it is asked whether to make room. */
export interface CompactionFacts {
  /** The window, in tokens. */
  readonly window: number;
  /** Every entry of the run so far, in order. */
  readonly entries: readonly Entry[];
  /** Folds entries into what the model is sent. */
  readonly fold: (entries: readonly Entry[]) => readonly ContextMessage[];
  /** Tokens of a context. */
  readonly measure: (context: readonly ContextMessage[]) => number;
}

/** What is to be left out before the next call; `null` when nothing is, or nothing can be. */
export function planCompaction({ window, entries, fold, measure }: CompactionFacts): CompactionData | null {
  const before = measure(fold(entries));
  if (before <= window * COMPACTION_STARTS_AT) return null;
  const since = entries.findLast((entry) => entry.kind === "compaction")?.data.upto ?? 0;
  const rounds = entries.filter((entry) => entry.kind === "round");
  let best: CompactionData | null = null;
  for (const [index, round] of rounds.entries()) {
    if (round.seq <= since || index === rounds.length - 1) continue;
    const out = entries.filter((entry) => entry.kind === "tool" && entry.seq <= round.seq) as readonly Entry<"tool">[];
    const summary = leftOutLine(index + 1, out.map(({ data }) => data.name));
    const made: CompactionData = { summary, upto: round.seq, tokens_before: before, tokens_after: 0 };
    const tokens_after = measure(fold([...entries, compactionEntry(entries, made)]));
    if (tokens_after >= before) continue;
    best = { ...made, tokens_after };
    if (tokens_after <= window * COMPACTION_TARGET) break;
  }
  return best;
}

function compactionEntry(entries: readonly Entry[], data: CompactionData): Entry {
  const last = entries.at(-1)!;
  return { ...last, seq: last.seq + 1, kind: "compaction", state: "done", data } as Entry;
}
