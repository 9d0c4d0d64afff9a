/**
 * The agent loop: ask the model, write down what comes, run the tools it calls, ask again, until it answers.
 *
 * Invariants
 * 1. Each round's request is the fold of the log: history, then what this run has written ("the second request is the
 *    fold of the stored entries").
 * 2. A call starts the moment its arguments are complete, while the model may still be speaking ("tools start before the
 *    stream ends").
 * 3. A run makes at most `maxIterations` model calls and one wrap-up (K-144, K-145), and none that its ledger refuses.
 * 4. However a run ends, no entry of it stays open and every call has exactly one result ("abort at every event").
 * 5. A refusal, a cut-off stream and a stop never look like a normal end (K-091, B.3).
 * 6. What waits in the inbox is read before the next model call, never after the last one, and not by a run that is being
 *    ended; each time the calls are counted anew, at most `maxIterations` times (K-138; tests/core/agent/inbox_test.ts).
 *
 * All but the last in tests/core/agent/run_test.ts.
 *
 * @module
 */
import {
  type CallUsage,
  type ContextMessage,
  type CountedCall,
  type Entry,
  errorText,
  foldContext,
  type OpenEntry,
  type RoundData,
} from "../log/mod.ts";
import { ModelError, type ModelEvent, type ModelRequest, type StopReason } from "../model/mod.ts";
import type { Agent } from "./agent.ts";
import { AnswerLimit, nameOf } from "./answer_limit.ts";
import { estimateTokens, measuredLength, planCompaction, type RequestFrame } from "./compaction.ts";
import { Dispatcher, type DispatchServices } from "./dispatch.ts";
import type { Inbox } from "./inbox.ts";
import type { Booking, Ledger, Need } from "./ledger.ts";
import { toModelMessages, unseenPictures } from "./messages.ts";
import { CONTINUE_PROMPT, WRAP_UP_PROMPT } from "./prompt.ts";
import type { Recorder } from "./recorder.ts";
import { captureRequest } from "./request_capture.ts";
import { untilAborted } from "./tool_lock.ts";

/** What a run works with. */
export interface RunServices extends DispatchServices {
  /** Whether request bodies are kept for the person to look at. */
  readonly captureRequests: boolean;
  /** US dollars of one call, or `undefined` when the price is not known. */
  readonly costOf: (usage: CallUsage) => number | undefined;
  /** Where its calls are booked, and refused once a budget is reached. */
  readonly ledger: Ledger;
  /** The window in tokens, for a run whose context may be made shorter (K-153). */
  readonly window?: number;
  /** What comes while it runs; absent for a run nobody can write to. */
  readonly inbox?: Inbox;
  /** Told what the run is doing, in a word or two, for the diagnostics. */
  readonly onPhase?: (phase: string) => void;
}

/** What the run is about. */
export interface RunInput {
  /** The conversation up to this turn. */
  readonly history: readonly ContextMessage[];
  /** What this turn has said before the run began: the person's message. */
  readonly said: readonly Entry[];
}

/** How a run ended. `failure` and `reason` are sentences for the person. */
export type RunOutcome =
  | {
    readonly status: "done";
    /** It used all its model calls before it was done (K-214). */
    readonly capped: boolean;
  }
  | {
    readonly status: "stopped";
    /** Why, where its budget stopped it. */
    readonly reason?: string;
  }
  | { readonly status: "refused" | "failed"; readonly failure: string };

/** The model ended without saying anything, also after being asked again. */
export class EmptyAnswer extends Error {
  override readonly name = "EmptyAnswer";
}

/** A model call that is about to be made. */
interface RoundPlan {
  readonly kind: RoundData["kind"];
  readonly isLast: boolean;
  readonly booking: Booking;
  /** What the model is sent of the conversation and of this run. */
  readonly context: readonly ContextMessage[];
  /** How many messages of it, from the first, are of earlier turns. */
  readonly history: number;
}

interface Round {
  readonly called: boolean;
  readonly spoke: boolean;
  readonly stop: StopReason;
  readonly refusal: string;
  readonly counted: CountedCall;
}

/** Runs one agent to its end. Throws only what storage throws: all else is an outcome. */
export async function runAgent(
  agent: Agent,
  input: RunInput,
  services: RunServices,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { recorder } = services;
  // Ends the tools of a run that fails on its own, as a stop does from outside.
  const over = new AbortController();
  const both = AbortSignal.any([signal, over.signal]);
  const dispatcher = new Dispatcher(agent, services, both);
  try {
    return await loop(agent, input, services, dispatcher, both);
  } catch (error) {
    if (signal.aborted) return { status: "stopped" };
    if (error instanceof ModelError || error instanceof EmptyAnswer) {
      return { status: "failed", failure: error.message };
    }
    throw error;
  } finally {
    over.abort(new DOMException("The run is over", "AbortError"));
    await dispatcher.finish();
    await recorder.end();
  }
}

/** What the run's model is sent, as the log has it now. */
function contextOf({ history, said }: RunInput, recorder: Recorder): readonly ContextMessage[] {
  return [...history, ...recorder.context(said)];
}

async function loop(
  agent: Agent,
  input: RunInput,
  services: RunServices,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { recorder, ledger } = services;
  let kind: RoundData["kind"] = "plain";
  let last: CountedCall | undefined;
  let lengthOfToken: number | undefined;
  let restarts = 0;
  const unseen = unseenPictures(input.said, agent.model.info);
  if (unseen) recorder.notice(unseen, "warning");
  for (let number = 1;; number++) {
    const need = ledger.isFresh
      ? NOTHING
      : needOf(last, () => estimateTokens(frameOf(agent), contextOf(input, recorder)));
    const reason = ledger.refusal(need);
    if (reason !== undefined) {
      recorder.notice(reason, "warning");
      return { status: "stopped", reason };
    }
    using booking = ledger.book(need);
    if (await readInbox(services, signal) && restarts < agent.maxIterations) {
      restarts++;
      number = 1;
      kind = "plain";
      dispatcher.isLooping = false;
    }
    makeRoom(agent, input, services, lengthOfToken);
    sayKind(recorder, kind);
    const isLast = number >= agent.maxIterations;
    const context = contextOf(input, recorder);
    const round = await streamRound(agent, services, dispatcher, {
      kind,
      isLast,
      booking,
      context,
      history: input.history.length,
    }, signal);
    last = round.counted;
    if (services.window !== undefined && last.usage) {
      lengthOfToken = measuredLength(frameOf(agent), context, last.usage.input_tokens);
    }
    services.onPhase?.("running tools");
    await untilAborted(dispatcher.finish(), signal);
    await recorder.settled();
    if (round.stop === "refusal") return { status: "refused", failure: refusalSentence(agent, round.refusal) };
    if (!round.called && round.spoke) {
      if (round.stop === "length") {
        recorder.notice(
          "The answer was cut off at the model's output limit. Ask it to go on, or raise max_tokens",
          "warning",
        );
      }
      return { status: "done", capped: kind === "wrap_up" };
    }
    if (!round.called && round.stop === "length") {
      throw new EmptyAnswer(
        `${nameOf(agent.model.info)} reached its output limit before it said anything: raise max_tokens`,
      );
    }
    if (kind === "wrap_up") {
      throw new EmptyAnswer(`${nameOf(agent.model.info)} gave no answer, also when asked for one without tools`);
    }
    kind = isLast || dispatcher.isLooping ? "wrap_up" : round.called ? "plain" : "continuation";
  }
}

/** Delivers what came meanwhile; whether anything had. A run that is being ended reads nothing more. */
async function readInbox({ inbox, recorder }: RunServices, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted();
  if (!inbox?.waits) return false;
  const delivered = await inbox.deliver((data, also) => recorder.deliver(data, also));
  signal.throwIfAborted();
  return delivered > 0;
}

/** Says to the model what the loop wants of the next round (B.3). */
function sayKind(recorder: Recorder, kind: RoundData["kind"]): void {
  if (kind === "wrap_up") recorder.inject(WRAP_UP_PROMPT, "wrap_up");
  if (kind === "continuation") recorder.inject(CONTINUE_PROMPT, "continuation");
}

/** One model call: streams it into entries and starts its tools. */
async function streamRound(
  agent: Agent,
  services: RunServices,
  dispatcher: Dispatcher,
  round: RoundPlan,
  signal: AbortSignal,
): Promise<Round> {
  const { recorder, now } = services;
  const capture = captureRequest(services.blobs, recorder.scope.conversation, services.captureRequests);
  const request = await buildRequest(agent, services, round);
  const began = now().getTime();
  const tools = new Map<string, OpenEntry<"tool">>();
  const end = { stop: "end" as StopReason, reason: "", refusal: "", called: false, spoke: false };
  let usage: CallUsage | undefined;
  let failure: unknown;
  services.onPhase?.("waiting for the model");
  const refusal = round.kind === "wrap_up"
    ? "Not run: tools are switched off for this answer"
    : round.isLast
    ? `Not run: this turn has used its ${agent.maxIterations} model calls`
    : undefined;

  const limit = new AnswerLimit(agent.model.info);
  const take = (event: ModelEvent) => {
    limit.count(event);
    switch (event.type) {
      case "request":
        capture.take(event.body);
        break;
      case "thinking":
      case "text":
        if (event.type === "text" && event.text.trim()) end.spoke = true;
        if (event.text) recorder.say(event.type, event.text);
        break;
      case "signature":
        if (event.of === "tool_call") signCall(tools.get(event.call ?? ""), event);
        else recorder.sign(event.of, event.signature);
        break;
      case "tool_start":
        tools.set(event.call, recorder.startTool(event.call, event.name, dispatcher.toolsetOf(event.name)));
        break;
      case "tool_arguments":
        break;
      case "tool_call": {
        end.called = true;
        const handle = tools.get(event.call) ??
          recorder.startTool(event.call, event.name, dispatcher.toolsetOf(event.name));
        tools.set(event.call, handle);
        dispatcher.start(handle, event, refusal);
        break;
      }
      case "refusal":
        end.refusal += event.text;
        break;
      case "usage":
        usage = event.usage;
        break;
      case "stop":
        end.stop = event.reason;
        end.reason = event.provider_reason;
        break;
      default:
        event satisfies never;
    }
  };

  try {
    for await (const event of agent.model.stream(request, signal)) {
      services.onPhase?.("reading the model");
      take(event);
      if (event.type !== "request") capture.store();
    }
  } catch (error) {
    failure = error;
  }
  recorder.endSpeech();
  const ms = now().getTime() - began;
  const cost = usage ? services.costOf(usage) : undefined;
  const counted = { agent: agent.name, model: agent.model.info.string, ms, usage, cost };
  round.booking.settle(counted);
  recorder.round({
    kind: round.kind,
    model: agent.model.info.string,
    ...await capture.done(),
    ...(usage ? { usage } : {}),
    ms,
    stop_reason: failure === undefined ? end.reason : signal.aborted ? "stopped" : "failed",
    ...(failure !== undefined && !signal.aborted ? { error: errorText(failure) } : {}),
  });
  if (failure !== undefined) throw failure;
  signal.throwIfAborted();
  return { ...end, counted };
}

async function buildRequest(
  agent: Agent,
  services: RunServices,
  { kind, context, history }: RoundPlan,
): Promise<ModelRequest> {
  return {
    system: agent.system,
    messages: await toModelMessages(context, services.blobs, { limits: agent.model.info.imageLimits, history }),
    tools: frameOf(agent).tools,
    toolChoice: kind === "wrap_up" ? "none" : "auto",
    thinking: agent.thinking,
    generation: agent.generation,
    cacheKey: services.recorder.scope.run ?? services.recorder.scope.conversation,
  };
}

const NOTHING: Need = { tokens: 0, cost: 0 };

/** The next request holds at least what the last one held and what came of it; the first is as long as it is. */
function needOf(last: CountedCall | undefined, estimate: () => number): Need {
  if (!last?.usage) return { tokens: estimate(), cost: last?.cost ?? 0 };
  return { tokens: last.usage.input_tokens + last.usage.output_tokens, cost: last.cost ?? 0 };
}

function frameOf(agent: Agent): RequestFrame {
  return { system: agent.system, tools: agent.tools.map((held) => held.tool.spec) };
}

/** Leaves old rounds out of what the model is sent, where the run may and has to. */
function makeRoom(agent: Agent, input: RunInput, services: RunServices, lengthOfToken: number | undefined): void {
  const { recorder, window } = services;
  if (window === undefined) return;
  const made = planCompaction({
    window,
    entries: [...input.said, ...recorder.entries],
    fold: (entries) => foldContext(entries, recorder.scope.run ?? null),
    measure: (context) => estimateTokens(frameOf(agent), context, lengthOfToken),
  });
  if (made) recorder.compact(made);
}

function signCall(handle: OpenEntry<"tool"> | undefined, event: Extract<ModelEvent, { type: "signature" }>): void {
  if (handle?.isOpen) handle.patch({ ...handle.data, signature: event.signature }).catch(() => {});
}

function refusalSentence(agent: Agent, said: string): string {
  const reason = said.trim();
  return `${nameOf(agent.model.info)} declined to answer${reason ? `: ${reason}` : ""}`;
}
