import type { ComponentType } from "preact";
import { basename, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { Route, RouteComponent, RouteConfig } from "./component.ts";
import { slashed } from "./bundle.ts";
import { crawl, type CrawledFiles, type RouteFile } from "./crawl.ts";
import type { MiddlewareFn, RouteHandler } from "./handlers.ts";
import { PageCache } from "./page_cache.ts";
import { runMiddlewares } from "./segments.ts";
import type { Command } from "./registration.ts";
import type { Island, PageBundle, Snapshot, StaticFile } from "./snapshot.ts";
import { StaticFolder } from "./static_folder.ts";

/** Where an app keeps its parts; all are paths. */
export interface Folders {
  readonly root: string;
  readonly routes: string;
  readonly islands: string;
  readonly statics: readonly string[];
  /** Where the build is kept; null keeps it in memory. */
  readonly out: string | null;
}

/** What a route module may export. */
interface RouteModule {
  readonly default?: unknown;
  readonly handler?: unknown;
  readonly handlers?: unknown;
  readonly config?: RouteConfig;
  readonly css?: readonly string[];
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
  #loading: Promise<void> | null = null;

  private constructor(
    folders: Folders,
    isDevelopment: boolean,
    files: CrawledFiles,
    routes: readonly Command<unknown>[],
  ) {
    this.root = folders.root;
    this.isDevelopment = isDevelopment;
    this.routes = routes;
    this.#islandFiles = files.islands;
    this.#statics = new StaticFolder(folders.statics);
    const name = isDevelopment ? "page.dev.json" : "page.json";
    const file = folders.out === null ? null : join(folders.out, name);
    this.#cache = new PageCache({ root: folders.root, islands: files.islands, isDevelopment, file });
  }

  /** Looks through the folders. Nothing is built yet; of the modules only those with a `routeOverride` are imported. */
  static async load(
    folders: Folders,
    options: { isDevelopment: boolean; ignore?: readonly RegExp[] },
  ): Promise<FilesSnapshot> {
    const files = crawl(folders.routes, folders.islands, options.ignore);
    const routes = await Promise.all(files.routes.map(commandOf));
    return new FilesSnapshot(folders, options.isDevelopment, files, routes);
  }

  loadIslands(): Promise<void> {
    return this.#loading ??= this.#importIslands().catch((error) => {
      this.#loading = null;
      throw error;
    });
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

  async #importIslands(): Promise<void> {
    await Promise.all(this.#islandFiles.map(async (path) => {
      const module: Record<string, unknown> = await importFile(path);
      const file = slashed(relative(this.root, path));
      for (const [exportName, component] of Object.entries(module)) {
        if (typeof component !== "function") continue;
        const name = exportName === "default" ? basename(path).replace(/\.\w+$/, "") : exportName;
        this.#islands.set(component, { name, file, exportName });
      }
    }));
  }
}

async function commandOf({ kind, segment, pattern, file }: RouteFile): Promise<Command<unknown>> {
  const load = () => importFile<RouteModule>(file);
  const route = async () => routeOf(await load());
  if (kind === "middleware") {
    const run: MiddlewareFn<unknown> = async (ctx) => await runMiddlewares(middlewaresIn(await load()), ctx);
    return { kind, path: segment, middlewares: [run] };
  }
  if (kind !== "route") return { kind, path: segment, route };
  const hasOverride = (await Deno.readTextFile(file)).includes("routeOverride");
  return { kind, segment, path: pattern, route, config: hasOverride ? (await load()).config : undefined };
}

function routeOf(module: RouteModule): Route {
  const handler = (module.handler ?? module.handlers) as RouteHandler<unknown, unknown> | undefined;
  return { handler, component: module.default as RouteComponent, config: module.config, css: module.css };
}

function middlewaresIn(module: RouteModule): MiddlewareFn<unknown>[] {
  const exported = module.default ?? module.handler ?? module.handlers;
  return [exported].flat() as MiddlewareFn<unknown>[];
}

async function importFile<Module>(path: string): Promise<Module> {
  return await import(pathToFileURL(path).href);
}
