/**
 * The memory page's own use of the REST calls.
 *
 * @module
 */
import type { MemoryCalls } from "../memory/memories.ts";

/** How many memories a page of the list holds. */
const PAGE = 50;

/** Asks with a method, an address below the base path, and a JSON body. */
export type AskJson = <T>(method: string, path: string, body?: unknown, signal?: AbortSignal) => Promise<T>;

/** The calls, one method each. */
export function memoryCalls(ask: AskJson): MemoryCalls {
  return {
    list(query, before, signal) {
      const words = query === "" ? "" : `&q=${encodeURIComponent(query)}`;
      const older = before === null ? "" : `&before=${encodeURIComponent(before)}`;
      return ask("GET", `/api/memories?limit=${PAGE}${words}${older}`, undefined, signal);
    },
    add: (text) => ask("POST", "/api/memories", { text }),
    change: (id, text) => ask("PATCH", `/api/memories/${id}`, { text }),
    remove: (id) => ask("DELETE", `/api/memories/${id}`),
    restore: (id) => ask("POST", `/api/memories/${id}/restore`, {}),
  };
}
