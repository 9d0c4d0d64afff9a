/**
 * Hands the work of one run to sub-agents: checks the order, makes the plan, and keeps what it started.
 *
 * Invariants (tests/core/turn/delegation/delegator_test.ts)
 * 1. A run hands work only to the agents its table names, each level to its own (K-209).
 * 2. Composed sub-agents nest no deeper than the config says when they are asked for (K-212).
 * 3. `settled` resolves when nothing runs below this run any more (worker_test.ts beside it, "a stop reaches every level").
 *
 * @module
 */
import {
  type AgentPlan,
  CAPABILITIES,
  compositionDepth,
  type Ledger,
  planAgent,
  planComposed,
} from "../../agent/mod.ts";
import { agentNameFault } from "../../config/mod.ts";
import { composedLabel } from "../../tool/mod.ts";
import type { ComposeOrder, Delegation, OrderedBy, WorkRefusal, WorkReport } from "./contract.ts";
import type { TurnRuns } from "./turn_runs.ts";
import { runWorker } from "./worker.ts";

/** The run that hands work on. */
export interface Superior {
  readonly plan: AgentPlan;
  /** Its own run; `undefined` for the entry agent. */
  readonly run: string | undefined;
  readonly ledger: Ledger;
}

export class Delegator implements Delegation {
  readonly #runs: TurnRuns;
  readonly #superior: Superior;
  readonly #working = new Set<Promise<unknown>>();

  constructor(runs: TurnRuns, superior: Superior) {
    this.#runs = runs;
    this.#superior = superior;
  }

  /** @inheritdoc */
  async spawn(
    { agent, task }: { readonly agent: string; readonly task: string },
    by: OrderedBy,
  ): Promise<WorkReport | WorkRefusal> {
    const known = this.#superior.plan.facts.delegates.map(({ name }) => name);
    if (!known.includes(agent)) return { kind: "refused", why: "unknown agent", agent, known };
    if (task.trim() === "") return { kind: "refused", why: "no task" };
    return await this.#start(planAgent(this.#runs.services.source, agent), task, by);
  }

  /** @inheritdoc */
  async compose(order: ComposeOrder, by: OrderedBy): Promise<WorkReport | WorkRefusal> {
    const { source } = this.#runs.services;
    const { facts } = this.#superior.plan;
    const most = compositionDepth(source.config);
    // A composed one has what its own depth left, however high the config was raised since.
    const depth = facts.name.startsWith(composedLabel("")) ? Math.min(facts.depth, most) : most;
    const refusal = this.#refusal(order, depth, most);
    if (refusal) return refusal;
    const { name, tools, instructions, task } = order;
    const plan = planComposed(source, { name: name.trim(), tools: tools.map(plain), instructions, depth: depth - 1 });
    return await this.#start(plan, task, by);
  }

  /** Resolves when nothing runs below this run any more. */
  async settled(): Promise<void> {
    while (this.#working.size > 0) await Promise.allSettled(this.#working);
  }

  #start(plan: AgentPlan, task: string, by: OrderedBy): Promise<WorkReport> {
    const { run, ledger } = this.#superior;
    const delegatorOf = (superior: Superior) => new Delegator(this.#runs, superior);
    const work = runWorker(this.#runs, { plan, task, parentRun: run, ledger, by, delegatorOf });
    const kept = work.catch(() => {}).finally(() => this.#working.delete(kept));
    this.#working.add(kept);
    return work;
  }

  #refusal({ name, task, tools }: ComposeOrder, depth: number, most: number): WorkRefusal | undefined {
    const { config, registry } = this.#runs.services.source;
    const refused = { kind: "refused" } as const;
    if (depth <= 0) return { ...refused, why: most <= 0 ? "off" : "too deep" };
    if (task.trim() === "") return { ...refused, why: "no task" };
    const label = name.trim();
    if (!/^[A-Za-z0-9_-]{1,40}$/.test(label) || agentNameFault(label) !== null) {
      return { ...refused, why: "name", name, reason: "ill-formed" };
    }
    if (Object.hasOwn(config.agents, label)) return { ...refused, why: "name", name: label, reason: "taken" };
    const asked = tools.map(plain).filter((tool) => tool !== "");
    if (asked.length === 0) return { ...refused, why: "no tools" };
    const forbidden = asked.find((tool) => tool.toLowerCase() === CAPABILITIES);
    if (forbidden !== undefined) return { ...refused, why: "capabilities", tool: forbidden };
    const unknown = asked.filter((tool) => registry.find(tool) === undefined);
    if (unknown.length > 0) {
      const known = registry.entries().filter((entry) => !entry.entryOnly && entry.name !== CAPABILITIES);
      return { ...refused, why: "unknown tools", tools: unknown, known: known.map((entry) => entry.name) };
    }
    const entryOnly = asked.find((tool) => registry.find(tool)?.toolset.entryOnly);
    return entryOnly === undefined ? undefined : { ...refused, why: "entry only", tool: entryOnly };
  }
}

function plain(tool: string): string {
  return tool.trim();
}
