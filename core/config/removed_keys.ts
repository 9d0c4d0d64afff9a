/**
 * Keys that are gone, each with what to write instead (K-020). Checked before the schema, which would only call them unknown.
 *
 * @module
 */
import type { ConfigProblem } from "./config_error.ts";
import { joinSettingName } from "./setting_name.ts";
import { isTable, type TomlTable } from "./toml.ts";

interface Removed {
  /** `*` stands for any name. */
  readonly path: readonly string[];
  readonly instead: string;
}

const AVAILABLE = "name toolsets in an agent's [agents.<name>.tools].available";

/** The first that fits a place speaks for it. */
const REMOVED: readonly Removed[] = [
  { path: ["tools"], instead: AVAILABLE },
  { path: ["subagents", "concurrent"], instead: "write [assistant].concurrent_tools" },
  { path: ["subagents"], instead: "declare each as [agents.<name>]" },
  { path: ["assistant", "memory"], instead: 'name "memory" or "documents" in [agents.<name>.tools].available' },
  { path: ["assistant", "load_plugins"], instead: "delete it: installing a toolset is the consent" },
  { path: ["load_plugins"], instead: "delete it: installing a toolset is the consent" },
  { path: ["agents", "*", "groups"], instead: AVAILABLE },
  { path: ["agents", "*", "tool_packs"], instead: AVAILABLE },
  { path: ["agents", "*", "mcp_servers"], instead: `${AVAILABLE}: a server is named like a toolset` },
  { path: ["display", "show_thinking"], instead: "delete it: thinking is always shown" },
  { path: ["display", "show_tools"], instead: "delete it: tools are always shown" },
  { path: ["display"], instead: "delete it: everything is always shown" },
  { path: ["security", "confirm_tools"], instead: "write [assistant.tools].confirm" },
  {
    path: ["security", "auto_approval", "tools"],
    instead: "write the review lists of [assistant.tools] or [agents.<name>.tools]",
  },
  { path: ["email", "password"], instead: "put the password in the environment as MALAMA_EMAIL_PASSWORD" },
];

/** Every removed key in the file. */
export function removedKeys(raw: TomlTable): readonly ConfigProblem[] {
  const found: ConfigProblem[] = [];
  for (const { path, instead } of REMOVED) {
    for (const place of places(raw, path)) {
      if (!found.some((earlier) => inside(earlier.path!, place) || inside(place, earlier.path!))) {
        found.push(problem(place, instead));
      }
    }
  }
  return [...found, ...flatToolLists(raw)];
}

/** Whether `path` is `outer` or below it. */
export function inside(path: readonly (string | number)[], outer: readonly (string | number)[]): boolean {
  return outer.every((part, index) => path[index] === part);
}

function places(table: TomlTable, pattern: readonly string[], path: readonly string[] = []): readonly string[][] {
  const [first, ...rest] = pattern;
  if (first === undefined) return [[...path]];
  const names = first === "*" ? Object.keys(table) : Object.hasOwn(table, first) ? [first] : [];
  return names.flatMap((name) => {
    const value = table[name];
    if (rest.length === 0) return [[...path, name]];
    return isTable(value) ? places(value, rest, [...path, name]) : [];
  });
}

/** A flat `tools = [...]`, where a table stands now. */
function flatToolLists(raw: TomlTable): readonly ConfigProblem[] {
  const agents = raw.agents;
  if (!isTable(agents)) return [];
  return Object.entries(agents)
    .filter(([, agent]) => isTable(agent) && Array.isArray(agent.tools))
    .map(([name]) =>
      problem(["agents", name, "tools"], `write [agents.${joinSettingName([name])}.tools] with available = [...]`)
    );
}

function problem(path: readonly string[], instead: string): ConfigProblem {
  const key = path.at(-1)!;
  const section = joinSettingName(path.slice(0, -1));
  const shown = section === "" ? `[${key}]` : `[${section}].${key}`;
  return { message: `${shown} is no longer read: ${instead}`, section, key, path };
}
