/**
 * A gate entry: `toolset`, `toolset.*` (the same), or `toolset.tool` (K-181).
 *
 * Invariant: what cannot be an entry is a sentence that says what to write instead (tests/core/tool/approval/entry_test.ts).
 *
 * @module
 */

/** One entry of a `confirm` or `review` list, or of the floor, read. */
export interface GateEntry {
  /** As it was written. */
  readonly text: string;
  readonly toolset: string;
  /** `null` covers every tool of the toolset. */
  readonly tool: string | null;
}

/** The tools of the loop itself, whether an agent holds them or not (K-181). */
export const CORE_TOOLS: readonly string[] = ["spawn_subagent", "activate_skill", "available_tools", "load_tools"];

/** Reads an entry; a string says what is wrong with it. */
export function readEntry(text: string): GateEntry | string {
  const parts = text.split(".");
  const [toolset = "", tool] = parts;
  if (text.trim() === "") return 'An entry is empty: write "toolset" or "toolset.tool"';
  if (parts.length > 2) {
    return `"${text}" has more than one dot: write "toolset" or "toolset.tool", such as "${toolset}.${tool}"`;
  }
  if (toolset === "" || tool === "") return `"${text}" is cut off at the dot: write "toolset" or "toolset.tool"`;
  if (toolset.includes("*")) return `"${text}" has "*" for a toolset: name each toolset on its own`;
  if (tool !== undefined && tool !== "*" && tool.includes("*")) {
    return `"${text}" has "*" within a name: write "${toolset}.*", or name each tool`;
  }
  return { text, toolset, tool: tool === undefined || tool === "*" ? null : tool };
}

/** The entries that can be read; what cannot was told at the start. */
export function readEntries(texts: readonly string[]): readonly GateEntry[] {
  return texts.map(readEntry).filter((entry): entry is GateEntry => typeof entry !== "string");
}

/** Whether one of the entries covers this tool. */
export function covers(entries: readonly GateEntry[], toolset: string, tool: string): boolean {
  return entries.some((entry) => entry.toolset === toolset && (entry.tool === null || entry.tool === tool));
}
