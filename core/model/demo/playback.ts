/**
 * Plays a prepared answer as a stream, at the pace of speech: what every demonstration model ends in.
 *
 * Invariants
 * 1. The events keep the stream contract (`../contract.ts`): `request` first, exactly one `stop` last, or an error.
 * 2. Nothing more comes once the signal has aborted; a wait ends at once (tests/core/model/demo/playback_test.ts).
 * 3. Joined together, the pieces are the prepared text, and each call's pieces are its arguments (same file).
 *
 * @module
 */
import type { ModelError, ModelEvent, ModelMessage, ModelRequest, StopReason } from "../contract.ts";
import type { CallUsage } from "../../log/mod.ts";
import { pause } from "../pause.ts";
import { estimateUsage } from "./estimate.ts";

/** A tool call as a demonstration makes it. */
export interface PlayedCall {
  readonly name: string;
  readonly arguments: unknown;
  /** Given one when absent. */
  readonly call?: string;
  /** Sent instead of `arguments`, as text that is not JSON. */
  readonly malformed?: string;
}

/** One piece of a prepared answer, played in order. */
export type Part =
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "refusal"; readonly text: string }
  /** `interleaved`: the calls' argument pieces come in turns, as parallel calls do. */
  | { readonly type: "calls"; readonly calls: readonly PlayedCall[]; readonly interleaved?: boolean }
  | { readonly type: "wait"; readonly ms: number }
  /** Says nothing more for so long, then fails as a stalled stream does. */
  | { readonly type: "fail"; readonly error: ModelError; readonly afterMs?: number };

/** A prepared answer. */
export interface Play {
  readonly parts: readonly Part[];
  /** Estimated when absent; `null` reports none. */
  readonly usage?: CallUsage | null;
  /** Told from the parts when absent. */
  readonly stop?: StopReason;
}

/** The pace of a playback, and the clock it is kept with. */
export interface Pace {
  /** Words a second; 0 is at once. */
  readonly wordsPerSecond: number;
  /** Milliseconds, from any start. */
  readonly now: () => number;
  /** Resolves after so many milliseconds, or rejects with the signal's reason. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The real clock at a pace. */
export function realPace(wordsPerSecond: number): Pace {
  return { wordsPerSecond, now: () => performance.now(), wait: pause };
}

/** Characters of a call's arguments in one piece. */
const ARGUMENT_PIECE = 12;

/** Plays an answer to a request. `name` is the model's, such as `demo:tour`. */
export async function* playBack(
  name: string,
  request: ModelRequest,
  play: Play,
  pace: Pace,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted();
  const body = requestBody(name, request);
  yield { type: "request", url: name, body };
  const rhythm = startRhythm(pace, signal);
  let reason: StopReason = "end";
  let made = countCalls(request.messages);
  for (const part of play.parts) {
    switch (part.type) {
      case "thinking":
      case "text":
      case "refusal":
        for (const text of words(part.text)) {
          signal.throwIfAborted();
          yield { type: part.type, text };
          await rhythm.beat();
        }
        if (part.type === "refusal") reason = "refusal";
        break;
      case "calls":
        for (const event of callEvents(part.calls, part.interleaved ?? false, made)) {
          signal.throwIfAborted();
          yield event;
          if (event.type === "tool_arguments") await rhythm.beat();
        }
        made += part.calls.length;
        reason = "tool_calls";
        break;
      case "wait":
        await pace.wait(part.ms, signal);
        rhythm.restart();
        break;
      case "fail":
        await pace.wait(part.afterMs ?? 0, signal);
        throw part.error;
      default:
        part satisfies never;
    }
  }
  signal.throwIfAborted();
  const stop = play.stop ?? reason;
  if (play.usage !== null) yield { type: "usage", usage: play.usage ?? estimateUsage(body, play.parts) };
  signal.throwIfAborted();
  yield { type: "stop", reason: stop, provider_reason: stop };
}

/** A text in pieces of one word with the blanks after it; joined, they are the text. */
export function words(text: string): readonly string[] {
  return text.match(/^\s+|\S+\s*/g) ?? [];
}

/**
 * Beats are due at fixed times from the start, so that a late one does not delay those after it; when one is already due
 * there is no wait, but the event loop still gets its turn now and then, so that a stop is heard at any pace.
 */
function startRhythm(pace: Pace, signal: AbortSignal): { beat(): Promise<void>; restart(): void } {
  const interval = pace.wordsPerSecond > 0 ? 1000 / pace.wordsPerSecond : 0;
  let start = pace.now();
  let beats = 0;
  return {
    async beat() {
      signal.throwIfAborted();
      beats++;
      const due = interval === 0 ? 0 : start + beats * interval - pace.now();
      if (due > 0) await pace.wait(due, signal);
      else if (beats % 64 === 0) await pace.wait(0, signal);
    },
    restart() {
      start = pace.now() - beats * interval;
    },
  };
}

function* callEvents(calls: readonly PlayedCall[], interleaved: boolean, made: number): Generator<ModelEvent> {
  const tracks = calls.map((call, index) => trackOf(call, made + index + 1));
  if (!interleaved) {
    for (const track of tracks) yield* [track.start, ...track.pieces, track.end];
    return;
  }
  for (const track of tracks) yield track.start;
  const longest = Math.max(0, ...tracks.map((track) => track.pieces.length));
  for (let index = 0; index <= longest; index++) {
    for (const track of tracks) {
      const piece = track.pieces[index];
      if (piece !== undefined) yield piece;
      else if (index === track.pieces.length) yield track.end;
    }
  }
}

function trackOf(made: PlayedCall, number: number) {
  const call = made.call ?? `demo_${number}`;
  const text = made.malformed ?? JSON.stringify(made.arguments);
  const pieces: ModelEvent[] = [];
  for (let at = 0; at < text.length; at += ARGUMENT_PIECE) {
    pieces.push({ type: "tool_arguments", call, text: text.slice(at, at + ARGUMENT_PIECE) });
  }
  const start: ModelEvent = { type: "tool_start", call, name: made.name };
  const end: ModelEvent = {
    type: "tool_call",
    call,
    name: made.name,
    arguments: made.malformed === undefined ? made.arguments : {},
    ...(made.malformed === undefined ? {} : { malformed: made.malformed }),
  };
  return { start, pieces, end };
}

/** How many calls the conversation has seen, so that each new one gets an id of its own, the same on every replay. */
function countCalls(messages: readonly ModelMessage[]): number {
  return messages.filter((message) => message.role === "tool").length;
}

/** What a provider would have been sent, with the growing part last and pictures by their size alone. */
function requestBody(name: string, request: ModelRequest): string {
  const { messages, schema, toolChoice, cacheKey: _, ...rest } = request;
  return JSON.stringify({ model: name, ...rest, tool_choice: toolChoice, schema, messages }, (_key, value) => {
    return value instanceof Uint8Array ? `${value.byteLength} bytes` : value;
  });
}
