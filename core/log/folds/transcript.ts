/**
 * The transcript: what a person sees of a conversation, folded from the log one operation at a time.
 *
 * The page, the server's first paint, the terminal and the exports all run this same fold, so they cannot disagree.
 * Nothing is formatted here. What did not change keeps its identity, so a renderer may compare by `===`.
 *
 * Invariants (tests/core/log/folds/transcript_test.ts pins each)
 * 1. However the operations were cut, repeated or reordered, and once every entry has arrived in its last state, the
 *    transcript equals the fold of the stored entries.
 * 2. Text is never drawn twice: a delta behind what is held is cut or dropped; one ahead of it is a gap.
 * 3. A gap is never hidden: its `seq` stands in `gaps` until the entry is whole again, and `cursorOf` lies before it.
 * 4. A done entry never changes, an open one only moves forward, and a turn that has ended never runs again.
 * 5. Entry kinds and operations that are not known are ignored (K-293).
 *
 * @module
 */
import type { Conversation, Entry, EntryKind, LogOperation, PathTurn, Turn } from "../entry.ts";

/** An entry as it stands in the transcript. A sub-agent's card holds the blocks of its own run. */
export type Block = Exclude<Entry, Entry<"run"> | Entry<"round">> | RunBlock;

/** A sub-agent's card with what it did. `run` is the id that its own entries carry. */
export interface RunBlock {
  readonly kind: "run";
  readonly seq: number;
  readonly run: string | null;
  readonly entry: Entry<"run">;
  readonly blocks: readonly Block[];
  readonly rounds: readonly Entry<"round">[];
}

/** One turn with what is held of it. */
export interface TurnView {
  readonly turn: PathTurn;
  /** All entries held of this turn, in order of `seq`. */
  readonly entries: readonly Entry[];
  /** The same without the rounds, sub-agents' entries inside their cards. */
  readonly blocks: readonly Block[];
  /** The entry agent's model calls. */
  readonly rounds: readonly Entry<"round">[];
}

/** A conversation as a person sees it, with what is needed to take in the next operation. */
export interface Transcript {
  readonly conversation: string;
  /** The turn in view; its path may have to wait until the turn itself is known. */
  readonly head: string | null;
  /** From the root to the head. Turns of which no entry is loaded yet are there, without blocks. */
  readonly turns: readonly TurnView[];
  /** The first turn of the path that was taken in: what stands before it is not needed to show the rest. */
  readonly start: string | null;
  /** Every turn heard of, on the path or not. */
  readonly known: Readonly<Record<string, PathTurn>>;
  /** Entries that are not on the path: of other branches, of turns not heard of yet, and of no turn (under `""`). */
  readonly aside: Readonly<Record<string, readonly Entry[]>>;
  /** The largest `seq` heard of, 0 before any. */
  readonly lastSeq: number;
  /** Entries that are missing or whose text has a hole, ascending. */
  readonly gaps: readonly number[];
  /** `resync`: watch again from `cursorOf`. `turns`: ask for the path again. */
  readonly needs: "resync" | "turns" | null;
}

/** A page of entries as the log gives it. */
export interface TranscriptPage {
  readonly items: readonly Entry[];
  readonly last_seq: number;
}

const KINDS: ReadonlySet<string> = new Set<EntryKind>([
  "user",
  "thinking",
  "text",
  "tool",
  "approval",
  "run",
  "inbox",
  "undelivered",
  "round",
  "plan",
  "phase",
  "review",
  "image",
  "notice",
  "compaction",
  "channel",
]);

/** A transcript of which nothing is known yet. */
export function emptyTranscript(conversation: string): Transcript {
  return { conversation, head: null, start: null, turns: [], known: {}, aside: {}, lastSeq: 0, gaps: [], needs: null };
}

/** The transcript of stored entries on a path, as a first paint or an export needs it. */
export function foldEntries(path: readonly PathTurn[], entries: readonly Entry[]): Transcript {
  const conversation = path[0]?.conversation ?? entries[0]?.conversation ?? "";
  const last_seq = entries.reduce((most, entry) => Math.max(most, entry.seq), 0);
  return foldPage(foldPath(emptyTranscript(conversation), path), { items: entries, last_seq });
}

/** Where a watcher resumes so that nothing is missed: the last `seq` before which nothing is missing. */
export function cursorOf(transcript: Transcript): number {
  return transcript.gaps.length > 0 ? transcript.gaps[0]! - 1 : transcript.lastSeq;
}

/** Takes one announced operation in. Those of other conversations, and unknown ones, change nothing. */
export function foldOperation(transcript: Transcript, operation: LogOperation): Transcript {
  switch (operation.op) {
    case "entries":
      return concerns(transcript, operation.conversation) ? foldAnnounced(transcript, operation) : transcript;
    case "delta":
      return concerns(transcript, operation.conversation) ? foldDelta(transcript, operation) : transcript;
    case "patch":
      return concerns(transcript, operation.conversation) ? foldPatch(transcript, operation) : transcript;
    case "turn":
      return concerns(transcript, operation.conversation) ? foldTurn(transcript, operation.turn) : transcript;
    case "head":
      return concerns(transcript, operation.conversation) ? foldHead(transcript, operation.head) : transcript;
    case "pending":
    case "conversation":
    case "conversation_removed":
      return transcript;
    default:
      operation satisfies never;
      return transcript;
  }
}

/**
 * Takes in a page that was asked for: the answer to a `watch`, or older entries. A hole inside it is where entries were
 * deleted, so gaps that it covers are closed.
 */
export function foldPage(transcript: Transcript, page: TranscriptPage): Transcript {
  const placed = placeAll(transcript, page.items);
  const from = page.items.length > 0 ? Math.min(...page.items.map((item) => item.seq)) : page.last_seq;
  const gaps = placed.gaps.filter((seq) => seq < from || seq > page.last_seq);
  return settle({ ...placed, gaps, lastSeq: Math.max(placed.lastSeq, page.last_seq) });
}

/**
 * Takes in the path as the server has it (`GET /api/conversations/:id`), or the end of it; its last turn becomes the head.
 */
export function foldPath(transcript: Transcript, path: readonly PathTurn[]): Transcript {
  const known = { ...transcript.known };
  for (const turn of path) known[turn.id] = laterTurn(known[turn.id], turn);
  return arrange({ ...transcript, known, start: path[0]?.id ?? null, head: path.at(-1)?.id ?? null });
}

/** Finds an entry that is held, on the path or aside. */
export function entryOf(transcript: Transcript, seq: number): Entry | undefined {
  const view = holder(transcript, seq);
  if (view >= 0) return find(transcript.turns[view]!.entries, seq);
  for (const entries of Object.values(transcript.aside)) {
    const entry = find(entries, seq);
    if (entry) return entry;
  }
}

/** Entries of no turn, in order; a renderer puts them after the turn that was the newest when they came. */
export function looseEntries(transcript: Transcript): readonly Entry[] {
  return transcript.aside[""] ?? [];
}

/** Whether the turn in view runs now. */
export function isRunning(transcript: Transcript): boolean {
  return transcript.turns.at(-1)?.turn.status === "running";
}

function concerns(transcript: Transcript, conversation: string | Conversation): boolean {
  return conversation === transcript.conversation;
}

function foldAnnounced(transcript: Transcript, page: TranscriptPage): Transcript {
  const first = transcript.lastSeq === 0;
  const missing: number[] = [];
  if (!first) {
    const arrived = new Set(page.items.map((item) => item.seq));
    for (let seq = transcript.lastSeq + 1; seq <= page.last_seq; seq++) if (!arrived.has(seq)) missing.push(seq);
  }
  const placed = placeAll(transcript, page.items);
  const most = page.items.reduce((seq, item) => Math.max(seq, item.seq), page.last_seq);
  return settle({ ...placed, gaps: merge(placed.gaps, missing), lastSeq: Math.max(placed.lastSeq, most) });
}

function foldDelta(transcript: Transcript, delta: Extract<LogOperation, { op: "delta" }>): Transcript {
  const held = entryOf(transcript, delta.seq);
  if (!held) return ahead(transcript, delta.seq);
  if (held.state === "done" || (held.kind !== "text" && held.kind !== "thinking")) return transcript;
  const text = held.data.text;
  if (delta.at > text.length) return settle({ ...transcript, gaps: merge(transcript.gaps, [delta.seq]) });
  const piece = delta.text.slice(text.length - delta.at);
  if (piece === "") return transcript;
  return placeAll(transcript, [{ ...held, data: { ...held.data, text: text + piece } } as Entry]);
}

function foldPatch(transcript: Transcript, patch: Extract<LogOperation, { op: "patch" }>): Transcript {
  const held = entryOf(transcript, patch.seq);
  if (!held) return ahead(transcript, patch.seq);
  return settle(placeAll(transcript, [{ ...held, state: patch.state, data: patch.data } as Entry]));
}

/** Something was said about an entry that is not held: a gap when it is new, nothing when it is older than the page. */
function ahead(transcript: Transcript, seq: number): Transcript {
  if (seq <= transcript.lastSeq) return transcript;
  const missing = Array.from({ length: seq - transcript.lastSeq }, (_, index) => transcript.lastSeq + 1 + index);
  return settle({ ...transcript, gaps: merge(transcript.gaps, missing), lastSeq: seq });
}

function foldTurn(transcript: Transcript, turn: Turn): Transcript {
  const before = transcript.known[turn.id];
  const kept = laterTurn(before, { ...turn, siblings: before?.siblings ?? [turn.id] });
  if (before && kept === before) return transcript;
  const known = { ...transcript.known, [turn.id]: kept };
  const last = transcript.turns.at(-1)?.turn.id ?? null;
  const follows = before === undefined && turn.parent === last && transcript.head === last;
  const head = follows ? turn.id : transcript.head;
  return arrange({ ...transcript, known: before ? known : withSiblings(known, turn), head });
}

function foldHead(transcript: Transcript, head: string | null): Transcript {
  return head === transcript.head ? transcript : arrange({ ...transcript, head });
}

/** Versions of one turn know each other; ids are ULIDs, so their order is their age. */
function withSiblings(known: Record<string, PathTurn>, turn: Turn): Record<string, PathTurn> {
  const family = Object.values(known).filter((other) => other.parent === turn.parent);
  const siblings = [...new Set(family.flatMap((other) => other.siblings))].sort();
  const changed = family.map((other) => [other.id, { ...other, siblings }] as const);
  return { ...known, ...Object.fromEntries(changed) };
}

function laterTurn(held: PathTurn | undefined, incoming: PathTurn): PathTurn {
  if (!held) return incoming;
  if (held.ended_at !== null && incoming.ended_at === null) return held;
  return incoming;
}

/** Lays the path out anew after turns or the head changed, moving entries between the path and aside. */
function arrange(transcript: Transcript): Transcript {
  const path = walk(transcript) ?? transcript.turns.map((view) => view.turn.id);
  const views = new Map(transcript.turns.map((view) => [view.turn.id, view]));
  const aside: Record<string, readonly Entry[]> = { ...transcript.aside };
  const turns = path.map((id) => {
    const turn = transcript.known[id]!;
    const view = views.get(id);
    views.delete(id);
    const waiting = aside[id];
    delete aside[id];
    if (view) return view.turn === turn ? view : { ...view, turn };
    return viewOf(turn, waiting ?? []);
  });
  for (const [id, view] of views) if (view.entries.length > 0) aside[id] = view.entries;
  return settle({ ...transcript, turns, aside });
}

/** Ids from the root, or from `start`, to the head; `null` while a turn of it has not been heard of. */
function walk({ known, start, head }: Transcript): string[] | null {
  const path: string[] = [];
  const seen = new Set<string>();
  for (let id = head; id !== null; id = known[id]!.parent) {
    if (!known[id]) return path.at(-1) === start ? path.reverse() : null;
    if (seen.has(id)) return null;
    seen.add(id);
    path.push(id);
  }
  return path.reverse();
}

function settle(transcript: Transcript): Transcript {
  const lost = transcript.head !== null && transcript.turns.at(-1)?.turn.id !== transcript.head;
  const strange = Object.keys(transcript.aside).some((id) => id !== "" && !transcript.known[id]);
  const needs = transcript.gaps.length > 0 ? "resync" : lost || strange ? "turns" : null;
  return needs === transcript.needs ? transcript : { ...transcript, needs };
}

/**
 * Takes in whole entries: of each the later of it and what is held stays. An open one does not close a gap, for it may be
 * older than the piece that showed the gap; only a page that was asked for does.
 */
function placeAll(transcript: Transcript, items: readonly Entry[]): Transcript {
  const closed = new Set(items.filter((entry) => entry.state === "done").map((entry) => entry.seq));
  const gaps = transcript.gaps.some((seq) => closed.has(seq))
    ? transcript.gaps.filter((seq) => !closed.has(seq))
    : transcript.gaps;
  const byTurn = Map.groupBy(items.filter((entry) => KINDS.has(entry.kind)), (entry) => entry.turn);
  const whole = { ...transcript, gaps };
  return [...byTurn].reduce((held, [turn, entries]) => placeInTurn(held, turn, entries), whole);
}

function placeInTurn(transcript: Transcript, turn: string | null, items: readonly Entry[]): Transcript {
  const index = turn === null ? -1 : transcript.turns.findLastIndex((view) => view.turn.id === turn);
  const view = transcript.turns[index];
  const before = view ? view.entries : transcript.aside[turn ?? ""] ?? [];
  const after = items.reduce(insertLater, before);
  if (after === before) return transcript;
  if (!view) return { ...transcript, aside: { ...transcript.aside, [turn ?? ""]: after } };
  return { ...transcript, turns: transcript.turns.with(index, viewOf(view.turn, after, view)) };
}

function insertLater(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  const held = find(entries, entry.seq);
  return held && !isLater(entry, held) ? entries : insert(entries, entry);
}

/** Whether `entry` is a later state of `held`; both have the same `seq`. */
function isLater(entry: Entry, held: Entry): boolean {
  if (held.state === "done" || entry.state === "done") return held.state !== "done";
  if ((entry.kind === "text" || entry.kind === "thinking") && held.kind === entry.kind) {
    return entry.data.text.length >= held.data.text.length;
  }
  if (entry.kind === "tool" && held.kind === "tool") return stage(entry) >= stage(held);
  return true;
}

function stage(entry: Entry<"tool">): number {
  return entry.data.status === "waiting" ? 0 : entry.data.status === "running" ? 1 : 2;
}

/** The position of the turn on the path that holds `seq`, or -1. The newest turn is nearly always the one. */
function holder(transcript: Transcript, seq: number): number {
  return transcript.turns.findLastIndex((view) => find(view.entries, seq) !== undefined);
}

function viewOf(turn: PathTurn, entries: readonly Entry[], before?: TurnView): TurnView {
  const level = nest(entries, null, before);
  return { turn, entries, blocks: level.blocks, rounds: level.rounds };
}

interface Level {
  readonly blocks: readonly Block[];
  readonly rounds: readonly Entry<"round">[];
}

/** The blocks of one run (`null`: the entry agent's), its sub-agents' cards filled. */
function nest(entries: readonly Entry[], run: string | null, before?: Level): Level {
  const cards = new Set(entries.filter((entry) => entry.kind === "run").map((entry) => entry.run));
  const mine = entries.filter((entry) => levelOf(entry, cards) === run);
  const rounds = mine.filter((entry) => entry.kind === "round");
  const blocks = mine.filter((entry) => entry.kind !== "round").map((entry) => {
    if (entry.kind !== "run") return entry;
    const old = before?.blocks.find((block): block is RunBlock => block.kind === "run" && block.seq === entry.seq);
    const inner = entry.run === null || entry.run === run ? EMPTY : nest(entries, entry.run, old);
    if (old && old.entry === entry && old.blocks === inner.blocks && old.rounds === inner.rounds) return old;
    return { kind: "run", seq: entry.seq, run: entry.run, entry, ...inner } satisfies RunBlock;
  });
  return { blocks: same(blocks, before?.blocks), rounds: same(rounds, before?.rounds) };
}

const EMPTY: Level = { blocks: [], rounds: [] };

/** Where an entry is drawn: a card where its run was started, other entries in the card of their run, if it is there. */
function levelOf(entry: Entry, cards: ReadonlySet<string | null>): string | null {
  const at = entry.kind === "run" ? entry.parent_run : entry.run;
  return at !== null && cards.has(at) ? at : null;
}

/** `next`, or `before` itself when they hold the same things. */
function same<T>(next: readonly T[], before: readonly T[] | undefined): readonly T[] {
  return before && before.length === next.length && next.every((item, index) => item === before[index]) ? before : next;
}

function merge(gaps: readonly number[], more: readonly number[]): readonly number[] {
  if (more.every((seq) => gaps.includes(seq))) return gaps;
  return [...new Set([...gaps, ...more])].sort((a, b) => a - b);
}

/** Where `seq` is or would be in entries that are in order. */
function position(entries: readonly Entry[], seq: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.seq < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

function find(entries: readonly Entry[], seq: number): Entry | undefined {
  const entry = entries[position(entries, seq)];
  return entry?.seq === seq ? entry : undefined;
}

function insert(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  const at = position(entries, entry.seq);
  return entries[at]?.seq === entry.seq ? entries.with(at, entry) : entries.toSpliced(at, 0, entry);
}
