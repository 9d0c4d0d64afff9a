/**
 * The blocks of a turn as Markdown: each kind of entry in its own words.
 *
 * @module
 */
import type { ApprovalData, Entry, FileRef, ImageRef, ToolData } from "../entry.ts";
import { interruptedWords } from "../interrupted.ts";
import { beginning, blocks, code, fenced, link, PAYLOAD_LIMIT, quoted, verbatim, words } from "./markdown_text.ts";
import { count, duration } from "./markdown_words.ts";
import type { Block, RunBlock } from "./transcript.ts";

/** How much is written, and what is needed for it. */
export interface MarkdownOptions {
  /** Thinking, summaries and whole tool payloads too. */
  readonly full?: boolean;
  /** The name of the zone times are told in, such as `Europe/Berlin`; `UTC` by default. */
  readonly timeZone?: string;
  /** Whole results by their `result_ref`, for an export that is full. */
  readonly payloads?: ReadonlyMap<string, string>;
}

/** One block, or `""` for one of which nothing is written. */
export function blockMarkdown(block: Block, options: MarkdownOptions): string {
  switch (block.kind) {
    case "user":
      return said(block, options);
    case "thinking":
      return options.full && block.data.text.trim() !== "" ? blocks("### Thinking", quoted(block.data.text)) : "";
    case "text":
      return block.data.text.trim() === "" ? "" : blocks("### Answer", verbatim(block.data.text));
    case "tool":
      return toolCall(block.data, options);
    case "approval":
      return quoted(`**Decision:** ${decision(block.data)}`);
    case "run":
      return subAgent(block, options);
    case "inbox":
      return blocks(`### ${joinedBy(block)}, meanwhile`, verbatim(block.data.text));
    case "undelivered":
      return note(`**Not delivered** ${senderOf(block)} to ${words(block.data.to)}:`, block.data.text);
    case "plan":
      return blocks(
        "### Plan",
        verbatim(block.data.text),
        ...(block.data.concerns ?? []).map((concern) => note("**Concern:**", concern)),
      );
    case "phase":
      return `**Phase:** ${words(block.data.label)}${block.data.detail ? `, ${words(block.data.detail)}` : ""}`;
    case "review":
      return note(
        `**Review:** ${block.data.approved ? "approved" : "not approved"} by ${words(block.data.reviewer)}:`,
        block.data.reason,
      );
    case "image":
      return link(`Image made by ${block.data.from}`, block.data.ref);
    case "notice":
      return note(block.data.level === "info" ? "**Notice:**" : `**Notice, ${block.data.level}:**`, block.data.text);
    case "compaction":
      return compaction(block, options);
    case "channel":
      return note(
        block.data.direction === "sent"
          ? `**Sent to channel ${words(block.data.channel)}:**`
          : `**From ${words(block.data.from)} in channel ${words(block.data.channel)}:**`,
        block.data.text,
      );
    default:
      block satisfies never;
      return "";
  }
}

/** A remark: its label, and a text of any length, in a quotation. */
export function note(label: string, text: string): string {
  return quoted(/[\r\n]/.test(text.trim()) ? `${label}\n\n${text}` : `${label} ${words(text)}`);
}

/** A message with its pictures. What the loop wrote itself is a mark, told whole only in full (K-060, K-081). */
function said({ data }: Entry<"user">, { full }: MarkdownOptions): string {
  if (data.injected) {
    const mark = data.injected === "continuation" ? "**Continued**" : "**Tool-use limit reached**";
    return full ? note(`${mark}:`, data.text) : quoted(mark);
  }
  const who = data.from === "person" ? "You" : `From ${words(data.from)}`;
  return blocks(`### ${who}`, data.text.trim() === "" ? "" : verbatim(data.text), links(data.images, data.files));
}

function senderOf({ data: { from } }: Entry<"undelivered">): string {
  return from === "person" ? "from you" : `from ${words(from)}`;
}

function joinedBy({ data: { from, mixed } }: Entry<"inbox">): string {
  if (from === "person") return "You";
  return mixed ? `You and ${words(from)}` : `From ${words(from)}`;
}

function toolCall(data: ToolData, options: MarkdownOptions): string {
  const time = data.ms === undefined ? "" : `, ${duration(data.ms / 1000)}`;
  return blocks(
    `### Tool call: ${code(data.name) || "unnamed"}`,
    `${data.status === "interrupted" ? `Interrupted, ${interruptedWords(data)}` : STATUS[data.status]}${time}`,
    toolArguments(data.arguments, options),
    toolResult(data, options),
    links(data.images),
  );
}

const STATUS: Readonly<Record<Exclude<ToolData["status"], "interrupted">, string>> = {
  waiting: "Waiting",
  running: "Running",
  done: "Done",
  failed: "Failed",
  denied: "Denied",
};

function toolArguments(value: unknown, options: MarkdownOptions): string {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2) ?? "";
  if (text === "" || text === "{}") return "No arguments";
  return blocks("Arguments:", payload(text, typeof value === "string" ? "" : "json", options));
}

function toolResult(data: ToolData, options: MarkdownOptions): string {
  const whole = options.full && data.result_ref !== undefined ? options.payloads?.get(data.result_ref) : undefined;
  const text = whole ?? data.result;
  if (text === undefined) return "No result";
  if (text === "") return "Result: nothing";
  const missing = data.result_ref !== undefined && whole === undefined;
  return blocks(
    "Result:",
    payload(text, "", options, missing ? data.result_bytes : undefined),
    lost(data, missing, options),
  );
}

/** What is said of a result whose whole text should be here and is not. */
function lost(data: ToolData, missing: boolean, { full }: MarkdownOptions): string {
  if (!full || !missing) return "";
  const size = data.result_bytes === undefined ? "" : ` of ${count(data.result_bytes)} bytes`;
  return `The whole result${size} could not be read: ${link("its file", data.result_ref!)}`;
}

/** Code, cut at the limit unless the export is full. `bytes` is the size of what `text` is the beginning of. */
function payload(text: string, language: string, { full }: MarkdownOptions, bytes?: number): string {
  if (full) return fenced(text, language);
  const { text: shown, cut } = beginning(text, PAYLOAD_LIMIT);
  if (!cut) return fenced(text, language);
  const whole = bytes === undefined ? `${count(text.length)} characters` : `a text of ${count(bytes)} bytes`;
  return blocks(fenced(shown), `Cut here: ${count(shown.length)} characters of ${whole}. A full export has them all`);
}

/** A sub-agent's card with all that it did, one level further in. */
function subAgent(block: RunBlock, options: MarkdownOptions): string {
  const { agent, task, status, model } = block.entry.data;
  const errors = block.rounds.flatMap(({ data }) =>
    data.error === undefined ? [] : [note("**A call failed:**", data.error)]
  );
  return blocks(
    `### Sub-agent: ${words(agent) || "unnamed"}`,
    `${status[0]!.toUpperCase()}${status.slice(1)}${model === "" ? "" : ` · ${code(model)}`}`,
    quoted(blocks(
      task === "" ? "" : blocks("**Task**", verbatim(task)),
      ...block.blocks.map((each) => blockMarkdown(each, options)),
      ...errors,
    )),
  );
}

function compaction({ data }: Entry<"compaction">, { full }: MarkdownOptions): string {
  const sizes = `${count(data.tokens_before)} to ${count(data.tokens_after)} tokens`;
  const label = `**Context:** what came before is sent to the model as a summary from here on (${sizes})`;
  return full ? note(`${label}:`, data.summary) : quoted(label);
}

function decision({ agent, tool, decision, by, reason }: ApprovalData): string {
  const what = code(tool) || "a tool";
  if (decision === undefined) return `waiting; ${words(agent)} asks to run ${what}`;
  const done = decision === "allow" ? "allowed" : "denied";
  const why = reason === undefined || reason.trim() === "" ? "" : `: ${words(reason)}`;
  return `${BY[by ?? "person"]} ${done} ${what}${why}`;
}

const BY: Readonly<Record<NonNullable<ApprovalData["by"]>, string>> = {
  person: "you",
  reviewer: "the reviewer",
  policy: "a rule",
  timeout: "nobody answered in time, so it was",
  restart: "Malama was restarted, so it was",
};

function links(images: readonly ImageRef[] = [], files: readonly FileRef[] = []): string {
  return [...images, ...files].map(({ name, ref }) => `- ${link(name, ref)}`).join("\n");
}
