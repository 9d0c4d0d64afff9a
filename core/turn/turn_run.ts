/**
 * The run of a turn: builds its agent and its context, and lets it read the bus.
 *
 * Invariant: when a run is over, so is everything it handed to others (tests/core/turn/delegation/worker_test.ts, "a stop
 * reaches every level").
 *
 * @module
 */
import {
  buildAgent,
  type BuiltAgent,
  foldLoaded,
  Ledger,
  Recorder,
  runAgent,
  type RunOutcome,
  type ToolLock,
} from "../agent/mod.ts";
import { type CountedCall, type Entry, errorText, type Turn } from "../log/mod.ts";
import type { ContextCache } from "./context_cache.ts";
import { Delegator, ledgerOf, runServices, type TurnRuns } from "./delegation/mod.ts";
import type { CurrentTurn, Slot } from "./slot.ts";
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

/** A turn whose run is over. */
export interface Ran {
  readonly outcome: RunOutcome;
  readonly recorder: Recorder;
  /** Every model call of the turn, those of its sub-agents included. */
  readonly calls: readonly CountedCall[];
}

/** Runs a turn to its end; whatever fails is its outcome. */
export async function runTurn(services: TurnServices, run: Run, contexts: ContextCache): Promise<Ran> {
  const { turn, said } = run;
  const { log, now, report, source } = services;
  const { conversation, id } = turn;
  const recorder = new Recorder(log, { conversation, turn: id }, now);
  const { budgetTokens: tokens, budgetCost: cost } = source.config.assistant;
  const ledger = new Ledger({ tokens, cost }, "this turn");
  const gate = services.gateOf?.(turn, said.kind === "user" ? said.data.text : "");
  try {
    const client = await services.modelClient(turn.model);
    const history = await contexts.upTo(conversation, turn.parent);
    const agent = buildAgent(source, turn.agent, client, {
      thinking: turn.thinking ?? undefined,
      loaded: history.loaded,
    });
    const outcome = await runEntry({ ...run, services, gate, ledger }, agent, recorder, history.messages);
    contexts.keep(turn.parent, id, {
      messages: [...history.messages, ...recorder.context([said])],
      loaded: [...new Set([...history.loaded, ...foldLoaded(recorder.entries)])],
    });
    return { outcome, recorder, calls: ledger.calls };
  } catch (error) {
    report("ERROR", "turns", `turn ${id} failed: ${errorText(error)}`);
    return { outcome: { status: "failed", failure: errorText(error) }, recorder, calls: ledger.calls };
  }
}

async function runEntry(
  runs: TurnRuns & Pick<Run, "said">,
  agent: BuiltAgent,
  recorder: Recorder,
  history: Parameters<typeof runAgent>[1]["history"],
): Promise<RunOutcome> {
  const ledger = ledgerOf(agent, runs.ledger);
  const delegation = new Delegator(runs, { plan: agent.plan, run: undefined, ledger });
  const reader = runs.current.bus.openEntry(agent.name);
  const parts = runServices(runs, { agent, recorder, reader, ledger, delegation });
  try {
    return await runAgent(agent, { history, said: [runs.said] }, parts, runs.slot.controller.signal);
  } finally {
    await delegation.settled();
  }
}
