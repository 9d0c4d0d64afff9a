/**
 * Malama as a library: what a toolset is written with.
 *
 * @module
 */
export { z } from "zod";
export { defineToolset, tool } from "./core/tool/mod.ts";
export type {
  Tool,
  ToolContext,
  ToolDefinition,
  ToolOutput,
  Toolset,
  ToolsetContext,
  ToolsetDefinition,
} from "./core/tool/mod.ts";
