/**
 * What all runs of one turn share: the lock, the bus, the gate and the ledger; and how each is given its part of it.
 *
 * @module
 */
import { type BuiltAgent, Ledger, LOADING, type Recorder, type RunServices, type ToolLock } from "../../agent/mod.ts";
import type { Turn } from "../../log/mod.ts";
import { Services } from "../../tool/mod.ts";
import type { TurnGate } from "../approvals/mod.ts";
import type { BusReader } from "../bus.ts";
import type { CurrentTurn, Slot } from "../slot.ts";
import { turnInbox } from "../turn_inbox.ts";
import type { TurnServices } from "../turn_services.ts";
import { DELEGATION, type Delegation, MESSAGES } from "./contract.ts";
import { messagesOf } from "./messages.ts";

/** What the runs of one turn have in common. */
export interface TurnRuns {
  readonly services: TurnServices;
  readonly turn: Turn;
  readonly slot: Slot;
  readonly current: CurrentTurn;
  /** Shared by all turns: calls that are unsafe beside each other wait for it (T-142). */
  readonly lock: ToolLock;
  readonly gate: TurnGate | undefined;
  /** Every model call of the turn. */
  readonly ledger: Ledger;
  /** Called when messages that waited on the bus were read. */
  readonly onRead: () => void;
}

/** One run of a turn. */
export interface RunParts {
  readonly agent: BuiltAgent;
  readonly recorder: Recorder;
  readonly reader: BusReader;
  readonly ledger: Ledger;
  readonly delegation: Delegation;
}

/** The ledger of one run of an agent: its own budget, within that of `outer`. */
export function ledgerOf({ name, budget }: Pick<BuiltAgent, "name" | "budget">, outer: Ledger): Ledger {
  return new Ledger(budget, `this run of ${name}`, outer);
}

/** What one run is made with. */
export function runServices(
  { services, slot, current, lock, gate: turnGate, onRead }: TurnRuns,
  { agent, recorder, reader, ledger, delegation }: RunParts,
): RunServices {
  const { source, storage, now, costOf, newId } = services;
  const gate = turnGate?.forRun(recorder);
  const scope = new Services(source.services)
    .provide(LOADING, () => agent.toolbox)
    .provide(DELEGATION, () => delegation)
    .provide(MESSAGES, () => messagesOf(current.bus, reader.address, newId));
  const isEntry = recorder.scope.run === undefined;
  const window = isEntry ? undefined : agent.generation.context_length ?? agent.model.info.contextWindow;
  return {
    recorder,
    blobs: storage.blobs,
    lock,
    now,
    ...gate && { gate },
    service: scope.service,
    captureRequests: source.config.assistant.captureRequests,
    costOf: (usage) => costOf(agent.model, usage),
    ledger,
    ...window !== undefined && { window },
    inbox: turnInbox(reader, current, onRead),
    onPhase: (phase) => slot.phase = isEntry ? phase : `${reader.address ?? agent.name}: ${phase}`,
  };
}
