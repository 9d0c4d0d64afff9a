import { createHash } from "node:crypto";
import { join } from "node:path";
import { mediaType } from "./media_types.ts";
import { decodePath } from "./router.ts";
import type { StaticFile } from "./snapshot.ts";

/**
 * The files of the static folders; where two have a file of the same name the first one counts.
 *
 * 1. Nothing outside the folders is ever read. ("a path never leaves the static folder")
 * 2. A hash is that of the bytes: a file that changed on disk has another. ("a changed file has another hash")
 */
export class StaticFolder {
  readonly #known = new Map<string, { modified: number; size: number; hash: string }>();

  constructor(private readonly folders: readonly string[]) {}

  /** The content hash of a file, or null when there is none. Reads the file when it is new or has changed. */
  hash(path: string): string | null {
    const file = this.#find(path);
    return file === null ? null : this.#hashOf(file);
  }

  /** A file ready to be sent, or null when there is none. */
  async read(path: string): Promise<StaticFile | null> {
    const file = this.#find(path);
    if (file === null) return null;
    const hash = this.#hashOf(file);
    return { bytes: await Deno.readFile(file.path), type: mediaType(file.path), hash };
  }

  #find(path: string): { path: string; info: Deno.FileInfo } | null {
    const [root, ...steps] = decodePath(path)?.split("/") ?? [];
    if (root !== "" || !steps.every(isPlainName)) return null;
    for (const folder of this.folders) {
      const file = join(folder, ...steps);
      try {
        const info = Deno.statSync(file);
        if (info.isFile) return { path: file, info };
      } catch {
        // Not in this folder, or not ours to read.
      }
    }
    return null;
  }

  #hashOf({ path, info }: { path: string; info: Deno.FileInfo }): string {
    const modified = info.mtime?.getTime() ?? 0;
    const known = this.#known.get(path);
    if (known?.modified === modified && known.size === info.size) return known.hash;
    const hash = createHash("sha256").update(Deno.readFileSync(path)).digest("hex").slice(0, 16);
    this.#known.set(path, { modified, size: info.size, hash });
    return hash;
  }
}

/** One step of a path that can only name something inside its folder. Hidden files are not served. */
function isPlainName(step: string): boolean {
  return step !== "" && (!step.startsWith(".") || step === ".well-known") && !/[\\\0:]/.test(step);
}
