/**
 * The fold that says which toolsets an agent has loaded (K-179).
 *
 * @module
 */
import type { Entry } from "../log/mod.ts";
import { CORE } from "../tool/mod.ts";
import { loadedOpening } from "./toolbox.ts";

/** The tool that loads. */
export const LOAD_TOOL = "load_tools";

/** Names of the toolsets that were loaded in these entries by one run (`null`: the entry agent), by first success. */
export function foldLoaded(entries: Iterable<Entry>, run: string | null = null): readonly string[] {
  const loaded = new Set<string>();
  for (const entry of entries) {
    if (entry.kind !== "tool" || entry.run !== run) continue;
    const { name, toolset, status, arguments: input, result } = entry.data;
    if (toolset !== CORE || name !== LOAD_TOOL || status !== "done") continue;
    const asked = typeof input === "object" && input !== null && "name" in input ? input.name : undefined;
    // A call that was denied, failed or was interrupted has another result.
    if (typeof asked === "string" && result?.startsWith(loadedOpening(asked.trim()))) loaded.add(asked.trim());
  }
  return [...loaded];
}
