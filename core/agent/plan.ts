/**
 * From a declaration to a plan: everything an agent is but for its model. A declared agent's is read from its table, a
 * composed one's is made from what was asked for.
 *
 * Invariants (tests/core/agent/plan_test.ts)
 * 1. What one agent declares about itself has no effect on those it hands work to (K-028).
 * 2. A composed agent never gets the toolset that composes by its name, and nothing that is for the entry agent alone; while
 *    depth is left it gets the former with one less (K-212).
 *
 * @module
 */
import { type AgentDeclaration, type Config, sectionOf, sections } from "../config/mod.ts";
import type { Thinking } from "../log/mod.ts";
import type { Generation } from "../model/mod.ts";
import { type AgentFacts, composedLabel, policyOf, type Toolset, type ToolsetRegistry } from "../tool/mod.ts";
import type { Budget } from "./ledger.ts";

/** The toolset that lists capabilities and composes agents of them. */
export const CAPABILITIES = "capabilities";

/** An agent before it is built. */
export interface AgentPlan {
  /** What its calls are counted under, and its card says: its table's name, or `composed:<name>`. */
  readonly name: string;
  /** What the addresses of its runs are made of. */
  readonly label: string;
  /** Its own model string; the default model where there is none (K-210). */
  readonly model: string | undefined;
  readonly opener: string;
  readonly resident: readonly Toolset[];
  readonly deferred: readonly Toolset[];
  /** Entries of its gate list. */
  readonly gates: readonly string[];
  readonly facts: AgentFacts;
  readonly thinking: Thinking | undefined;
  readonly generation: Generation;
  readonly maxIterations: number;
  /** What one run of it may use. */
  readonly budget: Budget;
}

/** No `[agents.<name>]` table has this name. */
export class UnknownAgent extends Error {
  override readonly name = "UnknownAgent";
  constructor(readonly agent: string, known: readonly string[]) {
    super(`No agent "${agent}": the config declares ${known.map((name) => `"${name}"`).join(", ")}`);
  }
}

/** What plans are made from. */
export interface PlanSource {
  readonly config: Config;
  readonly registry: ToolsetRegistry;
  /** `--system`: replaces the entry agent's opener (K-189, K-192). */
  readonly system?: string;
}

/** The plan of a declared agent. Throws `UnknownAgent`, `UnknownToolset`, `EntryOnlyToolset`. */
export function planAgent({ config, registry, system }: PlanSource, name: string): AgentPlan {
  const declared = config.agents[name];
  if (!declared) throw new UnknownAgent(name, Object.keys(config.agents));
  const { assistant } = config;
  const isEntry = name === assistant.agent;
  const { resident, deferred } = registry.split(declared.tools.available, declared.tools.resident, { isEntry });
  return {
    name,
    label: name,
    model: declared.model,
    opener: (isEntry ? system : undefined) ?? declared.systemMessage ?? assistant.systemMessage,
    resident,
    deferred,
    gates: gatesOf(config, name),
    facts: {
      name,
      isEntry,
      delegates: declared.delegatesTo.flatMap((other) => {
        const agent = config.agents[other];
        return agent ? [{ name: other, about: aboutOf(agent) }] : [];
      }),
      loadable: deferred.map((toolset) => ({ name: toolset.name, description: toolset.description })),
      depth: compositionDepth(config),
    },
    thinking: declared.thinking ?? assistant.thinking,
    generation: { ...assistant.generation, ...declared.generation },
    maxIterations: declared.maxIterations ?? assistant.maxIterations,
    budget: { tokens: declared.budgetTokens, cost: declared.budgetCost },
  };
}

/** What a composed agent is to be. */
export interface Composition {
  readonly name: string;
  /** Names of toolsets; checked by whoever asks. */
  readonly tools: readonly string[];
  readonly instructions: string;
  /** How deep others may be composed below it. */
  readonly depth: number;
}

/** The plan of a composed agent: defaults in everything, the default gates (K-212). Throws as `planAgent` does. */
export function planComposed(
  { config, registry }: PlanSource,
  { name, tools, instructions, depth }: Composition,
): AgentPlan {
  const { assistant } = config;
  const selected = registry.select(tools, { isEntry: false }).filter((toolset) => toolset.name !== CAPABILITIES);
  const composer = depth > 0 ? registry.find(CAPABILITIES)?.toolset : undefined;
  const policy = composedLabel(name);
  return {
    name: policy,
    label: name,
    model: undefined,
    opener: instructions.trim() === "" ? assistant.systemMessage : instructions,
    resident: [...selected, ...composer ? [composer] : []],
    deferred: [],
    gates: gatesOf(config, policy),
    facts: { name: policy, isEntry: false, delegates: [], loadable: [], depth },
    thinking: assistant.thinking,
    generation: assistant.generation,
    maxIterations: assistant.maxIterations,
    budget: {},
  };
}

/** How deep composed agents may nest as the config stands; 0 turns them off (K-212). */
export function compositionDepth(config: Config): number {
  return sectionOf(config, sections.capabilities).max_depth;
}

/** What asks first of the calls of an agent, or of a composed one by its label, as it was written. */
function gatesOf(config: Config, label: string): readonly string[] {
  return policyOf(config, label).confirm.map(({ text }) => text);
}

/** One line about an agent, for those that hand work to it (K-208). */
function aboutOf({ description, systemMessage }: AgentDeclaration): string {
  return (description ?? systemMessage ?? "").trim().split("\n")[0] ?? "";
}
