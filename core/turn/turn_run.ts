/**
 * The run of a turn: builds its agent and its context, and lets it read the bus.
 *
 * @module
 */
import { buildAgent, Recorder, runAgent, type RunOutcome, type ToolLock } from "../agent/mod.ts";
import { type Entry, errorText, type Turn } from "../log/mod.ts";
import type { ContextCache } from "./context_cache.ts";
import type { CurrentTurn, Slot } from "./slot.ts";
import { turnInbox } from "./turn_inbox.ts";
import type { TurnServices } from "./turn_services.ts";

/** A turn that is to be run. */
export interface Run {
  readonly turn: Turn;
  readonly said: Entry;
  readonly slot: Slot;
  readonly current: CurrentTurn;
  /** Shared by all turns: calls that are unsafe beside each other wait for it. */
  readonly lock: ToolLock;
  /** Called when messages that waited on the bus were read. */
  readonly onRead: () => void;
}

/** Runs a turn to its end; whatever fails is its outcome. */
export async function runTurn(
  services: TurnServices,
  { turn, said, slot, current, lock, onRead }: Run,
  contexts: ContextCache,
): Promise<{ readonly outcome: RunOutcome; readonly recorder: Recorder }> {
  const { log, now, report, storage, source, costOf, modelClient } = services;
  const { conversation, id } = turn;
  const recorder = new Recorder(log, { conversation, turn: id }, now);
  try {
    const client = await modelClient(turn.model);
    const agent = buildAgent(source, turn.agent, client, turn.thinking ?? undefined);
    const history = await contexts.upTo(conversation, turn.parent);
    const { budgetTokens: tokens, budgetCost: cost, captureRequests } = source.config.assistant;
    const outcome = await runAgent(agent, { history, said: [said] }, {
      recorder,
      blobs: storage.blobs,
      lock,
      now,
      use: source.services.use,
      captureRequests,
      costOf: (usage) => costOf(agent.model, usage),
      budget: { tokens, cost },
      inbox: turnInbox(current.bus.openEntry(turn.agent), current, onRead),
      onPhase: (phase) => slot.phase = phase,
    }, slot.controller.signal);
    contexts.keep(turn.parent, id, [...history, ...recorder.context([said])]);
    return { outcome, recorder };
  } catch (error) {
    report("ERROR", "turns", `turn ${id} failed: ${errorText(error)}`);
    return { outcome: { status: "failed", failure: errorText(error), calls: [] }, recorder };
  }
}
