/**
 * A folder in words.
 *
 * @module
 */
import { join } from "node:path";

/** The most entries one answer lists. */
const MOST_ENTRIES = 1000;

/** Lists a folder, folders first, each in the order of names. */
export async function describeFolder(folder: string): Promise<string> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  if (entries.length === 0) return `${folder} is empty.`;
  const sorted = entries.sort((a, b) => Number(b.isDirectory) - Number(a.isDirectory) || compare(a.name, b.name));
  const lines = await Promise.all(sorted.slice(0, MOST_ENTRIES).map((entry) => line(folder, entry)));
  const more = sorted.length - lines.length;
  return [`${folder}:`, ...lines, ...more > 0 ? [`[${more} more are not shown]`] : []].join("\n");
}

async function line(folder: string, entry: Deno.DirEntry): Promise<string> {
  // A name may hold a line end: quoted, it cannot pass for a second entry.
  const name = /\p{Cc}/u.test(entry.name) ? JSON.stringify(entry.name) : entry.name;
  if (entry.isDirectory) return `${name}/`;
  const path = join(folder, entry.name);
  if (entry.isSymlink) return `${name} -> ${await Deno.readLink(path).catch(() => "?")}`;
  const size = await Deno.stat(path).then((facts) => `${facts.size} bytes`, () => "not readable");
  return `${name} (${size})`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
