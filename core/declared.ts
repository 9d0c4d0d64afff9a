/**
 * What is declared and installed: the checks of it before a start, and how it is shown.
 *
 * @module
 */
import { embeddingProblem } from "./memory/mod.ts";
import { absentToolset, declaredPlugins, type PluginToolset } from "./sandbox/mod.ts";
import { type AgentPlan, type AgentSource, modelStringFor, planAgent } from "./agent/mod.ts";
import { type AgentDeclaration, type Config, type ConfigProblem, joinSettingName } from "./config/mod.ts";
import { BadAllowEntry, createEgress } from "./egress/mod.ts";
import type { Thinking } from "./log/mod.ts";
import { modelProblem } from "./model/mod.ts";
import {
  type ApprovalPolicies,
  BadToolset,
  EntryOnlyToolset,
  type GatesInForce,
  type HiddenTool,
  Services,
  type Toolset,
  type ToolsetPermissions,
  type ToolsetProvider,
  ToolsetRegistry,
  UnknownToolset,
} from "./tool/mod.ts";
import { approvalProblems } from "./turn/mod.ts";

/** One declared agent, as `GET /api/agents` and `malama agents` show it. */
export interface AgentSummary {
  readonly name: string;
  readonly description: string;
  readonly entry: boolean;
  readonly model: string;
  readonly thinking: Thinking | null;
  readonly max_iterations: number;
  readonly delegates_to: readonly string[];
  readonly toolsets: readonly { readonly name: string; readonly resident: boolean }[];
  /** Those in hand from the first turn, then those of the toolsets that can be loaded. */
  readonly tools: readonly { readonly name: string; readonly toolset: string; readonly description: string }[];
  /** Which of its calls a person is asked about, and which of those a reviewer may answer: `toolset.tool`. */
  readonly gates: GatesInForce;
}

/** One installed toolset, as `GET /api/toolsets` shows it. */
export interface ToolsetSummary {
  readonly name: string;
  readonly provider: ToolsetProvider;
  readonly description: string;
  /** For the entry agent alone. */
  readonly entry_only: boolean;
  /** What its code asks for, and what it was granted. */
  readonly wanted: ToolsetPermissions;
  readonly granted: ToolsetPermissions;
  readonly status: "ready" | "problem";
  /** Why it cannot be used, a sentence. */
  readonly problem: string | null;
  /** Where a third party's was fetched from. */
  readonly from: string | null;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

/**
 * Every toolset that comes with the house, and third parties' after them, registered. Throws `BadToolset` when two of ours
 * claim one name (K-163); a third party's that claims one is told to `onRefused` and left out.
 */
export function registryOf(
  toolsets: readonly Toolset[],
  plugins: readonly PluginToolset[] = [],
  onRefused: (message: string) => void = () => {},
): ToolsetRegistry {
  const registry = new ToolsetRegistry();
  for (const toolset of toolsets) registry.register(toolset, "built-in");
  for (const { toolset, granted, problem, from } of plugins) {
    try {
      registry.register(toolset, "plugin", { granted, problem, from });
    } catch (error) {
      if (!(error instanceof BadToolset)) throw error;
      onRefused(error.message);
    }
  }
  return registry;
}

/** Third parties' toolsets as the config alone shows them: by name. What they hold is known when they are opened. */
function announced(config: Config): readonly PluginToolset[] {
  return Object.entries(declaredPlugins(config)).map(([name, { from }]) => ({
    toolset: absentToolset(name),
    from,
    granted: {},
    problem: "It is not opened yet.",
    table: null,
  }));
}

/**
 * What no agent could be built from, naming the table (K-009, K-029): toolsets that are unknown or not for that agent, model
 * strings that cannot be read, gates that match nothing. The loader of the config runs this too, and adds the lines.
 */
export function declarationProblems(config: Config, toolsets: readonly Toolset[]): ConfigProblem[] {
  const registry = registryOf(toolsets, announced(config));
  const models = [
    { section: "assistant", model: config.assistant.model },
    ...Object.values(config.agents).map(({ name, model }) => ({ section: `agents.${joinSettingName([name])}`, model })),
  ];
  const embedding = memorySettingProblem(config);
  const entry = allowListProblem(config.security.allowPrivateNetwork);
  return [
    ...entry === null ? [] : [{ message: entry, section: "security", key: "allow_private_network" }],
    ...embedding === null ? [] : [{ message: embedding, section: "memory", key: "embedding" }],
    ...models.flatMap(({ section, model }) => {
      const problem = model === undefined ? null : modelProblem(model);
      return problem ? [{ message: problem, section, key: "model" }] : [];
    }),
    ...Object.values(config.agents).flatMap((agent) => selectionProblems(config, registry, agent)),
    ...approvalProblems(config, registry),
  ];
}

/** What is wrong with how meanings are to be compared, or `null` (K-334). */
function memorySettingProblem({ toolsets }: Config): string | null {
  const setting = toolsets.memory?.embedding;
  return typeof setting === "string" ? embeddingProblem(setting) : null;
}

/** What is wrong with the toolsets an agent names, and where. What the file alone shows is checked by its loader. */
function selectionProblems(
  config: Config,
  registry: ToolsetRegistry,
  { name, tools }: AgentDeclaration,
): readonly ConfigProblem[] {
  const section = `agents.${joinSettingName([name])}.tools`;
  try {
    const isEntry = name === config.assistant.agent;
    const available = registry.select(tools.available, { isEntry }).map((toolset) => toolset.name);
    if (tools.available !== "all") return [];
    return (tools.resident ?? []).filter((each) => !available.includes(each)).map((each) => ({
      message: registry.find(each) ? new EntryOnlyToolset(each).message : new UnknownToolset(each, available).message,
      section,
      key: "resident",
    }));
  } catch (error) {
    if (!(error instanceof UnknownToolset || error instanceof EntryOnlyToolset)) throw error;
    return [{ message: error.message, section, key: "available" }];
  }
}

/** What is wrong with the list of private hosts, or `null`. */
function allowListProblem(entries: readonly string[]): string | null {
  try {
    createEgress({ allow: entries });
    return null;
  } catch (error) {
    if (error instanceof BadAllowEntry) return error.message;
    throw error;
  }
}

/** The tools no turn of an agent can call, because another of the same name is in its hands from the start (K-165). */
export function hiddenTools(
  source: Pick<AgentSource, "config" | "registry" | "now">,
): readonly (HiddenTool & { readonly agent: string })[] {
  const { config, registry, now } = source;
  return Object.values(config.agents).flatMap(({ name }) => {
    const { resident, facts } = planAgent(source, name);
    const { hidden } = registry.build(withCore(registry, resident), {
      settings: config.toolsets,
      now,
      agent: facts,
      service: new Services().service,
      preview: true,
    });
    return hidden.map((each) => ({ ...each, agent: name }));
  });
}

/** An agent as it is shown; `fallback` is the default model. */
export function summarizeAgent(
  agent: AgentDeclaration,
  source: AgentSource,
  fallback: string,
  policies: ApprovalPolicies,
): AgentSummary {
  const { config, registry } = source;
  const plan = planAgent(source, agent.name);
  const { resident, deferred, facts } = plan;
  const tools = toolsOf([...withCore(registry, resident), ...deferred], plan, source);
  return {
    name: agent.name,
    description: agent.description ?? "",
    entry: facts.isEntry,
    model: modelStringFor(config, agent.name, fallback),
    thinking: plan.thinking ?? null,
    max_iterations: plan.maxIterations,
    delegates_to: agent.delegatesTo,
    toolsets: registry.select(agent.tools.available, facts).map((toolset) => ({
      name: toolset.name,
      resident: resident.includes(toolset),
    })),
    tools,
    gates: policies.inForce(agent.name, tools),
  };
}

/** Every installed toolset as it is shown, in trust order. */
export function summarizeToolsets(source: AgentSource): readonly ToolsetSummary[] {
  const plan = planAgent(source, source.config.assistant.agent);
  return source.registry.all().map(({ toolset, provider, granted, problem, from }) => ({
    name: toolset.name,
    provider,
    description: toolset.description,
    entry_only: toolset.entryOnly,
    wanted: toolset.permissions,
    granted,
    status: problem === null ? "ready" : "problem",
    problem,
    from,
    tools: toolsOf([toolset], plan, source).map(({ name, description }) => ({ name, description })),
  }));
}

function withCore({ core }: ToolsetRegistry, toolsets: readonly Toolset[]): readonly Toolset[] {
  return core ? [...toolsets, core] : toolsets;
}

function toolsOf(toolsets: readonly Toolset[], { facts }: AgentPlan, source: AgentSource) {
  const { config, registry, now, services } = source;
  const { tools } = registry.build(toolsets, {
    settings: config.toolsets,
    now,
    agent: facts,
    service: services.service,
    preview: true,
  });
  return tools.map(({ tool, toolset }) => ({
    name: tool.spec.name,
    toolset,
    description: tool.spec.description,
  }));
}
