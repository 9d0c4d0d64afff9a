/** From `deno run` to `/healthz` ready, from source with a warm cache. */
import { withHome } from "../tests/cli/product.ts";
import { malama } from "../tests/cli/product.ts";
import { type Bench, median, spread } from "./figure.ts";

const RUNS = 9;

export const bench: Bench = {
  about: "start to ready",
  async measure() {
    const times: number[] = [];
    await withHome(async (home) => {
      for (let run = 0; run < RUNS + 1; run++) times.push(await startOnce(home));
    });
    // The first writes the configuration and the database; a warm start is what is promised.
    const warm = times.slice(1);
    return [{ name: "start to ready", value: median(warm), unit: "ms", aim: 500, note: spread(warm) }];
  },
};

async function startOnce(home: string): Promise<number> {
  const port = freePort();
  const started = performance.now();
  const child = malama(["serve", "--port", String(port)], { home }, "null").spawn();
  const drained = Promise.all([child.stdout.pipeTo(new WritableStream()), child.stderr.pipeTo(new WritableStream())]);
  while (!await isReady(port)) await new Promise((resolve) => setTimeout(resolve, 2));
  const ms = performance.now() - started;
  child.kill("SIGTERM");
  await child.status;
  await drained;
  return ms;
}

async function isReady(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`);
    return (await response.json()).ready === true;
  } catch {
    return false;
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
