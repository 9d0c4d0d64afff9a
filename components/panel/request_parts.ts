/**
 * What a request is made of: instructions, tools, earlier turns, this turn. Pure.
 *
 * Providers count tokens, not parts, so a part's tokens are its share of the text. A picture counts as a fixed amount: its
 * Base64 says nothing of the tokens it costs.
 *
 * @module
 */
import { childAt, childrenOf, type JsonNode } from "./request_tree.ts";
import { pictureIn } from "./picture_data.ts";

export type PartName = "instructions" | "tools" | "earlier turns" | "this turn" | "the rest";

/** A part with its length in characters, pictures evened out. */
export interface RequestPart {
  readonly name: PartName;
  readonly length: number;
}

/** What a picture counts as, in characters: about a thousand tokens. */
const PICTURE = 4000;

const INSTRUCTIONS = ["system", "instructions", "systemInstruction", "system_instruction"];
const MESSAGES = ["messages", "input", "contents"];

/** The parts in the order of the bar, those with nothing in them left out. `said` is the text this turn began with. */
export function partsOf(text: string, root: JsonNode, said: string): readonly RequestPart[] {
  const lengths: Record<PartName, number> = {
    "instructions": 0,
    "tools": 0,
    "earlier turns": 0,
    "this turn": 0,
    "the rest": 0,
  };
  for (const child of childrenOf(text, root)) {
    const name = String(child.key);
    if (INSTRUCTIONS.includes(name)) lengths.instructions += lengthOf(text, child);
    else if (name === "tools") lengths.tools += lengthOf(text, child);
    else if (MESSAGES.includes(name) && child.kind === "array") addMessages(lengths, text, child, said);
    else lengths["the rest"] += lengthOf(text, child);
  }
  const parts = Object.entries(lengths).map(([name, length]) => ({ name: name as PartName, length }));
  const whole = parts.reduce((sum, { length }) => sum + length, 0);
  // Settings are a line or two: too small to be seen, and no part of what a model reads.
  return parts.filter(({ name, length }) => length > 0 && (name !== "the rest" || length > whole / 20));
}

function addMessages(lengths: Record<PartName, number>, text: string, list: JsonNode, said: string): void {
  const messages = childrenOf(text, list);
  const begins = turnStart(text, messages, said);
  for (const [index, message] of messages.entries()) {
    const role = roleOf(text, message);
    if (role === "system" || role === "developer") lengths.instructions += lengthOf(text, message);
    else lengths[index < begins ? "earlier turns" : "this turn"] += lengthOf(text, message);
  }
}

/** The last message that holds the words this turn began with; where none does, the last of a person. */
function turnStart(text: string, messages: readonly JsonNode[], said: string): number {
  const words = JSON.stringify(said.slice(0, 200)).slice(1, -1);
  const holds = (node: JsonNode) => {
    const at = text.indexOf(words, node.start);
    return at >= 0 && at < node.end;
  };
  const isPerson = (node: JsonNode) => roleOf(text, node) === "user";
  const found = words === "" ? -1 : messages.findLastIndex((message) => isPerson(message) && holds(message));
  return found >= 0 ? found : Math.max(0, messages.findLastIndex(isPerson));
}

function roleOf(text: string, message: JsonNode): string {
  const role = message.kind === "object" ? childAt(text, message, "role") : undefined;
  return role?.kind === "string" ? text.slice(role.start + 1, role.end - 1) : "";
}

const LONG_STRING = /"[A-Za-z0-9+/:;,.=-]{1000,}"/g;

function lengthOf(text: string, node: JsonNode): number {
  let length = node.end - node.start;
  if (length < PICTURE) return length;
  for (const { 0: found, index } of text.slice(node.start, node.end).matchAll(LONG_STRING)) {
    const start = node.start + index + 1;
    if (pictureIn(text, start, start + found.length - 2)) length += PICTURE - found.length;
  }
  return length;
}
