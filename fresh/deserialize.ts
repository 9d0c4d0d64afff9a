import { computed, signal } from "@preact/signals";
import { CONSTANTS, HOLE, type Node, SlotReference } from "./table.ts";

/** Makes the first value of a table again, and all it holds; what was one object is one object. */
export function readTable(nodes: readonly Node[]): unknown {
  const made = new Map<number, unknown>(CONSTANTS);

  function keep<Value>(place: number, value: Value): Value {
    made.set(place, value);
    return value;
  }

  function make(place: number): unknown {
    if (made.has(place)) return made.get(place);
    const node = nodes[place];
    if (node === null || typeof node !== "object") return keep(place, node);
    if (!isList(node)) {
      const object = keep(place, {});
      for (const [key, at] of Object.entries(node)) {
        // Defined, not assigned: a key may be "__proto__".
        Object.defineProperty(object, key, { value: make(at), enumerable: true, configurable: true, writable: true });
      }
      return object;
    }
    return typeof node[0] === "string"
      ? makeTagged(place, node[0], node.slice(1))
      : makeArray(place, node as readonly number[]);
  }

  function makeArray(place: number, items: readonly number[]): unknown[] {
    const array = keep(place, new Array<unknown>(items.length));
    items.forEach((at, index) => {
      if (at !== HOLE) array[index] = make(at);
    });
    return array;
  }

  function makeTagged(place: number, tag: string, rest: readonly (string | number | null)[]): unknown {
    const [first, second] = rest;
    const places = rest as readonly number[];
    const text = String(first);
    switch (tag) {
      case "signal": {
        const made = keep(place, signal<unknown>(undefined));
        made.value = make(Number(first));
        return made;
      }
      case "computed": {
        const at = Number(first);
        return keep(place, computed(() => make(at)));
      }
      case "slot":
        return keep(place, new SlotReference(Number(first)));
      case "bigint":
        return keep(place, BigInt(text));
      case "date":
        return keep(place, new Date(first === null ? NaN : text));
      case "url":
        return keep(place, new URL(text));
      case "regexp":
        return keep(place, new RegExp(text, String(second)));
      case "bytes":
        return keep(place, Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
      case "map": {
        const map = keep(place, new Map<unknown, unknown>());
        for (let index = 0; index < places.length; index += 2) {
          map.set(make(places[index] ?? HOLE), make(places[index + 1] ?? HOLE));
        }
        return map;
      }
      case "set": {
        const set = keep(place, new Set<unknown>());
        for (const at of places) set.add(make(at));
        return set;
      }
      case "temporal": {
        const types = Temporal as unknown as Readonly<Record<string, { from(text: string): unknown }>>;
        return keep(place, types[text]?.from(String(second)));
      }
      default:
        throw new TypeError(`The page's table holds an unknown tag "${tag}"; reload the page`);
    }
  }

  return make(0);
}

function isList(node: object): node is readonly (string | number | null)[] {
  return Array.isArray(node);
}
