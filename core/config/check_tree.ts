/**
 * Checks a parsed file against the schema and gives the values, sparse: defaults come later, after inheritance.
 *
 * Invariants
 * 1. Every fault is found in one pass; a bad value is left out of the tree, its neighbours stay
 *    (K-016; tests/core/config/check_tree_test.ts).
 * 2. No value of a secret key appears in a message (K-318; same).
 *
 * @module
 */
import type { z } from "zod";
import type { ConfigProblem } from "./config_error.ts";
import type { KeyRule, SectionRule } from "./key_rule.ts";
import { nearest } from "./nearest.ts";
import { childNode, type Schema, type SchemaNode } from "./schema.ts";
import { joinSettingName, tomlKey } from "./setting_name.ts";
import { isTable, type TomlTable } from "./toml.ts";
import { typeText } from "./type_text.ts";

/** A table of checked values. */
export interface CheckedTable {
  [name: string]: unknown;
}

/** The values that are right, and what is wrong with the others. */
export interface CheckedTree {
  readonly tree: CheckedTable;
  readonly problems: readonly ConfigProblem[];
}

type Path = readonly (string | number)[];

/**
 * @param foreign Names of sections that are taken as they are: settings of third parties' toolsets that are not loaded.
 */
export function checkTree(raw: TomlTable, schema: Schema, foreign: ReadonlySet<string> = new Set()): CheckedTree {
  const walker = new Walker(schema, foreign);
  return { tree: walker.walk(schema.root, raw, []), problems: walker.problems };
}

/** A table without a prototype, for names people make up. */
export function emptyTable(): CheckedTable {
  return Object.create(null);
}

class Walker {
  readonly problems: ConfigProblem[] = [];

  constructor(private readonly schema: Schema, private readonly foreign: ReadonlySet<string>) {}

  walk(node: SchemaNode, raw: TomlTable, path: Path): CheckedTable {
    const values = emptyTable();
    const told = this.problems.length;
    for (const [name, value] of Object.entries(raw)) {
      const at = [...path, name];
      const known = node.rule && Object.hasOwn(node.rule.keys, name) ? node.rule.keys[name] : undefined;
      const below = childNode(node, name);
      if (known) this.#key(known, value, at, values);
      else if (below) this.#table(below, value, at, values);
      else if (node.rule?.each) this.#key(node.rule.each, value, at, values);
      else if (path.length === 0 && this.foreign.has(name) && isTable(value)) values[name] = value;
      else this.#unknown(node, value, at);
    }
    if (node.rule) {
      this.#needed(node.rule, raw, path);
      // With a value missing, what the rest says together would mislead.
      if (this.problems.length === told) this.#together(node.rule, values, path);
    }
    return values;
  }

  #key(rule: KeyRule, value: unknown, at: Path, into: CheckedTable): void {
    const parsed = rule.schema.safeParse(value);
    if (parsed.success) into[String(at.at(-1))] = parsed.data;
    else for (const issue of parsed.error.issues) this.#add(at, complaint(rule, value, issue), issue.path as Path);
  }

  #table(node: SchemaNode, value: unknown, at: Path, into: CheckedTable): void {
    const name = String(at.at(-1));
    if (node.rule?.list) {
      if (Array.isArray(value) && value.every(isTable)) {
        into[name] = value.map((item, index) => this.walk(node, item, [...at, index]));
      } else this.#add(at, `must be a list of tables: write it as [[${sectionName(at)}]]`);
    } else if (isTable(value)) into[name] = this.walk(node, value, at);
    else if (at.length === 1) this.#add(at, `is a section: write it as [${sectionName(at)}]`);
    else this.#add(at, `must be a table: write it as [${sectionName(at)}]`);
  }

  #needed(rule: SectionRule, raw: TomlTable, path: Path): void {
    for (const [name, key] of Object.entries(rule.keys)) {
      if (Object.hasOwn(raw, name) || key.schema.safeParse(undefined).success) continue;
      this.#add([...path, name], `is needed: it must be ${typeText(key.schema)}`);
    }
  }

  #together(rule: SectionRule, values: CheckedTable, path: Path): void {
    for (const fault of rule.check?.(values) ?? []) {
      if (fault.key === undefined) {
        this.problems.push({ message: `${heading(path)} ${fault.message}`, section: sectionName(path), path });
      } else this.#add([...path, fault.key], fault.message);
    }
  }

  #unknown(node: SchemaNode, value: unknown, at: Path): void {
    const name = String(at.at(-1));
    const outer = at.slice(0, -1);
    const place = { section: sectionName(isTable(value) ? at : outer), path: at };
    if (at.length === 1) {
      this.problems.push({ ...place, message: isTable(value) ? this.#unknownSection(name) : this.#loose(name) });
    } else if (isTable(value) && !node.rule) {
      this.problems.push({
        ...place,
        message: `Unknown section ${heading(at)}${suggestion(name, below(node), heading)}`,
      });
    } else this.problems.push({ ...place, key: name, message: this.#unknownKey(node, name, outer, isTable(value)) });
  }

  #unknownSection(name: string): string {
    const known = [...this.schema.root.named.keys()];
    const guess = suggestion(name, known, heading);
    return `Unknown section [${tomlKey(name)}]${guess}${guess ? " The" : "; the"} sections are ${known.join(", ")}`;
  }

  #loose(name: string): string {
    const homes = this.#homes(name, "");
    const where = homes.length > 0 ? `put it under ${homes.join(" or ")}` : "every key belongs under a [section]";
    return `The key "${name}" stands outside a section: ${where}`;
  }

  #unknownKey(node: SchemaNode, name: string, outer: Path, table: boolean): string {
    const keys = Object.keys(node.rule?.keys ?? {});
    const accepted = [...keys, ...below(node).map((part) => `[${sectionName([...outer, part])}]`)];
    const homes = this.#homes(name, node.name);
    const where = table ? `section ${heading([...outer, name])}` : `key ${heading(outer)}.${tomlKey(name)}`;
    const guess = homes.length > 0
      ? `: it is a key of ${homes.join(" and ")}; `
      : suggestion(name, [...keys, ...below(node)], (word) => `"${word}"`);
    const list = accepted.length > 0 ? `${heading(outer)} accepts ${accepted.join(", ")}` : "";
    return `Unknown ${where}${guess || "; "}${guess.endsWith("?") ? " " : ""}${list}`;
  }

  /** Other sections that have a key of that name. */
  #homes(name: string, except: string): readonly string[] {
    return this.schema.sections
      .filter((rule) => rule.name !== except && rule.like === undefined && Object.hasOwn(rule.keys, name))
      .map((rule) => `[${rule.name}]`);
  }

  #add(at: Path, message: string, deeper: Path = []): void {
    const key = String(at.at(-1));
    const outer = at.slice(0, -1);
    const where = outer.length === 0 ? `[${tomlKey(key)}]` : `${heading(outer)}.${tomlKey(key)}`;
    this.problems.push({
      message: `${where}${innerPath(deeper)} ${message}`,
      section: sectionName(outer),
      key,
      path: [...at, ...deeper],
    });
  }
}

function below(node: SchemaNode): readonly string[] {
  return [...node.named.keys()];
}

function suggestion(name: string, known: readonly string[], show: (word: string) => string): string {
  const word = nearest(name, known);
  return word === undefined ? "" : `: did you mean ${show(word)}?`;
}

/** `[agents.researcher.tools]`, or `[[mcp.server]] number 2`. */
function heading(path: Path | string): string {
  if (typeof path === "string") return `[${path}]`;
  const last = path.at(-1);
  return typeof last === "number" ? `[[${sectionName(path)}]] number ${last + 1}` : `[${sectionName(path)}]`;
}

/** The section's name as it stands between brackets; positions in lists are not part of it. */
export function sectionName(path: Path): string {
  return joinSettingName(path.filter((part) => typeof part === "string"));
}

/** What is wrong with a value, to stand after the name of its key and the way into it. */
function complaint(rule: KeyRule, value: unknown, issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.map((name) => `"${name}"`).join(", ");
    return `has an unknown key ${names}: the whole must be ${typeText(rule.schema)}`;
  }
  const must = issue.message.startsWith("must ") ? issue.message : `must be ${wanted(rule, issue)}`;
  const inner = issue.path.reduce<unknown>((outer, part) => (outer as TomlTable | undefined)?.[part as string], value);
  if (inner === undefined && issue.path.length > 0) return `is needed: it ${must}`;
  return rule.secret ? must : `${must}, not ${shown(inner)}`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "a list",
  object: "a table",
  record: "a table",
};

/** What the value, or the part of it that is wrong, must be. */
function wanted(rule: KeyRule, issue: z.core.$ZodIssue): string {
  const whole = typeText(rule.schema);
  if (issue.path.length === 0) return whole;
  switch (issue.code) {
    case "invalid_type":
      return TYPE_WORDS[issue.expected] ?? whole;
    case "invalid_value":
      return issue.values.map((choice) => JSON.stringify(choice)).join(" or ");
    case "too_small":
      return `${issue.minimum} or more`;
    case "too_big":
      return `${issue.maximum} or less`;
    default:
      return `as in ${whole}`;
  }
}

/** `.net[0]`. */
function innerPath(path: Path): string {
  return path.map((part) => typeof part === "number" ? `[${part}]` : `.${tomlKey(part)}`).join("");
}

/** A value as a message shows it. */
export function shown(value: unknown): string {
  if (typeof value === "bigint" || typeof value === "number") return String(value);
  if (value instanceof Date) return `the date ${value.toISOString()}`;
  const text = JSON.stringify(value, (_, part) => typeof part === "bigint" ? String(part) : part) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
