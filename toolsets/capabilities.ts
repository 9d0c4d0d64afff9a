/**
 * What there is to work with, and sub-agents made of it for one task.
 *
 * @module
 */
import { defineToolset, tool, z } from "malama";
import { CAPABILITIES } from "../core/agent/mod.ts";
import { CALL, CATALOG, type CatalogEntry } from "../core/tool/mod.ts";
import { DELEGATION } from "../core/turn/mod.ts";
import { WORK_SECONDS } from "./core.ts";
import { reportText } from "./core/report.ts";

/** `capabilities`: lists every toolset there is, and composes sub-agents of them (K-169, K-212). */
export const capabilities = defineToolset({
  name: CAPABILITIES,
  description: "Lists what there is to work with, and makes a sub-agent of it for one task",
  guidance:
    "When none of your declared sub-agents fits a task, ask `list_capabilities` what there is and make one with " +
    "`compose_subagent`. It does that one task and is gone.",
  crossCutting: true,
  tools: ({ agent, service }) => [
    tool({
      name: "list_capabilities",
      description: "Lists the capabilities that a sub-agent can be made of.",
      input: z.object({
        filter: z.string().describe("Only those with this word in their name or description").optional(),
      }),
      run({ filter = "" }) {
        const word = filter.trim().toLowerCase();
        const all = service(CATALOG).entries().filter(({ name }) => name !== CAPABILITIES);
        const found = all.filter((entry) => `${entry.name} ${entry.description}`.toLowerCase().includes(word));
        if (all.length === 0) return "There are no capabilities";
        if (found.length === 0) return `No capability has "${word}" in it. Ask again without a filter`;
        return found.map(catalogLine).join("\n");
      },
    }),
    ...(agent.depth > 0 || agent.isEntry ? [composeTool()] : []),
  ],
});

function composeTool() {
  return tool({
    name: "compose_subagent",
    description:
      "Makes a sub-agent with the capabilities you name, gives it one task, and answers with what it reports. " +
      "It sees nothing of this conversation.",
    input: z.object({
      name: z.string().describe("What it is called, such as fact-checker"),
      task: z.string().describe("The whole task, with everything it has to know, and what the report should hold"),
      tools: z.array(z.string()).describe("Names of capabilities, as `list_capabilities` lists them"),
      instructions: z.string().describe("Who it is and how it should work; the usual ones when left out").optional(),
    }),
    timeoutSeconds: WORK_SECONDS,
    run: async ({ name, task, tools, instructions = "" }, { service, signal }) =>
      reportText(
        await service(DELEGATION).compose({ name, task, tools, instructions }, { call: service(CALL), signal }),
      ),
  });
}

function catalogLine({ name, provider, description, entryOnly }: CatalogEntry): string {
  return `- ${name} (${provider}${entryOnly ? ", for the entry agent alone" : ""}): ${description}`;
}
