/**
 * The Markdown export: the path in view as a document a person can keep.
 *
 * It is written from the transcript, the same fold that the page draws, all at once or turn by turn. Pure; whatever lies
 * in a file is handed in.
 *
 * Invariants (tests/core/log/folds/markdown_test.ts)
 * 1. Whatever any field holds, every turn is a heading of the document and every fence ends where it should
 *    ("… any text in any field").
 * 2. A person's words and the answers stand as they were written, to the character, but for the line that closes what
 *    they left open; inside a sub-agent's card each line has its mark of quotation.
 * 3. A number that is not known is said to be unknown, and never a zero (K-081).
 * 4. Turn by turn gives the same document as all at once.
 *
 * @module
 */
import type { Conversation, Entry, PathTurn } from "../entry.ts";
import { blockMarkdown, type MarkdownOptions, note } from "./markdown_blocks.ts";
import { blocks, code, quoted, words } from "./markdown_text.ts";
import { agentLines, moment, some, totals, usageLine } from "./markdown_words.ts";
import { type Block, looseEntries, type RunBlock, type Transcript, type TurnView } from "./transcript.ts";

export type { MarkdownOptions } from "./markdown_blocks.ts";

/** The whole document. Ends with a line break. */
export function foldMarkdown(
  conversation: Conversation,
  transcript: Transcript,
  options: MarkdownOptions = {},
): string {
  const path = transcript.turns.map(({ turn }) => turn);
  let loose = looseEntries(transcript);
  let text = markdownHead(conversation, path, options);
  for (const view of transcript.turns) {
    const [before, after] = looseBefore(loose, view);
    text += markdownLoose(before, options) + markdownTurn(view, options);
    loose = after;
  }
  return text + markdownLoose(loose, options);
}

/** Entries of no turn that came before this turn, and those that came later. */
export function looseBefore(loose: readonly Entry[], { entries }: TurnView): [readonly Entry[], readonly Entry[]] {
  const first = entries[0]?.seq ?? 0;
  return [loose.filter(({ seq }) => seq < first), loose.filter(({ seq }) => seq >= first)];
}

/** The beginning: what it is, when it was, what it used. */
export function markdownHead(
  conversation: Conversation,
  path: readonly PathTurn[],
  { timeZone = "UTC" }: MarkdownOptions = {},
): string {
  const { id, title, created_at, updated_at, agent, model, task, origin } = conversation;
  const hidden = conversation.turns - path.length;
  const lines = [
    `Conversation: ${code(id)}`,
    `Created: ${moment(created_at, timeZone)}`,
    `Updated: ${moment(updated_at, timeZone)}`,
    `Times: ${words(timeZone)}`,
    `Agent: ${words(agent)}`,
    ...model === null ? [] : [`Model: ${code(model)}`],
    ...task === null ? [] : [`Task: ${words(task)}`],
    ...origin === null
      ? []
      : [`Origin: ${origin.kind}${origin.conversation ? ` of ${code(origin.conversation)}` : ""}`],
    `Totals: ${totals(path)}`,
    ...hidden > 0 ? [`Not here: ${some(hidden, "turn")} of other versions, which the JSONL export has`] : [],
  ];
  return `${blocks(`# ${words(title) || "Untitled"}`, lines.map((line) => `- ${line}`).join("\n"))}\n`;
}

/** One turn. Begins with a blank line and ends with a line break. */
export function markdownTurn(view: TurnView, options: MarkdownOptions = {}): string {
  const { turn } = view;
  const ending = endingOf(view);
  return `\n${
    blocks(
      `## Turn ${turn.n} (${moment(turn.started_at, options.timeZone ?? "UTC")})`,
      ...view.blocks.map((block) => blockMarkdown(block, options)),
      ending === null ? "" : quoted(ending),
      ...errorsOf(view),
      usageOf(view),
    )
  }\n`;
}

/** Entries of no turn. Begins with a blank line, unless there is nothing. */
export function markdownLoose(entries: readonly Entry[], options: MarkdownOptions = {}): string {
  const parts = entries.flatMap((entry) =>
    entry.kind === "run" || entry.kind === "round" ? [] : [blockMarkdown(entry, options)]
  );
  const text = blocks(...parts);
  return text === "" ? "" : `\n${text}\n`;
}

/** The line of figures that ends a turn, with what belongs to it. */
function usageOf({ turn, blocks: all }: TurnView): string {
  const versions = turn.siblings.length;
  const version = versions > 1 ? ` · version ${turn.siblings.indexOf(turn.id) + 1} of ${versions}` : "";
  const uncounted = turn.usage
    ? delegates(all).filter((agent) => !Object.hasOwn(turn.usage!.by_agent, agent)).map(words)
    : [];
  return blocks(
    `Used: ${usageLine(turn)}${version}`,
    turn.usage ? agentLines(turn.usage).join("\n") : "",
    uncounted.length > 0 ? `Not counted here: the work of ${uncounted.join(", ")}` : "",
  );
}

/** The agents that were handed work, however deep, each once. */
function delegates(all: readonly Block[]): readonly string[] {
  const runs = all.filter((block): block is RunBlock => block.kind === "run");
  return [...new Set(runs.flatMap((run) => [run.entry.data.agent, ...delegates(run.blocks)]))];
}

function errorsOf({ rounds }: TurnView): readonly string[] {
  return rounds.flatMap(({ data }) => data.error === undefined ? [] : [note("**A call failed:**", data.error)]);
}

/** How a turn ended that did not end well, where the log's last line does not say it already. */
function endingOf({ turn, blocks: all }: TurnView): string | null {
  const last = all.at(-1);
  const told = last?.kind === "notice" ? last.data.text : null;
  const why = turn.failure === null || told?.includes(turn.failure) ? "" : ` ${words(turn.failure)}`;
  switch (turn.status) {
    case "done":
      return null;
    case "running":
      return "**Still running** when this was written";
    case "stopped":
      return told === null ? "**Stopped.** What was written until then is here" : null;
    case "interrupted":
      return told === null ? "**Interrupted.** A call that was running may have run" : null;
    case "failed":
      return told !== null && why === "" ? null : `**Failed.**${why}`;
    case "refused":
      return told !== null && why === "" ? null : `**The model declined.**${why}`;
    default:
      return turn.status satisfies never;
  }
}
