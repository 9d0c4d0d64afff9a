/**
 * Structured output of the demonstration: the smallest instance of a schema, which never approves anything.
 *
 * Invariants
 * 1. A field that could mean approval gets the denying value: a boolean is `false` unless it names a hazard, a choice takes
 *    its denying member, a score its lowest, a list of concerns is not empty (tests/core/model/demo/structured_test.ts).
 * 2. A schema whose every instance approves has none here (same file).
 *
 * Whoever chooses a reviewer must still refuse a demonstration model (`isDemo`): this is the second lock, not the first.
 *
 * @module
 */
import type { JsonSchema } from "../contract.ts";

/** What an instance may be made from. */
export interface InstanceText {
  /** For a field that asks for a title. */
  readonly title: string;
}

type Schema = Readonly<Record<string, unknown>>;

const JUDGEMENT = "The demonstration model follows rules and does not judge";

/** Words that name something bad about a call: `true`, or high, denies. */
const HAZARD =
  /suspect|suspicio|inject|danger|harm|unsafe|risk|malic|violat|block|den(?:y|ied)|reject|refus|escalat|fail|needs|requires?|destruct|irrevers|untrust|problem|issue|concern|objection|error|wrong/;

/** Words that name something good about one. */
const APPROVAL =
  /approv|allow|accept|permit|grant|authori|confirm|safe|trust|valid|pass|proceed|continue|ship|lgtm|ok(?:ay)?$|^ok|yes|good|clean|in_scope|reversible|correct|success|complete|satisf/;

/** Words that turn the next one round: `not_safe`, `unapproved`, `no_risk`, `risk_free`, `harmless`. */
const NEGATED = /^(?:not|non|no|un|dis|in(?=valid|correct|complete)|never|without)_?|_not_|_free$|less$/;

const DENYING_CHOICE =
  /den(?:y|ied)|reject|refus|block|escalat|disallow|disapprov|unsafe|fail|stop|revise|redo|(?:^|_)(?:no|false|ask|human|person|abort|halt|hold)(?:_|$)/;

/**
 * The smallest denying instance of a schema; `undefined` when it has none. Required properties only, save that a list of
 * concerns is filled even when it is optional.
 */
export function denyingInstance(schema: JsonSchema, text: InstanceText): unknown {
  return instance(schema, "", { root: schema, text, depth: 0 });
}

interface Making {
  readonly root: Schema;
  readonly text: InstanceText;
  readonly depth: number;
}

function instance(schema: Schema, name: string, making: Making): unknown {
  if (making.depth > 24) return undefined;
  const deeper = { ...making, depth: making.depth + 1 };
  if (typeof schema.$ref === "string") {
    const target = resolve(making.root, schema.$ref);
    return target === undefined ? undefined : instance(target, name, deeper);
  }
  if ("const" in schema) return approves(name, schema.const) ? undefined : schema.const;
  if (Array.isArray(schema.enum)) return choose(name, schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) return firstOf(options.map(record), name, deeper);
  if (Array.isArray(schema.allOf)) return instance(merge(schema, schema.allOf.map(record)), name, deeper);
  if (Array.isArray(schema.type)) {
    return firstOf(schema.type.map((type) => ({ ...schema, type })), name, deeper);
  }
  switch (schema.type ?? ("properties" in schema ? "object" : undefined)) {
    case "object":
      return makeObject(schema, deeper);
    case "array":
      return makeArray(schema, name, deeper);
    case "string":
      return makeString(schema, name, making.text);
    case "number":
    case "integer":
      return makeNumber(schema, name);
    case "boolean":
      return isHazard(name);
    case "null":
      return null;
    default:
      return approves(name, "") ? false : {};
  }
}

function makeObject(schema: Schema, making: Making): unknown {
  const properties = record(schema.properties);
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const made: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const isConcerns = isHazard(snake(name)) && record(property).type === "array";
    if (!required.includes(name) && !isConcerns) continue;
    const value = instance(record(property), snake(name), making);
    if (value === undefined) return undefined;
    made[name] = value;
  }
  return required.every((name) => name in made) ? made : undefined;
}

function makeArray(schema: Schema, name: string, making: Making): unknown {
  const wanted = Math.max(Number(schema.minItems ?? 0), isHazard(name) ? 1 : 0);
  const length = Math.min(wanted, Number(schema.maxItems ?? wanted));
  const item = length === 0 ? null : instance(record(schema.items), "reason", making);
  return item === undefined ? undefined : Array.from({ length }, () => item);
}

function makeString(schema: Schema, name: string, text: InstanceText): string | undefined {
  const said = /title|name$|headline/.test(name)
    ? text.title
    : /verdict|decision|status|outcome|answer|action|result/.test(name) || APPROVAL.test(name)
    ? "deny"
    : formatted(schema.format) ?? JUDGEMENT;
  const shortest = Number(schema.minLength ?? 0);
  const longest = Number(schema.maxLength ?? Infinity);
  const fitted = said.slice(0, longest).padEnd(shortest, ".");
  const pattern = typeof schema.pattern === "string" ? new RegExp(schema.pattern, "u") : undefined;
  if (pattern === undefined || pattern.test(fitted)) return fitted;
  return ["deny", "no", "0", "a", "A"].find((each) => pattern.test(each) && each.length >= shortest);
}

function formatted(format: unknown): string | undefined {
  switch (format) {
    case "date":
      return "1970-01-01";
    case "date-time":
      return "1970-01-01T00:00:00Z";
    case "uri":
      return "about:blank";
    case "email":
      return "nobody@example.invalid";
    case "uuid":
      return "00000000-0000-4000-8000-000000000000";
    default:
      return undefined;
  }
}

function makeNumber(schema: Schema, name: string): number {
  const step = schema.type === "integer" ? 1 : 1e-6;
  const lowest = numberOf(schema.minimum) ?? plus(schema.exclusiveMinimum, step);
  const highest = numberOf(schema.maximum) ?? plus(schema.exclusiveMaximum, -step);
  const round = schema.type === "integer" ? Math.ceil : (value: number) => value;
  if (isHazard(name)) return highest === undefined ? round(Math.max(lowest ?? 1, 1)) : Math.floor(highest);
  return round(lowest ?? Math.min(0, highest ?? 0));
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
}

function plus(value: unknown, step: number): number | undefined {
  return typeof value === "number" ? value + step : undefined;
}

/** The denying member of a choice: one that denies outright, else one that does not approve, else none. */
function choose(name: string, members: readonly unknown[]): unknown {
  const denying = members.find((member) => typeof member === "string" && isDenial(member));
  return denying ?? members.find((member) => !approves(name, member));
}

function isDenial(member: string): boolean {
  const word = snake(member);
  return (DENYING_CHOICE.test(word) && !NEGATED.test(word)) || (APPROVAL.test(word) && NEGATED.test(word));
}

/** Whether giving this value to a field of this name could be read as approval. */
function approves(name: string, value: unknown): boolean {
  if (value === true) return !isHazard(name);
  if (value === false) return isHazard(name);
  if (typeof value !== "string") return false;
  const word = snake(value);
  return APPROVAL.test(word) && !isDenial(value);
}

/** Whether `true` under this name speaks against a call: a hazard, or the want of something good. */
function isHazard(name: string): boolean {
  const isNegated = NEGATED.test(name);
  if (HAZARD.test(name)) return !isNegated || /^un(?:safe|trust)|^irrevers/.test(name);
  return APPROVAL.test(name) && isNegated;
}

function firstOf(options: readonly Schema[], name: string, making: Making): unknown {
  for (const option of options) {
    if (option.type === "null" && options.length > 1) continue;
    const value = instance(option, name, making);
    if (value !== undefined) return value;
  }
  return options.some((option) => option.type === "null") ? null : undefined;
}

function merge(schema: Schema, parts: readonly Schema[]): Schema {
  const { allOf: _, ...own } = schema;
  return parts.reduce<Schema>((whole, part) => ({
    ...whole,
    ...part,
    properties: { ...record(whole.properties), ...record(part.properties) },
    required: [...list(whole.required), ...list(part.required)],
  }), own);
}

function resolve(root: Schema, ref: string): Schema | undefined {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  const steps = ref.slice(2).split("/").map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const found = steps.reduce<unknown>((place, step) => record(place)[step], root);
  return typeof found === "object" && found !== null ? found as Schema : undefined;
}

function snake(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1_$2").replace(/[\s-]+/g, "_").toLowerCase();
}

function record(value: unknown): Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value as Schema : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
