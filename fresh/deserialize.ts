import { computed, signal } from "@preact/signals";
import { CONSTANTS, HOLE, type Leaf, type Node, SlotReference } from "./table.ts";

/** How the values without values inside are made. */
const LEAVES: Readonly<Record<string, (first: Leaf, second: Leaf) => unknown>> = {
  bigint: (digits) => BigInt(String(digits)),
  bytes: (base64) => Uint8Array.from(atob(String(base64)), (character) => character.charCodeAt(0)),
  date: (iso) => new Date(iso === null ? NaN : String(iso)),
  regexp: (source, flags) => new RegExp(String(source), String(flags)),
  slot: (id) => new SlotReference(Number(id)),
  url: (href) => new URL(String(href)),
};

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
    if (isList(node)) {
      return typeof node[0] === "string" ? makeTagged(place, node[0], node.slice(1)) : makeArray(place, node);
    }
    const object = keep(place, {});
    for (const [key, at] of Object.entries(node)) {
      // Defined, not assigned: a key may be "__proto__".
      Object.defineProperty(object, key, { value: make(at), enumerable: true, configurable: true, writable: true });
    }
    return object;
  }

  function makeArray(place: number, items: readonly Leaf[]): unknown[] {
    const array = keep(place, new Array<unknown>(items.length));
    items.forEach((at, index) => {
      if (at !== HOLE) array[index] = make(Number(at));
    });
    return array;
  }

  function makeTagged(place: number, tag: string, rest: readonly Leaf[]): unknown {
    const [first = null, second = null] = rest;
    const leaf = LEAVES[tag];
    if (leaf !== undefined) return keep(place, leaf(first, second));
    if (tag === "computed") return keep(place, computed(() => make(Number(first))));
    if (tag === "signal") {
      const made = keep(place, signal<unknown>(undefined));
      made.value = make(Number(first));
      return made;
    }
    if (tag === "set") return rest.reduce((set, at) => set.add(make(Number(at))), keep(place, new Set<unknown>()));
    if (tag === "map") {
      const map = keep(place, new Map<unknown, unknown>());
      for (let index = 0; index < rest.length; index += 2) {
        map.set(make(Number(rest[index])), make(Number(rest[index + 1])));
      }
      return map;
    }
    throw new TypeError(`The page's table holds an unknown tag "${tag}"; reload the page`);
  }

  return make(0);
}

function isList(node: object): node is readonly Leaf[] {
  return Array.isArray(node);
}
