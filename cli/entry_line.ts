/**
 * One line for one entry of the log, in the words of the look: kind word, what it is about, result, time.
 *
 * @module
 */
import { decidedWords } from "../components/approval/words.ts";
import { type Entry, interruptedWords } from "../core/log/mod.ts";
import { oneLine, withoutControls } from "./control_filter.ts";
import type { Style } from "./style.ts";
import { argumentSummary, count, duration } from "./words.ts";

/** A message that was not typed in this terminal: who says it, and the words. */
export function userLine(entry: Entry<"user">, style: Style): string {
  const { text, from, images, files = [], injected } = entry.data;
  if (injected !== undefined) {
    return style.dim(`loop  ${injected === "wrap_up" ? "asked to wrap up" : "asked to go on"}`);
  }
  const who = from === "person" ? "you" : withoutControls(from);
  const pictures = images.map((image) => `\n${style.dim(`image  ${oneLine(image.name, 60)}  ${image.ref}`)}`).join("");
  const texts = files.map((file) => `\n${style.dim(`file  ${oneLine(file.name, 60)}  ${file.ref}`)}`).join("");
  return `${style.bold(who)}  ${withoutControls(text)}${pictures}${texts}`;
}

/** The line of an entry; `null` when there is nothing to say (rounds), or it is drawn otherwise (text and thinking). */
export function entryLine(entry: Entry, style: Style, width: number): string | null {
  const { dim } = style;
  switch (entry.kind) {
    case "tool":
      return toolLine(entry, style, width);
    case "run":
      return runLine(entry, style, width);
    case "approval":
      // One that waits is printed as a question of our own (questions.ts).
      return dim(`decision  ${oneLine(decidedWords(entry.data), width * 2)}`);
    case "inbox":
      return `${style.bold(entry.data.from === "person" ? "you" : name(entry.data.from))}  ${
        withoutControls(entry.data.text)
      }`;
    case "undelivered":
      return `not delivered, from ${name(entry.data.from)}  ${withoutControls(entry.data.text)}`;
    case "notice": {
      const text = withoutControls(entry.data.text);
      if (entry.data.level === "error") return `${style.danger("notice")}  ${text}`;
      return entry.data.level === "warning" ? `notice  ${text}` : dim(`notice  ${text}`);
    }
    case "plan":
      return `plan\n${withoutControls(entry.data.text)}`;
    case "phase":
      return dim(`phase  ${oneLine(`${entry.data.label} ${entry.data.detail ?? ""}`, width)}`);
    case "review": {
      const verdict = entry.data.approved ? "approved" : "sent back";
      return dim(`review  ${name(entry.data.reviewer)}  ${verdict}: ${oneLine(entry.data.reason, width * 2)}`);
    }
    case "image":
      return dim(`image  ${name(entry.data.from)}  ${withoutControls(entry.data.ref)}`);
    case "compaction":
      return dim("context  What came before is now sent as a summary. Nothing here was removed");
    case "channel":
      return dim(
        `channel  ${name(entry.data.channel)}  ${name(entry.data.from)}: ${oneLine(entry.data.text, width * 2)}`,
      );
    case "text":
    case "thinking":
    case "user":
    case "round":
      return null;
    default:
      return entry satisfies never;
  }
}

/** `tool  calculate  2+2 … 4  0.1 s`. */
function toolLine(entry: Entry<"tool">, style: Style, width: number): string {
  const { data } = entry;
  const about = argumentSummary(data.arguments, half(width));
  const start = `tool  ${name(data.name)}${about === "" ? "" : `  ${about}`} … `;
  const time = data.ms === undefined ? "" : `  ${duration(data.ms / 1000)}`;
  const room = Math.max(24, width - start.length - time.length - 8);
  const result = oneLine(data.result ?? "", room);
  const pictures = data.images && data.images.length > 0 ? `, ${count(data.images.length, "image")}` : "";
  switch (data.status) {
    case "done":
      return style.dim(start + (result === "" ? "done" : result) + pictures + time);
    case "failed":
      return style.dim(start) + style.danger("failed") + style.dim(`  ${result}${time}`);
    case "denied":
      return style.dim(`${start}denied  ${result}${time}`);
    case "interrupted":
      return style.dim(`${start}interrupted, ${interruptedWords(data)}${time}`);
    case "waiting":
    case "running":
      return style.dim(`${start}${data.status}`);
    default:
      return data.status satisfies never;
  }
}

/** `agent  researcher#1  Find the ferry … done  2 calls  14 s`. */
function runLine({ at, data }: Entry<"run">, style: Style, width: number): string {
  const start = `agent  ${name(data.address ?? data.agent)}  ${oneLine(data.task, half(width))} … `;
  const took = data.ended_at === undefined ? "" : `  ${duration((Date.parse(data.ended_at) - Date.parse(at)) / 1000)}`;
  const calls = data.usage ? `  ${count(data.usage.calls, "call")}` : "";
  const why = data.failure === undefined ? "" : `  ${oneLine(data.failure, width)}`;
  const status = data.status === "done" && (data.capped || data.failure !== undefined) ? "cut short" : data.status;
  if (status !== "failed") return style.dim(start + status + why + calls + took);
  return style.dim(start) + style.danger("failed") + style.dim(why + calls + took);
}

function name(text: string): string {
  return oneLine(text, 40);
}

function half(width: number): number {
  return Math.max(24, Math.floor(width / 2));
}
