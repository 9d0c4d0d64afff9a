/**
 * Writes settings: into the file as it is now, checked as it would become, in one step (K-035 to K-038).
 *
 * Invariants
 * 1. A change that would not load is not written (K-038; tests/core/config/write_test.ts).
 * 2. A locked setting is not written (K-030, K-033; same).
 * 3. Of two writers at once neither loses its change; with a `version`, the later one is told (same).
 *
 * @module
 */
import type { Config } from "./config.ts";
import { ConfigChanged, ConfigError, ConfigMissing, type ConfigProblem, SettingLocked } from "./config_error.ts";
import { type ConfigFile, configFile, readConfigFile, replaceFile } from "./file.ts";
import { type ConfigSource, parseConfig } from "./load.ts";
import { lockFor } from "./locks.ts";
import { scaffoldConfig } from "./scaffold.ts";
import { buildSchema, ruleFor, type Schema } from "./schema.ts";
import { splitSettingName } from "./setting_name.ts";
import { EditRefused, removeTomlValue, setTomlValue } from "./toml_edit.ts";
import { NoTomlValue, type SettingValue } from "./toml_value.ts";

/** Under which conditions settings are written. */
export interface WriteOptions {
  /** The version the change was made from; the write is refused when the file is another by now. */
  readonly version?: string;
  /** `false` for the tools that own locked tables, such as the scheduling tools (K section 1.2). Default true. */
  readonly locks?: boolean;
}

/** What a write did. */
export interface Written {
  readonly version: string;
  /** The configuration as it is now, with the flags of the source. */
  readonly config: Config;
  /** Settings that apply at once, and those that wait for the next start. */
  readonly applied: readonly string[];
  readonly restart: readonly string[];
}

/** How often a write starts over when somebody else is faster. */
const ATTEMPTS = 8;

/**
 * Writes settings, all or none; `null` takes one out of the file, back to its default. A missing file is written from the
 * example first. Throws `ConfigChanged`, `SettingLocked`, or `ConfigError` with what is wrong with the values.
 */
export async function writeSettings(
  source: ConfigSource,
  values: Readonly<Record<string, SettingValue | null>>,
  options: WriteOptions = {},
): Promise<Written> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const before = await present(source.file);
    if (options.version !== undefined && options.version !== before.version) {
      throw new ConfigChanged(source.file, before.version);
    }
    const schema = buildSchema(source.toolsets);
    refuseLocked(before, source, schema, values, options);
    const text = edited(before, values);
    const mark = before.byteOrderMark ? "\uFEFF" : "";
    const after = await configFile(before.path, new TextEncoder().encode(mark + text));
    const config = becoming(after, source);
    const unchanged = after.version === before.version;
    if (unchanged || await replaceFile(before.path, after.bytes, before.bytes)) {
      return { version: after.version, config, ...byHeat(schema, Object.keys(values)) };
    }
  }
  const now = await readConfigFile(source.file, true);
  throw new ConfigChanged(source.file, now.version);
}

/** Takes one setting out of the file, back to its default. Throws like `writeSettings`. */
export function removeSetting(source: ConfigSource, name: string, options: WriteOptions = {}): Promise<Written> {
  return writeSettings(source, { [name]: null }, options);
}

async function present(path: string): Promise<ConfigFile> {
  try {
    return await readConfigFile(path, true);
  } catch (error) {
    if (!(error instanceof ConfigMissing)) throw error;
    await scaffoldConfig(path);
    return await readConfigFile(path, true);
  }
}

/** Locks as the file on disk has them: a write cannot lift the lock it is under. */
function refuseLocked(
  before: ConfigFile,
  source: ConfigSource,
  schema: Schema,
  values: Readonly<Record<string, unknown>>,
  options: WriteOptions,
): void {
  const patterns = parseConfig(before, source).security.lockedConfigKeys;
  const unknown = Object.keys(values).filter((name) => !ruleFor(schema, splitSettingName(name) ?? []));
  if (unknown.length > 0) {
    const problems = unknown.map((name) => ({ message: `There is no setting "${name}"` }));
    throw new ConfigError(source.file, problems);
  }
  for (const name of options.locks === false ? [] : Object.keys(values)) {
    const pattern = lockFor(name, patterns);
    if (pattern !== null) throw new SettingLocked(source.file, name, pattern);
  }
}

function edited(before: ConfigFile, values: Readonly<Record<string, SettingValue | null>>): string {
  try {
    return Object.entries(values).reduce((text, [name, value]) => {
      const path = splitSettingName(name)!;
      return value === null ? removeTomlValue(text, path) : setTomlValue(text, path, value);
    }, before.text);
  } catch (error) {
    if (!(error instanceof EditRefused || error instanceof NoTomlValue)) throw error;
    throw new ConfigError(before.path, [{ message: error.message }], { cause: error });
  }
}

/** Loads the file as it would become; the lines of its faults are not in the file a person sees. */
function becoming(after: ConfigFile, source: ConfigSource): Config {
  try {
    return parseConfig(after, source);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problems = error.problems.map(({ line: _, ...problem }): ConfigProblem => problem);
    throw new ConfigError(after.path, problems, { cause: error });
  }
}

function byHeat(schema: Schema, names: readonly string[]): Pick<Written, "applied" | "restart"> {
  const hot = (name: string) => ruleFor(schema, splitSettingName(name)!)!.key.hot;
  return { applied: names.filter(hot), restart: names.filter((name) => !hot(name)) };
}
