import { App, type Context } from "fresh";
import type { PageBundle, Snapshot } from "fresh/dev";
import type { ComponentType } from "preact";

/** A bundle with one chunk that both entries share and one that is loaded late. */
export const BUNDLE: PageBundle = {
  hash: "abc",
  boot: "boot.js",
  entries: { "islands/Box.tsx": "islands/Box.js", "islands/Other.tsx": "islands/Other.js" },
  files: new Map([
    ["boot.js", `import{a}from"./chunk-1.js";`],
    ["islands/Box.js", `import "../chunk-1.js";const late=()=>import("../late.js");export{late}`],
    ["islands/Other.js", `export const x=1`],
    ["chunk-1.js", "export const a=1"],
    ["late.js", ""],
  ]),
};

/** Parts of an app that need no files: some islands, and a bundle that is there already. */
export function fakeSnapshot(
  islands: Readonly<Record<string, ComponentType<never>>>,
  bundle: () => Promise<PageBundle | null> = () => Promise.resolve(BUNDLE),
): Snapshot {
  const names = new Map(Object.entries(islands).map(([name, component]) => [component, name]));
  return {
    root: "/nowhere",
    isDevelopment: false,
    routes: [],
    loadIslands: () => Promise.resolve(),
    islandOf: (component) => {
      const name = names.get(component);
      return name === undefined ? undefined : { name, file: `islands/${name}.tsx`, exportName: "default" };
    },
    bundle,
    staticFile: () => Promise.resolve(null),
    staticHash: (path) => path === "/known.css" ? "k1" : null,
  };
}

/** Renders one page with a snapshot and answers its HTML. */
export async function render(
  snapshot: Snapshot,
  page: (ctx: Context) => Promise<Response>,
  basePath = "",
): Promise<string> {
  const app = new App({ basePath }).applySnapshot(snapshot)
    .onError("*", (ctx) => ctx.text(`error: ${(ctx.error as Error).message}`)).get("/", page);
  return await (await app.handler()(new Request(`http://localhost${basePath}/`))).text();
}
