/**
 * The product in a process of its own, which a test may kill.
 *
 * @module
 */
import assert from "node:assert/strict";
import { TextLineStream } from "./text_lines.ts";

export interface ServerProcess {
  readonly url: string;
  readonly token: string;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

/** Starts `killed_server.ts` on a data folder and waits until it is ready. */
export async function spawnServer(dataDir: string, model: string): Promise<ServerProcess> {
  const main = new URL("./killed_server.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", main, dataDir, model],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream()).getReader();
  const { value } = await lines.read();
  assert.ok(value, "the server printed nothing");
  return {
    ...JSON.parse(value),
    async kill() {
      child.kill("SIGKILL");
      await child.status;
      await lines.cancel();
    },
  };
}
