/**
 * Why a model stopped, in words. Pure.
 *
 * @module
 */
import type { RoundData } from "../../core/log/entry.ts";
import { clip } from "../words.ts";

/** How a call ended; `bad` when it did not end as it should. */
export interface Ending {
  /** A sentence; the names of the tools it stopped for follow it where there are any. */
  readonly text: string;
  readonly bad: boolean;
  readonly tools: readonly string[];
}

const FINISHED = new Set(["", "stop", "end_turn", "end", "completed", "complete", "eos", "stop_sequence", "load"]);
const CALLED = new Set(["tool_calls", "tool_use", "function_call", "tool_call"]);
const CUT = new Set(["length", "max_tokens", "max_output_tokens", "incomplete", "model_context_window_exceeded"]);
const DECLINED = /refus|safety|content_filter|blocklist|prohibited|recitation|spii/;

/** `tools` are the names of what the call asked for. */
export function endingOf({ stop_reason, error }: RoundData, tools: readonly string[]): Ending {
  const reason = stop_reason.toLowerCase();
  const plain = (text: string, bad = false): Ending => ({ text, bad, tools: [] });
  if (error !== undefined) return plain(`It failed: ${clip(error, 400)}`, true);
  if (reason === "stopped") return plain("It was stopped before it ended");
  if (reason === "failed") return plain("It failed", true);
  if (DECLINED.test(reason)) return plain("It declined to answer", true);
  if (CUT.has(reason)) return plain("It was cut off at the longest answer it may give", true);
  if (tools.length > 0) return { text: "It stopped to call", bad: false, tools: [...new Set(tools)] };
  if (CALLED.has(reason)) return plain("It stopped to call a tool");
  if (FINISHED.has(reason)) return plain("It finished by itself");
  return plain(`It ended with the reason “${clip(stop_reason, 80)}”`);
}
