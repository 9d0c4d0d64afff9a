/**
 * Reads the file: parse, check, inherit, fill in, merge the flags, check again, and freeze the result (K-015).
 *
 * Invariants
 * 1. All faults are told together, each with its line (K-016; tests/core/config/load_test.ts).
 * 2. A flag decides over the file, the file over a default (K-014; same).
 * 3. The result cannot be changed (tests/core/config/load_test.ts).
 *
 * @module
 */
import { type CheckedTable, checkTree } from "./check_tree.ts";
import { TREE_CHECKS } from "./checks.ts";
import type { Config } from "./config.ts";
import { ConfigError, type ConfigProblem } from "./config_error.ts";
import { fillDefaults } from "./defaults.ts";
import { type ConfigFile, readConfigFile } from "./file.ts";
import { applyFlags, type ConfigFlags, type Decided } from "./flags.ts";
import { withoutEffect } from "./in_effect.ts";
import { inheritAgents } from "./inherit.ts";
import type { ConfigLocation } from "./paths.ts";
import { inside, removedKeys } from "./removed_keys.ts";
import { resolveTree } from "./resolve.ts";
import { buildSchema, type Schema, type ToolsetSettings } from "./schema.ts";
import { listSettings } from "./settings.ts";
import { splitSettingName } from "./setting_name.ts";
import { isTable, lineFinder, parseToml, TomlSyntaxError, type TomlTable } from "./toml.ts";

/** A check from a higher floor: sees the finished configuration, names the section and key it complains about. */
export type ConfigCheck = (config: Config) => readonly ConfigProblem[];

/** Where the configuration comes from and what it is checked against. */
export interface ConfigSource extends Pick<ConfigLocation, "root" | "file"> {
  /** Whether a person named the file; only for what is said when it is missing. */
  readonly named?: boolean;
  readonly flags?: ConfigFlags;
  /** The settings of every installed toolset. */
  readonly toolsets?: ToolsetSettings;
  /** Run after the core's own checks, when those found nothing. */
  readonly checks?: readonly ConfigCheck[];
}

/** Reads and checks the configuration. Throws `ConfigMissing`, or `ConfigError` with every fault found. */
export async function loadConfig(source: ConfigSource): Promise<Config> {
  return parseConfig(await readConfigFile(source.file, source.named ?? true), source);
}

/** The same for a file that has been read. Throws `ConfigError`. */
export function parseConfig(file: ConfigFile, source: ConfigSource): Config {
  const raw = parsed(file);
  const schema = buildSchema(source.toolsets);
  const foreign = foreignSections(raw, source.toolsets);
  const checked = checkTree(raw, schema, foreign);
  const problems: ConfigProblem[] = schema.faults.map((message) => ({ message }));
  const removed = removedKeys(raw);
  problems.push(...removed, ...checked.problems.filter((problem) => !told(problem, removed)));

  const tree = fillDefaults(schema.root, withInheritance(checked.tree, problems));
  const { decided, problems: faultyFlags } = applyFlags(tree, source.flags ?? {});
  const fileProblems = [...problems, ...TREE_CHECKS.flatMap((check) => check(tree, { schema, foreign }))];
  if (fileProblems.length + faultyFlags.length > 0) throw failure(file, fileProblems, faultyFlags);

  const settings = listSettings(schema, tree, raw, decided.map(({ path }) => path));
  const config: Config = deepFreeze({
    file: file.path,
    version: file.version,
    ...resolveTree(tree, source.root),
    toolsets: toolsetValues(tree, schema, foreign, source.toolsets ?? {}),
    sections: tree,
    settings,
    warnings: [
      ...unreadSections(raw, tree, schema, source.toolsets ?? {}),
      ...withoutEffect(settings, Object.keys(source.toolsets ?? {})),
    ],
  });
  const higher = (source.checks ?? []).flatMap((check) => check(config));
  const { blamed, flags } = byPlace(higher, decided);
  if (higher.length > 0) throw failure(file, blamed, flags);
  return config;
}

function parsed(file: ConfigFile): TomlTable {
  try {
    return parseToml(file.text);
  } catch (error) {
    if (!(error instanceof TomlSyntaxError)) throw error;
    const problem = { message: `This is not TOML: ${lowerFirst(error.message)}`, line: error.line };
    throw new ConfigError(file.path, [problem], { cause: error });
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Sections of third parties' toolsets that the file declares and nobody has loaded: taken as they are. */
function foreignSections(raw: TomlTable, toolsets: ToolsetSettings = {}): ReadonlySet<string> {
  const declared = isTable(raw.toolsets) ? Object.keys(raw.toolsets) : [];
  return new Set(declared.filter((name) => !Object.hasOwn(toolsets, name)));
}

/** A removed key has been told with what replaces it; the schema's own words on it add nothing. */
function told(problem: ConfigProblem, removed: readonly ConfigProblem[]): boolean {
  return removed.some((other) => inside(problem.path ?? [], other.path!) || inside(other.path!, problem.path ?? []));
}

function withInheritance(tree: CheckedTable, problems: ConfigProblem[]): CheckedTable {
  if (!isTable(tree.agents)) return tree;
  const inherited = inheritAgents(tree.agents);
  problems.push(...inherited.problems);
  return { ...tree, agents: inherited.agents };
}

/** What a flag decided is not the file's fault, and is told by the flag's name. */
function byPlace(problems: readonly ConfigProblem[], decided: readonly Decided[]) {
  const blamed: ConfigProblem[] = [];
  const flags: ConfigProblem[] = [];
  for (const problem of problems) {
    const path = (problem.path ?? pathOf(problem))?.join("\n");
    const by = decided.find((other) => other.path.join("\n") === path);
    if (by) flags.push({ message: `--${by.flag}: ${problem.message}` });
    else blamed.push(problem);
  }
  return { blamed, flags };
}

function failure(file: ConfigFile, problems: readonly ConfigProblem[], flags: readonly ConfigProblem[]): ConfigError {
  const lineOf = lineFinder(file.text);
  const placed = problems.map((problem) => {
    const path = problem.path ?? pathOf(problem);
    return problem.line === undefined && path ? { ...problem, line: lineOf(path) } : problem;
  });
  placed.sort((one, other) => (one.line ?? Infinity) - (other.line ?? Infinity) || 0);
  return new ConfigError(placed.length > 0 ? file.path : "", [...placed, ...flags]);
}

function pathOf(problem: ConfigProblem): readonly string[] | undefined {
  const section = problem.section === undefined ? null : splitSettingName(problem.section);
  return section ? [...section, ...(problem.key === undefined ? [] : [problem.key])] : undefined;
}

function toolsetValues(
  tree: CheckedTable,
  schema: Schema,
  foreign: ReadonlySet<string>,
  toolsets: ToolsetSettings,
): Config["toolsets"] {
  const values: Record<string, Record<string, unknown>> = Object.create(null);
  for (const name of Object.keys(toolsets)) {
    const rule = schema.root.named.get(name)?.rule;
    const table = tree[name];
    const keys = rule?.toolset && isTable(table) ? Object.keys(rule.keys) : [];
    values[name] = Object.fromEntries(
      keys.filter((key) => Object.hasOwn(table as CheckedTable, key)).map((key) => [key, (table as CheckedTable)[key]]),
    );
  }
  for (const name of foreign) if (isTable(tree[name])) values[name] = { ...tree[name] };
  return values;
}

/** K-021: settings of a toolset no agent declares. */
function unreadSections(
  raw: TomlTable,
  tree: CheckedTable,
  schema: Schema,
  toolsets: ToolsetSettings,
): readonly string[] {
  const agents = Object.values(tree.agents as Record<string, { readonly tools: { readonly available?: unknown } }>);
  const declares = (name: string) =>
    agents.some(({ tools }) => tools.available === "all" || (tools.available as string[] | undefined)?.includes(name));
  return Object.keys(toolsets).filter((name) => {
    const rule = schema.root.named.get(name)?.rule;
    const section = raw[name];
    return rule?.toolset && isTable(section) && Object.keys(section).some((key) => Object.hasOwn(rule.keys, key)) &&
      !declares(name);
  }).map((name) => `Nobody reads [${name}]: no agent has the toolset "${name}" in its available list`);
}

/** Freezes a value and all that it holds. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}
