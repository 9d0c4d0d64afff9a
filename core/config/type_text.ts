/**
 * A schema in words: "an integer from 0 to 65535". For messages and the reference page, so that neither can disagree with
 * what is accepted.
 *
 * @module
 */
import { z } from "zod";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** What a value must be, with its article: fits after "must be". */
export function typeText(schema: z.ZodType): string {
  return words(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
}

function words(schema: JsonSchema): string {
  if (schema.enum) return oneOf(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices as readonly JsonSchema[]);
  switch (schema.type) {
    case "string":
      return "a string";
    case "boolean":
      return "true or false";
    case "integer":
      return "an integer" + bounds(schema);
    case "number":
      return "a number" + bounds(schema);
    case "array":
      return "a list" + elements(schema);
    case "object":
      return "a table" + columns(schema);
    default:
      return "a date or time";
  }
}

function oneOf(choices: readonly string[]): string {
  const distinct = [...new Set(choices)];
  if (distinct.length < 2) return distinct.join("");
  return `${distinct.slice(0, -1).join(", ")} or ${distinct.at(-1)}`;
}

function union(choices: readonly JsonSchema[]): string {
  if (choices.every((choice) => choice.properties)) {
    return `a table of ${[...new Set(choices.flatMap((choice) => Object.keys(choice.properties!)))].join(", ")}`;
  }
  const parts = choices.flatMap((choice) => {
    if (choice.type === "boolean") return ["true", "false"];
    return choice.enum ? choice.enum.map((value) => JSON.stringify(value)) : [words(choice)];
  });
  // Where a boolean is taken, its name in quotes is a courtesy that need not be told.
  return oneOf(parts.filter((part) => !parts.some((other) => part === `"${other}"`)));
}

function bounds(schema: JsonSchema): string {
  const low = finite(schema.minimum);
  const high = finite(schema.maximum);
  if (schema.exclusiveMinimum !== undefined) {
    return ` above ${schema.exclusiveMinimum}` + (high === undefined ? "" : `, up to ${high}`);
  }
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`;
  if (low !== undefined) return `, ${low} or more`;
  return high === undefined ? "" : `, ${high} or less`;
}

/** Zod bounds every integer by what a double holds exactly; that is nobody's rule. */
function finite(bound: number | undefined): number | undefined {
  return bound === undefined || Math.abs(bound) === Number.MAX_SAFE_INTEGER ? undefined : bound;
}

function elements(schema: JsonSchema): string {
  const items = schema.items;
  if (!items || typeof items === "boolean" || Array.isArray(items)) return "";
  return ` of ${plural(words(items))}`;
}

function plural(text: string): string {
  return text.split(" or ").map((part) => part.replace(/^an? ([a-z]+)/, "$1s")).join(" or ");
}

function columns(schema: JsonSchema): string {
  const names = Object.keys(schema.properties ?? {});
  if (names.length > 0) return ` of ${names.join(", ")}`;
  const extra = schema.additionalProperties;
  return extra && typeof extra === "object" && Object.keys(extra).length > 0
    ? ` of ${plural(words(extra as JsonSchema))}`
    : "";
}
