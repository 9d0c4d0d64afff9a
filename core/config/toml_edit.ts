/**
 * Sets and removes single values in a TOML text by splicing, so that every byte outside the change stays (K-035, K-036).
 *
 * Invariants
 * 1. Outside the value set, the line added or the line removed, no byte changes (tests/core/config/toml_edit_test.ts).
 * 2. The edited text parses to exactly the old values with the one change, or the edit is refused (same).
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import { tomlKey } from "./setting_name.ts";
import {
  type Assignment,
  type Block,
  type InlineItem,
  type InlineTable,
  isTable,
  type Outline,
  outline,
  parseToml,
  type Span,
} from "./toml.ts";
import { tomlValue } from "./toml_value.ts";

/** The change cannot be made by splicing; `message` says why, and that a hand edit can. */
export class EditRefused extends Error {
  override readonly name = "EditRefused";
}

/**
 * The text with the value at the path, added where it belongs when it is not there. Throws `EditRefused`, `NoTomlValue` or
 * `TomlSyntaxError`.
 *
 * @param path At least a section and a key.
 */
export function setTomlValue(text: string, path: readonly string[], value: unknown): string {
  return checked(text, put(text, path, value), (tree) => assign(tree, path, value), path);
}

/** The text without the value at the path; the text itself when it is not there. Throws like `setTomlValue`. */
export function removeTomlValue(text: string, path: readonly string[]): string {
  return checked(text, drop(text, path), (tree) => unassign(tree, path), path);
}

function put(text: string, path: readonly string[], value: unknown): string {
  const layout = outline(text);
  refuseLists(layout, path);
  const found = locate(layout, path);
  if (found.exact) return replace(text, found.exact.value, tomlValue(value));
  if (found.inside) return insertInline(text, found.inside, path.slice(found.depth), value);
  if (found.blocked) throw refused(path, `${names(path.slice(0, found.depth))} is no table`);
  const spread = assignmentsUnder(layout, path);
  if (spread.length > 0) return putSpread(text, path, value, spread);
  if (layout.blocks.some((block) => block.header && same(block.path, path))) {
    if (!isTable(value)) throw refused(path, "it is a table there");
    return Object.entries(value).reduce((edited, [name, part]) => put(edited, [...path, name], part), text);
  }
  return insert(text, layout, path, value);
}

/** Replaces a table that is written in several assignments, one by one. */
function putSpread(text: string, path: readonly string[], value: unknown, spread: readonly Assignment[]): string {
  if (!isTable(value)) throw refused(path, "it is a table there");
  const wanted = Object.entries(value).filter(([, part]) => part !== undefined);
  const stale = new Set(spread.map((assignment) => String(assignment.path[path.length])));
  for (const [name] of wanted) stale.delete(name);
  const pruned = [...stale].reduce((edited, name) => drop(edited, [...path, name]), text);
  return wanted.reduce((edited, [name, part]) => put(edited, [...path, name], part), pruned);
}

function drop(text: string, path: readonly string[]): string {
  const layout = outline(text);
  refuseLists(layout, path);
  const found = locate(layout, path);
  if (found.exact) return found.inside ? dropInline(text, found.inside, found.exact) : dropLine(text, found.exact);
  const under = assignmentsUnder(layout, path);
  if (layout.blocks.some((block) => block.header && startsWith(block.path, path))) {
    throw refused(path, "it is a table there");
  }
  return under.reduceRight((edited, assignment) => dropLine(edited, assignment), text);
}

// Finding

interface Found {
  readonly exact?: Assignment;
  /** The innermost inline table on the way. */
  readonly inside?: InlineTable;
  /** How much of the path leads to `inside` or to what is in the way. */
  readonly depth: number;
  readonly blocked?: boolean;
}

function locate(layout: Outline, path: readonly string[]): Found {
  const all = layout.blocks.flatMap((block) => block.assignments);
  return within(all, path, undefined, 0);
}

function within(
  assignments: readonly (Assignment | InlineItem)[],
  path: readonly string[],
  inside: InlineTable | undefined,
  depth: number,
): Found {
  const exact = assignments.find((assignment) => same(assignment.path, path));
  if (exact) return { exact, inside, depth };
  const outer = assignments.find((assignment) => startsWith(path, assignment.path));
  if (!outer) return { inside, depth };
  if (!outer.inline) return { blocked: true, depth: outer.path.length };
  return within(outer.inline.items, path, outer.inline, outer.path.length);
}

function assignmentsUnder(layout: Outline, path: readonly string[]): readonly Assignment[] {
  return layout.blocks.flatMap((block) => block.assignments).filter((assignment) => startsWith(assignment.path, path));
}

function refuseLists(layout: Outline, path: readonly string[]): void {
  const list = layout.blocks.find((block) => block.list && startsWith(path, block.path.filter(isName)));
  if (list) throw refused(path, `[[${names(list.path.filter(isName))}]] is a list of tables`);
}

function isName(part: string | number): part is string {
  return typeof part === "string";
}

function same(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && startsWith(one, other);
}

function startsWith(path: readonly unknown[], start: readonly unknown[]): boolean {
  return start.length <= path.length && start.every((part, index) => part === path[index]);
}

// Splicing

function replace(text: string, span: Span, by: string): string {
  return text.slice(0, span.start) + by + text.slice(span.end);
}

function insertInline(text: string, table: InlineTable, path: readonly string[], value: unknown): string {
  const pair = `${path.map(tomlKey).join(".")} = ${tomlValue(value)}`;
  const last = table.items.at(-1);
  if (last) return replace(text, { start: last.end, end: last.end }, `, ${pair}`);
  return replace(text, { start: table.start + 1, end: table.end - 1 }, ` ${pair} `);
}

function dropInline(text: string, table: InlineTable, item: Assignment): string {
  const index = table.items.findIndex((other) => other.start === item.start);
  const next = table.items[index + 1];
  const before = table.items[index - 1];
  if (next) return replace(text, { start: item.start, end: next.start }, "");
  if (before) return replace(text, { start: before.end, end: item.end }, "");
  return replace(text, { start: table.start + 1, end: table.end - 1 }, "");
}

function dropLine(text: string, assignment: Assignment): string {
  return replace(text, { start: lineStart(text, assignment.start), end: lineEnd(text, assignment.end) }, "");
}

/** Adds the assignment where its table is: under its header, beside its dotted keys, or under a header of its own. */
function insert(text: string, layout: Outline, path: readonly string[], value: unknown): string {
  const table = path.slice(0, -1);
  const home = layout.blocks.find((block) => block.header && same(block.path, table));
  if (home) {
    return insertLine(text, spotIn(text, layout, home, path.at(-1)!), `${tomlKey(path.at(-1)!)} = ${tomlValue(value)}`);
  }
  const dotted = dottedHome(layout, table);
  if (dotted) {
    const key = path.slice(dotted.block.path.length).map(tomlKey).join(".");
    return insertLine(text, lineEnd(text, dotted.last.end), `${key} = ${tomlValue(value)}`);
  }
  if (table.length === 0) throw refused(path, "it stands outside a section");
  return insertTable(text, layout, table, `${tomlKey(path.at(-1)!)} = ${tomlValue(value)}`);
}

/** The last assignment whose dotted key leads through the table. */
function dottedHome(
  layout: Outline,
  table: readonly string[],
): { readonly block: Block; readonly last: Assignment } | undefined {
  for (const block of layout.blocks) {
    const last = block.assignments.findLast((assignment) =>
      block.path.length < table.length && startsWith(assignment.path, table)
    );
    if (last) return { block, last };
  }
  return undefined;
}

/** After the key's commented example when there is one, else after the last assignment, else after the header. */
function spotIn(text: string, layout: Outline, block: Block, key: string): number {
  const end = blockEnd(text, layout, block);
  const example = layout.comments.find((comment) =>
    comment.start > block.header!.end && comment.start < end &&
    exampleOf(text.slice(comment.start, comment.end), key) &&
    text.slice(lineStart(text, comment.start), comment.start).trim() === ""
  );
  return lineEnd(text, example?.end ?? block.assignments.at(-1)?.end ?? block.header!.end);
}

/** Where the next header begins, or the text ends. */
function blockEnd(text: string, layout: Outline, block: Block): number {
  const next = layout.blocks[layout.blocks.indexOf(block) + 1];
  return next?.header?.start ?? text.length;
}

function exampleOf(comment: string, key: string): boolean {
  const match = /^#\s?("[^"]*"|[A-Za-z0-9_-]+)\s*=/.exec(comment);
  return match !== null && match[1] === tomlKey(key);
}

/** A new table after the block that shares most of its path, before whatever comment introduces the next header. */
function insertTable(text: string, layout: Outline, table: readonly string[], pair: string): string {
  const neighbour = layout.blocks.findLast((block) => block.header && block.path[0] === table[0]);
  const newline = newlineOf(text);
  const place = neighbour ? introductionStart(text, layout, neighbour) : text.length;
  const before = text.slice(0, place).replace(/[ \t]+$/, "");
  const gap = before.trim() === ""
    ? ""
    : before.endsWith("\n")
    ? /\n\r?\n$/.test(before) ? "" : newline
    : newline + newline;
  const after = place < text.length ? newline + newline : newline;
  return `${text.slice(0, place)}${gap}[${names(table)}]${newline}${pair}${after}${text.slice(place)}`;
}

/** Where the comment directly above the next header starts; commented keys there still belong to the table above. */
function introductionStart(text: string, layout: Outline, block: Block): number {
  const end = blockEnd(text, layout, block);
  if (end === text.length) return end;
  let start = lineStart(text, end);
  for (;;) {
    const above = lineStart(text, Math.max(0, start - 1));
    const line = text.slice(above, start).trim();
    if (above >= start || above <= block.header!.end || !line.startsWith("#") || /^#\s?[^\s=]+\s*=/.test(line)) {
      return start;
    }
    start = above;
  }
}

function insertLine(text: string, place: number, line: string): string {
  const newline = newlineOf(text);
  const before = text.slice(0, place);
  const indent = /(?:^|\n)([ \t]*)[^\n]*\n?$/.exec(before)?.[1] ?? "";
  if (!before.endsWith("\n")) return `${before}${newline}${indent}${line}${text.slice(place)}`;
  return `${before}${indent}${line}${newline}${text.slice(place)}`;
}

function newlineOf(text: string): string {
  const first = text.indexOf("\n");
  return first > 0 && text[first - 1] === "\r" ? "\r\n" : "\n";
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

/** Just after the line's newline. */
function lineEnd(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline === -1 ? text.length : newline + 1;
}

// Checking

function checked(before: string, after: string, change: (tree: MutableTable) => void, path: readonly string[]): string {
  const wanted = copy(parseToml(before)) as MutableTable;
  change(wanted);
  if (!isDeepStrictEqual(pruned(wanted), pruned(copy(parseToml(after))))) {
    throw refused(path, "the way the file is written does not allow it");
  }
  return after;
}

interface MutableTable {
  [name: string]: unknown;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!isTable(value)) return value instanceof Date ? String(value.toISOString()) : value;
  const table: MutableTable = Object.create(null);
  for (const [name, part] of Object.entries(value)) if (part !== undefined) table[name] = copy(part);
  return table;
}

/** Without empty tables: a header left without keys says nothing. */
function pruned(value: unknown): unknown {
  if (!isTable(value)) return value;
  const table: MutableTable = Object.create(null);
  for (const [name, part] of Object.entries(value)) {
    const kept = pruned(part);
    if (!isTable(kept) || Object.keys(kept).length > 0) table[name] = kept;
  }
  return table;
}

function assign(tree: MutableTable, path: readonly string[], value: unknown): void {
  let table = tree;
  for (const part of path.slice(0, -1)) {
    const next = Object.hasOwn(table, part) ? table[part] : undefined;
    table = (isTable(next) ? next : (table[part] = Object.create(null))) as MutableTable;
  }
  table[path.at(-1)!] = copy(value);
}

function unassign(tree: MutableTable, path: readonly string[]): void {
  let table: unknown = tree;
  for (const part of path.slice(0, -1)) table = isTable(table) ? table[part] : undefined;
  if (isTable(table)) delete (table as MutableTable)[path.at(-1)!];
}

function names(path: readonly string[]): string {
  return path.map(tomlKey).join(".");
}

function refused(path: readonly string[], why: string): EditRefused {
  return new EditRefused(`${names(path)} cannot be written: ${why}; edit the file by hand`);
}
