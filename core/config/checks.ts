/**
 * What the file alone shows to be wrong, beyond single keys (K-009). Each check is a pure function; whoever knows more (the
 * registry of toolsets, the models) adds its own to the list.
 *
 * @module
 */
import type { CheckedTable } from "./check_tree.ts";
import type { ConfigProblem } from "./config_error.ts";
import { patternFault } from "./locks.ts";
import type { Schema } from "./schema.ts";
import { joinSettingName } from "./setting_name.ts";
import { isTable } from "./toml.ts";

/** The values with defaults, and what is known beside them. */
export interface CheckContext {
  readonly schema: Schema;
  /** Sections of toolsets that are declared in the file but not loaded. */
  readonly foreign: ReadonlySet<string>;
}

/** One check over the whole file's values. */
export type TreeCheck = (tree: CheckedTable, context: CheckContext) => readonly ConfigProblem[];

/** The core's own checks, in the order their faults are told. */
export const TREE_CHECKS: readonly TreeCheck[] = [
  agentNames,
  entryAgent,
  delegates,
  delegationCircles,
  residents,
  lockPatterns,
  openDoor,
  reviewerRules,
  serverNames,
  creatures,
];

function at(path: readonly string[], message: string): ConfigProblem {
  const section = joinSettingName(path.slice(0, -1));
  return { message: `[${section}].${path.at(-1)} ${message}`, section, key: path.at(-1), path };
}

function table(tree: CheckedTable, ...path: readonly string[]): CheckedTable {
  let value: unknown = tree;
  for (const part of path) value = isTable(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return isTable(value) ? value : {};
}

function list(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : [];
}

/** Names the app itself uses, and letters that mean something in addresses, cannot name an agent. */
function agentNames(tree: CheckedTable): readonly ConfigProblem[] {
  return Object.keys(table(tree, "agents")).flatMap((name) => {
    const fault = agentNameFault(name);
    const section = `agents.${joinSettingName([name])}`;
    return fault === null ? [] : [{ message: `[${section}]: ${fault}`, section, path: ["agents", name] }];
  });
}

/** Why a word cannot name an agent; `null` when it can. */
export function agentNameFault(name: string): string | null {
  if (name.trim() === "") return "an agent needs a name";
  if (name === "user" || name === "everyone") return `"${name}" is reserved for messages: name the agent otherwise`;
  if (name === "__proto__") return '"__proto__" is reserved: name the agent otherwise';
  if (/[:[]/.test(name)) return 'an agent\'s name cannot have ":" or "[" in it: name the agent otherwise';
  return null;
}

function entryAgent(tree: CheckedTable): readonly ConfigProblem[] {
  const agents = Object.keys(table(tree, "agents"));
  const entry = String(table(tree, "assistant").agent);
  const example = `[agents.${joinSettingName([entry])}]`;
  if (agents.length === 0) return [{ message: `There is no agent: declare one as ${example}`, section: "agents" }];
  if (agents.includes(entry)) return [];
  return [at(["assistant", "agent"], `names no agent: there is no ${example}, only ${agents.join(", ")}`)];
}

function delegates(tree: CheckedTable): readonly ConfigProblem[] {
  const agents = table(tree, "agents");
  return Object.keys(agents).flatMap((name) =>
    list(table(agents, name).delegates_to)
      .filter((other) => !Object.hasOwn(agents, other))
      .map((other) =>
        at(["agents", name, "delegates_to"], `names no agent: there is no [agents.${joinSettingName([other])}]`)
      )
  );
}

/** Each circle once, told where its alphabetically first agent stands. */
function delegationCircles(tree: CheckedTable): readonly ConfigProblem[] {
  const agents = table(tree, "agents");
  const done = new Set<string>();
  const circles = new Map<string, readonly string[]>();
  const visit = (name: string, trail: readonly string[]) => {
    const start = trail.indexOf(name);
    if (start !== -1) {
      const circle = fromFirst(trail.slice(start));
      circles.set(circle.join("\n"), circle);
    } else if (!done.has(name) && Object.hasOwn(agents, name)) {
      for (const next of list(table(agents, name).delegates_to)) visit(next, [...trail, name]);
      done.add(name);
    }
  };
  for (const name of Object.keys(agents)) visit(name, []);
  return [...circles.values()].map((circle) =>
    at(["agents", circle[0]!, "delegates_to"], `makes a circle: ${[...circle, circle[0]!].join(" → ")}`)
  );
}

function fromFirst(circle: readonly string[]): readonly string[] {
  const first = circle.indexOf([...circle].sort()[0]!);
  return [...circle.slice(first), ...circle.slice(0, first)];
}

function residents(tree: CheckedTable): readonly ConfigProblem[] {
  const agents = table(tree, "agents");
  return Object.keys(agents).flatMap((name) => {
    const { available, resident } = table(agents, name, "tools");
    if (available === "all") return [];
    return list(resident).filter((toolset) => !list(available).includes(toolset)).map((toolset) =>
      at(["agents", name, "tools", "resident"], `names "${toolset}", which is not in available: add it there as well`)
    );
  });
}

function lockPatterns(tree: CheckedTable, context: CheckContext): readonly ConfigProblem[] {
  return list(table(tree, "security").locked_config_keys).flatMap((pattern) => {
    const fault = patternFault(pattern, context.schema, context.foreign);
    return fault === null ? [] : [at(["security", "locked_config_keys"], fault)];
  });
}

/** Without a token, only this machine may ask (API.md). */
function openDoor(tree: CheckedTable): readonly ConfigProblem[] {
  const { auth, host } = table(tree, "web");
  if (auth !== "none" || isLoopback(String(host))) return [];
  return [at(["web", "auth"], `cannot be "none" while host is "${host}": use "token", or listen on 127.0.0.1`)];
}

/** Whether a host to listen on is reachable from this machine alone. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === "localhost" || name === "::1" || name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name);
}

/** K-206, as far as the file shows it. */
function reviewerRules(tree: CheckedTable): readonly ConfigProblem[] {
  const { enabled, reviewers } = table(tree, "security", "auto_approval");
  const named = list(reviewers);
  if (enabled === true && named.length === 0) {
    return [at(["security", "auto_approval", "enabled"], "is true, but no reviewer is named: fill reviewers")];
  }
  return named.flatMap((name) => {
    const declared = table(tree, "reviewers");
    if (!Object.hasOwn(declared, name)) {
      const missing = `names no reviewer: there is no [reviewers.${joinSettingName([name])}]`;
      return [at(["security", "auto_approval", "reviewers"], missing)];
    }
    const reviewer = table(declared, name);
    const blank = String(reviewer.system_message ?? "").trim() === "";
    const thinks = reviewer.thinking !== undefined && reviewer.thinking !== false;
    return [
      ...(blank ? [at(["reviewers", name, "system_message"], "is needed: an approval reviewer judges by it")] : []),
      ...(thinks ? [at(["reviewers", name, "thinking"], "cannot be set on an approval reviewer: delete it")] : []),
    ];
  });
}

function serverNames(tree: CheckedTable): readonly ConfigProblem[] {
  return repeated(table(tree, "mcp").server).map(({ name, index }) => ({
    message: `[[mcp.server]] number ${index + 1} is named "${name}" like an earlier one: name it otherwise`,
    section: "mcp.server",
    key: "name",
    path: ["mcp", "server", index, "name"],
  }));
}

/** Items named like an earlier one; those without a name are another check's matter. */
function repeated(items: unknown): readonly { readonly name: string; readonly index: number }[] {
  const names = Array.isArray(items) ? items.map((item: CheckedTable) => item.name) : [];
  return names.flatMap((name, index) =>
    typeof name === "string" && names.indexOf(name) < index ? [{ name, index }] : []
  );
}

/** Creatures have names of their own and stand on agents that exist (T-486). */
function creatures(tree: CheckedTable): readonly ConfigProblem[] {
  const recipes = table(tree, "terrariums");
  return Object.keys(recipes).flatMap((recipe) => recipeFaults(recipe, table(recipes, recipe), table(tree, "agents")));
}

function recipeFaults(name: string, recipe: CheckedTable, agents: CheckedTable): readonly ConfigProblem[] {
  const section = `terrariums.${joinSettingName([name])}`;
  const members: readonly CheckedTable[] = Array.isArray(recipe.creatures) ? recipe.creatures : [];
  const fault = (part: string, index: number | null, key: string, message: string): ConfigProblem => ({
    message: `${
      index === null ? `[${section}.${part}]` : `[[${section}.${part}]] number ${index + 1}`
    }.${key} ${message}`,
    section: `${section}.${part}`,
    key,
    path: ["terrariums", name, part, ...(index === null ? [] : [index]), key],
  });
  const orphan = (part: string, index: number | null, agent: unknown) =>
    typeof agent !== "string" || Object.hasOwn(agents, agent)
      ? []
      : [fault(part, index, "agent", `names no agent: there is no [agents.${joinSettingName([agent])}]`)];
  return [
    ...orphan("root", null, table(recipe, "root").agent),
    ...members.flatMap(({ agent }, index) => orphan("creatures", index, agent)),
    ...members.flatMap(({ name: own }, index) =>
      own === "root" && isTable(recipe.root)
        ? [fault("creatures", index, "name", 'is "root" like the root\'s: name it otherwise')]
        : []
    ),
    ...repeated(members).map(({ name: own, index }) =>
      fault("creatures", index, "name", `is "${own}" like an earlier one's: name it otherwise`)
    ),
  ];
}
