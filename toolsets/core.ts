/**
 * The tools of the loop itself: handing work to sub-agents, and loading toolsets. Nobody declares them; an agent has those
 * that it has a use for.
 *
 * @module
 */
import { z } from "malama";
import { loadedOpening, LOADING, type LoadOutcome, type OfferedToolset } from "../core/agent/mod.ts";
import { CALL, defineCoreToolset, tool } from "../core/tool/mod.ts";
import { DELEGATION } from "../core/turn/mod.ts";
import { reportText } from "./core/report.ts";

/** Seconds that a sub-agent may work; its model calls and budgets end it long before. */
export const WORK_SECONDS = 24 * 3600;

/** `core`: `spawn_subagent`, `available_tools`, `load_tools`. */
export const core = defineCoreToolset({
  description: "Handing work to sub-agents, and loading toolsets",
  crossCutting: true,
  tools: ({ agent }) => [
    ...spawnTool(agent.delegates),
    ...(agent.loadable.length > 0 ? [availableTool(), loadTool()] : []),
  ],
});

function spawnTool(delegates: readonly { readonly name: string; readonly about: string }[]) {
  const [first, ...rest] = delegates.map(({ name }) => name);
  if (first === undefined) return [];
  const list = delegates.map(({ name, about }) => `- ${name}${about === "" ? "" : `: ${about}`}`);
  return [tool({
    name: "spawn_subagent",
    description:
      "Gives a task to a sub-agent and answers with what it reports. It sees nothing of this conversation. " +
      `Several can work at once: call this once for each.\n${list.join("\n")}`,
    input: z.object({
      agent_type: z.enum([first, ...rest]).describe("Which one"),
      task: z.string().describe("The whole task, with everything it has to know, and what the report should hold"),
    }),
    timeoutSeconds: WORK_SECONDS,
    run: async ({ agent_type: agent, task }, { service, signal }) =>
      reportText(await service(DELEGATION).spawn({ agent, task }, { call: service(CALL), signal })),
  })];
}

function availableTool() {
  return tool({
    name: "available_tools",
    description: "Lists your toolsets: those in your hands, and those you can load.",
    input: z.object({}),
    run: (_, { service }) => service(LOADING).offered().map(offerLine).join("\n"),
  });
}

function loadTool() {
  return tool({
    name: "load_tools",
    description: "Loads a toolset, so that its tools can be called from your next step on.",
    input: z.object({ name: z.string().describe("Its name, as `available_tools` lists it") }),
    // One at a time: which of two tools of one name is kept must not depend on chance.
    concurrent: false,
    run: ({ name }, { service }) => loadText(service(LOADING).load(name.trim())),
  });
}

function offerLine({ name, description, isHeld, gated }: OfferedToolset): string {
  const approval = gated.length === 0
    ? ""
    : gated.some((entry) => entry === name || entry === `${name}.*`)
    ? "; its calls need an approval"
    : `; ${gated.map((entry) => entry.slice(name.length + 1)).join(", ")} needs an approval`;
  return `- ${name} (${isHeld ? "in hand" : "can be loaded"}${approval}): ${description}`;
}

function loadText(outcome: LoadOutcome): string {
  switch (outcome.status) {
    case "loaded": {
      const { name, tools, guidance = "", hidden } = outcome;
      const kept = hidden.map(({ tool, holder }) => `${tool} (you have one of that name from ${holder})`);
      return [
        `${loadedOpening(name)} ${tools.length === 0 ? "no new tools" : tools.join(", ")}.`,
        ...(kept.length > 0 ? [`Left out: ${kept.join(", ")}.`] : []),
        ...(guidance === "" ? [] : ["", guidance]),
      ].join("\n");
    }
    case "held":
      return `Could not load '${outcome.name}': you have it already. Call its tools.`;
    case "unknown":
      return `Could not load '${outcome.name}': it is none of your toolsets. ${
        outcome.loadable.length === 0 ? "Everything is loaded" : `You can load ${outcome.loadable.join(", ")}`
      }.`;
    case "failed":
      return `Could not load '${outcome.name}': ${outcome.reason}. It can be tried again later.`;
    default:
      return outcome satisfies never;
  }
}
