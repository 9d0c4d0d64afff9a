import type { ComponentType } from "preact";
import { basename, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { slashed } from "./bundle.ts";
import type { Route, RouteComponent } from "./component.ts";
import type { RouteFile } from "./crawl.ts";
import type { MiddlewareFn, RouteHandler } from "./handlers.ts";
import { PageCache, type PageCacheOptions } from "./page_cache.ts";
import type { Command } from "./registration.ts";
import { runMiddlewares } from "./segments.ts";
import type { Island, PageBundle, Snapshot, StaticFile } from "./snapshot.ts";
import { StaticFolder } from "./static_folder.ts";

type Module = Readonly<Record<string, unknown>>;

/** What a build found in the folders of an app. */
export interface FoundFiles extends PageCacheOptions {
  readonly routes: readonly Command<unknown>[];
  /** Paths of the static folders. */
  readonly statics: readonly string[];
}

/** The parts of an app, found in its folders. Modules are imported when they are first needed. */
export class FilesSnapshot implements Snapshot {
  readonly root: string;
  readonly isDevelopment: boolean;
  readonly routes: readonly Command<unknown>[];
  readonly #islandFiles: readonly string[];
  readonly #islands = new Map<unknown, Island>();
  readonly #statics: StaticFolder;
  readonly #cache: PageCache;
  #loading: Promise<unknown> | null = null;

  constructor(found: FoundFiles) {
    this.root = found.root;
    this.isDevelopment = found.isDevelopment;
    this.routes = found.routes;
    this.#islandFiles = found.islands;
    this.#statics = new StaticFolder(found.statics);
    this.#cache = new PageCache(found);
  }

  async loadIslands(): Promise<void> {
    try {
      await (this.#loading ??= Promise.all(this.#islandFiles.map((path) => this.#importIsland(path))));
    } catch (error) {
      this.#loading = null;
      throw error;
    }
  }

  islandOf(component: ComponentType<never>): Island | undefined {
    return this.#islands.get(component);
  }

  async bundle(): Promise<PageBundle | null> {
    return this.#islandFiles.length === 0 ? null : await this.#cache.get();
  }

  staticFile(path: string): Promise<StaticFile | null> {
    return this.#statics.read(path);
  }

  staticHash(path: string): string | null {
    return this.#statics.hash(path);
  }

  async #importIsland(path: string): Promise<void> {
    const file = slashed(relative(this.root, path));
    for (const [exportName, component] of Object.entries(await importFile(path))) {
      if (typeof component !== "function") continue;
      const name = exportName === "default" ? basename(path).replace(/\.\w+$/, "") : exportName;
      this.#islands.set(component, { name, file, exportName });
    }
  }
}

/** What a file of `routes/` registers. It is imported when it is needed, or at once when it names another address. */
export async function commandOf({ kind, segment, pattern, file }: RouteFile): Promise<Command<unknown>> {
  const route = async () => routeOf(await importFile(file));
  if (kind === "middleware") {
    const run: MiddlewareFn<unknown> = async (ctx) => await runMiddlewares(middlewaresIn(await importFile(file)), ctx);
    return { kind, path: segment, middlewares: [run] };
  }
  if (kind !== "route") return { kind, path: segment, route };
  const hasOverride = (await Deno.readTextFile(file)).includes("routeOverride");
  const config = hasOverride ? (await route()).config : undefined;
  return { kind, segment, path: config?.routeOverride ?? pattern, route, config };
}

function routeOf({ default: component, handler, handlers = handler, config, css }: Module): Route {
  return {
    handler: handlers as RouteHandler<unknown, unknown> | undefined,
    component: component as RouteComponent | undefined,
    config: config as Route["config"],
    css: css as Route["css"],
  };
}

function middlewaresIn(module: Module): MiddlewareFn<unknown>[] {
  return [module.default ?? module.handler ?? module.handlers].flat() as MiddlewareFn<unknown>[];
}

async function importFile(path: string): Promise<Module> {
  return await import(pathToFileURL(path).href);
}
