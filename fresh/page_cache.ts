import { dirname } from "node:path";
import { BOOT_MODULE, buildPage } from "./page_build.ts";
import { readInputs } from "./page_inputs.ts";
import type { PageBundle } from "./snapshot.ts";

/** Where the islands are and where the built files are kept. */
export interface PageCacheOptions {
  readonly root: string;
  /** Paths of the island files. */
  readonly islands: readonly string[];
  readonly isDevelopment: boolean;
  /** The file the build is kept in between two starts; null keeps it in memory alone. */
  readonly file: string | null;
}

interface Stored {
  readonly key: string;
  readonly hash: string;
  readonly boot: string;
  readonly entries: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

/**
 * The built browser files, kept on disk so that a start need not build them.
 *
 * 1. What is served was built from the files as they are: the stored build carries a key of its inputs. ("a changed
 *    import is built again")
 * 2. A reader never sees half a build, however many processes build at once: it is written beside and renamed.
 *    ("processes that build at once leave one whole build")
 * 3. A folder that cannot be written costs nothing but the next start's time. ("a read-only folder keeps it in memory")
 */
export class PageCache {
  readonly #options: PageCacheOptions;
  #building: Promise<PageBundle> | null = null;
  #key = "";

  constructor(options: PageCacheOptions) {
    this.#options = options;
  }

  /** The build, made first when there is none or its inputs changed; in production they are looked at once. */
  get(): Promise<PageBundle> {
    const { isDevelopment } = this.#options;
    if (this.#building !== null && !isDevelopment) return this.#building;
    const { root, islands } = this.#options;
    const settings = isDevelopment ? "development" : "production";
    const inputs = readInputs(root, [BOOT_MODULE, ...islands], settings);
    if (this.#building !== null && inputs.key === this.#key) return this.#building;
    this.#key = inputs.key;
    const building = this.#load(inputs.key, inputs.configFolder);
    building.catch(() => {
      if (this.#building === building) this.#building = null;
    });
    return this.#building = building;
  }

  async #load(key: string, configFolder: string): Promise<PageBundle> {
    const stored = await this.#read();
    if (stored?.key === key) return { ...stored, files: new Map(Object.entries(stored.files)) };
    const bundle = await buildPage({ ...this.#options, configFolder });
    await this.#write({ ...bundle, key, files: Object.fromEntries(bundle.files) });
    return bundle;
  }

  async #read(): Promise<Stored | null> {
    if (this.#options.file === null) return null;
    try {
      return JSON.parse(await Deno.readTextFile(this.#options.file));
    } catch (error) {
      const isUnusable = error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory ||
        error instanceof Deno.errors.PermissionDenied || error instanceof SyntaxError;
      if (isUnusable) return null;
      throw error;
    }
  }

  async #write(stored: Stored): Promise<void> {
    const { file } = this.#options;
    if (file === null) return;
    const beside = `${file}.${crypto.randomUUID()}`;
    try {
      await Deno.mkdir(dirname(file), { recursive: true });
      await Deno.writeTextFile(beside, JSON.stringify(stored));
      await Deno.rename(beside, file);
    } catch {
      // The build in memory is as good; the next start builds again.
      await Deno.remove(beside).catch(() => {});
    }
  }
}
