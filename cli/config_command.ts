/**
 * `malama config init|check|path`: writes the first configuration, says whether it is right, says where it is.
 *
 * @module
 */
import { resolve } from "node:path";
import {
  type Config,
  type ConfigCheck,
  ConfigError,
  type Environment,
  loadConfig,
  locateConfig,
  MALAMA_COMMAND,
  problemLine,
  scaffoldConfig,
  type ToolsetSettings,
} from "../core/config/mod.ts";

/** What the command needs of the world. */
export interface ConfigCommandIo {
  readonly env: Environment;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly cwd: string;
  /** The settings of the installed toolsets, so that their sections are known. */
  readonly toolsets?: ToolsetSettings;
  /** Checks of higher floors. */
  readonly checks?: readonly ConfigCheck[];
}

const USAGE = `Usage:
  ${MALAMA_COMMAND} config init [--path FILE] [--force]   write a configuration with every key in it
  ${MALAMA_COMMAND} config check [--config FILE]          say whether the configuration is right
  ${MALAMA_COMMAND} config path [--config FILE]           say where it is`;

/** The person's own mistake; the message is all there is to say. */
class Mistake extends Error {
  override readonly name = "Mistake";
}

/**
 * Runs `malama config …`. Gives the exit status: 0, or 2 for a mistake of the person's or a configuration that is wrong
 * (K-019).
 *
 * @param args What follows `config` on the command line.
 */
export async function runConfigCommand(args: readonly string[], io: ConfigCommandIo): Promise<number> {
  const [action, ...rest] = args;
  try {
    switch (action) {
      case "init":
        return await init(rest, io);
      case "check":
        return await check(rest, io);
      case "path":
        return path(rest, io);
      case "--help":
      case "-h":
        io.stdout(`${USAGE}\n`);
        return 0;
      default:
        throw new Mistake(action === undefined ? USAGE : `There is no "config ${action}": use init, check or path`);
    }
  } catch (error) {
    if (!(error instanceof Mistake || error instanceof ConfigError)) throw error;
    io.stderr(`${error.message}\n`);
    return 2;
  }
}

async function init(args: readonly string[], io: ConfigCommandIo): Promise<number> {
  const flags = parseFlags(args, { "--path": "text", "--config": "text", "--force": "switch" });
  const named = flags.get("--path") ?? flags.get("--config");
  const file = named ? resolve(io.cwd, named) : locate(undefined, io).file;
  await scaffoldConfig(file, { force: flags.has("--force") });
  io.stdout(`Wrote ${file}\n`);
  return 0;
}

async function check(args: readonly string[], io: ConfigCommandIo): Promise<number> {
  const location = locate(parseFlags(args, { "--config": "text" }).get("--config"), io);
  try {
    const config = await loadConfig({ ...location, toolsets: io.toolsets, checks: io.checks });
    for (const warning of config.warnings) io.stderr(`${warning}\n`);
    io.stdout(`${summary(config)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) io.stderr(`${problemLine(error.file, problem)}\n`);
    return 2;
  }
}

/** What was found, in a few lines. */
function summary(config: Config): string {
  const agents = Object.keys(config.agents).map((name) =>
    name === config.assistant.agent ? `${name} (the one you talk to)` : name
  );
  return [
    `ok: ${config.file}`,
    `  agents  ${agents.join(", ")}`,
    `  model   ${config.assistant.model ?? "not set: MALAMA_MODEL, a local server that answers, then demo:tour"}`,
    `  data    ${config.dataDir}`,
    `  web     ${config.web.host}:${config.web.port}${config.web.basePath}`,
  ].join("\n");
}

function path(args: readonly string[], io: ConfigCommandIo): number {
  io.stdout(`${locate(parseFlags(args, { "--config": "text" }).get("--config"), io).file}\n`);
  return 0;
}

function locate(flag: string | undefined, io: ConfigCommandIo) {
  return locateConfig({ flag, env: io.env, cwd: io.cwd });
}

/** `--flag value`, `--flag=value` and switches. Throws `Mistake` for anything else. */
function parseFlags(
  args: readonly string[],
  known: Readonly<Record<string, "text" | "switch">>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < args.length; at++) {
    const [name = "", inline] = splitOnce(args[at]!);
    if (!Object.hasOwn(known, name)) {
      throw new Mistake(`"${args[at]}" is not known here: use ${Object.keys(known).join(", ")}`);
    }
    const value = known[name] === "switch" ? "" : inline ?? args[++at];
    if (!value && known[name] === "text") throw new Mistake(`${name} needs a file after it`);
    found.set(name, value ?? "");
  }
  return found;
}

function splitOnce(arg: string): readonly [string, string?] {
  const equals = arg.indexOf("=");
  return equals === -1 ? [arg] : [arg.slice(0, equals), arg.slice(equals + 1)];
}
