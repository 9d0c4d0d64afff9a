/**
 * From a declaration to an agent: what a turn runs. A pure function of the config, the toolsets, a model and what the log
 * says was loaded; it holds no memory of its own, so building it again costs nothing and loses nothing (ARCHITECTURE
 * section 1, rule 1).
 *
 * @module
 */
import type { Config } from "../config/mod.ts";
import type { Thinking } from "../log/mod.ts";
import type { Generation, ModelClient } from "../model/mod.ts";
import type { Services, ToolOfToolset } from "../tool/mod.ts";
import type { Budget } from "./ledger.ts";
import { type AgentPlan, CAPABILITIES, planAgent, type PlanSource } from "./plan.ts";
import { assemblePrompt } from "./prompt.ts";
import { Toolbox } from "./toolbox.ts";

/** An agent, ready to run. */
export interface Agent {
  readonly name: string;
  /** Whose approval policy holds, where that is not `name`. */
  readonly policy?: string;
  readonly system: string;
  readonly model: ModelClient;
  /** In a stable order: toolsets as declared, tools as each lists them. It grows at its end when a toolset is loaded. */
  readonly tools: readonly ToolOfToolset[];
  readonly thinking?: Thinking;
  readonly generation: Generation;
  /** Model calls per turn, the wrap-up not counted. */
  readonly maxIterations: number;
  /** Whether independent calls of one round may run together. */
  readonly concurrentTools: boolean;
}

/** An agent with what a run of it is made with. */
export interface BuiltAgent extends Agent {
  readonly toolbox: Toolbox;
  readonly plan: AgentPlan;
  /** What one run of it may use. */
  readonly budget: Budget;
}

/** What an agent is built from. */
export interface AgentSource extends PlanSource {
  readonly now: () => Date;
  /** What the house provides to toolsets. */
  readonly services: Services;
  /** Told one line when a toolset that was loaded before cannot be given back (K-179). */
  readonly onLost?: (message: string) => void;
}

/** What differs between two builds of one agent. */
export interface BuildOptions {
  /** Goes before what is declared (B.6). */
  readonly thinking?: Thinking;
  /** What the log says was loaded, in that order (K-179). */
  readonly loaded?: readonly string[];
}

/** The model string an agent's table asks for, or `fallback` (K-026). */
export function modelStringFor(config: Config, agent: string, fallback: string): string {
  return config.agents[agent]?.model ?? fallback;
}

/** Builds the declared agent of that name around a model. Throws what `planAgent` and `buildPlanned` throw. */
export function buildAgent(
  source: AgentSource,
  name: string,
  model: ModelClient,
  options: BuildOptions = {},
): BuiltAgent {
  return buildPlanned(source, planAgent(source, name), model, options);
}

/** Builds an agent after its plan. Throws `BadToolset` when the settings of a toolset do not fit it. */
export function buildPlanned(
  { config, registry, services, now, onLost = () => {} }: AgentSource,
  plan: AgentPlan,
  model: ModelClient,
  { thinking, loaded = [] }: BuildOptions = {},
): BuiltAgent {
  const toolbox = new Toolbox({
    registry,
    context: { settings: config.toolsets, now, agent: plan.facts, service: services.service },
    resident: plan.resident,
    deferred: plan.deferred,
    gates: plan.gates,
    loaded,
    onLost: (name, reason) => onLost(`${plan.name} had loaded ${name} and does not get it back: ${reason}`),
  });
  return {
    name: plan.name,
    system: promptOf(plan, toolbox),
    model,
    get tools() {
      return toolbox.tools;
    },
    thinking: thinking ?? plan.thinking,
    generation: plan.generation,
    maxIterations: plan.maxIterations,
    concurrentTools: config.assistant.concurrentTools,
    toolbox,
    plan,
    budget: plan.budget,
  };
}

/** The five parts of K-189. What was loaded before counts as resident (K-179); what is loaded from now on brings its own. */
function promptOf({ opener, resident, deferred, facts }: AgentPlan, toolbox: Toolbox): string {
  const all = [...resident, ...deferred];
  const loaded = new Set(toolbox.loaded);
  const held = [...resident, ...deferred.filter(({ name }) => loaded.has(name))];
  const delegates = facts.delegates.length > 0;
  const others = delegates || facts.depth > 0 && all.some(({ name }) => name === CAPABILITIES);
  return assemblePrompt({
    opener,
    guidance: held.flatMap((toolset) => toolset.guidance ?? []),
    loadable: toolbox.loadable,
    delegates,
    lean: others && all.every((toolset) => toolset.crossCutting),
  });
}
