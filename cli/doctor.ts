/**
 * `malama doctor`: looks at everything a start depends on and says, for each, that it is well or what to do.
 *
 * @module
 */
import { join } from "node:path";
import type { Config } from "../core/config/mod.ts";
import { parseModelString, providerAddress, resolveDefaultModel } from "../core/model/mod.ts";
import { openStorage } from "../core/storage/mod.ts";
import type { Flags } from "./command_line.ts";
import { endingOf } from "./mistake.ts";
import { keyFault } from "./model_key.ts";
import { findServer, type RunningServer } from "./server_link.ts";
import { loadStartConfig } from "./startup.ts";
import type { Surroundings } from "./surroundings.ts";
import { Wire } from "./wire.ts";

/** One thing looked at. */
export interface Finding {
  readonly state: "ok" | "note" | "problem";
  readonly what: string;
  /** What was found; for a problem, also what to do. */
  readonly text: string;
}

/** How long a model server on the network is waited for, in milliseconds. */
const MODEL_PATIENCE = 2_000;

/** Prints the findings. Gives 1 when one of them is a problem, else 0. */
export async function runDoctor(flags: Flags, surroundings: Surroundings): Promise<number> {
  let problems = 0;
  for await (const finding of examine(flags, surroundings)) {
    if (finding.state === "problem") problems++;
    surroundings.stdout(`${finding.state.padEnd(8)} ${finding.what.padEnd(14)} ${finding.text}\n`);
  }
  surroundings.stdout(problems === 0 ? "All is well\n" : `${problems} to put right\n`);
  return problems === 0 ? 0 : 1;
}

/** Looks at one thing after the other; without a configuration there is nothing more to look at. */
export async function* examine(flags: Flags, surroundings: Surroundings): AsyncGenerator<Finding> {
  yield { state: "ok", what: "runtime", text: `Deno ${Deno.version.deno}, Malama ${surroundings.version}` };
  let config: Config;
  try {
    config = await loadStartConfig(flags, surroundings);
  } catch (error) {
    yield problem("configuration", error);
    return;
  }
  yield { state: "ok", what: "configuration", text: config.file };
  yield await dataFolder(config.dataDir);
  const running = await findServer(config.dataDir, 0);
  yield* await store(config, running, surroundings);
  yield* await model(config, surroundings);
  yield await port(config, running);
}

async function dataFolder(dataDir: string): Promise<Finding> {
  const probe = join(dataDir, `.doctor-${crypto.randomUUID()}`);
  try {
    await Deno.mkdir(dataDir, { recursive: true, mode: 0o700 });
    await Deno.writeTextFile(probe, "");
    await Deno.remove(probe);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { state: "problem", what: "data folder", text: `${dataDir} cannot be written (${why}): set MALAMA_HOME` };
  }
  const mode = (await Deno.stat(dataDir)).mode;
  if (mode !== null && (mode & 0o077) !== 0) {
    return { state: "note", what: "data folder", text: `${dataDir} can be read by others: chmod 700 keeps it to you` };
  }
  return { state: "ok", what: "data folder", text: dataDir };
}

async function store(config: Config, running: RunningServer | null, surroundings: Surroundings): Promise<Finding[]> {
  if (running) return [await askServer(running)];
  try {
    const storage = await openStorage({
      dataDir: config.dataDir,
      url: config.storage.url,
      token: surroundings.env("MALAMA_STORAGE_TOKEN"),
    });
    const { health } = storage;
    await storage.close();
    if (health.state === "damaged") {
      return [{ state: "problem", what: "store", text: `${health.detail}. ${health.advice}` }];
    }
    const repaired = health.repaired.map((text): Finding => ({
      state: "note",
      what: "store",
      text: `rebuilt: ${text}`,
    }));
    return [...repaired, { state: "ok", what: "store", text: "opens, and its check found nothing" }];
  } catch (error) {
    return [problem("store", error)];
  }
}

async function askServer(running: RunningServer): Promise<Finding> {
  try {
    const address = await running.address();
    const { storage } = await new Wire(address, running.address).get<
      { readonly storage: { readonly state: string; readonly detail: string | null } }
    >("/api/diagnostics");
    const where = `process ${running.pid} at ${address.url}`;
    if (storage.state === "healthy") return { state: "ok", what: "store", text: `in use by ${where}, healthy` };
    return { state: "problem", what: "store", text: `in use by ${where}, damaged: ${storage.detail}` };
  } catch (error) {
    const { text } = endingOf(error);
    return {
      state: "problem",
      what: "store",
      text: `in use by process ${running.pid}, which does not answer (${text})`,
    };
  }
}

async function model(config: Config, { env }: Surroundings): Promise<Finding[]> {
  try {
    const { string, source } = await resolveDefaultModel({ configured: config.assistant.model, env });
    if (source === "demo") {
      const text = `${string}, a demonstration: set model in [assistant], or start a local model server`;
      return [{ state: "note", what: "model", text }];
    }
    const fault = keyFault(string, env);
    if (fault !== null) return [{ state: "problem", what: "model", text: fault }];
    return [await reach(string, env)];
  } catch (error) {
    return [problem("model", error)];
  }
}

/** Whether anything answers at the model's address. A provider elsewhere is not called: that is for the first message. */
async function reach(string: string, env: Surroundings["env"]): Promise<Finding> {
  const parsed = parseModelString(string);
  if (parsed.provider === "demo") return { state: "ok", what: "model", text: string };
  const address = providerAddress(parsed, env);
  if (parsed.baseUrl === undefined && !isHere(address)) {
    return { state: "ok", what: "model", text: `${string}, its key is set (it is not called from here)` };
  }
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(MODEL_PATIENCE), redirect: "manual" });
    await response.body?.cancel();
    return { state: "ok", what: "model", text: `${string}, answers at ${address}` };
  } catch {
    return { state: "problem", what: "model", text: `${string} does not answer at ${address}: is it running?` };
  }
}

function isHere(address: string): boolean {
  return /^https?:\/\/(?:127\.|localhost\b|\[::1\])/.test(address);
}

async function port(config: Config, running: RunningServer | null): Promise<Finding> {
  const { host, port } = config.web;
  const where = `${host}:${port}`;
  try {
    Deno.listen({ hostname: host.replace(/^\[(.*)\]$/, "$1"), port }).close();
    return { state: "ok", what: "port", text: `${where} is free` };
  } catch (error) {
    const address = await running?.address().catch(() => null);
    if (address?.url.includes(`:${port}`)) {
      return { state: "ok", what: "port", text: `${where}, in use by Malama itself` };
    }
    const why = error instanceof Error ? error.message : String(error);
    return { state: "problem", what: "port", text: `${where} cannot be used (${why}): choose another with --port` };
  }
}

function problem(what: string, error: unknown): Finding {
  const { text } = endingOf(error);
  return { state: "problem", what, text };
}
