/**
 * Fills in what the file leaves out.
 *
 * Invariants
 * 1. Nothing written is changed (tests/core/config/defaults_test.ts).
 * 2. A table a person names gets its defaults; none is invented (same).
 *
 * @module
 */
import { type CheckedTable, emptyTable } from "./check_tree.ts";
import { defaultOf } from "./key_rule.ts";
import type { SchemaNode } from "./schema.ts";
import { isTable } from "./toml.ts";

/** The checked values with every default in place. */
export function fillDefaults(node: SchemaNode, given: CheckedTable): CheckedTable {
  const filled = Object.assign(emptyTable(), given);
  for (const [name, rule] of Object.entries(node.rule?.keys ?? {})) {
    if (Object.hasOwn(filled, name)) continue;
    const value = defaultOf(rule);
    if (value !== undefined) filled[name] = value;
  }
  for (const [name, below] of node.named) {
    const value = filledTable(below, filled[name]);
    if (value !== undefined) filled[name] = value;
  }
  if (node.any) {
    for (const [name, value] of Object.entries(filled)) {
      if (!node.named.has(name) && isTable(value)) filled[name] = fillDefaults(node.any, value);
    }
  }
  return filled;
}

function filledTable(node: SchemaNode, value: unknown): unknown {
  if (node.rule?.list) return Array.isArray(value) ? value.map((item) => fillDefaults(node, item)) : [];
  if (isTable(value)) return fillDefaults(node, value);
  return node.rule?.optional ? undefined : fillDefaults(node, emptyTable());
}
