/**
 * What keeps Malama from starting, as far as approvals go, and what a person is warned of (K-182, K-206).
 *
 * Invariants: tests/core/turn/approvals/start_checks_test.ts has one test for each line of K-206.
 *
 * @module
 */
import { modelStringFor } from "../../agent/mod.ts";
import { type Config, type ConfigProblem, joinSettingName, sectionOf, sections } from "../../config/mod.ts";
import type { Thinking } from "../../log/mod.ts";
import { type Generation, modelProblem, parseModelString } from "../../model/mod.ts";
import { gateProblems, Services, type Toolset, type ToolsetRegistry } from "../../tool/mod.ts";
import type { Reviewer } from "./review_panel.ts";

/** Entries Malama ships with: they may name toolsets that are not used here. */
export const SHIPPED_ENTRIES: readonly string[] = [
  ...sections.DEFAULT_CONFIRM,
  ...sections.DEFAULT_NEVER_AUTO_APPROVE,
];

/** `[security.auto_approval]`. */
export interface AutoApproval {
  readonly enabled: boolean;
  readonly timeoutMs: number;
  readonly most: number;
  readonly reviewers: readonly Reviewer[];
}

/** Reads `[security.auto_approval]` and the reviewers it names. */
export function autoApprovalOf(config: Config): AutoApproval {
  const { enabled, reviewers, timeout_seconds, max_per_turn } = sectionOf(config, sections.autoApproval);
  const tables = (config.sections.reviewers ?? {}) as Readonly<Record<string, ReviewerTable>>;
  return {
    enabled,
    timeoutMs: timeout_seconds * 1000,
    most: max_per_turn,
    reviewers: reviewers.flatMap((name) => {
      const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
      return table ? [reviewerOf(name, table, config)] : [];
    }),
  };
}

interface ReviewerTable {
  readonly model?: string;
  readonly thinking?: Thinking;
  readonly system_message?: string;
  readonly generation?: Generation;
}

/** Its own generation parameters alone, and the inherited effort (K-206, K-207). */
function reviewerOf(name: string, table: ReviewerTable, config: Config): Reviewer {
  const thinking = table.thinking ?? config.assistant.thinking;
  return {
    name,
    ...table.model !== undefined && { model: table.model },
    standard: table.system_message ?? "",
    generation: table.generation ?? {},
    ...thinking !== undefined && { thinking },
  };
}

/** Everything about gates and reviewers that no start survives. */
export function approvalProblems(config: Config, registry: ToolsetRegistry): readonly ConfigProblem[] {
  const later = toolsetsToCome(config);
  return [
    ...gateProblems(config, {
      tools: toolNames(config, registry),
      heldBy: (agent) => heldBy(config, agent, [...registry.all().map(({ toolset }) => toolset.name), ...later]),
      shipped: SHIPPED_ENTRIES,
    }),
    ...reviewerModels(config),
  ];
}

/** What is odd about the reviewers, once the default model is known; each a sentence. */
export function reviewerWarnings(config: Config, defaultModel: string): readonly string[] {
  const { enabled, reviewers } = autoApprovalOf(config);
  if (!enabled) return reviewedWithoutReviewers(config);
  const judged = modelStringFor(config, config.assistant.agent, defaultModel);
  return reviewers.flatMap(({ name, model = defaultModel }) => {
    if (isDemoString(model)) {
      return [`Reviewer "${name}" has a demonstration as its model and approves nothing: name another`];
    }
    return model === judged
      ? [`Reviewer "${name}" is the same model as the agent it judges (${model}): another one would see other mistakes`]
      : [];
  });
}

/** The tools of every toolset that can be built now, whoever holds it. Building opens nothing (K-164). */
export function toolNames(config: Config, registry: ToolsetRegistry): ReadonlyMap<string, readonly string[]> {
  return new Map(
    registry.all().flatMap(({ toolset, problem }) => {
      if (problem !== null) return [];
      const names = namesOf(config, registry, toolset);
      return names === null ? [] : [[toolset.name, names] as const];
    }),
  );
}

/** `null` where a toolset cannot be built: that is for the start of its agent to say. */
function namesOf(config: Config, registry: ToolsetRegistry, toolset: Toolset): readonly string[] | null {
  // An agent that may do everything, so that no tool is left out for want of something to do with it.
  const agents = Object.values(config.agents).map(({ name, description = "" }) => ({ name, about: description }));
  const agent = { name: config.assistant.agent, isEntry: true, delegates: agents, loadable: [], depth: 1 };
  try {
    const context = {
      settings: config.toolsets,
      now: () => new Date(0),
      agent,
      service: new Services().service,
      preview: true,
    };
    return registry.build([toolset], context).tools.map(({ tool }) => tool.spec.name);
  } catch {
    return null;
  }
}

function heldBy(config: Config, agent: string, all: readonly string[]): readonly string[] {
  const available = config.agents[agent]?.tools.available ?? [];
  return available === "all" ? all : available;
}

/** Third parties' toolsets and MCP servers: they are named in the file, and their tools are known once they run. */
function toolsetsToCome(config: Config): readonly string[] {
  const thirdParty = Object.keys((config.sections.toolsets ?? {}) as Readonly<Record<string, unknown>>);
  const mcp = (config.sections.mcp ?? {}) as { readonly server?: readonly { readonly name: string }[] };
  return [...thirdParty, ...(mcp.server ?? []).map(({ name }) => name)];
}

/** A declared model is always checked, used or not; one that reviews calls must be able to judge. */
function reviewerModels(config: Config): readonly ConfigProblem[] {
  const tables = (config.sections.reviewers ?? {}) as Readonly<Record<string, ReviewerTable>>;
  const { enabled, reviewers } = autoApprovalOf(config);
  const unread = Object.entries(tables).flatMap(([name, { model }]) => {
    const problem = model === undefined ? null : modelProblem(model);
    return problem === null ? [] : [at(name, problem)];
  });
  if (!enabled || unread.length > 0) return unread;
  return reviewers.flatMap(({ name, model }) => {
    const judge = model ?? config.assistant.model;
    if (judge === undefined || !isDemoString(judge)) return [];
    return [
      at(
        name,
        model === undefined
          ? `is needed: the default model, ${judge}, is a demonstration and cannot judge a call`
          : `names a demonstration, which cannot judge a call: name a real model, or set [security.auto_approval].enabled ` +
            `to false`,
      ),
    ];
  });
}

function at(reviewer: string, message: string): ConfigProblem {
  return { message, section: `reviewers.${joinSettingName([reviewer])}`, key: "model" };
}

function isDemoString(model: string): boolean {
  return modelProblem(model) === null && parseModelString(model).provider === "demo";
}

function reviewedWithoutReviewers(config: Config): readonly string[] {
  const lists = [config.assistant.tools.review, ...Object.values(config.agents).map(({ tools }) => tools.review ?? [])];
  return lists.every((list) => list.length === 0)
    ? []
    : ["Some calls are listed for review, but [security.auto_approval].enabled is false: a person is asked for each"];
}
