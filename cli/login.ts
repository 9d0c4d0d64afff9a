/**
 * `malama login`: a new one-time link into the running server.
 *
 * @module
 */
import { MALAMA_COMMAND } from "../core/config/mod.ts";
import type { Flags } from "./command_line.ts";
import { Mistake } from "./mistake.ts";
import { findServer } from "./server_link.ts";
import { loadStartConfig } from "./startup.ts";
import type { Surroundings } from "./surroundings.ts";
import { Wire } from "./wire.ts";

/** Prints the link alone on stdout, so that it can be piped; how long it holds goes to stderr. */
export async function runLogin(flags: Flags, surroundings: Surroundings): Promise<number> {
  const config = await loadStartConfig(flags, surroundings);
  const running = await findServer(config.dataDir);
  if (!running) {
    throw new Mistake(
      `No server runs on ${config.dataDir}: start one with "${MALAMA_COMMAND} serve", which prints its own link`,
    );
  }
  const wire = new Wire(await running.address(), running.address);
  const { url } = await wire.post<{ readonly url: string }>("/api/login-codes");
  surroundings.stdout(`${url}\n`);
  surroundings.stderr("It works once, within ten minutes\n");
  return 0;
}
