/**
 * One sub-agent's run: its card, its own entries, and what it reports to whoever gave it the work.
 *
 * Invariants (tests/core/turn/delegation/worker_test.ts)
 * 1. A card ends with the true status of its run, whatever happened to it (K-157, K-159).
 * 2. The end of the card and the result its caller reads are stored in one transaction, unless the call was answered before
 *    (casebook, "Sub-agent finished but parent never told").
 * 3. Nothing of a run is written after its card has ended: what it started itself has ended before.
 *
 * @module
 */
import { type AgentPlan, buildPlanned, type Ledger, Recorder, runAgent, type RunOutcome } from "../../agent/mod.ts";
import { closing, type ContextMessage, errorText, foldUsage, type OpenEntry, type RunData } from "../../log/mod.ts";
import type { OrderedBy, WorkReport } from "./contract.ts";
import type { Delegator, Superior } from "./delegator.ts";
import { ledgerOf, runServices, type TurnRuns } from "./turn_runs.ts";

/** Work for a sub-agent. */
export interface WorkOrder {
  readonly plan: AgentPlan;
  readonly task: string;
  /** The run that gives it; `undefined` for the entry agent. */
  readonly parentRun: string | undefined;
  readonly ledger: Ledger;
  readonly by: OrderedBy;
  /** Makes what it hands work on with itself. */
  readonly delegatorOf: (superior: Superior) => Delegator;
}

/** Runs a sub-agent to its end. Whatever fails is in the report; it throws only when its card cannot be stored. */
export async function runWorker(runs: TurnRuns, order: WorkOrder): Promise<WorkReport> {
  const { services: { log, now, newId, defaultModel }, turn, current } = runs;
  const { plan, task, parentRun, by } = order;
  const model = plan.model ?? await defaultModel();
  const reader = current.bus.openWorker(plan.label);
  const run = newId();
  const recorder = new Recorder(log, { conversation: turn.conversation, turn: turn.id, run, parentRun }, now);
  const began = now();
  const ledger = ledgerOf(plan, order.ledger);
  const card = recorder.openCard({
    agent: plan.name,
    task,
    status: "running",
    model,
    thinking: plan.thinking ?? null,
    ...reader.address !== null && { address: reader.address },
    ...plan.name === plan.label ? {} : { tool: by.call.tool, arguments: by.call.arguments },
    entry: by.call.entry,
  });
  const outcome = await outcomeOf(runs, { ...order, ledger }, { model, run, recorder, reader });
  const ended = now();
  const failure = reasonOf(outcome);
  const status = statusOf(outcome);
  const capped = outcome.status === "done" && outcome.capped;
  const usage = foldUsage(ledger.calls, Math.max(0, (ended.getTime() - began.getTime()) / 1000));
  await endCard(card, by, {
    ...card.data,
    status: status === "stopped" && runs.slot.endedBy === "shutdown" ? "interrupted" : status,
    ...usage && { usage },
    ...capped && { capped },
    ...failure !== undefined && { failure },
    ended_at: ended.toISOString(),
  });
  return {
    kind: "report",
    agent: plan.label,
    address: reader.address,
    answer: lastWords(recorder.context([])),
    status,
    capped,
    maxIterations: plan.maxIterations,
    ...failure !== undefined && { failure },
  };
}

interface WorkParts {
  readonly model: string;
  readonly run: string;
  readonly recorder: Recorder;
  readonly reader: ReturnType<TurnRuns["current"]["bus"]["openWorker"]>;
}

async function outcomeOf(
  runs: TurnRuns,
  { plan, ledger, by, delegatorOf }: WorkOrder,
  { model, run, recorder, reader }: WorkParts,
): Promise<RunOutcome> {
  const { services: { source, modelClient, report }, turn } = runs;
  const delegation = delegatorOf({ plan, run, ledger });
  try {
    const agent = buildPlanned(source, plan, await modelClient(model));
    // The task is in the card, the first entry of the run.
    const input = { history: [], said: [] };
    return await runAgent(
      agent,
      input,
      runServices(runs, { agent, recorder, reader, ledger, delegation }),
      by.signal,
    );
  } catch (error) {
    if (by.signal.aborted) return { status: "stopped" };
    report("ERROR", "turns", `${plan.name} failed in turn ${turn.id}: ${errorText(error)}`);
    return { status: "failed", failure: errorText(error) };
  } finally {
    await delegation.settled();
  }
}

/** With the result of the call that gave the work; by itself where that call was answered before. */
async function endCard(card: OpenEntry<"run">, { call }: OrderedBy, data: RunData): Promise<void> {
  if (!call.endWith(closing(card, data))) await card.close(data);
}

function statusOf({ status }: RunOutcome): WorkReport["status"] {
  return status === "refused" ? "failed" : status;
}

function reasonOf(outcome: RunOutcome): string | undefined {
  return outcome.status === "stopped" ? outcome.reason : outcome.status === "done" ? undefined : outcome.failure;
}

/** What it said last; empty where it said nothing. */
function lastWords(context: readonly ContextMessage[]): string {
  for (const message of context.toReversed()) {
    if (message.role !== "assistant") continue;
    const text = message.parts.flatMap((part) => part.type === "text" ? [part.text] : []).join("").trim();
    if (text !== "") return text;
  }
  return "";
}
