/**
 * How a run of code or of a command is told to a model: first how it ended and what bounded it, then what it printed.
 *
 * @module
 */
import type { ChildResult, Kept } from "../../core/sandbox/mod.ts";
import { fence } from "../fence.ts";

/** The answer of a run. What the child printed is fenced, since it may say anything. */
export function resultText(result: ChildResult, { network }: { readonly network: string }): string {
  const first = `${endSentence(result)} ${limitSentence(result, network)}`;
  const printed = [section("Standard output", result.stdout), section("Standard error", result.stderr)]
    .filter((part) => part !== "");
  if (printed.length === 0) return `${first}\nIt printed nothing.`;
  return `${first}\n${fence({ source: { called: "what it printed" }, content: printed.join("\n") })}`;
}

function endSentence({ end, limits, ms }: ChildResult): string {
  switch (end.how) {
    case "exit":
      return `Exit code ${end.code} after ${seconds(ms)}.`;
    case "signal":
      return `Ended by ${end.signal} after ${seconds(ms)}.`;
    case "time":
      return `Killed: it did not end within ${limits.seconds} seconds.`;
    case "memory":
      return `Killed: it needed more than ${limits.memoryMb} MB of memory.`;
    default:
      return end satisfies never;
  }
}

function limitSentence({ limits }: ChildResult, network: string): string {
  const memory = limits.memoryHeld ? `${limits.memoryMb} MB of memory` : "no limit of memory on this system";
  return `[Limits: ${limits.seconds} s, ${memory}, ${limits.outputBytes} bytes of output; ${network}]`;
}

function section(label: string, { text, cutBytes }: Kept): string {
  if (text === "") return "";
  const cut = cutBytes > 0 ? `\n[cut here: ${cutBytes} more bytes were printed]` : "";
  return `${label}:\n${text.replace(/\n$/, "")}${cut}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}
