/** Resident memory of a server that has nothing to do, ten seconds after its start. */
import type { Bench } from "./figure.ts";
import { withSubject } from "./subject.ts";

const IDLE_MS = 10_000;

export const bench: Bench = {
  about: "idle memory",
  async measure() {
    return await withSubject({}, async ({ served }) => {
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      const status = await Deno.readTextFile(`/proc/${served.pid}/status`);
      const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
      const anonymous = Number(/RssAnon:\s+(\d+)/.exec(status)?.[1]);
      return [{
        name: "idle memory",
        value: kilobytes * 1024 / 1e6,
        unit: "MB",
        aim: 100,
        note: `resident after 10 s, of which ${Math.round(anonymous * 1024 / 1e6)} MB is not mapped from files`,
      }];
    });
  },
};
