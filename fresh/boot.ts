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
import { assetAddress, assetSeam } from "./asset.ts";
import { readTable } from "./deserialize.ts";
import { findRegions, nodesBetween, type Regions, toVNodes } from "./dom_regions.ts";
import { keepEdits } from "./edited_fields.ts";
import { rangeRoot } from "./range_root.ts";
import { type PageTable, SlotReference, TABLE_ID } from "./table.ts";

/** Wakes every island of a page as soon as its own modules are there. */
async function wakePage(page: PageTable, { roots, slots, hidden }: Regions): Promise<void> {
  const components = new Map<number, ComponentType<Record<string, unknown>>>();

  async function load(index: number): Promise<void> {
    const { module = "", exportName = "" } = page.islands[index] ?? {};
    try {
      components.set(index, (await import(module))[exportName]);
    } catch (error) {
      console.error(`The part "${exportName}" of ${module} could not be loaded; reload the page`, error);
    }
  }

  function elementOf(index: number): VNode | null {
    const component = components.get(index);
    if (component === undefined) return null;
    const props = Object.entries(page.islands[index]?.props ?? {}).map(([name, value]) => {
      return [name, value instanceof SlotReference ? toVNodes(slots.get(value.id) ?? [], elementOf) : value];
    });
    return h(component, Object.fromEntries(props));
  }

  await Promise.all(roots.map(async ({ index, inner, start, end }) => {
    await Promise.all([index, ...inner, ...hidden].map(load));
    const nodes = nodesBetween(start, end);
    const restoreEdits = keepEdits(nodes);
    try {
      const element = elementOf(index);
      if (element !== null) hydrate(element, rangeRoot(start, end, nodes));
    } catch (error) {
      console.error(error);
    }
    restoreEdits();
  }));
}

const json = document.getElementById(TABLE_ID)?.textContent;
if (json) {
  const page = readTable(JSON.parse(json)) as PageTable;
  assetSeam.resolve = (path) => assetAddress(path, page.basePath, (pathname) => page.assets[pathname] ?? null);
  await wakePage(page, findRegions(document.body));
}
