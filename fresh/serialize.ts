/**
 * Turns the props of a page's islands into one table of JSON, from which `deserialize.ts` makes them again.
 *
 * 1. What is the same object here is the same object there: one signal given to two islands stays one, cycles included.
 *    ("shared references and cycles survive")
 * 2. A value that cannot be sent is an error that names its place; nothing is dropped in silence.
 *    ("a function is refused with its place")
 *
 * The table is an array of nodes. A node is a JSON primitive; an object whose values are places in the table; an array
 * whose items are places; or an array that starts with a tag. Negative places are the values JSON lacks.
 *
 * @module
 */
import { isValidElement } from "preact";
import { Signal } from "@preact/signals";
import { CONSTANTS, HOLE, type Node, SlotReference } from "./table.ts";

/** A value that cannot be sent to the browser. `path` is its place, e.g. `items[0].onClick`. */
export class UnserializableError extends TypeError {
  override readonly name = "UnserializableError";

  constructor(readonly what: string, readonly path: string) {
    super(`Cannot send ${what} in "${path}" to the browser; pass plain data, a signal or markup instead`);
  }
}

/** Writes a value as JSON that may stand inside a script element. Throws {@link UnserializableError}. */
export function writeTable(value: unknown): string {
  const nodes: Node[] = [];
  const places = new Map<unknown, number>();

  function add(value: unknown, path: string): number {
    const constant = CONSTANTS.find(([, known]) => Object.is(known, value));
    const known = constant?.[0] ?? places.get(value);
    if (known !== undefined) return known;
    const place = nodes.push(null) - 1;
    places.set(value, place);
    nodes[place] = typeof value === "object" && value !== null ? objectNode(value, path) : leafNode(value, path);
    return place;
  }

  function objectNode(value: object, path: string): Node {
    if (value instanceof Signal) {
      const kind = Object.getPrototypeOf(value) === Signal.prototype ? "signal" : "computed";
      return [kind, add(value.peek(), path)];
    }
    if (Array.isArray(value)) {
      return Array.from(value, (item, index) => index in value ? add(item, `${path}[${index}]`) : HOLE);
    }
    if (isValidElement(value)) throw new UnserializableError("markup nested", path);
    if (value instanceof SlotReference) return ["slot", value.id];
    if (value instanceof Date) return ["date", Number.isNaN(value.getTime()) ? null : value.toISOString()];
    if (value instanceof URL) return ["url", value.href];
    if (value instanceof RegExp) return ["regexp", value.source, value.flags];
    if (value instanceof Map) return ["map", ...[...value].flat().map((item) => add(item, path))];
    if (value instanceof Set) return ["set", ...[...value].map((item) => add(item, path))];
    if (value instanceof Uint8Array) return ["bytes", value.toBase64()];
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof Promise) {
      throw new UnserializableError(`a ${value.constructor.name}`, path);
    }
    const node: Record<string, number> = Object.create(null);
    for (const [key, item] of Object.entries(value)) node[key] = add(item, path === "" ? key : `${path}.${key}`);
    return node;
  }

  add(value, "");
  return JSON.stringify(nodes).replace(/[<\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

function leafNode(value: unknown, path: string): Node {
  if (typeof value === "bigint") return ["bigint", value.toString()];
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return value;
  }
  throw new UnserializableError(`a ${typeof value}`, path);
}
