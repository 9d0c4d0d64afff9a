/**
 * The requests a conversation must have led to, made anew from nothing but its stored entries.
 *
 * @module
 */
import { buildAgent } from "../../core/agent/mod.ts";
import { type ContextMessage, type Entry, foldContext } from "../../core/log/mod.ts";
import { createModelClient, type ModelMessage, type ModelRequest } from "../../core/model/mod.ts";
import { Services, ToolsetRegistry } from "../../core/tool/mod.ts";
import { builtInToolsets } from "../../toolsets/mod.ts";
import type { Product } from "./product.ts";

/** For each stored round, the exact body that the fold of what stood in the log before it leads to. */
export async function bodiesOf(product: Product, conversation: string, model: string): Promise<readonly string[]> {
  const entries = await product.stored(conversation);
  const registry = new ToolsetRegistry();
  for (const toolset of builtInToolsets) registry.register(toolset, "built-in");
  const client = createModelClient(model, { env: () => "test-key" });
  const source = { config: product.assistant.config, registry, now: () => new Date(), services: new Services() };
  const agent = buildAgent(source, product.assistant.config.assistant.agent, client);
  const bodies: string[] = [];
  for (const round of entries.filter((entry) => entry.kind === "round")) {
    const request: ModelRequest = {
      system: agent.system,
      messages: foldContext(before(entries, round)).map(asMessage),
      tools: agent.tools.map(({ tool }) => tool.spec),
      toolChoice: "auto",
      thinking: agent.thinking,
      generation: agent.generation,
      cacheKey: conversation,
    };
    // The body is told before anything is sent; nobody stays for the rest.
    for await (const event of client.stream(request, new AbortController().signal)) {
      if (event.type === "request") bodies.push(event.body);
      break;
    }
  }
  return bodies;
}

/** What was in the log when that round was asked for: all up to the message or the round before it. */
function before(entries: readonly Entry[], round: Entry): readonly Entry[] {
  const end = entries.findLast((entry) => entry.seq < round.seq && (entry.kind === "user" || entry.kind === "round"));
  return entries.filter((entry) => entry.seq <= (end?.seq ?? 0));
}

function asMessage(message: ContextMessage): ModelMessage {
  switch (message.role) {
    case "user":
      return { role: "user", text: message.text };
    case "assistant":
      return { role: "assistant", parts: message.parts };
    case "tool": {
      const { call, name, result, failed } = message;
      return { role: "tool", call, name, result, failed };
    }
    default:
      return message satisfies never;
  }
}
