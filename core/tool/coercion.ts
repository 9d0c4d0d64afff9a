/**
 * Arguments as models write them, brought to the types a tool declares (K-148).
 *
 * Models send "3" for 3, "true" for true, a list as its JSON text, and `null` for what they leave out. Each is put right
 * where the schema leaves no doubt about what was meant; everything else stays as it is, for the schema's own check to name.
 *
 * Invariants
 * 1. A value that already fits is never changed (tests/core/tool/coercion_test.ts).
 * 2. Text stays text where text is allowed, so "42" in a string field is "42" (same file).
 *
 * @module
 */
import type { JsonSchema } from "../model/mod.ts";

/** How deep a value is looked into; what is deeper stays as it is. */
const MAX_DEPTH = 16;

/** A value with its plain mistakes of type put right. The value given is not changed. */
export function coerce(schema: JsonSchema, value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return value;
  const types = typesOf(schema);
  if (types.length === 0 || types.includes(typeOf(value))) return inside(schema, value, depth);
  if (types.includes("number") && typeOf(value) === "integer") return value;
  if (typeof value === "string") return inside(schema, fromText(types, value), depth);
  return value;
}

/** Looks into lists and objects. */
function inside(schema: JsonSchema, value: unknown, depth: number): unknown {
  if (Array.isArray(value) && isSchema(schema.items)) {
    const { items } = schema;
    return value.map((item) => coerce(items, item, depth + 1));
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value) && isSchema(schema.properties)) {
    return insideObject(schema, schema.properties, value, depth);
  }
  return value;
}

function insideObject(schema: JsonSchema, properties: JsonSchema, value: object, depth: number): unknown {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!isSchema(property)) return [[key, item] as const];
    const isLeftOut = item === null && !required.includes(key) && !allowsNull(property);
    return isLeftOut ? [] : [[key, coerce(property, item, depth + 1)] as const];
  });
  return Object.fromEntries(entries);
}

/** Reads text as one of the types wanted, none of which is text. */
function fromText(types: readonly string[], text: string): unknown {
  const trimmed = text.trim();
  if (types.includes("boolean") && /^(?:true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === "true";
  if (types.includes("null") && trimmed === "null") return null;
  const wantsNumber = types.includes("number") || types.includes("integer");
  if (wantsNumber && /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed)) {
    const number = Number(trimmed);
    const fits = Number.isFinite(number) && (types.includes("number") || Number.isInteger(number));
    return fits ? number : text;
  }
  const wantsStructure = (types.includes("array") && trimmed.startsWith("[")) ||
    (types.includes("object") && trimmed.startsWith("{"));
  return wantsStructure ? parseOr(trimmed, text) : text;
}

function parseOr(json: string, otherwise: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return otherwise;
  }
}

/** The types a schema names; none when it allows several shapes, where nothing is beyond doubt. */
function typesOf(schema: JsonSchema): readonly string[] {
  if (typeof schema.type === "string") return [schema.type];
  if (Array.isArray(schema.type)) return schema.type.map(String);
  const options = schema.anyOf;
  if (!Array.isArray(options)) return [];
  const types = options.flatMap((option) => isSchema(option) ? typesOf(option) : []);
  return types.length === options.length ? types : [];
}

function allowsNull(schema: JsonSchema): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.includes("null");
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
