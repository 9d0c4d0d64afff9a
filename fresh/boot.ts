/**
 * Brings a page to life in the browser: reads the table of props, imports the islands' modules, and takes over the markup
 * between their markers. This module and what it imports is all that every page with islands must load.
 *
 * 1. The markup of the server stays: it is hydrated, not drawn again. ("the elements of the server stay")
 * 2. What was typed or ticked before is kept, and the island hears about it. ("text typed before hydration is kept")
 * 3. An island that fails leaves the others, and its own markup, as they are. ("an island that cannot load leaves the
 *    others alone")
 *
 * @module
 */
import { type ComponentType, h, hydrate, type VNode } from "preact";
import { assetAddress, assetSeam, splitPath } from "./asset.ts";
import { readTable } from "./deserialize.ts";
import { findRegions, nodesBetween, type Region, type Regions, toVNodes } from "./dom_regions.ts";
import { keepEdits } from "./edited_fields.ts";
import { rangeRoot } from "./range_root.ts";
import { type PageTable, SlotReference, TABLE_ID } from "./table.ts";

/** The page while it wakes. */
class Waking {
  readonly #page: PageTable;
  readonly #regions: Regions;
  readonly #components = new Map<number, ComponentType<Record<string, unknown>>>();

  constructor(page: PageTable, regions: Regions) {
    this.#page = page;
    this.#regions = regions;
  }

  /** Wakes every island as soon as its own modules are there. */
  async wakeAll(): Promise<void> {
    const { roots, hidden } = this.#regions;
    await Promise.all(roots.map(async (root) => {
      await Promise.all([root.index, ...root.inner, ...hidden].map((index) => this.#load(index)));
      if (this.#components.has(root.index)) this.#wake(root);
    }));
  }

  async #load(index: number): Promise<void> {
    const { module = "", exportName = "" } = this.#page.islands[index] ?? {};
    try {
      this.#components.set(index, (await import(module))[exportName]);
    } catch (error) {
      console.error(`The part "${exportName}" of ${module} could not be loaded; reload the page`, error);
    }
  }

  #wake(root: Region): void {
    const nodes = nodesBetween(root.start, root.end);
    const restoreEdits = keepEdits(nodes);
    try {
      const element = this.#element(root.index);
      if (element !== null) hydrate(element, rangeRoot(root.start, root.end, nodes));
    } catch (error) {
      console.error(error);
    }
    restoreEdits();
  }

  #element(index: number): VNode | null {
    const component = this.#components.get(index);
    const given = this.#page.islands[index]?.props;
    if (component === undefined || given === undefined) return null;
    const props: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(given)) {
      props[name] = value instanceof SlotReference ? this.#slot(value.id) : value;
    }
    return h(component, props);
  }

  #slot(id: number): unknown {
    return toVNodes(this.#regions.slots.get(id) ?? [], (index) => this.#element(index));
  }
}

const json = document.getElementById(TABLE_ID)?.textContent;
if (json) {
  const page = readTable(JSON.parse(json)) as PageTable;
  assetSeam.resolve = (path) => {
    return assetAddress(path, page.basePath, page.assets[splitPath(path).pathname] ?? null);
  };
  await new Waking(page, findRegions(document.body)).wakeAll();
}
