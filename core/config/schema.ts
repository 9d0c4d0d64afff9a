/**
 * The schema as the walker reads it: the table of sections as a tree, with the settings of the installed toolsets joined in.
 *
 * Invariants
 * 1. A toolset's section is always named after the toolset (K-023; tests/core/config/schema_test.ts).
 * 2. A toolset cannot add keys to a section of the core (K-023; same).
 *
 * @module
 */
import type { z } from "zod";
import { key, type KeyRule, type SectionRule } from "./key_rule.ts";
import { SECTIONS } from "./sections/mod.ts";

/** The settings of each installed toolset, by its name. */
export type ToolsetSettings = Readonly<Record<string, z.ZodObject>>;

/** One table of the file, or a folder of tables that has no keys of its own. */
export interface SchemaNode {
  /** The pattern: `agents.<name>.tools`; empty for the file itself. */
  readonly name: string;
  readonly rule?: SectionRule;
  readonly named: ReadonlyMap<string, SchemaNode>;
  /** Tables whose name a person makes up. */
  readonly any?: SchemaNode;
}

/** Every section the file may have, as a tree and as a list. */
export interface Schema {
  readonly root: SchemaNode;
  /** Every section, toolsets' own included. */
  readonly sections: readonly SectionRule[];
  /** What is wrong with the toolsets handed in. */
  readonly faults: readonly string[];
}

/** Joins the core's table and the toolsets' settings. */
export function buildSchema(toolsets: ToolsetSettings = {}): Schema {
  const faults: string[] = [];
  let sections = SECTIONS;
  for (const [name, settings] of Object.entries(toolsets)) {
    const added = toolsetKeys(settings);
    if (Object.keys(added).length === 0) continue;
    const core = sections.find((rule) => rule.name === name);
    if (name.includes(".")) {
      faults.push(`The toolset "${name}" cannot have settings: a section is named after it, and a dot parts sections`);
    } else if (core && !core.toolset || !core && isFolder(sections, name)) {
      faults.push(`The toolset "${name}" cannot have settings: [${name}] is a section of Malama itself`);
    } else {
      const about = core?.about ?? `Settings of the toolset "${name}"`;
      const joined: SectionRule = { ...core, name, about, keys: { ...core?.keys, ...added }, toolset: true };
      sections = core ? sections.map((rule) => rule === core ? joined : rule) : [...sections, joined];
    }
  }
  return { root: tree(sections), sections, faults };
}

function toolsetKeys(settings: z.ZodObject): Record<string, KeyRule> {
  return Object.fromEntries(
    Object.entries(settings.shape).map(([name, schema]) => {
      const type = schema as z.ZodType;
      return [name, key(type, type.description ?? "")];
    }),
  );
}

function isFolder(sections: readonly SectionRule[], name: string): boolean {
  return sections.some((rule) => rule.name.startsWith(`${name}.`));
}

interface GrowingNode {
  readonly name: string;
  rule?: SectionRule;
  readonly named: Map<string, GrowingNode>;
  any?: GrowingNode;
}

function tree(sections: readonly SectionRule[]): SchemaNode {
  const root: GrowingNode = { name: "", named: new Map() };
  for (const rule of sections) {
    let node = root;
    for (const part of rule.name.split(".")) node = child(node, part);
    node.rule = rule;
  }
  return root;
}

function child(node: GrowingNode, part: string): GrowingNode {
  const made = () => ({ name: node.name === "" ? part : `${node.name}.${part}`, named: new Map() });
  if (part === "<name>") return node.any ??= made();
  const known = node.named.get(part);
  if (known) return known;
  const fresh = made();
  node.named.set(part, fresh);
  return fresh;
}

/** The node below `node` that a table of that name belongs to. */
export function childNode(node: SchemaNode, name: string): SchemaNode | undefined {
  return node.named.get(name) ?? node.any;
}

/** Where a setting is declared: its section's rule and its own, or `undefined` for no setting. */
export function ruleFor(
  schema: Schema,
  path: readonly string[],
): { readonly section: SectionRule; readonly key: KeyRule } | undefined {
  let node: SchemaNode | undefined = schema.root;
  for (const part of path.slice(0, -1)) {
    node = childNode(node, part);
    if (!node) return undefined;
  }
  const last = path.at(-1);
  const rule = node.rule;
  if (last === undefined || !rule) return undefined;
  const found = Object.hasOwn(rule.keys, last) ? rule.keys[last] : rule.each;
  return found && { section: rule, key: found };
}
