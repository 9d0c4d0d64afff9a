import type { Method } from "./handlers.ts";

/** What a path leads to. */
export interface RouteMatch<Handler> {
  /** The handler, or null when no route takes this method at this path. */
  readonly handler: Handler | null;
  readonly pattern: string;
  readonly params: Readonly<Record<string, string>>;
  /** The methods that routes at this path take; holds "ALL" when one takes them all. */
  readonly methods: ReadonlySet<Method | "ALL">;
}

interface Entry<Handler> {
  readonly pattern: string;
  readonly url: URLPattern | null;
  readonly byMethod: Map<Method | "ALL", Handler>;
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
    const isDynamic = /[:*{}()]/.test(pattern);
    const table = isDynamic ? this.#dynamic : this.#static;
    const key = isDynamic ? pattern : withoutSlash(pattern);
    let entry = table.get(key);
    if (entry === undefined) {
      entry = { pattern, url: isDynamic ? new URLPattern({ pathname: pattern }) : null, byMethod: new Map() };
      table.set(key, entry);
    }
    if (!entry.byMethod.has(method)) entry.byMethod.set(method, handler);
  }

  /** The match for a path, or null when no pattern fits. Prefers a pattern that takes the method. */
  match(method: string, path: string): RouteMatch<Handler> | null {
    const known = this.#static.get(withoutSlash(path));
    const methods = new Set<Method | "ALL">();
    let fallback: RouteMatch<Handler> | null = null;
    if (known !== undefined) {
      const handler = pick(known, method);
      for (const each of known.byMethod.keys()) methods.add(each);
      fallback = { handler, pattern: known.pattern, params: {}, methods };
      if (handler !== null) return fallback;
    }
    for (const entry of this.#dynamic.values()) {
      const groups = entry.url?.exec({ pathname: path })?.pathname.groups;
      if (groups === undefined) continue;
      const handler = pick(entry, method);
      for (const each of entry.byMethod.keys()) methods.add(each);
      const match = { handler, pattern: entry.pattern, params: decodeParams(groups), methods };
      if (handler !== null) return match;
      fallback ??= match;
    }
    return fallback;
  }
}

function pick<Handler>(entry: Entry<Handler>, method: string): Handler | null {
  const byMethod: ReadonlyMap<string, Handler> = entry.byMethod;
  return byMethod.get(method) ?? (method === "HEAD" ? byMethod.get("GET") : undefined) ?? byMethod.get("ALL") ?? null;
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function decodeParams(groups: Record<string, string | undefined>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(groups)) {
    if (value === undefined) continue;
    try {
      params[name] = decodeURIComponent(value);
    } catch {
      params[name] = value;
    }
  }
  return params;
}
