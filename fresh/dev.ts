/**
 * What turns the folders of an app into routes, islands and browser files.
 *
 * @module
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { App } from "./app.ts";
import type { Mode } from "./config.ts";
import { crawl } from "./crawl.ts";
import { commandOf, FilesSnapshot } from "./files_snapshot.ts";
import type { Snapshot } from "./snapshot.ts";

export { bundleUrl } from "./bundle_urls.ts";
export { PageBuildError } from "./page_build.ts";
export type { PageBundle, Snapshot } from "./snapshot.ts";

/** Where an app keeps its parts. Relative paths are below `root`; `serverEntry` is the original's and not looked at. */
export interface BuilderOptions {
  /** The folder of the app, as a path or a `file:` URL; the working directory by default. */
  readonly root?: string | URL;
  /** Where builds are kept; `_fresh` by default. */
  readonly outDir?: string;
  readonly staticDir?: string | readonly string[];
  readonly islandDir?: string;
  readonly routeDir?: string;
  readonly serverEntry?: string;
  /** Files to leave out. */
  readonly ignore?: readonly RegExp[];
}

/** How to build. The browser files are kept in `outDir` (the default) or in memory alone. */
export type BuildOptions = { readonly mode?: Mode; readonly snapshot?: "disk" | "memory" };

/** Gives an app its files. `snapshot` is what was found. */
export type ApplyBuild = (<State>(app: App<State>) => void) & { readonly snapshot: Snapshot };

/**
 * Finds an app's routes and islands. The browser files are built when the first page needs them, and kept until an island,
 * or anything it imports, changes.
 */
export class Builder {
  constructor(private readonly options: BuilderOptions = {}) {}

  /** Looks through the folders and answers what gives an app its files. */
  async build({ mode = "production", snapshot: keep = "disk" }: BuildOptions = {}): Promise<ApplyBuild> {
    const { root: given = Deno.cwd(), outDir = "_fresh", staticDir = "static", ...options } = this.options;
    const root = resolve(given instanceof URL || given.startsWith("file:") ? fileURLToPath(given) : given);
    const { routeDir = "routes", islandDir = "islands", ignore } = options;
    const { routes, islands } = crawl(resolve(root, routeDir), resolve(root, islandDir), ignore);
    const isDevelopment = mode === "development";
    const snapshot = new FilesSnapshot({
      root,
      isDevelopment,
      islands,
      routes: await Promise.all(routes.map(commandOf)),
      statics: [staticDir].flat().map((folder) => resolve(root, folder)),
      file: keep === "memory" ? null : resolve(root, outDir, isDevelopment ? "page.dev.json" : "page.json"),
    });
    const apply = <State>(app: App<State>): void => void app.applySnapshot(snapshot);
    return Object.assign(apply, { snapshot });
  }
}
