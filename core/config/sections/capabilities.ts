/**
 * Settings of toolsets that Malama brings along: each section is named after its toolset (K-023).
 *
 * @module
 */
import { z } from "zod";
import { key, section } from "../key_rule.ts";
import { port, text } from "./values.ts";

const toolset = { toolset: true } as const;

/** `[memory]`. */
export const memory = section("memory", "What is remembered across conversations", {
  embedding: key(
    text().default("local"),
    'How meaning is compared: "local", "hash", or a model string with embeddings',
  ),
}, toolset);

/** `[planning]`. */
export const planning = section("planning", "The `/plan` workflow", {
  plan_review: key(z.boolean().default(false), "A person approves the plan", { hot: true }),
  plan_review_agent: key(z.boolean().default(false), "A critic judges the plan", { hot: true }),
  result_review: key(z.boolean().default(false), "A critic judges the result", { hot: true }),
  show_reasoning: key(z.boolean().default(false), "Every step is shown", { hot: true }),
  review_rounds: key(z.int().min(0).default(2), "New plans or results a critic may ask for"),
}, toolset);

/** `[capabilities]`. */
export const capabilities = section("capabilities", "Sub-agents made for one task", {
  max_depth: key(
    z.int().default(3).transform((depth) => Math.max(0, depth)),
    "How deep they may nest; 0 turns them off",
    { hot: true },
  ),
}, toolset);

/** `[email]`. The password is `MALAMA_EMAIL_PASSWORD` in the environment. */
export const email = section("email", "Mail to yourself; the password is `MALAMA_EMAIL_PASSWORD` in the environment", {
  host: key(text().optional(), "The mail server"),
  port: key(port().default(587), "Its port"),
  username: key(text().optional(), "Who signs in; `from`, else `to`, when not written"),
  from: key(text().optional(), "Sender; `to` when not written"),
  to: key(text().optional(), "The only address mail can go to"),
  use_ssl: key(z.boolean().default(false), "TLS from the first byte instead of STARTTLS"),
}, toolset);

/** `[fs]`. */
export const fs = section("fs", "Files that tools read and write", {
  root: key(
    z.array(text()).default([]),
    "Folders tools may reach, absolute or from `~/`; the home folder when empty",
  ),
}, toolset);

/** `[compute]`. */
export const compute = section("compute", "Running code and commands", {
  command_env_passthrough: key(z.string().default(""), "Environment variables a command may see, separated by commas"),
  code_net: key(z.string().default(""), "Hosts model-written code may ask to reach, separated by commas"),
  code_read: key(z.string().default(""), "Folders model-written code may ask to read, separated by commas"),
  code_write: key(z.string().default(""), "Folders model-written code may ask to write, separated by commas"),
}, toolset);

/** `[github_backup]`. */
export const githubBackup = section(
  "github_backup",
  "A backup to a private repository; its token is `GITHUB_BACKUP_TOKEN`",
  {
    repo: key(
      z.string().regex(/^$|^[^\s/]+\/[^\s/]+$/, 'must be "owner/name"').default(""),
      "`owner/name`; off when empty",
    ),
    branch: key(text().default("main"), "The branch written to"),
  },
  toolset,
);
