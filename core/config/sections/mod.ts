/** Every section of the file, in the order of the reference page. */
import type { SectionRule } from "../key_rule.ts";
import { agents, reviewers } from "./agents.ts";
import { assistant, assistantGeneration, assistantTools } from "./assistant.ts";
import { capabilities, compute, email, fs, githubBackup, memory, planning } from "./capabilities.ts";
import { mcp, mcpServer, thirdParty, thirdPartyLimits, thirdPartyPermissions } from "./extensions.ts";
import { scheduling, schedulingTask } from "./scheduling.ts";
import { autoApproval, security } from "./security.ts";
import { frontend, logging, lookup, paths, prices, storage, web } from "./serving.ts";
import { terrariums } from "./terrariums.ts";

export * from "./agents.ts";
export * from "./assistant.ts";
export * from "./extensions.ts";
export * from "./scheduling.ts";
export * from "./security.ts";
export * from "./serving.ts";
export { capabilities, compute, email, fs, githubBackup, memory, planning } from "./capabilities.ts";

/** The table that parsing, the example, the reference page and the settings call all read. */
export const SECTIONS: readonly SectionRule[] = [
  assistant,
  assistantTools,
  assistantGeneration,
  ...agents,
  web,
  paths,
  storage,
  frontend,
  logging,
  security,
  autoApproval,
  ...reviewers,
  lookup,
  memory,
  scheduling,
  schedulingTask,
  planning,
  capabilities,
  fs,
  compute,
  email,
  githubBackup,
  mcp,
  mcpServer,
  thirdParty,
  thirdPartyPermissions,
  thirdPartyLimits,
  ...terrariums,
  prices,
];
