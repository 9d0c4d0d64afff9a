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
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
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

function repeated(items: unknown): readonly { readonly name: string; readonly index: number }[] {
  const names = Array.isArray(items) ? items.map((item: CheckedTable) => String(item.name)) : [];
  return names.map((name, index) => ({ name, index })).filter(({ name, index }) => names.indexOf(name) < index);
}

/** Creatures have names of their own and stand on agents that exist (T-486). */
function creatures(tree: CheckedTable): readonly ConfigProblem[] {
  const recipes = table(tree, "terrariums");
  const agents = table(tree, "agents");
  return Object.keys(recipes).flatMap((recipe) => {
    const section = `terrariums.${joinSettingName([recipe])}`;
    const fault = (path: readonly (string | number)[], key: string, message: string): ConfigProblem => ({
      message: `[${section}] ${message}`,
      section,
      key,
      path: ["terrariums", recipe, ...path, key],
    });
    const members = table(recipes, recipe).creatures;
    const creatures: readonly CheckedTable[] = Array.isArray(members) ? members : [];
    const root = table(recipes, recipe, "root");
    const orphan = (agent: unknown) => typeof agent === "string" && !Object.hasOwn(agents, agent);
    return [
      ...repeated(creatures).map(({ name, index }) =>
        fault(["creatures", index], "name", `has two creatures named "${name}": name one otherwise`)
      ),
      ...creatures.flatMap(({ name, agent }, index) => [
        ...(name === "root" && Object.keys(root).length > 0
          ? [fault(["creatures", index], "name", 'has a root and a creature named "root": name it otherwise')]
          : []),
        ...(orphan(agent)
          ? [fault(["creatures", index], "agent", `names no agent: there is no [agents.${agent}]`)]
          : []),
      ]),
      ...(orphan(root.agent) ? [fault(["root"], "agent", `names no agent: there is no [agents.${root.agent}]`)] : []),
    ];
  });
}
