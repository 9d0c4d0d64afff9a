/**
 * What model-written code may be granted: what it asks for, as far as the person allowed it beforehand in `[compute]`.
 *
 * Invariant: nothing is granted in part. A call that asks for more than is allowed runs nothing and says what would have to
 * be written where (tests/toolsets/compute_test.ts).
 *
 * @module
 */
import { isAbsolute, relative, resolve } from "node:path";
import type { Permissions } from "../../core/sandbox/mod.ts";

/** The settings that say what may be granted: names or paths, separated by commas. */
export interface Allowed {
  readonly code_net: string;
  readonly code_read: string;
  readonly code_write: string;
}

/** What a call asks for. */
export interface Asked {
  readonly net?: readonly string[];
  readonly read?: readonly string[];
  readonly write?: readonly string[];
}

/** The permissions of a run, or a sentence that says what is not allowed. */
export async function grant(asked: Asked, allowed: Allowed): Promise<Permissions | { readonly problem: string }> {
  const { net = [], read = [], write = [] } = asked;
  const readable = await Promise.all(read.map(realPath));
  const writable = await Promise.all(write.map(realPath));
  const refused = [
    ...net.filter((host) => !listed(allowed.code_net).some((entry) => entry === host || host.startsWith(`${entry}:`)))
      .map((host) => ["code_net", host] as const),
    ...await outside(readable, allowed.code_read, "code_read"),
    ...await outside(writable, allowed.code_write, "code_write"),
  ];
  const first = refused[0];
  if (first === undefined) return { net, read: readable, write: writable };
  const [key, value] = first;
  return {
    problem: `Nothing was run: code is not allowed ${value} here. The person can allow it in config.toml:\n` +
      `[compute]\n${key} = ${JSON.stringify([...listed(allowed[key]), value].join(","))}`,
  };
}

async function outside<K extends keyof Allowed>(
  paths: readonly string[],
  list: string,
  key: K,
): Promise<readonly (readonly [K, string])[]> {
  const roots = await Promise.all(listed(list).map(realPath));
  return paths.filter((path) => !roots.some((root) => isInside(root, path))).map((path) => [key, path] as const);
}

function listed(text: string): readonly string[] {
  return text.split(",").map((entry) => entry.trim()).filter((entry) => entry !== "");
}

/** Where a path really leads; of what does not exist yet, its absolute form. */
async function realPath(path: string): Promise<string> {
  const absolute = resolve(path);
  return await Deno.realPath(absolute).catch(() => absolute);
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || !way.startsWith("..") && !isAbsolute(way);
}
