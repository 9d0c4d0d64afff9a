/**
 * `malama agents`, `toolsets` and `models`: what is declared, installed and can be chosen.
 *
 * A server that runs is asked, since it holds the data folder; otherwise the assistant is built for the moment.
 *
 * @module
 */
import type { AgentSummary, ModelSummary, ToolsetSummary } from "../core/assistant.ts";
import { oneLine } from "./control_filter.ts";
import type { Flags } from "./command_line.ts";
import { findServer } from "./server_link.ts";
import { buildAssistant, loadStartConfig } from "./startup.ts";
import type { Surroundings } from "./surroundings.ts";
import { Wire } from "./wire.ts";

/** The three lists, wherever they come from. */
interface Lists {
  readonly agents: readonly AgentSummary[];
  readonly toolsets: readonly ToolsetSummary[];
  readonly models: readonly ModelSummary[];
}

export type ListName = keyof Lists;

/** Prints one of the lists. */
export async function runListing(name: ListName, flags: Flags, surroundings: Surroundings): Promise<number> {
  surroundings.stdout(await ask(name, flags, surroundings));
  return 0;
}

async function ask(name: ListName, flags: Flags, surroundings: Surroundings): Promise<string> {
  const config = await loadStartConfig(flags, surroundings);
  const running = await findServer(config.dataDir);
  if (running) {
    const wire = new Wire(await running.address(), running.address);
    return print(name, (await wire.get<{ readonly items: never }>(`/api/${name}`)).items);
  }
  const assistant = await buildAssistant(config, flags, surroundings);
  try {
    await assistant.started;
    return print(name, name === "models" ? await assistant.models({ all: true }) : assistant[name]());
  } finally {
    await assistant.close();
  }
}

function print(name: ListName, items: Lists[ListName]): string {
  switch (name) {
    case "agents":
      return agentLines(items as Lists["agents"]);
    case "toolsets":
      return toolsetLines(items as Lists["toolsets"]);
    case "models":
      return modelLines(items as Lists["models"]);
    default:
      return name satisfies never;
  }
}

/** Each agent: what it is for, its model and effort, its toolsets, what is asked first, and whom it hands work to (K-193). */
export function agentLines(agents: readonly AgentSummary[]): string {
  return agents.map((agent) => {
    const thinking = agent.thinking === null ? "" : `, thinking ${agent.thinking}`;
    const names = (resident: boolean) =>
      agent.toolsets.filter((toolset) => toolset.resident === resident).map(({ name }) => name);
    const lines: readonly (readonly [string, readonly string[]])[] = [
      ["in hand", names(true)],
      ["can load", names(false)],
      ["asks first", agent.gates.confirm],
      ["delegates to", agent.delegates_to],
    ];
    return [
      `${agent.name}${agent.entry ? "   (the one you talk to)" : ""}`,
      ...(agent.description === "" ? [] : [`  ${oneLine(agent.description, 100)}`]),
      `  model ${agent.model}${thinking}, ${agent.max_iterations} model calls a run at most`,
      ...lines.filter(([, items]) => items.length > 0).map(([what, items]) => `  ${what}: ${items.join(", ")}`),
      `  tools: ${agent.tools.map((tool) => tool.name).join(", ") || "none"}`,
      "",
    ].join("\n");
  }).join("\n");
}

const PROVIDERS: Readonly<Record<ToolsetSummary["provider"], string>> = {
  "built-in": "Come with Malama",
  plugin: "Plugins",
  skill: "Skills",
  mcp: "MCP servers",
};

/** Every name that an `available` list may use, by where it comes from: what it does, its tools, and what it may reach (K-193). */
export function toolsetLines(toolsets: readonly ToolsetSummary[]): string {
  const groups = Map.groupBy(toolsets, ({ provider }) => provider);
  return [...groups].map(([provider, group]) => `${PROVIDERS[provider]}\n\n${group.map(toolsetText).join("")}`).join(
    "",
  );
}

function toolsetText(toolset: ToolsetSummary): string {
  const { name, description, tools, entry_only, wanted, granted, problem, from } = toolset;
  const width = Math.max(0, ...tools.map((tool) => tool.name.length)) + 2;
  const notes = [
    ...(entry_only ? ["for the entry agent alone"] : []),
    ...(from === null ? [] : [`from ${from}`]),
    ...permissionLine("wants", wanted),
    ...permissionLine("is granted", granted),
    ...(problem === null ? [] : [`cannot be used: ${problem}`]),
  ];
  return [
    `  ${name}   ${oneLine(description, 100)}`,
    ...notes.map((note) => `    ${oneLine(note, 200)}`),
    ...tools.map((tool) => `    ${tool.name.padEnd(width)}${oneLine(tool.description, 100)}`),
    "",
    "",
  ].join("\n");
}

function permissionLine(what: string, permissions: ToolsetSummary["wanted"]): readonly string[] {
  const kinds = Object.entries(permissions).filter(([, items]) => items.length > 0);
  if (kinds.length === 0) return [];
  return [`${what} ${kinds.map(([kind, items]) => `${kind} ${items.join(" ")}`).join(", ")}`];
}

/** Each model string, its window, and what it lacks. */
export function modelLines(models: readonly ModelSummary[]): string {
  const width = Math.max(0, ...models.map((model) => model.string.length)) + 2;
  return models.map((model) => {
    const window = model.context_window === undefined ? "" : `${Math.round(model.context_window / 1000)}k`;
    const notes = [
      model.source === "catalogue" ? null : model.source,
      model.tools ? null : "no tools",
      model.reachable === false ? "does not answer" : null,
      model.needs_key === null ? null : `needs ${model.needs_key}`,
    ].filter((note) => note !== null);
    return `${model.string.padEnd(width)}${window.padStart(6)}  ${notes.join(", ")}`.trimEnd() + "\n";
  }).join("");
}
