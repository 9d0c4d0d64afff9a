/**
 * A home folder on the real disk, with the door to it and things that must stay closed.
 *
 * @module
 */
import { join } from "node:path";
import { createFiles, FILES } from "../../core/files/mod.ts";
import { Services } from "../../core/tool/mod.ts";

export interface Home {
  readonly root: string;
  /** The home folder, a real path. */
  readonly home: string;
  /** Malama's own data folder, in `home/.malama/data`. */
  readonly data: string;
  readonly services: Services;
  /** What was kept before a change, by its name. */
  readonly kept: ReadonlyMap<string, Uint8Array>;
  write(path: string, text: string | Uint8Array): Promise<string>;
  text(path: string): Promise<string>;
}

/** Makes one, and removes it afterwards. */
export async function withHome(
  body: (home: Home) => Promise<void>,
  { roots = [] }: { readonly roots?: readonly string[] } = {},
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "malama-files-" }));
  const home = join(root, "home");
  const own = join(home, ".malama");
  const data = join(own, "data");
  const kept = new Map<string, Uint8Array>();
  try {
    await Deno.mkdir(join(data, "downloads"), { recursive: true });
    const files = createFiles({
      home,
      roots,
      own: [data, join(own, "config.toml")],
      guarded: [own],
      readable: [join(data, "downloads")],
      keep: (bytes, conversation) => {
        const name = `${conversation}-${kept.size + 1}`;
        kept.set(name, bytes);
        return Promise.resolve(name);
      },
    });
    const write = async (path: string, text: string | Uint8Array) => {
      const full = join(home, path);
      await Deno.mkdir(join(full, ".."), { recursive: true });
      await (typeof text === "string" ? Deno.writeTextFile(full, text) : Deno.writeFile(full, text));
      return full;
    };
    const text = (path: string) => Deno.readTextFile(join(home, path));
    await body({ root, home, data, kept, write, text, services: new Services().provide(FILES, () => files) });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}
