/**
 * What a turn has read that others wrote, and what it may then not keep without being asked (casebook, "memory poisoning").
 *
 * A page can tell a model to remember something, and what is remembered speaks in every later conversation. So a turn that
 * has read from outside asks before it changes what is remembered, whether or not a gate covers that.
 *
 * @module
 */
import type { ToolsetProvider } from "../registry.ts";
import { covers, readEntries } from "./entry.ts";

/** Tools that give what others wrote. Those of third parties and servers do, too. */
const READS_OUTSIDE = readEntries(["web"]);

/** Tools that change what later conversations are told. */
const REMEMBERS = readEntries(["memory.store_memory", "documents.save_document", "documents.edit_document"]);

/** Whether a call brings in what others wrote. */
export function readsOutside(toolset: string, tool: string, provider: ToolsetProvider | undefined): boolean {
  return provider === "plugin" || provider === "mcp" || covers(READS_OUTSIDE, toolset, tool);
}

/** Whether a call changes what later conversations are told. */
export function remembers(toolset: string, tool: string): boolean {
  return covers(REMEMBERS, toolset, tool);
}
