/**
 * `[assistant]` and the tables under it: what holds for every agent that says nothing else (K section 1.2).
 *
 * @module
 */
import { z } from "zod";
import { key, section } from "../key_rule.ts";
import { generationKeys } from "./agents.ts";
import { count, names, text, thinking } from "./values.ts";

/** What an agent with no opener of its own is told first. */
export const DEFAULT_SYSTEM_MESSAGE =
  "You are Malama, a personal assistant that runs on this person's own machine. Be brief and useful.";

/** Calls that need a person unless an agent declares otherwise (K-188). */
export const DEFAULT_CONFIRM: readonly string[] = [
  "skills.add_skill_script",
  "mcp.add_mcp_server",
  "compute.execute_typescript",
  "compute.execute_python",
  "compute.run_command",
  "fs_write",
  "config.update_config",
];

/** `[assistant]`. */
export const assistant = section("assistant", "What holds for every agent that says nothing else", {
  model: key(
    text().optional(),
    "`provider:model[@base_url][;flags]`; when not written: `MALAMA_MODEL`, a local server that answers, then `demo:tour`",
  ),
  thinking: key(thinking().optional(), "How much the model thinks; its own default when not written"),
  system_message: key(z.string().default(DEFAULT_SYSTEM_MESSAGE), "Opener for an agent with none of its own"),
  agent: key(text().default("assistant"), "The entry agent: a table of `[agents.*]`"),
  concurrent_tools: key(z.boolean().default(true), "Independent tool calls of one round run together"),
  agent_cache_cap: key(count().default(8), "Folded conversations kept in memory"),
  max_iterations: key(count().default(10), "Model calls in one run, the closing one not counted"),
  generate_titles: key(z.boolean().default(true), "The model writes conversation titles", { hot: true }),
  capture_requests: key(z.boolean().default(true), "Each model request is kept for the page's inspector", {
    hot: true,
  }),
  budget_tokens: key(
    count().optional(),
    "A turn ends before the first model call past so many tokens, sub-agents included",
  ),
  budget_cost: key(z.number().positive().optional(), "The same in US dollars"),
});

/** `[assistant.generation]`. */
export const assistantGeneration = section(
  "assistant.generation",
  "Generation parameters; only what is written is sent",
  generationKeys,
);

/** `[assistant.tools]`: the approval pair an agent with none of its own inherits whole (K-183). */
export const assistantTools = section(
  "assistant.tools",
  "The approval policy of agents that declare none; inherited whole",
  {
    confirm: key(
      names().default([...DEFAULT_CONFIRM]),
      "Calls that need a person: `toolset`, `toolset.*` or `toolset.tool`",
    ),
    review: key(names().default([]), "Gated calls a reviewer may answer instead of a person"),
  },
);
