/**
 * The process of one third party's toolset: imports it, describes it and runs its calls, one JSON-RPC message a line.
 *
 * This is the trusted entry, and at the same time what the toolset imports as "malama": both are one bundle, so that nothing
 * else of ours has to be readable here. The toolset comes by a computed import, so that every module below it is held to
 * what this process was granted (FACTS A3b). There is no top-level await: the toolset's import of "malama" would wait for it
 * for ever.
 *
 * @module
 */
import { z } from "zod";
import { BadTool, BadToolset, defineToolset, NoService, tool } from "../../tool/surface.ts";
import type { AgentFacts, Tool, ToolContext, Toolset } from "../../tool/mod.ts";
import { errorText } from "../../log/error_text.ts";
import type { CallRequest, DescribeRequest } from "../plugin_wire.ts";
import { closePersistence } from "./closed.ts";
import { packed } from "./packed.ts";

export { BadTool, BadToolset, defineToolset, NoService, tool, z };

type Id = number;

/** A message of the host. */
type Message =
  | { readonly id: Id; readonly method: "describe"; readonly params: DescribeRequest }
  | { readonly id: Id; readonly method: "call"; readonly params: CallRequest }
  | { readonly method: "cancel"; readonly params: { readonly id: Id } };

const service = <T>(key: { readonly name: string; readonly of?: T }): T => {
  throw new NoService(key.name);
};

const running = new Map<Id, AbortController>();
let built: { readonly key: string; readonly tools: readonly Tool[] } | undefined;

/** Only answers go to standard output: what the toolset prints goes to standard error. */
function answer(message: Readonly<Record<string, unknown>>): void {
  let rest = new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  while (rest.byteLength > 0) rest = rest.subarray(Deno.stdout.writeSync(rest));
}

function fail(id: Id, error: unknown): void {
  answer({ id, error: { code: -32000, message: errorText(error) } });
}

async function load(address: string): Promise<Toolset> {
  const { default: toolset } = await import(address);
  if (typeof toolset?.tools !== "function" || typeof toolset.name !== "string") {
    throw new Error("Its default export is no toolset: write `export default defineToolset({ … })`");
  }
  return toolset;
}

function toolsOf(toolset: Toolset, settings: unknown, agent: AgentFacts): readonly Tool[] {
  const key = JSON.stringify([settings, agent]);
  if (built?.key === key) return built.tools;
  const parsed = toolset.settings.safeParse(settings);
  if (!parsed.success) throw new Error(`Its settings do not fit: ${z.prettifyError(parsed.error)}`);
  const tools = toolset.tools({ settings: parsed.data, now: () => new Date(), agent, service });
  built = { key, tools };
  return tools;
}

function describe(toolset: Toolset, { settings, agent }: DescribeRequest) {
  const { name, description, guidance, crossCutting, entryOnly, permissions } = toolset;
  const { $schema: _, ...shown } = z.toJSONSchema(toolset.settings, { io: "input" });
  const tools = toolsOf(toolset, settings, agent).map(({ spec, concurrent, timeoutMs }) => {
    return { spec, concurrent, timeoutSeconds: timeoutMs / 1000 };
  });
  return { name, description, guidance, crossCutting, entryOnly, permissions, settings: shown, tools };
}

async function call(toolset: Toolset, request: CallRequest, signal: AbortSignal) {
  const { conversation, turn, agent } = request;
  const found = toolsOf(toolset, request.settings, agent).find(({ spec }) => spec.name === request.tool);
  if (!found) return { problem: `There is no tool "${request.tool}" here any more` };
  const checked = found.check(request.input);
  if (!checked.ok) return { problem: checked.problem };
  const context: ToolContext = { signal, conversation, turn, agent: agent.name, service };
  return { output: packed(await found.run(checked.value, context)) };
}

async function take(message: Message, toolset: Promise<Toolset>): Promise<void> {
  if (message.method === "cancel") {
    const { id } = message.params;
    // It is answered here and now: that says that this process still listens, whatever the call goes on doing.
    running.get(id)?.abort(new DOMException("The call was stopped", "AbortError"));
    if (running.delete(id)) fail(id, "The call was stopped");
    return;
  }
  const { id } = message;
  const abort = new AbortController();
  running.set(id, abort);
  try {
    const loaded = await toolset;
    abort.signal.throwIfAborted();
    const result = message.method === "describe"
      ? describe(loaded, message.params)
      : await call(loaded, message.params, abort.signal);
    if (running.has(id)) answer({ id, result });
  } catch (error) {
    if (running.has(id)) fail(id, error);
  } finally {
    running.delete(id);
  }
}

async function serve(toolset: Promise<Toolset>): Promise<void> {
  let rest = "";
  for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(JSON.parse(line), toolset);
  }
  // The host is gone, or has closed this: there is nobody left to work for.
  Deno.exit(0);
}

if (import.meta.main) {
  closePersistence();
  for (const name of ["log", "info", "debug", "dir", "table"] as const) console[name] = console.error;
  const toolset = load(Deno.args[0] ?? "");
  // Each request tells it; nobody may have asked yet.
  toolset.catch(() => {});
  serve(toolset);
}
