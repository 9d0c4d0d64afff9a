import { h, type VNode } from "preact";

/** An island's number in the table, its place in the page, and the numbers of the islands in markup handed to it. */
export interface Region {
  readonly index: number;
  readonly start: Comment;
  readonly end: Comment;
  readonly inner: readonly number[];
}

/** The islands and slots of a page. */
export interface Regions {
  /** The islands that stand in no other island. */
  readonly roots: readonly Region[];
  /** The nodes of each slot by its number, those in templates included. */
  readonly slots: ReadonlyMap<number, readonly Node[]>;
  /** The numbers of islands in templates: whichever island draws the slot needs them. */
  readonly hidden: readonly number[];
}

const MARKER = /^(\/?)frsh:(island|slot)(?::(\d+))?$/;

/** Finds the markers that the server left. */
export function findRegions(body: Element): Regions {
  const slots = new Map<number, readonly Node[]>();
  const roots = walk(body, slots);
  const hidden: number[] = [];
  for (const template of body.querySelectorAll<HTMLTemplateElement>('template[id^="frsh-slot-"]')) {
    const inside = walk(template.content, slots);
    hidden.push(...inside.flatMap((region) => [region.index, ...region.inner]));
    slots.set(Number(template.id.slice("frsh-slot-".length)), [...template.content.childNodes]);
  }
  return { roots, slots, hidden };
}

function walk(container: Node, slots: Map<number, readonly Node[]>): Region[] {
  const roots: Region[] = [];
  const open: { index: number; start: Comment; inner: number[] }[] = [];
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_COMMENT);
  while (walker.nextNode()) {
    const comment = walker.currentNode as Comment;
    const [, slash, kind, number] = MARKER.exec(comment.data) ?? [];
    if (kind === undefined) continue;
    if (slash === "") {
      if (kind === "island") open[0]?.inner.push(Number(number));
      open.push({ index: Number(number), start: comment, inner: [] });
      continue;
    }
    const closed = open.pop();
    if (closed === undefined) continue;
    if (kind === "slot") slots.set(closed.index, nodesBetween(closed.start, comment));
    else if (open.length === 0) roots.push({ ...closed, end: comment });
  }
  return roots;
}

/** The siblings between two nodes. */
export function nodesBetween(start: Node, end: Node): Node[] {
  const nodes: Node[] = [];
  for (let node = start.nextSibling; node !== null && node !== end; node = node.nextSibling) nodes.push(node);
  return nodes;
}

/** Makes elements for Preact out of markup, to be hydrated as part of an island; `island` makes those that stand in it. */
export function toVNodes(nodes: readonly Node[], island: (index: number) => VNode | null): (VNode | string | null)[] {
  const made: (VNode | string | null)[] = [];
  let depth = 0;
  for (const node of nodes) {
    const [, slash, kind, number] = node instanceof Comment ? MARKER.exec(node.data) ?? [] : [];
    if (kind === "island") {
      if (slash === "" && depth === 0) made.push(island(Number(number)));
      depth += slash === "" ? 1 : -1;
    } else if (depth > 0) continue;
    else if (node instanceof Text) made.push(node.data);
    else if (node instanceof Element) made.push(toVNode(node, island));
  }
  return made;
}

function toVNode(element: Element, island: (index: number) => VNode | null): VNode {
  const props: Record<string, string> = {};
  for (const { name, value } of element.attributes) {
    if (!name.startsWith("on") && name !== "ref" && name !== "key") props[name] = value;
  }
  return h(element.localName, props, ...toVNodes([...element.childNodes], island)) as VNode;
}
