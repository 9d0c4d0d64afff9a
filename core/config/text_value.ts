/**
 * A setting's value out of a text, as a model or a person types it (K-037).
 *
 * @module
 */
import { z } from "zod";
import { ConfigError } from "./config_error.ts";
import { buildSchema, ruleFor, type ToolsetSettings } from "./schema.ts";
import { splitSettingName } from "./setting_name.ts";
import type { SettingValue } from "./toml_value.ts";

const YES = ["true", "yes", "on"];
const NO = ["false", "no", "off"];

/**
 * Reads `text` as the type of the setting: words of yes and no, numbers, lists parted by commas or written as JSON. What has
 * no such type stays text, and is for the setting's own check. Throws `ConfigError` on a setting that is not there.
 */
export function valueFromText(
  file: string,
  toolsets: ToolsetSettings | undefined,
  name: string,
  text: string,
): SettingValue {
  const rule = ruleFor(buildSchema(toolsets), splitSettingName(name) ?? []);
  if (!rule) throw new ConfigError(file, [{ message: `There is no setting "${name}"` }]);
  const types = typesOf(z.toJSONSchema(rule.key.schema, { io: "input", unrepresentable: "any" }));
  const trimmed = text.trim();
  const word = trimmed.toLowerCase();
  if (types.has("boolean") && YES.includes(word)) return true;
  if (types.has("boolean") && NO.includes(word)) return false;
  if ((types.has("number") || types.has("integer")) && /^-?(\d+\.?\d*|\.\d+)$/.test(trimmed)) return Number(trimmed);
  if (types.has("array") && !types.has("string")) return listOf(trimmed);
  if (types.has("object") && !types.has("string")) {
    throw new ConfigError(file, [{ message: `${name} is a table: it is changed by hand in the file` }]);
  }
  return text;
}

function listOf(text: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed)) return parsed.map(String);
  } catch {
    // Not JSON: parted by commas.
  }
  return text.split(",").map((item) => item.trim()).filter((item) => item !== "");
}

function typesOf(schema: unknown): ReadonlySet<string> {
  if (typeof schema !== "object" || schema === null) return new Set();
  const { type, anyOf, enum: values, const: only } = schema as Record<string, unknown>;
  const own = typeof type === "string" ? [type] : Array.isArray(type) ? type.map(String) : [];
  const literal = [...Array.isArray(values) ? values : [], ...only === undefined ? [] : [only]].map((each) =>
    typeof each
  );
  const below = Array.isArray(anyOf) ? anyOf.flatMap((each) => [...typesOf(each)]) : [];
  return new Set([...own, ...literal, ...below]);
}
