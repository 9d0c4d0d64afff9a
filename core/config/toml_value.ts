/**
 * A value as TOML text, on one line.
 *
 * Invariants
 * 1. What is written parses back to the same value (tests/core/config/toml_value_test.ts).
 *
 * @module
 */
import { basicString, tomlKey } from "./setting_name.ts";

/** What a setting can hold. `undefined` entries of a table are left out. */
export type SettingValue = string | number | boolean | readonly SettingValue[] | {
  readonly [name: string]: SettingValue | undefined;
};

/** The value has no TOML form; `message` says which and why. */
export class NoTomlValue extends Error {
  override readonly name = "NoTomlValue";
}

/** Writes a value. Throws `NoTomlValue` for what TOML cannot hold, such as `null` or half a surrogate pair. */
export function tomlValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return stringText(value);
    case "boolean":
    case "bigint":
      return String(value);
    case "number":
      return numberText(value);
    case "object":
      if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
      if (value !== null && !(value instanceof Date)) return tableText(value);
  }
  throw new NoTomlValue(`${value === null ? "null" : `A ${typeof value}`} cannot be written to the file`);
}

function stringText(text: string): string {
  if (!text.isWellFormed()) throw new NoTomlValue("A text with half a character in it cannot be written to the file");
  return basicString(text);
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0.0";
  // Beyond what a double counts exactly, an integer's digits would claim more than is known.
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}

function tableText(table: object): string {
  const entries = Object.entries(table).filter(([, value]) => value !== undefined);
  const pairs = entries.map(([name, value]) => `${tomlKey(name)} = ${tomlValue(value)}`);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}
