/**
 * Which settings this version acts on. Every key of the file is checked from the start; a person who writes one that belongs
 * to a feature to come is told so, and does not have to find out.
 *
 * @module
 */
import type { Setting } from "./config.ts";
import { splitSettingName } from "./setting_name.ts";

/** Patterns of setting names, segment by segment; `*` is any one segment, a last `**` any that follow. */
const IN_EFFECT: readonly string[] = [
  "assistant.*",
  "assistant.generation.*",
  "agents.*.description",
  "agents.*.system_message",
  "agents.*.model",
  "agents.*.thinking",
  "agents.*.max_iterations",
  "agents.*.budget_tokens",
  "agents.*.budget_cost",
  "agents.*.delegates_to",
  "agents.*.base",
  "agents.*.generation.*",
  "agents.*.tools.available",
  "agents.*.tools.resident",
  "agents.*.tools.confirm",
  "agents.*.tools.review",
  "assistant.tools.*",
  "web.*",
  "paths.*",
  "storage.*",
  "frontend.*",
  "logging.*",
  "prices.**",
  "security.locked_config_keys",
  "security.allow_private_network",
  "security.never_auto_approve",
  "security.approval_timeout",
  "security.auto_approval.*",
  "reviewers.*.*",
  "reviewers.*.generation.*",
  "lookup.*",
  "capabilities.*",
  "toolsets.**",
];

/** What to tell about settings that are written and do nothing yet. `toolsets` are the sections of installed ones. */
export function withoutEffect(settings: readonly Setting[], toolsets: readonly string[]): readonly string[] {
  const idle = settings.filter(({ source }) => source === "file").map(({ name }) => name)
    .filter((name) => !isInEffect(splitSettingName(name) ?? [name], toolsets));
  return idle.length === 0 ? [] : [`This version does nothing yet with ${idle.join(", ")}`];
}

function isInEffect(name: readonly string[], toolsets: readonly string[]): boolean {
  return toolsets.includes(name[0] ?? "") || IN_EFFECT.some((pattern) => matches(name, pattern.split(".")));
}

function matches(name: readonly string[], pattern: readonly string[]): boolean {
  if (pattern.at(-1) === "**") return pattern.slice(0, -1).every((part, at) => part === name[at]);
  return name.length === pattern.length && pattern.every((part, at) => part === "*" || part === name[at]);
}
