/**
 * `malama serve`: the page and the wire, until it is told to stop.
 *
 * @module
 */
import { join } from "node:path";
import type { Assistant, DefaultModel, Report } from "../core/assistant.ts";
import { type Config, MALAMA_COMMAND } from "../core/config/mod.ts";
import { type RunningServer, serve } from "../web/mod.ts";
import { openInBrowser } from "./browser.ts";
import type { Flags } from "./command_line.ts";
import { openLogFile } from "./log_file.ts";
import { endingOf } from "./mistake.ts";
import { END_SIGNALS, onSignals, Presses } from "./signals.ts";
import { awaitModel, buildAssistant, loadStartConfig } from "./startup.ts";
import type { Surroundings } from "./surroundings.ts";

/** A server in this process, with its assistant. */
export interface OwnServer {
  readonly assistant: Assistant;
  readonly server: RunningServer;
  /** Stops listening, ends the turns that run, closes the store. */
  close(): Promise<void>;
}

/**
 * Starts a server in this process and waits until it is ready. `web` says where to listen, when not where the
 * configuration says. Throws what the parts throw, with nothing left open.
 */
export async function startServer(
  config: Config,
  flags: Flags,
  surroundings: Surroundings,
  options: {
    readonly web?: Config["web"];
    readonly openBrowser?: (url: string) => Promise<void>;
    /** `false` for a server that nobody will talk to: it needs no model. */
    readonly talks?: boolean;
  } = {},
): Promise<OwnServer> {
  const log = openLogFile({
    folder: join(config.dataDir, "logs"),
    level: config.logging.level,
    now: surroundings.now,
  });
  let closing = false;
  /** Warnings and errors go to the log and, in one line, to whoever watches the process; not those of the end itself. */
  const report: Report = (level, subsystem, message) => {
    log.report(level, subsystem, message);
    // A start that fails is thrown as well, and told once by whoever asked for it.
    const isTold = subsystem === "start" && level === "ERROR";
    if (!closing && !isTold && (level === "WARNING" || level === "ERROR")) {
      surroundings.stderr(`${subsystem}: ${message}\n`);
    }
  };
  let assistant: Assistant | null = null;
  let server: RunningServer | null = null;
  const close = async () => {
    closing = true;
    await server?.close();
    await assistant?.close();
    log.report("INFO", "start", "closed");
    log.close();
  };
  try {
    assistant = await buildAssistant(config, flags, surroundings, report);
    log.report("INFO", "start", `Malama ${surroundings.version}, process ${Deno.pid}, data in ${config.dataDir}`);
    server = await serve({ assistant, report, web: options.web, openBrowser: options.openBrowser });
    if (options.talks ?? true) await awaitModel(assistant, surroundings);
    else await assistant.started.catch(() => {});
    return { assistant, server, close };
  } catch (error) {
    if (assistant) log.report("ERROR", "start", endingOf(error).text);
    await close();
    throw error;
  }
}

/** Serves until SIGINT or SIGTERM; a second one exits at once. Gives the exit status. */
export async function runServe(flags: Flags, surroundings: Surroundings): Promise<number> {
  const stop = stopSignal();
  try {
    const config = await loadStartConfig(flags, surroundings, { scaffold: true });
    const own = await startServer(config, flags, surroundings, {
      openBrowser: flags.open ? (url) => openInBrowser(url, surroundings) : undefined,
    });
    surroundings.stdout(banner(own, config, surroundings.version));
    await stop.asked;
    surroundings.stderr("Stopping\n");
    await own.close();
    return 0;
  } finally {
    stop.forget();
  }
}

function banner({ assistant, server }: OwnServer, config: Config, version: string): string {
  const { state } = assistant.storage.health;
  const login = server.loginUrl.includes("code=")
    ? `  Open      ${server.loginUrl}\n            once, within ten minutes; ${MALAMA_COMMAND} login makes another`
    : `  Open      ${server.url}/   (no login: auth = "none")`;
  return [
    `Malama ${version}`,
    `  Model     ${modelLine(assistant.defaultModel)}`,
    `  Address   ${server.url}`,
    login,
    `  Data      ${config.dataDir}${state === "damaged" ? "   (damaged, opened read-only)" : ""}`,
    `  Settings  ${config.file}`,
    "  Ctrl-C stops it; what runs is recorded",
    "",
  ].join("\n");
}

/** Which model answers and how it was chosen. */
export function modelLine({ string, source }: DefaultModel): string {
  switch (source) {
    case "flag":
      return `${string}   (from --model)`;
    case "config":
      return `${string}   (from the settings)`;
    case "environment":
      return `${string}   (from MALAMA_MODEL)`;
    case "local":
      return `${string}   (found on this machine)`;
    case "demo":
      return `${string}   (a demonstration that follows rules; connect a real one with --model)`;
    default:
      return source satisfies never;
  }
}

/** Resolves `asked` at the first SIGINT or SIGTERM; the second exits with 130. */
function stopSignal(): { readonly asked: Promise<void>; readonly forget: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const presses = new Presses();
  let asked = false;
  const forget = onSignals(["SIGINT", ...END_SIGNALS], () => {
    if (!presses.press()) return;
    if (asked) Deno.exit(130);
    asked = true;
    resolve();
  });
  return { asked: promise, forget };
}
