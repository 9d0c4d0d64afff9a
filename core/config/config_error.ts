/**
 * What can be wrong with the configuration, told in sentences a person can act on (K-016, K-019).
 *
 * @module
 */
import { MALAMA_COMMAND } from "./command.ts";

/** One fault. `path` leads to it in the file's own spelling; the loader finds the line. */
export interface ConfigProblem {
  readonly message: string;
  /** `agents.researcher.tools`, as it would stand between brackets in the file. */
  readonly section?: string;
  readonly key?: string;
  /** 1-based. */
  readonly line?: number;
  /** Table names, keys and array positions, outermost first; only used to find `line`. */
  readonly path?: readonly (string | number)[];
}

/**
 * The configuration cannot be used. `message` is one line: the file, the line, what is wrong and what to do, and how many
 * more faults `problems` holds.
 */
export class ConfigError extends Error {
  override readonly name: string = "ConfigError";
  readonly file: string;
  readonly problems: readonly ConfigProblem[];
  /** The first problem's place. */
  readonly line?: number;
  readonly section?: string;
  readonly key?: string;

  constructor(file: string, problems: readonly ConfigProblem[], options?: ErrorOptions) {
    const first = problems[0] ?? { message: "The configuration cannot be used" };
    const more = problems.length - 1;
    const rest = more > 0 ? ` (and ${more} more: see "${MALAMA_COMMAND} config check")` : "";
    super(problemLine(file, first) + rest, options);
    this.file = file;
    this.problems = problems;
    this.line = first.line;
    this.section = first.section;
    this.key = first.key;
  }
}

/** The file is not there. `named` tells a file somebody asked for from the default one. Its name is `ConfigError`, too. */
export class ConfigMissing extends ConfigError {
  constructor(file: string, readonly named: boolean) {
    const advice = named
      ? `There is no such file: name one that exists, or write it with "${MALAMA_COMMAND} config init --path ${file}"`
      : `There is no configuration yet: write one with "${MALAMA_COMMAND} config init"`;
    super(file, [{ message: advice }]);
  }
}

/** Somebody else changed the file since `version` was read; nothing was written. */
export class ConfigChanged extends ConfigError {
  override readonly name = "ConfigChanged";

  /** @param version The hash of the file as it is now. */
  constructor(file: string, readonly version: string) {
    super(file, [{ message: "The file changed meanwhile: read the settings again and repeat the change" }]);
  }
}

/** A lock pattern forbids the app to write the setting (K-034). */
export class SettingLocked extends ConfigError {
  override readonly name = "SettingLocked";

  /** @param setting `section.key`. @param pattern The pattern that matched; its own name for the axiom (K-033). */
  constructor(file: string, readonly setting: string, readonly pattern: string) {
    super(file, [{ message: lockedMessage(setting, pattern) }]);
  }
}

/** The file, the line and the message, as one line. */
export function problemLine(file: string, problem: ConfigProblem): string {
  const place = problem.line === undefined ? file : `${file}:${problem.line}`;
  return place === "" ? problem.message : `${place}: ${problem.message}`;
}

function lockedMessage(setting: string, pattern: string): string {
  if (setting === pattern && setting === "security.locked_config_keys") {
    return `${setting} cannot be written by what it restrains: edit the file by hand`;
  }
  const task = setting.startsWith("scheduling.task.") ? "change it with the scheduling tools" : "edit the file by hand";
  return `${setting} is locked by "${pattern}": ${task}`;
}
