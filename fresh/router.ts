import type { Method } from "./handlers.ts";

/** What a path leads to. */
export interface RouteMatch<Handler> {
  /** The handler, or null when no route takes this method at this path. */
  readonly handler: Handler | null;
  readonly pattern: string;
  readonly params: Readonly<Record<string, string>>;
  /** The methods that routes at this path take; holds "ALL" when one takes them all. */
  readonly methods: ReadonlySet<string>;
}

interface Entry<Handler> {
  readonly pattern: string;
  readonly url: URLPattern | null;
  readonly byMethod: Map<string, Handler>;
}

/**
 * Finds the handler of a path. Static patterns are looked up first (a slash at the end of the path does not matter there),
 * then patterns with parameters in the order they were added.
 */
export class Router<Handler> {
  readonly #static = new Map<string, Entry<Handler>>();
  readonly #dynamic = new Map<string, Entry<Handler>>();

  /** Adds a handler. The first one added for a pattern and a method stays. */
  add(method: Method | "ALL", pattern: string, handler: Handler): void {
    const url = /[:*{}()]/.test(pattern) ? new URLPattern({ pathname: pattern }) : null;
    const [table, key] = url === null ? [this.#static, withoutSlash(pattern)] : [this.#dynamic, pattern];
    const entry = table.get(key) ?? { pattern, url, byMethod: new Map<string, Handler>() };
    table.set(key, entry);
    if (!entry.byMethod.has(method)) entry.byMethod.set(method, handler);
  }

  /** The match for a path, or null when no pattern fits. Prefers a pattern that takes the method. */
  match(method: string, path: string): RouteMatch<Handler> | null {
    const methods = new Set<string>();
    let found: RouteMatch<Handler> | null = null;
    for (const { entry: { pattern, byMethod }, groups } of this.#fitting(path)) {
      for (const each of byMethod.keys()) methods.add(each);
      const fallback = method === "HEAD" ? byMethod.get("GET") : undefined;
      const handler = byMethod.get(method) ?? fallback ?? byMethod.get("ALL") ?? null;
      if (found === null || handler !== null) found = { handler, pattern, params: decodeParams(groups), methods };
      if (handler !== null) break;
    }
    return found;
  }

  *#fitting(path: string): Iterable<{ entry: Entry<Handler>; groups: Record<string, string | undefined> }> {
    const known = this.#static.get(withoutSlash(path));
    if (known !== undefined) yield { entry: known, groups: {} };
    for (const entry of this.#dynamic.values()) {
      const groups = entry.url?.exec({ pathname: path })?.pathname.groups;
      if (groups !== undefined) yield { entry, groups };
    }
  }
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function decodeParams(groups: Record<string, string | undefined>): Record<string, string> {
  const given = Object.entries(groups).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, decodePath(value) ?? value]));
}

/** A part of a path without its escapes, or null when it is not well formed. */
export function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
