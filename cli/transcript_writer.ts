/**
 * Prints a transcript as it grows: what is new since the last look, as text to write.
 *
 * A terminal cannot go back, so each thing is printed once, at the moment it can be printed whole or streamed. What comes
 * while an answer streams waits until that answer is closed.
 *
 * Invariants (tests/cli/transcript_writer_test.ts pins each)
 * 1. Every text is printed exactly once, however it was cut into deltas, repeated, or resumed after a lost connection.
 * 2. Nothing printed from an entry holds a control character.
 * 3. When a turn has ended, all its entries are printed, then its failure if it has one, then its colophon, once.
 *
 * @module
 */
import type { Entry, Turn } from "../core/log/mod.ts";
import { looseEntries, type Transcript, type TurnView } from "../core/log/mod.ts";
import { ControlFilter, oneLine, withoutControls } from "./control_filter.ts";
import { entryLine, userLine } from "./entry_line.ts";
import { MarkdownScreen } from "./markdown_screen.ts";
import type { Style } from "./style.ts";
import { colophon } from "./words.ts";

export interface TranscriptWriterOptions {
  readonly style: Style;
  /** Columns a machine line may take. */
  readonly width: number;
  /** Whether an answer's Markdown is set, instead of printed as it was written. */
  readonly setsMarkdown?: boolean;
  /** Whether the message with this token was typed here, so that it stands on the screen already. */
  readonly typedHere: (token: string) => boolean;
}

interface Streaming {
  readonly seq: number;
  readonly filter: ControlFilter;
  /** Code units of its text that went through the filter. */
  length: number;
  readonly set: (text: string) => string;
  /** Of a sub-agent: its lines are set in. */
  readonly isNested: boolean;
  /** What is set as Markdown when it is printed. */
  readonly markdown: MarkdownScreen | null;
}

export class TranscriptWriter {
  readonly #options: TranscriptWriterOptions;
  readonly #printed = new Set<string>();
  readonly #closed = new Set<string>();
  #streaming: Streaming | null = null;
  #out = "";
  /** What the last thing printed was: a blank line sets an answer off from machine lines. */
  #last: "nothing" | "line" | "text" | "end" = "nothing";

  constructor(options: TranscriptWriterOptions) {
    this.#options = options;
  }

  /** Takes everything held now as printed already, but for the last `keep` turns. */
  skip(transcript: Transcript, keep = 0): void {
    for (const view of transcript.turns.slice(0, transcript.turns.length - keep)) {
      for (const entry of view.entries) this.#printed.add(stageOf(entry));
      if (view.turn.status !== "running") this.#closed.add(view.turn.id);
    }
    for (const entry of looseEntries(transcript)) this.#printed.add(stageOf(entry));
  }

  /** The text to write for what is new in `transcript`. */
  update(transcript: Transcript): string {
    this.#out = "";
    for (const view of transcript.turns) {
      if (this.#closed.has(view.turn.id)) continue;
      if (!this.#printEntries(view.entries, view.turn.status !== "running")) break;
      if (view.turn.status === "running") break;
      this.#printEnd(view);
    }
    if (this.#streaming === null) this.#printEntries(looseEntries(transcript), true);
    return this.#out;
  }

  /** Prints what can be printed now; `false` while an entry is still being streamed. */
  #printEntries(entries: readonly Entry[], ended: boolean): boolean {
    if (this.#streaming) {
      const current = entries.find((entry) => entry.seq === this.#streaming?.seq);
      if (!current) this.#endStream("");
      else if (!this.#stream(current, ended)) return false;
    }
    for (const entry of entries) {
      if (this.#printed.has(stageOf(entry)) || isCardOfItsOwn(entry, entries)) continue;
      if (entry.kind === "text" || entry.kind === "thinking") {
        if (!this.#begin(entry, entries)) continue;
        if (!this.#stream(entry, ended)) return false;
      } else if (ended || entry.state === "done" || isAnnounced(entry)) this.#printLine(entry, entries);
    }
    return true;
  }

  /** Starts an answer or a thought; `false` while it has no text. An empty one that is closed is passed over. */
  #begin(entry: Entry<"text"> | Entry<"thinking">, entries: readonly Entry[]): boolean {
    if (entry.data.text === "") {
      if (entry.state === "done") this.#printed.add(stageOf(entry));
      return false;
    }
    this.#printed.add(stageOf(entry));
    const thinking = entry.kind === "thinking";
    const { style, setsMarkdown } = this.#options;
    const { dim } = style;
    const { columns, address } = marginOf(entry, entries);
    const isOwn = columns === "";
    const plain = thinking || !isOwn ? dim : (text: string) => text;
    this.#streaming = {
      seq: entry.seq,
      filter: new ControlFilter(),
      length: 0,
      set: isOwn ? plain : (text) => plain(text.replaceAll("\n", `\n${columns}`)),
      isNested: !isOwn,
      markdown: !thinking && isOwn && setsMarkdown ? new MarkdownScreen(style) : null,
    };
    if (thinking) this.#put(this.#gap("end") + dim(`${columns}${address}thought  `), "line");
    else if (isOwn) this.#put(this.#gap("line", "end"), "text");
    else this.#put(this.#gap("end") + dim(`${columns}${address}says  `), "line");
    return true;
  }

  /** Prints the new part of the entry being streamed; `true` when that was its end. */
  #stream(entry: Entry, ended: boolean): boolean {
    const streaming = this.#streaming;
    if (streaming === null || (entry.kind !== "text" && entry.kind !== "thinking")) return true;
    const text = streaming.filter.push(entry.data.text.slice(streaming.length));
    streaming.length = Math.max(streaming.length, entry.data.text.length);
    this.#out += streaming.markdown ? streaming.markdown.push(text) : streaming.set(text);
    if (entry.state === "open" && !ended) return false;
    this.#endStream(entry.data.text);
    return true;
  }

  #endStream(text: string): void {
    const streaming = this.#streaming;
    if (streaming === null) return;
    const rest = streaming.filter.end();
    const last = streaming.markdown ? streaming.markdown.push(rest) + streaming.markdown.end() : streaming.set(rest);
    const isWhole = streaming.isNested
      ? false
      : streaming.markdown
      ? last.endsWith("\n") || last === "" && text.endsWith("\n")
      : text.endsWith("\n");
    this.#out += last + (isWhole ? "" : "\n");
    this.#streaming = null;
  }

  #printLine(entry: Entry, entries: readonly Entry[]): void {
    this.#printed.add(stageOf(entry));
    const { style, width, typedHere } = this.#options;
    if (entry.kind === "user") {
      if (entry.data.token !== undefined && typedHere(entry.data.token)) return;
      const { columns, address } = marginOf(entry, entries);
      this.#put(`${this.#gap("line", "text", "end")}${columns}${address}${userLine(entry, style)}\n`, "line");
      return;
    }
    const line = entryLine(entry, style, width);
    if (line === null) return;
    const { columns, address } = marginOf(entry, entries);
    this.#put(`${this.#gap("text", "end")}${columns}${style.dim(address)}${line}\n`, "line");
  }

  #printEnd(view: TurnView): void {
    this.#closed.add(view.turn.id);
    const failure = endingLine(view.turn, this.#options.style);
    const said = view.entries.findLast((entry) => entry.kind !== "round")?.kind === "notice";
    if (failure !== null && !said) this.#put(`\n${failure}\n`, "line");
    const { id, siblings } = view.turn;
    const version = siblings.length > 1 ? ` · version ${siblings.indexOf(id) + 1} of ${siblings.length}` : "";
    this.#put(`\n${this.#options.style.dim(colophon(view.turn) + version)}\n`, "end");
  }

  /** A blank line when the last thing printed was one of these. */
  #gap(...after: readonly ("line" | "text" | "end")[]): string {
    return this.#last !== "nothing" && after.includes(this.#last) ? "\n" : "";
  }

  #put(text: string, kind: "line" | "text" | "end"): void {
    this.#out += text;
    this.#last = kind;
  }
}

/** Kinds that are told when they begin and not only when they end. */
function isAnnounced(entry: Entry): boolean {
  return entry.kind === "user" || entry.kind === "run";
}

/** Whether an entry is the call that opened a sub-agent: the lines of that say it all (K-219). */
function isCardOfItsOwn(entry: Entry, entries: readonly Entry[]): boolean {
  return entry.kind === "tool" && entries.some((each) => each.kind === "run" && each.data.entry === entry.seq);
}

/** What is printed once: an entry, but a sub-agent's start and end each for itself. */
function stageOf(entry: Entry): string {
  if (entry.kind === "run") return `${entry.seq} ${entry.data.status === "running" ? "begun" : "ended"}`;
  return String(entry.seq);
}

/** What stands before the lines of a sub-agent: two columns a level, and the address it works under. */
function marginOf(entry: Entry, entries: readonly Entry[]): { readonly columns: string; readonly address: string } {
  let depth = 0;
  let address = "";
  const seen = new Set<string>();
  for (let run = entry.kind === "run" ? entry.parent_run : entry.run; run !== null && !seen.has(run); depth++) {
    seen.add(run);
    const card = entries.find((each): each is Entry<"run"> => each.kind === "run" && each.run === run);
    if (depth === 0 && card) address = `${oneLine(card.data.address ?? card.data.agent, 40)}  `;
    run = card?.parent_run ?? null;
  }
  return { columns: "  ".repeat(depth), address };
}

/** How a turn ended, when it was not the usual way. */
function endingLine(turn: Turn, style: Style): string | null {
  const failure = turn.failure === null ? null : withoutControls(turn.failure);
  switch (turn.status) {
    case "running":
    case "done":
      return null;
    case "stopped":
      return "stopped  What was written so far stays. /continue goes on from here";
    case "failed":
      return style.danger("failed") + `  ${failure ?? "The turn ended without a reason"}. /continue tries again`;
    case "refused":
      return style.danger("refused") + `  ${failure ?? "The model declined to answer"}`;
    case "interrupted":
      return "interrupted  Malama ended in the middle of this turn. /continue goes on from here";
    default:
      return turn.status satisfies never;
  }
}
