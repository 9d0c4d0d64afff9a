/**
 * From a declaration to an agent: what a turn runs. A pure function of the config, the toolsets and a model; it holds no
 * memory of its own, so building it again costs nothing and loses nothing (ARCHITECTURE section 1, rule 1).
 *
 * @module
 */
import type { Config } from "../config/mod.ts";
import type { Thinking } from "../log/mod.ts";
import type { Generation, ModelClient } from "../model/mod.ts";
import type { AgentFacts, Services, ToolOfToolset, ToolsetRegistry } from "../tool/mod.ts";
import { assemblePrompt } from "./prompt.ts";

/** An agent, ready to run. */
export interface Agent {
  readonly name: string;
  /** Whose approval policy holds, where that is not `name`: `composed:<name>` (K-183). */
  readonly policy?: string;
  readonly system: string;
  readonly model: ModelClient;
  /** In a stable order: toolsets as declared, tools as each lists them. */
  readonly tools: readonly ToolOfToolset[];
  readonly thinking?: Thinking;
  readonly generation: Generation;
  /** Model calls per turn, the wrap-up not counted. */
  readonly maxIterations: number;
  /** Whether independent calls of one round may run together. */
  readonly concurrentTools: boolean;
}

/** No `[agents.<name>]` table has this name. */
export class UnknownAgent extends Error {
  override readonly name = "UnknownAgent";
  constructor(readonly agent: string, known: readonly string[]) {
    super(`No agent "${agent}": the config declares ${known.map((name) => `"${name}"`).join(", ")}`);
  }
}

/** What an agent is built from. */
export interface AgentSource {
  readonly config: Config;
  readonly registry: ToolsetRegistry;
  readonly now: () => Date;
  /** What the house provides to toolsets. */
  readonly services: Services;
  /** `--system`: replaces the entry agent's opener (K-189). */
  readonly system?: string;
}

/** The model string an agent's table asks for, or `fallback` (K-026). */
export function modelStringFor(config: Config, agent: string, fallback: string): string {
  return config.agents[agent]?.model ?? fallback;
}

/** Builds the agent of that name around a model. `thinking` overrides what is declared (B.6). Throws `UnknownAgent`. */
export function buildAgent(source: AgentSource, name: string, model: ModelClient, thinking?: Thinking): Agent {
  const { config, registry } = source;
  const declared = config.agents[name];
  if (!declared) throw new UnknownAgent(name, Object.keys(config.agents));
  const toolsets = registry.select(declared.tools.available);
  const { tools } = registry.build(toolsets, {
    settings: config.toolsets,
    now: source.now,
    agent: agentFacts(config, name),
    use: source.services.use,
  });
  const isEntry = name === config.assistant.agent;
  return {
    name,
    system: assemblePrompt({
      opener: (isEntry ? source.system : undefined) ?? declared.systemMessage ?? config.assistant.systemMessage,
      guidance: toolsets.flatMap((toolset) => toolset.guidance ?? []),
    }),
    model,
    tools,
    thinking: thinking ?? declared.thinking ?? config.assistant.thinking,
    generation: { ...config.assistant.generation, ...declared.generation },
    maxIterations: declared.maxIterations ?? config.assistant.maxIterations,
    concurrentTools: config.assistant.concurrentTools,
  };
}

/** What toolsets are told of the agent of that name. */
export function agentFacts(config: Config, name: string): AgentFacts {
  return { name, isEntry: name === config.assistant.agent, delegates: [], loadable: [], depth: 0 };
}
