/**
 * What the schema's table is made of: a rule for each key, gathered by section. Parsing, the example, the reference page and
 * `GET /api/settings` all read this one table (K-024).
 *
 * @module
 */
import type { z } from "zod";

/** One key. The schema carries type, bounds and default; a custom message starts with "must". */
export interface KeyRule<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  /** One sentence for the reference page. */
  readonly meaning: string;
  /** True when a change applies on the next use; otherwise it needs a restart. */
  readonly hot: boolean;
  /** Its value stays out of every view and message. */
  readonly secret: boolean;
}

/** The keys of a section, by name. */
export type Keys = Readonly<Record<string, KeyRule>>;

/** A table of the file. `<name>` in its name stands for a name a person makes up. */
export interface SectionRule<K extends Keys = Keys> {
  readonly name: string;
  readonly about: string;
  readonly keys: K;
  /** For a table whose keys a person makes up: what each of them holds. */
  readonly each?: KeyRule;
  /** Written as `[[name]]`, any number of times. */
  readonly list?: boolean;
  /** Not there until somebody writes it: its defaults are not filled in. */
  readonly optional?: boolean;
  /** Belongs to the toolset of that name, which may add keys of its own (K-023). */
  readonly toolset?: boolean;
  /** Faults only the values together show, each a predicate or sentence with the key it concerns. */
  readonly check?: (values: Readonly<Record<string, unknown>>) => readonly SectionFault[];
  /** Repeats the keys of that section besides its own; the reference page does not list them twice. */
  readonly like?: string;
}

/** A fault in a section; `message` completes "`[section].key …`". */
export interface SectionFault {
  readonly key?: string;
  readonly message: string;
}

/** The values of a section, defaults filled in. */
export type SectionValues<R extends SectionRule> = {
  readonly [K in keyof R["keys"]]: z.output<R["keys"][K]["schema"]>;
};

/** Makes a rule for a key. */
export function key<S extends z.ZodType>(
  schema: S,
  meaning: string,
  more: { readonly hot?: boolean; readonly secret?: boolean } = {},
): KeyRule<S> {
  return { schema, meaning, hot: more.hot ?? false, secret: more.secret ?? false };
}

/** Makes a rule for a section. */
export function section<K extends Keys>(
  name: string,
  about: string,
  keys: K,
  more: Omit<SectionRule<K>, "name" | "about" | "keys"> = {},
): SectionRule<K> {
  return { name, about, keys, ...more };
}

/** The default of a key, or `undefined` when it has none (or must be written). */
export function defaultOf(rule: KeyRule): unknown {
  const parsed = rule.schema.safeParse(undefined);
  return parsed.success ? parsed.data : undefined;
}
