/**
 * Settings as a person or a program sees them from outside: names, values, whether they are locked and where they come from.
 *
 * @module
 */
import type { CheckedTable } from "./check_tree.ts";
import type { Config, Setting } from "./config.ts";
import { defaultOf, type KeyRule, type SectionRule, type SectionValues } from "./key_rule.ts";
import { LOCK_LIST, lockFor } from "./locks.ts";
import type { Environment } from "./paths.ts";
import { valuesAt } from "./resolve.ts";
import type { Schema, SchemaNode } from "./schema.ts";
import { joinSettingName } from "./setting_name.ts";
import { isTable, type TomlTable } from "./toml.ts";

/** One row of `GET /api/settings`. */
export interface SettingView {
  /** `null` when it is unset, and for a secret. */
  readonly value: unknown;
  readonly hot: boolean;
  readonly locked: boolean;
  readonly source: "file" | "default" | "flag" | "environment";
}

/** The answer of `GET /api/settings`. */
export interface SettingsView {
  readonly version: string;
  readonly values: Readonly<Record<string, SettingView>>;
}

/** What `GET /api/settings` answers. With `env`, the two settings a variable may decide say so. */
export function settingsView(config: Config, env: Environment = () => undefined): SettingsView {
  const patterns = config.security.lockedConfigKeys;
  const values = config.settings.map((setting): [string, SettingView] => [setting.name, {
    value: setting.value,
    hot: setting.hot,
    locked: lockFor(setting.name, patterns) !== null,
    ...origin(setting, config, env),
  }]);
  return { version: config.version, values: Object.fromEntries(values) };
}

function origin(setting: Setting, config: Config, env: Environment): Pick<SettingView, "source"> & { value?: unknown } {
  if (setting.source !== "default") return { source: setting.source };
  if (setting.name === "paths.data_dir") {
    return { value: config.dataDir, source: env("MALAMA_HOME") ? "environment" : "default" };
  }
  const model = setting.name === "assistant.model" ? env("MALAMA_MODEL") : undefined;
  return model ? { value: model, source: "environment" } : { source: "default" };
}

/** The settings a change of which applies on the next use (K-024). */
export function hotSettings(config: Config): readonly string[] {
  return config.settings.filter((setting) => setting.hot).map((setting) => setting.name);
}

/** The patterns that lock settings, the axiom first, for a text that says what is locked (K-040). */
export function locksInForce(config: Config): readonly string[] {
  return [LOCK_LIST, ...config.security.lockedConfigKeys];
}

/**
 * The values of one section, typed by its rule: `sectionOf(config, sections.planning).review_rounds`. For sections without a
 * made-up name in theirs; those stand in `config.sections`.
 */
export function sectionOf<R extends SectionRule>(config: Config, rule: R): SectionValues<R> {
  return valuesAt(config.sections, rule);
}

/**
 * Lists every setting of the tree in the order of the schema. Lists of tables are one setting each.
 *
 * @param raw What the file says, to tell a written value from a default.
 * @param decided Settings a flag decided.
 */
export function listSettings(
  schema: Schema,
  tree: CheckedTable,
  raw: TomlTable,
  decided: readonly (readonly string[])[],
): readonly Setting[] {
  const flagged = new Set(decided.map(joinSettingName));
  const settings: Setting[] = [];
  const add = (rule: KeyRule, path: readonly string[], value: unknown, written: boolean) => {
    const name = joinSettingName(path);
    // What has no default and is not written here was inherited from an agent's base, in the same file.
    const inherited = value !== undefined && defaultOf(rule) === undefined;
    const source = flagged.has(name) ? "flag" : written || inherited ? "file" : "default";
    settings.push({ name, value: rule.secret ? null : plain(value), hot: rule.hot, source });
  };
  const walk = (node: SchemaNode, values: CheckedTable, written: TomlTable, path: readonly string[]) => {
    const keys = Object.entries(node.rule?.keys ?? {});
    for (const [name, rule] of keys) add(rule, [...path, name], values[name], Object.hasOwn(written, name));
    if (node.rule?.each) {
      for (const [name, value] of Object.entries(values)) add(node.rule.each, [...path, name], value, true);
    }
    for (const [name, below] of node.named) descend(below, name, values, written, path);
    if (!node.any) return;
    for (const name of Object.keys(values)) {
      const known = node.named.has(name) || keys.some(([taken]) => taken === name);
      if (!known) descend(node.any, name, values, written, path);
    }
  };
  const descend = (
    node: SchemaNode,
    name: string,
    values: CheckedTable,
    written: TomlTable,
    path: readonly string[],
  ) => {
    const value = values[name];
    const at = [...path, name];
    if (node.rule?.list) {
      settings.push({
        name: joinSettingName(at),
        value: items(node, value),
        hot: false,
        source: sourceOf(written, name),
      });
    } else if (isTable(value)) {
      const below = written[name];
      walk(node, value, isTable(below) ? below : {}, at);
    }
  };
  walk(schema.root, tree, raw, []);
  return settings;
}

function sourceOf(written: TomlTable, name: string): "file" | "default" {
  return Object.hasOwn(written, name) ? "file" : "default";
}

/** The items of a list of tables without the values of secret keys. */
function items(node: SchemaNode, value: unknown): unknown {
  const list = Array.isArray(value) ? value : [];
  const secret = Object.entries(node.rule?.keys ?? {}).filter(([, rule]) => rule.secret).map(([name]) => name);
  return list.map((item) => {
    const shown = plain(item) as Record<string, unknown>;
    for (const name of secret) if (Object.hasOwn(shown, name)) shown[name] = null;
    return shown;
  });
}

/** A value as JSON holds it; `null` for what is unset. */
function plain(value: unknown): unknown {
  if (value === undefined) return null;
  return JSON.parse(JSON.stringify(value, (_, part) => typeof part === "bigint" ? String(part) : part));
}
