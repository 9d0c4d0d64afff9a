/**
 * Structured output: which schemas a provider may be held to strictly, and what is said to a model that takes none.
 *
 * @module
 */
import type { JsonSchema, ModelRequest } from "../contract.ts";
import { asList, asRecord } from "./wire_value.ts";

/** Strict modes demand that every object lists all its properties as required and allows no others. */
export function allowsStrict(schema: JsonSchema): boolean {
  if (Object.hasOwn(schema, "properties") || schema.type === "object") {
    const required = new Set(asList(schema.required));
    const names = Object.keys(asRecord(schema.properties));
    if (schema.additionalProperties !== false || names.some((name) => !required.has(name))) return false;
  }
  return Object.values(schema).every((value) => {
    if (Array.isArray(value)) return value.every((each) => allowsStrict(asRecord(each)));
    return allowsStrict(asRecord(value));
  });
}

/** The system text with the schema in it, for providers that only promise some JSON. */
export function systemWithSchema(request: ModelRequest): string {
  if (request.schema === undefined) return request.system;
  const schema = JSON.stringify(request.schema.schema);
  const instruction = `Answer with one JSON object that fits this JSON Schema, and nothing else:\n${schema}`;
  return request.system === "" ? instruction : `${request.system}\n\n${instruction}`;
}
