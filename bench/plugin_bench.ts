/**
 * A third party's toolset: how long its process takes to start and answer, what a call costs beyond the tool's own time, and
 * what one process holds.
 *
 * @module
 */
import { startPlugin, toolText } from "../tests/core/sandbox/plugin_fixture.ts";
import { type Bench, median, spread } from "./figure.ts";

const STARTS = 20;
const CALLS = 500;

export const bench: Bench = {
  about: "a third party's toolset in its process",
  async measure() {
    await using plugin = await startPlugin(toolText("pid", "return Deno.pid;"), { memoryMb: 256 });
    const call = async () => {
      const began = performance.now();
      const pid = await plugin.call("pid");
      return { ms: performance.now() - began, pid };
    };
    // The first makes the runner and fills the caches.
    await call();
    const starts: number[] = [];
    for (let round = 0; round < STARTS; round++) {
      await plugin.host.stop();
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
  },
};
