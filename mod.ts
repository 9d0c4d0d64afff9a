/**
 * Malama as a library: what a toolset is written with.
 *
 * @module
 */
export { z } from "zod";
export { BadTool, BadToolset, defineToolset, NoService, tool } from "./core/tool/mod.ts";
export type {
  AgentFacts,
  FindService,
  ServiceKey,
  Tool,
  ToolContext,
  ToolDefinition,
  ToolInput,
  ToolOutput,
  Toolset,
  ToolsetContext,
  ToolsetDefinition,
  ToolsetPermissions,
} from "./core/tool/mod.ts";
