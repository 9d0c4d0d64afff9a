/**
 * A model that says what a script tells it to: for tests of everything above it, for screenshots, and for showing a
 * fault on purpose. What a script may hold is told in `script.ts`.
 *
 * @module
 */
import { describeModel } from "../catalogue.ts";
import { type ModelClient, type ModelEvent, type ModelInfo, type ModelRequest, Rejected } from "../contract.ts";
import { parseModelString } from "../model_string.ts";
import { type Play, playBack, realPace } from "./playback.ts";
import { playOf, readScript, type ScriptedTurn } from "./script.ts";

/** A scripted model, with what it was asked so far. */
export interface ScriptedModel extends ModelClient {
  /** Every request, oldest first. */
  readonly requests: readonly ModelRequest[];
}

/**
 * A model that plays turns in the order it is called, for tests; or whatever a function makes of each request and its number
 * (from 0). Past the last turn it throws `Rejected`, so that a loop which asks too often fails its test.
 */
export function scriptedModel(
  turns: readonly ScriptedTurn[] | ((request: ModelRequest, n: number) => ScriptedTurn),
  info: Partial<ModelInfo> = {},
): ScriptedModel {
  const requests: ModelRequest[] = [];
  const used = new Set<number>();
  return {
    info: { ...describeModel(parseModelString("demo:script@test")), ...info },
    requests,
    stream(request, signal) {
      const n = requests.push(request) - 1;
      const turn = typeof turns === "function" ? turns(request, n) : takeTurn(turns, used, request);
      return playTurn(turn, request, signal);
    },
  };
}

/**
 * The model of `demo:script@<file>`: it plays the turn after the answers the conversation already holds, so that a script
 * plays the same after a restart. The file is read anew for each call, so it can be worked on meanwhile; one that cannot be
 * read or is no script is `Rejected`, with the reason.
 */
export function scriptFile(path: string, info: ModelInfo): ModelClient {
  return {
    info,
    async *stream(request, signal) {
      signal.throwIfAborted();
      const turns = await readFile(path, signal);
      const answered = request.messages.filter((message) => message.role === "assistant").length;
      const turn = turns.slice(answered).find((each) => fits(each, request));
      yield* playTurn(turn, request, signal);
    },
  };
}

async function readFile(path: string, signal: AbortSignal): Promise<readonly ScriptedTurn[]> {
  try {
    return readScript(await Deno.readTextFile(path, { signal }));
  } catch (cause) {
    signal.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Rejected(`The script "${path}" cannot be played: ${reason}`, "demo", undefined, { cause });
  }
}

function takeTurn(
  turns: readonly ScriptedTurn[],
  used: Set<number>,
  request: ModelRequest,
): ScriptedTurn | undefined {
  const index = turns.findIndex((turn, at) => !used.has(at) && fits(turn, request));
  if (index >= 0) used.add(index);
  return turns[index];
}

function fits(turn: ScriptedTurn, request: ModelRequest): boolean {
  if (turn.when === undefined) return true;
  const newest = request.messages.at(-1);
  if (newest === undefined || newest.role === "assistant") return false;
  return (newest.role === "user" ? newest.text : newest.result).includes(turn.when);
}

function playTurn(
  turn: ScriptedTurn | undefined,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncIterable<ModelEvent> {
  const play: Play = turn === undefined ? { parts: [{ type: "fail", error: scriptEnded() }] } : playOf(turn);
  return playBack("demo:script", request, play, realPace(turn?.tps ?? 0), signal);
}

function scriptEnded(): Rejected {
  return new Rejected(
    "No turn is left in the script that fits this call. Add one, or start a new conversation",
    "demo",
  );
}
