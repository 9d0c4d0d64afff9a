/**
 * What is in a folder.
 *
 * @module
 */
import { join } from "node:path";

/** One thing in a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: "folder" | "file" | "link" | "other";
  /** Bytes, of files. */
  readonly size: number | null;
  readonly modified: Date | null;
  /** Where a link says it leads, unchecked. */
  readonly target: string | null;
}

/** A part of a folder's entries: folders first, each kind by name. */
export interface FolderListing {
  readonly entries: readonly FolderEntry[];
  readonly from: number;
  readonly total: number;
}

/** Reads a part of a folder, from the entry numbered `from` (the first is 1). */
export async function readFolder(
  path: string,
  { from, most }: { readonly from: number; readonly most: number },
): Promise<FolderListing> {
  const found: Deno.DirEntry[] = [];
  for await (const entry of Deno.readDir(path)) found.push(entry);
  const order = new Intl.Collator("en", { numeric: true });
  found.sort((a, b) => Number(b.isDirectory) - Number(a.isDirectory) || order.compare(a.name, b.name));
  const entries = await Promise.all(found.slice(from - 1, from - 1 + most).map((entry) => entryOf(path, entry)));
  return { entries, from, total: found.length };
}

async function entryOf(folder: string, { name }: Deno.DirEntry): Promise<FolderEntry> {
  const path = join(folder, name);
  // It may be gone by now, or not ours to look at.
  const info = await Deno.lstat(path).catch(() => null);
  const target = info?.isSymlink ? await Deno.readLink(path).catch(() => null) : null;
  const kind = info?.isDirectory ? "folder" : info?.isFile ? "file" : info?.isSymlink ? "link" : "other";
  return { name, kind, size: info?.isFile ? info.size : null, modified: info?.mtime ?? null, target };
}
