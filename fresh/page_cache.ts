import { dirname } from "node:path";
import { BOOT_MODULE, buildPage, type PageBuild } from "./page_build.ts";
import { readInputs } from "./page_inputs.ts";
import type { PageBundle } from "./snapshot.ts";

/** Where the islands are and where the built files are kept. */
export interface PageCacheOptions extends Omit<PageBuild, "configFolder"> {
  /** The file the build is kept in between two starts; null keeps it in memory alone. */
  readonly file: string | null;
}

interface Stored extends Omit<PageBundle, "files"> {
  readonly key: string;
  readonly files: Readonly<Record<string, string>>;
}

/**
 * The built browser files, kept on disk so that a start need not build them.
 *
 * 1. What is served was built from the files as they are: the stored build carries a key of its inputs. ("a changed
 *    import is built again")
 * 2. A reader never sees half a build, however many processes build at once: it is written beside and renamed.
 *    ("processes that build at once leave one whole build")
 * 3. A folder that cannot be written costs nothing but the next start's time. ("a folder that cannot be written
 *    keeps the build in memory")
 */
export class PageCache {
  #building: Promise<PageBundle> | null = null;
  #key = "";

  constructor(private readonly options: PageCacheOptions) {}

  /** The build, made first when there is none or its inputs changed; in production they are looked at once. */
  get(): Promise<PageBundle> {
    const { root, islands, isDevelopment } = this.options;
    if (this.#building !== null && !isDevelopment) return this.#building;
    const inputs = readInputs(root, [BOOT_MODULE, ...islands], isDevelopment ? "development" : "production");
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
    const bundle = await buildPage({ ...this.options, configFolder });
    const { file } = this.options;
    if (file !== null) await this.#write({ ...bundle, key, files: Object.fromEntries(bundle.files) }, file);
    return bundle;
  }

  async #read(): Promise<Stored | null> {
    try {
      return this.options.file === null ? null : JSON.parse(await Deno.readTextFile(this.options.file));
    } catch {
      return null; // There is none, or it is damaged: it is built again.
    }
  }

  async #write(stored: Stored, file: string): Promise<void> {
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
