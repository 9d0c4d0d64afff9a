/**
 * `base`: an agent takes another's keys and overrides them (T-485). Scalars and lists override, tables merge key by key, and
 * lists of named things merge by name, in the base's order.
 *
 * Invariants
 * 1. A circle of bases and a base that does not exist are faults, and the agent then stands alone
 *    (tests/core/config/inherit_test.ts).
 * 2. `base` itself is not inherited (same).
 *
 * @module
 */
import { type CheckedTable, emptyTable } from "./check_tree.ts";
import type { ConfigProblem } from "./config_error.ts";
import { joinSettingName } from "./setting_name.ts";
import { isTable } from "./toml.ts";

const BY_NAME: ReadonlySet<string> = new Set(["subagents", "plugins", "triggers"]);

/** The agents with what they inherit, and what is wrong with their bases. */
export function inheritAgents(
  agents: CheckedTable,
): { readonly agents: CheckedTable; readonly problems: readonly ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const resolved = emptyTable();
  for (const name of Object.keys(agents)) {
    const chain = baseChain(agents, name, problems);
    resolved[name] = chain.reduceRight<CheckedTable>((base, next) => merge(base, table(agents, next)), emptyTable());
  }
  return { agents: resolved, problems };
}

/** The agent, its base, the base's base and so on; the agent alone when that does not end. */
function baseChain(agents: CheckedTable, name: string, problems: ConfigProblem[]): readonly string[] {
  const chain = [name];
  for (let base = table(agents, name).base; typeof base === "string"; base = table(agents, base).base) {
    const child = chain.at(-1)!;
    if (!Object.hasOwn(agents, base)) {
      if (child === name) {
        problems.push(fault(child, `names no agent: there is no [agents.${joinSettingName([base])}]`));
      }
      return [name];
    }
    const start = chain.indexOf(base);
    if (start !== -1) {
      if (start === 0) problems.push(fault(name, `makes a circle: ${[...chain, base].join(" → ")}`));
      return [name];
    }
    chain.push(base);
  }
  return chain;
}

function fault(agent: string, message: string): ConfigProblem {
  const section = `agents.${joinSettingName([agent])}`;
  return { message: `[${section}].base ${message}`, section, key: "base", path: ["agents", agent, "base"] };
}

function table(agents: CheckedTable, name: string): CheckedTable {
  const found = agents[name];
  return isTable(found) ? found : emptyTable();
}

function merge(base: CheckedTable, child: CheckedTable): CheckedTable {
  const merged = emptyTable();
  for (const [name, value] of Object.entries(base)) if (name !== "base") merged[name] = value;
  for (const [name, value] of Object.entries(child)) merged[name] = joined(name, merged[name], value);
  return merged;
}

function joined(name: string, inherited: unknown, own: unknown): unknown {
  if (isTable(inherited) && isTable(own)) return Object.assign(emptyTable(), inherited, own);
  return BY_NAME.has(name) && Array.isArray(inherited) && Array.isArray(own) ? byName(inherited, own) : own;
}

function byName(inherited: readonly unknown[], own: readonly unknown[]): readonly unknown[] {
  const merged = [...inherited];
  for (const item of own) {
    const name = nameOf(item);
    const place = name === undefined ? -1 : merged.findIndex((other) => nameOf(other) === name);
    if (place === -1) merged.push(item);
    else merged[place] = item;
  }
  return merged;
}

function nameOf(item: unknown): unknown {
  return isTable(item) ? item.name : item;
}
