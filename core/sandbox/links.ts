/**
 * Symbolic links that lead out of a granted folder. Deno holds a path to its grants as it is written, and opening it follows
 * the link: such links are therefore denied one by one.
 *
 * @module
 */
import { join, relative } from "node:path";

/** How many entries of granted folders are looked at. */
const MOST_ENTRIES = 50_000;

/** A folder holds more than can be looked through for links. */
export class TooManyFiles extends Error {
  override readonly name = "TooManyFiles";
  constructor(folder: string) {
    super(
      `${folder} holds more than ${MOST_ENTRIES} files, too many to look for links out of it: name a smaller folder`,
    );
  }
}

/** The links below these folders that lead out of all of them. Throws `TooManyFiles`. */
export async function outwardLinks(folders: readonly string[]): Promise<readonly string[]> {
  const roots = await Promise.all(folders.map((folder) => Deno.realPath(folder).catch(() => folder)));
  const links: string[] = [];
  let left = MOST_ENTRIES;
  const look = async (folder: string): Promise<void> => {
    for await (const entry of Deno.readDir(folder)) {
      if (left-- === 0) throw new TooManyFiles(folder);
      const path = join(folder, entry.name);
      if (entry.isDirectory) await look(path);
      else if (entry.isSymlink && !await staysInside(roots, path)) links.push(path);
    }
  };
  for (const root of roots) {
    if ((await Deno.stat(root).catch(() => null))?.isDirectory) await look(root);
  }
  return links;
}

/** A link that leads nowhere may lead somewhere later, so it counts as leading out. */
async function staysInside(roots: readonly string[], link: string): Promise<boolean> {
  const target = await Deno.realPath(link).catch(() => null);
  return target !== null && roots.some((root) => !relative(root, target).startsWith(".."));
}
