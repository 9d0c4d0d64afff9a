/**
 * Lock patterns: which settings the app may not write (K-030 to K-034). Pure.
 *
 * Invariants
 * 1. `security.locked_config_keys` is locked whatever the list says (K-033; tests/core/config/locks_test.ts).
 * 2. A pattern that cannot match anything is refused, never kept silently (K-031, K-032; same).
 *
 * @module
 */
import { childNode, type Schema, type SchemaNode } from "./schema.ts";
import { joinSettingName, splitSettingName } from "./setting_name.ts";

/** The one setting that is locked by axiom. */
export const LOCK_LIST = "security.locked_config_keys";

/**
 * The pattern that locks a setting, or `null` when it may be written. The list's own name answers for the list.
 *
 * @param setting `section.key`
 */
export function lockFor(setting: string, patterns: readonly string[]): string | null {
  const path = splitSettingName(setting);
  if (!path) return null;
  if (joinSettingName(path) === LOCK_LIST) return LOCK_LIST;
  return patterns.find((pattern) => matches(path, pattern)) ?? null;
}

function matches(path: readonly string[], pattern: string): boolean {
  if (pattern === "*") return true;
  const parts = splitSettingName(pattern);
  if (!parts) return false;
  if (parts.at(-1) !== "*") return parts.length === path.length && parts.every((part, index) => path[index] === part);
  const section = parts.slice(0, -1);
  return path.length > section.length && section.every((part, index) => path[index] === part);
}

/** What is wrong with a pattern, as a predicate of the list that names it; `null` when it can be used. */
export function patternFault(pattern: string, schema: Schema, foreign: ReadonlySet<string> = new Set()): string | null {
  return shapeFault(pattern) ?? vocabularyFault(pattern, schema, foreign);
}

function shapeFault(pattern: string): string | null {
  const quoted = JSON.stringify(pattern);
  if (pattern === "") return "has an empty pattern, which locks nothing: delete it";
  if (pattern !== pattern.trim()) return `has ${quoted}, which begins or ends with a space: remove it`;
  if (pattern === "*") return null;
  if (!pattern.includes(".")) {
    return `has ${quoted}, which has no dot: write "${pattern}.*" for the whole section`;
  }
  const parts = splitSettingName(pattern);
  if (!parts) return `has ${quoted}, which has an empty part: write "section.*" or "section.key"`;
  if (parts.some((part) => part !== "*" && part.includes("*"))) {
    return `has ${quoted}, whose "*" stands beside other letters: it can only be the whole last part`;
  }
  if (parts.slice(0, -1).includes("*")) {
    return `has ${quoted}, whose "*" is not the last part: write "*", "section.*" or "section.key"`;
  }
  return null;
}

function vocabularyFault(pattern: string, schema: Schema, foreign: ReadonlySet<string>): string | null {
  if (pattern === "*") return null;
  const parts = splitSettingName(pattern)!;
  const quoted = JSON.stringify(pattern);
  if (foreign.has(parts[0]!)) return null;
  let node: SchemaNode = schema.root;
  for (const [index, part] of parts.slice(0, -1).entries()) {
    const next = childNode(node, part);
    if (!next) {
      return `has ${quoted}, which names no section: there is no [${joinSettingName(parts.slice(0, index + 1))}]`;
    }
    node = next;
  }
  const last = parts.at(-1)!;
  if (last === "*" || node.rule?.each || !node.rule || Object.hasOwn(node.rule.keys, last)) return null;
  const section = joinSettingName(parts.slice(0, -1));
  return `has ${quoted}, which names no key: [${section}] has ${Object.keys(node.rule.keys).join(", ")}`;
}
