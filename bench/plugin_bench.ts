/**
 * A third party's toolset: how long its process takes to start and answer, what a call costs beyond the tool's own time, and
 * what one process holds.
 *
 * @module
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PluginHost } from "../core/sandbox/plugin_host.ts";
import { type Bench, median, spread } from "./figure.ts";

const STARTS = 20;
const CALLS = 500;

const TOOLSET = `import { defineToolset, tool, z } from "malama";
export default defineToolset({ name: "tried", description: "Tried", tools: () => [
  tool({ name: "pid", description: "Its process", input: z.object({}), run: () => Deno.pid }),
] });
`;

export const bench: Bench = {
  about: "a third party's toolset in its process",
  async measure() {
    const root = await Deno.realPath(await Deno.makeTempDir());
    const entry = join(root, "mod.ts");
    await Deno.writeTextFile(entry, TOOLSET);
    const host = new PluginHost({
      name: "tried",
      entry: pathToFileURL(entry).href,
      permissions: {},
      modules: [entry],
      hosts: [],
      memoryMb: 256,
      cache: join(root, "cache"),
    }, { folder: join(root, "runner"), env: (name) => Deno.env.get(name) });
    const agent = { name: "assistant", isEntry: true, delegates: [], loadable: [], depth: 0 };
    const call = async () => {
      const request = { tool: "pid", input: {}, settings: {}, agent, conversation: "C", turn: "T" };
      const began = performance.now();
      const outcome = await host.call(request, AbortSignal.timeout(30_000));
      return { ms: performance.now() - began, pid: "output" in outcome ? outcome.output : null };
    };
    try {
      // The first makes the runner and fills the caches.
      await call();
      const starts: number[] = [];
      for (let round = 0; round < STARTS; round++) {
        await host.stop();
        starts.push((await call()).ms);
      }
      const calls: number[] = [];
      for (let round = 0; round < CALLS; round++) calls.push((await call()).ms);
      const status = await Deno.readTextFile(`/proc/${(await call()).pid}/status`).catch(() => "");
      const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
      const memory = Number.isNaN(kilobytes)
        ? []
        : [{ name: "plugin memory", value: kilobytes * 1024 / 1e6, unit: "MB" as const, aim: null, note: "resident" }];
      return [
        { name: "plugin start to first answer", value: median(starts), unit: "ms", aim: 150, note: spread(starts) },
        { name: "plugin call", value: median(calls), unit: "ms", aim: 1, note: spread(calls) },
        ...memory,
      ];
    } finally {
      await host.stop();
      await Deno.remove(root, { recursive: true });
    }
  },
};
