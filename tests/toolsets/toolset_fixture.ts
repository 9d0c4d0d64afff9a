/**
 * A toolset as an agent holds it, with the services a test provides.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type AgentFacts,
  Services,
  type ToolContext,
  type ToolOutput,
  type Toolset,
  type ToolsetContext,
} from "../../core/tool/mod.ts";

/** The agent tools are built for when a test says nothing else. */
export const someAgent: AgentFacts = { name: "assistant", isEntry: true, delegates: [], loadable: [], depth: 0 };

/** What a toolset is built with; its settings are those given, checked and with defaults. */
export function toolsetContext(
  toolset: Toolset,
  given: Partial<ToolsetContext> & { readonly services?: Services } = {},
): ToolsetContext {
  const { services = new Services(), settings = {}, ...rest } = given;
  return {
    settings: toolset.settings.parse(settings),
    now: () => new Date(),
    agent: someAgent,
    service: services.service,
    ...rest,
  };
}

/** What a call is given when a test says nothing else. */
export function callContext(given: Partial<ToolContext> & { readonly services?: Services } = {}): ToolContext {
  const { services = new Services(), ...rest } = given;
  const signal = new AbortController().signal;
  return { signal, conversation: "C", turn: "T", agent: "assistant", service: services.service, ...rest };
}

/** Calls a tool as the loop does: arguments checked first; a problem with them is the answer. */
export async function callTool(
  toolset: Toolset,
  name: string,
  input: unknown,
  given: Partial<ToolsetContext> & { readonly services?: Services; readonly call?: Partial<ToolContext> } = {},
): Promise<ToolOutput> {
  const tool = toolset.tools(toolsetContext(toolset, given)).find((each) => each.spec.name === name);
  assert(tool, `${toolset.name} has no tool "${name}"`);
  const checked = tool.check(input);
  if (!checked.ok) return checked.problem;
  return await tool.run(checked.value, callContext({ services: given.services, ...given.call }));
}
