/**
 * Fills a tool's arguments from a sentence, by its schema: what the tour has in place of understanding.
 *
 * @module
 */
import type { JsonSchema } from "../contract.ts";
import { findExpression } from "./expression.ts";
import { findZones } from "./places.ts";

/** What arguments could be found. */
export interface FoundArguments {
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether every required one was. */
  readonly complete: boolean;
  /** Whether one of them is a sum. */
  readonly hasExpression: boolean;
}

/** Fills what it can of a tool's arguments. `it` is what "that" stands for: the result of the step before. */
export function findArguments(input: JsonSchema, text: string, it?: string): FoundArguments {
  const properties = recordOf(input.properties);
  const required = Array.isArray(input.required) ? input.required.map(String) : [];
  const zones = zonesFor(Object.keys(properties).filter((name) => isZone(name, recordOf(properties[name]))), text);
  const values: Record<string, unknown> = {};
  let hasExpression = false;
  for (const [name, property] of Object.entries(properties)) {
    const schema = recordOf(property);
    const value = zones[name] ?? findValue(name, schema, text, required.includes(name), it);
    if (value === undefined) continue;
    values[name] = value;
    hasExpression ||= isExpression(name);
  }
  return { values, complete: required.every((name) => name in values), hasExpression };
}

function findValue(
  name: string,
  schema: Readonly<Record<string, unknown>>,
  text: string,
  needed: boolean,
  it?: string,
) {
  if (isExpression(name)) return findExpression(text, it);
  if (isZone(name, schema)) return undefined;
  if (Array.isArray(schema.enum)) return schema.enum.find((value) => hasWord(text, String(value)));
  if (schema.type === "number" || schema.type === "integer") return findNumber(text, schema.type);
  if (schema.type !== "string") return undefined;
  if (/url|uri|link/i.test(name)) return text.match(/https?:\/\/[^\s"'<>]+/)?.[0];
  if (/path|file/i.test(name)) return text.match(/[\w./-]*\w\.[a-z]\w{0,7}\b/i)?.[0];
  if (/time|when/i.test(name)) return findTime(text);
  if (/date/i.test(name)) return text.match(/\b\d{4}-\d{2}-\d{2}\b/)?.[0];
  const quoted = text.match(/["“«]([^"”»]+)["”»]/)?.[1];
  if (quoted !== undefined || !needed) return quoted;
  return afterWord(
    text,
    /city|place|location/i.test(name) ? ["in", "for", "at"] : ["that", "about", "for", "to", "of"],
  );
}

function isExpression(name: string): boolean {
  return /expression|formula|calculation/i.test(name);
}

function isZone(name: string, schema: Readonly<Record<string, unknown>>): boolean {
  return /zone|tz/i.test(name) || (/^(?:from|to)/i.test(name) && /zone/i.test(String(schema.description ?? "")));
}

/** Gives the zones a text names to the arguments that want one: `from` the one beside the time, `to` the other. */
function zonesFor(names: readonly string[], text: string): Readonly<Record<string, string>> {
  const here = /\b(?:my time|here|local time)\b/i.test(text)
    ? [{ zone: Intl.DateTimeFormat().resolvedOptions().timeZone, at: text.length }]
    : [];
  const zones = [...findZones(text), ...here];
  const from = names.find((name) => /^from/i.test(name));
  const to = names.find((name) => /^to/i.test(name));
  const [first, second] = zones;
  if (from === undefined || to === undefined) {
    // A place nobody knows is passed on as it was said: the tool answers with the nearest ones it does know.
    const place = first?.zone ?? text.match(/\b(?:in|at|for) ((?:\p{Lu}[\p{L}'-]+ ?)+)/u)?.[1]?.trim();
    return names[0] !== undefined && place !== undefined ? { [names[0]]: place } : {};
  }
  if (first === undefined || second === undefined) return {};
  const time = text.search(TIME);
  const reversed = time > first.at || /\bto\s*$/i.test(text.slice(0, first.at));
  return reversed ? { [from]: second.zone, [to]: first.zone } : { [from]: first.zone, [to]: second.zone };
}

const TIME =
  /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?)?|\b\d{1,2}:\d{2}\b|\b\d{1,2}\s*[ap]\.?m\b|\bnoon\b|\bmidnight\b/i;

/** A time as `HH:MM`, or a date and time as they stand. */
function findTime(text: string): string | undefined {
  const found = text.match(TIME)?.[0];
  if (found === undefined) return undefined;
  if (/^noon$/i.test(found)) return "12:00";
  if (/^midnight$/i.test(found)) return "00:00";
  const twelve = found.match(/^(\d{1,2})\s*([ap])/i);
  if (twelve !== null) {
    const hour = Number(twelve[1]) % 12 + (twelve[2]?.toLowerCase() === "p" ? 12 : 0);
    return `${String(hour).padStart(2, "0")}:00`;
  }
  const half = text.slice(text.indexOf(found)).match(/^(\d{1,2}):(\d{2})\s*([ap])\.?m\b/i);
  if (half !== null) {
    const hour = Number(half[1]) % 12 + (half[3]?.toLowerCase() === "p" ? 12 : 0);
    return `${String(hour).padStart(2, "0")}:${half[2]}`;
  }
  return found.length < 6 ? found.padStart(5, "0") : found.replace(" ", "T");
}

function findNumber(text: string, type: string): number | undefined {
  const found = text.replace(/(\d),(?=\d{3}\b)/g, "$1").match(/-?\d+(?:\.\d+)?/)?.[0];
  if (found === undefined) return undefined;
  return type === "integer" ? Math.trunc(Number(found)) : Number(found);
}

/** What follows the first of some words, without the sentence's end. */
function afterWord(text: string, words: readonly string[]): string | undefined {
  for (const word of words) {
    const rest = text.match(new RegExp(`\\b${word}\\s+(.+)$`, "is"))?.[1]?.replace(/[\s?.!]+$/, "");
    if (rest !== undefined && rest !== "") return rest;
  }
  return undefined;
}

function hasWord(text: string, word: string): boolean {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\d])${escaped}(?![\\p{L}\\d])`, "iu").test(text);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : {};
}
