/**
 * The command line, taken apart. Imports little, so that `--help` and a mistyped flag answer at once.
 *
 * Invariants
 * 1. A flag that was not given is absent from the result, so the file's value stands (K-014)
 *    (tests/cli/command_line_test.ts, "a flag that is not given …").
 * 2. Whatever is not understood is refused in one line that names the nearest thing that is (same file, "… near miss").
 *
 * @module
 */
import { Mistake } from "./mistake.ts";
import { MALAMA_COMMAND, nearest } from "../core/config/mod.ts";

/** The commands, in the order the help shows them. */
export const COMMANDS = [
  "serve",
  "chat",
  "export",
  "import",
  "login",
  "config",
  "agents",
  "toolsets",
  "models",
  "doctor",
] as const;

export type CommandName = (typeof COMMANDS)[number];

/** A command whose flags are read here. */
export type PlainCommand = Exclude<CommandName, "config">;

/** What the flags said; a key that is absent was not given. */
export interface Flags {
  readonly config?: string;
  readonly model?: string;
  readonly system?: string;
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port?: number;
  readonly frontend?: string;
  readonly open?: boolean;
  /** An id, the first 6 characters or more of one, or `latest`. `export` takes it without the flag's name. */
  readonly conversation?: string;
  /** What is imported. `import` takes it without the flag's name. */
  readonly file?: string;
  /** How it is exported. */
  readonly format?: "md" | "jsonl";
  readonly full?: boolean;
  /** A file; `-` is stdout. */
  readonly output?: string;
  /** Whether a file that is there may be overwritten. */
  readonly force?: boolean;
  /** A third party's toolset to accept as it is now. `toolsets accept NAME` stands for it. */
  readonly accept?: string;
}

export type CommandLine =
  | { readonly kind: "help"; readonly command: CommandName | null }
  | { readonly kind: "version" }
  | { readonly kind: "run"; readonly command: PlainCommand | null; readonly flags: Flags }
  /** `config` has subcommands and flags of its own, which it reads itself. */
  | { readonly kind: "config"; readonly args: readonly string[] };

interface FlagRule {
  readonly value: "text" | "port" | "format" | "none";
  /** Commands it means something to. */
  readonly commands: readonly CommandName[];
}

const ALL_BUT_CONFIG = COMMANDS.filter((command) => command !== "config");

const FLAGS: Readonly<Record<keyof Flags, FlagRule>> = {
  config: { value: "text", commands: ALL_BUT_CONFIG },
  model: { value: "text", commands: ["serve", "chat", "agents", "models", "doctor"] },
  system: { value: "text", commands: ["serve", "chat"] },
  host: { value: "text", commands: ["serve", "doctor"] },
  port: { value: "port", commands: ["serve", "doctor"] },
  frontend: { value: "text", commands: ["serve", "chat"] },
  open: { value: "none", commands: ["serve"] },
  conversation: { value: "text", commands: ["chat", "export"] },
  file: { value: "text", commands: ["import"] },
  format: { value: "format", commands: ["export"] },
  full: { value: "none", commands: ["export"] },
  output: { value: "text", commands: ["export"] },
  force: { value: "none", commands: ["export"] },
  accept: { value: "text", commands: ["toolsets"] },
};

/** The one argument of a command, which stands for a flag. */
const ARGUMENTS: Readonly<Partial<Record<CommandName, keyof Flags>>> = { export: "conversation", import: "file" };

/** Flags that have a letter too. */
const LETTERS: Readonly<Record<string, string>> = { "-o": "--output" };

const FLAG_NAMES = [...Object.keys(FLAGS), "help", "version"].map((name) => `--${name}`);

/**
 * Takes the arguments apart; the first `--`, as in `deno task start -- chat`, is passed over. Throws `Mistake` with the one
 * line to print.
 */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const separator = args.indexOf("--");
  const words = separator === -1 ? args : args.toSpliced(separator, 1);
  let command: PlainCommand | null = null;
  const flags: Record<string, string | number | boolean> = {};

  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (word === "--help" || word === "-h") return { kind: "help", command };
    if (word === "--version" || word === "-V") return { kind: "version" };
    if (!word.startsWith("-")) {
      const argument = command === null ? undefined : ARGUMENTS[command];
      if (argument !== undefined && !(argument in flags)) {
        flags[argument] = word;
        continue;
      }
      if (command === "toolsets" && word === "accept" && !("accept" in flags)) {
        flags.accept = flagValue("accept", words[++index]);
        continue;
      }
      const next = nextCommand(command, word);
      if (next === "config") return configCommand(words.slice(index + 1), flags);
      command = next;
      continue;
    }
    const [name, attached] = splitFlag(word);
    if (name in flags) throw new Mistake(`"--${name}" was given twice: keep one`);
    if (FLAGS[name].value === "none") {
      if (attached !== undefined) throw new Mistake(`"--${name}" takes no value: write it alone`);
      flags[name] = true;
      continue;
    }
    const value = attached ?? words[++index];
    flags[name] = flagValue(name, value);
  }
  for (const name of Object.keys(flags) as (keyof Flags)[]) checkBelongs(name, command);
  return { kind: "run", command, flags };
}

function nextCommand(command: CommandName | null, word: string): CommandName {
  if (command !== null) {
    throw new Mistake(`"${command}" takes no argument "${word}": see ${MALAMA_COMMAND} ${command} --help`);
  }
  if ((COMMANDS as readonly string[]).includes(word)) return word as CommandName;
  const near = nearest(word, COMMANDS);
  throw new Mistake(`Unknown command "${word}": ${near ? `did you mean "${near}"?` : `see ${MALAMA_COMMAND} --help`}`);
}

/** `config` reads the rest itself; `malama --config FILE config check` hands its flag on. */
function configCommand(rest: readonly string[], flags: Readonly<Record<string, unknown>>): CommandLine {
  for (const name of Object.keys(flags)) {
    if (name !== "config") {
      throw new Mistake(`"--${name}" means nothing to "config": see ${MALAMA_COMMAND} config --help`);
    }
  }
  if (rest.includes("--help") || rest.includes("-h")) return { kind: "help", command: "config" };
  return { kind: "config", args: flags.config === undefined ? rest : [...rest, "--config", String(flags.config)] };
}

function splitFlag(word: string): [keyof Flags, string | undefined] {
  const equals = word.indexOf("=");
  const written = equals === -1 ? word : word.slice(0, equals);
  const flag = Object.hasOwn(LETTERS, written) ? LETTERS[written]! : written;
  const name = flag.slice(2);
  if (flag.startsWith("--") && Object.hasOwn(FLAGS, name)) {
    return [name as keyof Flags, equals === -1 ? undefined : word.slice(equals + 1)];
  }
  const near = nearest(flag, FLAG_NAMES);
  throw new Mistake(`Unknown flag "${flag}": ${near ? `did you mean "${near}"?` : `see ${MALAMA_COMMAND} --help`}`);
}

function flagValue(name: keyof Flags, value: string | undefined): string | number {
  if (value === undefined || value === "") throw new Mistake(`"--${name}" needs a value: write --${name} VALUE`);
  if (FLAGS[name].value === "text") {
    if (value.startsWith("--")) throw new Mistake(`"--${name}" needs a value, not "${value}": write --${name} VALUE`);
    return value;
  }
  if (FLAGS[name].value === "format") {
    if (value !== "md" && value !== "jsonl") throw new Mistake(`"--${name}" takes md or jsonl, not "${value}"`);
    return value;
  }
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > 65_535) {
    throw new Mistake(`"--${name}" takes a whole number from 0 to 65535, not "${value}" (0 takes any free port)`);
  }
  return port;
}

function checkBelongs(name: keyof Flags, command: CommandName | null): void {
  if (command === null || FLAGS[name].commands.includes(command)) return;
  throw new Mistake(`"--${name}" means nothing to "${command}": it goes with ${FLAGS[name].commands.join(", ")}`);
}
