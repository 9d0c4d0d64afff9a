/**
 * Settings that apply while Malama runs: taken from a newer configuration into the one that is in force (K-024, K-037).
 *
 * @module
 */
import type { Config } from "./config.ts";
import { deepFreeze } from "./load.ts";
import { resolveTree } from "./resolve.ts";
import { splitSettingName } from "./setting_name.ts";

/** The configuration in force with the hot settings of a newer one; everything else waits for the next start. */
export function withHotSettings(current: Config, newer: Config): Config {
  const fresh = new Map(newer.settings.filter((setting) => setting.hot).map((setting) => [setting.name, setting]));
  let sections = current.sections;
  for (const name of fresh.keys()) {
    const path = splitSettingName(name) ?? [];
    sections = put(sections, path, at(newer.sections, path)) as Config["sections"];
  }
  return deepFreeze({
    ...current,
    version: newer.version,
    settings: current.settings.map((setting) => fresh.get(setting.name) ?? setting),
    sections,
    // All hot settings that have a field of their own are here; what is cold stands in the sections as it stood.
    assistant: resolveTree(sections, current.root).assistant,
  });
}

function at(table: unknown, path: readonly string[]): unknown {
  let value = table;
  for (const part of path) value = typeof value === "object" && value !== null ? Reflect.get(value, part) : undefined;
  return value;
}

/** The table with one value at a path; what is not on the path stays the same object. */
function put(table: unknown, [first, ...rest]: readonly string[], value: unknown): unknown {
  if (first === undefined) return value;
  const own = typeof table === "object" && table !== null ? table : {};
  return { ...own, [first]: put(Reflect.get(own, first), rest, value) };
}
