/**
 * A third party's toolset in a folder of its own, behind its process.
 *
 * @module
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PluginHost, type PluginLaunch } from "../../../core/sandbox/plugin_host.ts";
import { someAgent } from "../../toolsets/toolset_fixture.ts";

/** A plugin that a test wrote. */
export interface WrittenPlugin {
  readonly host: PluginHost;
  /** Its own folder. */
  readonly folder: string;
  /** Calls one of its tools; the answer, or the sentence about its arguments. */
  call(tool: string, input?: unknown, signal?: AbortSignal): Promise<unknown>;
  [Symbol.asyncDispose](): Promise<void>;
}

const house = await Deno.makeTempDir({ prefix: "malama_runner_" });
globalThis.addEventListener("unload", () => Deno.removeSync(house, { recursive: true }));

/** Starts a plugin whose tools are `tools`, the text of a list of `tool({ … })`; `before` stands above it. */
export async function startPlugin(
  tools: string,
  launch: Partial<PluginLaunch> & { readonly before?: string; readonly clock?: () => number } = {},
): Promise<WrittenPlugin> {
  const { before = "", clock, ...rest } = launch;
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "malama_plugin_" }));
  const folder = join(root, "plugin");
  await Deno.mkdir(folder);
  const entry = join(folder, "mod.ts");
  await Deno.writeTextFile(
    entry,
    `import { defineToolset, tool, z } from "malama";
${before}
export default defineToolset({ name: "tried", description: "For a test", tools: (ctx) => [${tools}] });
`,
  );
  const host = new PluginHost({
    name: "tried",
    entry: pathToFileURL(entry).href,
    permissions: {},
    modules: [entry],
    hosts: [],
    memoryMb: 128,
    cache: join(root, "cache"),
    ...rest,
  }, { folder: house, env: (name) => Deno.env.get(name), clock });
  return {
    host,
    folder,
    async call(tool, input = {}, signal = AbortSignal.timeout(60_000)) {
      const request = { tool, input, settings: {}, agent: someAgent, conversation: "C", turn: "T" };
      const outcome = await host.call(request, signal);
      return "problem" in outcome ? outcome.problem : outcome.output;
    },
    async [Symbol.asyncDispose]() {
      await host.stop();
      await Deno.remove(root, { recursive: true });
    },
  };
}

/** The text of a tool without arguments that runs `body`. */
export function toolText(name: string, body: string): string {
  return `tool({ name: "${name}", description: "d", input: z.object({}), run: async (_, call) => { ${body} } }),`;
}
