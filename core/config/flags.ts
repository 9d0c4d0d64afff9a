/**
 * The command line's say: flags over the file over defaults (K-014). Flags are never written back.
 *
 * @module
 */
import { type CheckedTable, emptyTable } from "./check_tree.ts";
import type { ConfigProblem } from "./config_error.ts";
import type { KeyRule } from "./key_rule.ts";
import { agentKeys, assistant, frontend, web } from "./sections/mod.ts";
import { isTable } from "./toml.ts";
import { typeText } from "./type_text.ts";

/** What was given on the command line; what is absent defers to the file. */
export interface ConfigFlags {
  readonly model?: string;
  /** `--system`: the opener of the entry agent alone (K-189). */
  readonly system?: string;
  readonly host?: string;
  readonly port?: number;
  readonly frontend?: string;
}

interface Place {
  readonly path: readonly string[];
  readonly rule: KeyRule;
}

/** A setting that a flag decided. */
export interface Decided {
  readonly flag: string;
  readonly path: readonly string[];
}

/**
 * Puts the flags into the values and says which settings they decided.
 * A faulty flag is a problem named by the flag; the file is not to blame.
 */
export function applyFlags(
  tree: CheckedTable,
  flags: ConfigFlags,
): { readonly decided: readonly Decided[]; readonly problems: readonly ConfigProblem[] } {
  const decided: Decided[] = [];
  const problems: ConfigProblem[] = [];
  for (const [flag, value] of Object.entries(flags)) {
    if (value === undefined) continue;
    const { path, rule } = placeOf(flag as keyof ConfigFlags, tree);
    const parsed = rule.schema.safeParse(value);
    if (!parsed.success) {
      problems.push({ message: `--${flag} must be ${typeText(rule.schema)}, not ${JSON.stringify(value)}` });
    } else if (put(tree, path, parsed.data)) decided.push({ flag, path });
  }
  return { decided, problems };
}

function placeOf(flag: keyof ConfigFlags, tree: CheckedTable): Place {
  switch (flag) {
    case "model":
      return { path: ["assistant", "model"], rule: assistant.keys.model };
    case "system":
      return { path: ["agents", entryAgent(tree), "system_message"], rule: agentKeys.system_message };
    case "host":
      return { path: ["web", "host"], rule: web.keys.host };
    case "port":
      return { path: ["web", "port"], rule: web.keys.port };
    case "frontend":
      return { path: ["frontend", "name"], rule: frontend.keys.name };
    default:
      throw new TypeError(`"${flag satisfies never}" is no flag of the configuration`);
  }
}

function entryAgent(tree: CheckedTable): string {
  return isTable(tree.assistant) ? String(tree.assistant.agent) : "assistant";
}

/** Sets the value unless the table it belongs to is missing; then another check has its say. */
function put(tree: CheckedTable, path: readonly string[], value: unknown): boolean {
  let table: CheckedTable = tree;
  for (const part of path.slice(0, -1)) {
    const next = Object.hasOwn(table, part) ? table[part] : undefined;
    if (!isTable(next)) return false;
    table = table[part] = Object.assign(emptyTable(), next);
  }
  table[path.at(-1)!] = value;
  return true;
}
