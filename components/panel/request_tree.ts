/**
 * A request as a tree, read from its text one level at a time: only what is unfolded is ever looked at, so a request of
 * megabytes opens at once, and what is shown is what was sent, to the last digit.
 *
 * Invariants (tests/components/panel/request_tree_test.ts pins each)
 * 1. Read level by level, the tree holds exactly what parsing the whole text gives.
 * 2. A level costs one pass over its own text: strings are jumped over, nothing is copied.
 * 3. A text that is cut off or is no JSON throws `NotJson`; it never hangs.
 *
 * @module
 */

/** The text is not the JSON it should be. */
export class NotJson extends Error {
  override readonly name = "NotJson";
  constructor(at: number) {
    super(`It is not JSON from character ${at + 1} on. Save it as a file to look at it`);
  }
}

export type JsonKind = "object" | "array" | "string" | "number" | "boolean" | "null";

/** One value in the text, which it is a part of: `[start, end)`. */
export interface JsonNode {
  /** Its name in an object, its place in an array, `null` at the root. */
  readonly key: string | number | null;
  readonly kind: JsonKind;
  readonly start: number;
  readonly end: number;
  /** How many values an object or array holds; 0 for all others. */
  readonly count: number;
}

/** The value that is the whole text. */
export function rootOf(text: string): JsonNode {
  return scan(text, skipBlank(text, 0), null);
}

/** The values inside an object or array, in order. */
export function childrenOf(text: string, node: JsonNode): readonly JsonNode[] {
  const children: JsonNode[] = [];
  if (node.kind !== "object" && node.kind !== "array") return children;
  let at = skipBlank(text, node.start + 1);
  const last = node.end - 1;
  while (at < last) {
    let key: string | number = children.length;
    if (node.kind === "object") {
      const end = stringEnd(text, at);
      key = parse<string>(text, at, end);
      at = skipBlank(text, end);
      if (text[at] !== ":") throw new NotJson(at);
      at = skipBlank(text, at + 1);
    }
    const child = scan(text, at, key);
    children.push(child);
    at = skipBlank(text, child.end);
    if (text[at] === ",") at = skipBlank(text, at + 1);
    else if (at < last) throw new NotJson(at);
  }
  return children;
}

/** The value itself. For one that is small: the rest of the tree is there so that the others need not be read. */
export function valueOf(text: string, node: JsonNode): unknown {
  return parse(text, node.start, node.end);
}

/** The value named so in an object, without looking into the others. */
export function childAt(text: string, node: JsonNode, key: string): JsonNode | undefined {
  return childrenOf(text, node).find((child) => child.key === key);
}

function scan(text: string, at: number, key: JsonNode["key"]): JsonNode {
  switch (text[at]) {
    case '"':
      return { key, kind: "string", start: at, end: stringEnd(text, at), count: 0 };
    case "{":
    case "[":
      return { key, kind: text[at] === "{" ? "object" : "array", start: at, ...nestEnd(text, at) };
    default:
      return { key, start: at, ...wordEnd(text, at), count: 0 };
  }
}

const WORD = /true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function wordEnd(text: string, at: number): Pick<JsonNode, "kind" | "end"> {
  WORD.lastIndex = at;
  const word = WORD.exec(text)?.[0];
  if (word === undefined) throw new NotJson(at);
  const kind = word === "null" ? "null" : word === "true" || word === "false" ? "boolean" : "number";
  return { kind, end: at + word.length };
}

/** Just after the string that begins here. A quote ends it unless an odd number of backslashes stands before it. */
function stringEnd(text: string, start: number): number {
  if (text[start] !== '"') throw new NotJson(start);
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  throw new NotJson(start);
}

const MARKS = /["[\]{},]/g;

/** Just after the object or array that begins here, and how many values it holds. */
function nestEnd(text: string, start: number): Pick<JsonNode, "end" | "count"> {
  const isEmpty = /^[\]}]/.test(text[skipBlank(text, start + 1)] ?? "");
  const marks = new RegExp(MARKS);
  marks.lastIndex = start;
  let depth = 0;
  let count = isEmpty ? 0 : 1;
  for (let found = marks.exec(text); found; found = marks.exec(text)) {
    const mark = found[0];
    if (mark === '"') marks.lastIndex = stringEnd(text, found.index);
    else if (mark === "{" || mark === "[") depth++;
    else if (mark === ",") count += depth === 1 ? 1 : 0;
    else if (--depth === 0) return { end: found.index + 1, count };
  }
  throw new NotJson(start);
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at++;
  return at;
}

function parse<T>(text: string, start: number, end: number): T {
  try {
    return JSON.parse(text.slice(start, end)) as T;
  } catch {
    throw new NotJson(start);
  }
}
