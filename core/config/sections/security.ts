/**
 * `[security]`: approvals, what tools may reach, and what the app may not write (K section 1.2 and 7).
 *
 * @module
 */
import { z } from "zod";
import { key, section } from "../key_rule.ts";
import { count, names, seconds } from "./values.ts";

/** What the app may not write, as shipped. Grants and whatever gives an agent more reach are in it. */
export const DEFAULT_LOCKS: readonly string[] = [
  "security.*",
  "assistant.tools.*",
  "agents.*",
  "terrariums.*",
  "reviewers.*",
  "toolsets.*",
  "scheduling.task.*",
  "mcp.*",
  "lookup.*",
  "paths.data_dir",
  "storage.url",
  "web.auth",
  "email.to",
  "fs.root",
  "compute.*",
];

/** Calls that only a person may answer, as shipped: they change Malama itself. */
export const DEFAULT_NEVER_AUTO_APPROVE: readonly string[] = [
  "config.update_config",
  "skills.add_skill_script",
  "mcp.add_mcp_server",
];

/** `[security]`. */
export const security = section("security", "Approvals, reach, and what the app may not write", {
  locked_config_keys: key(
    z.array(z.string()).default([...DEFAULT_LOCKS]),
    "Settings only a hand edit changes: `*`, `section.*` or `section.key`; this list itself is always locked",
  ),
  never_auto_approve: key(
    names().default([...DEFAULT_NEVER_AUTO_APPROVE]),
    "Calls no reviewer may answer",
  ),
  approval_timeout: key(seconds().default(600), "Seconds after which an unanswered question is denied"),
  allow_private_network: key(
    names().default([]),
    "What tools may reach besides public addresses: a host, `host:port`, an address or a range",
  ),
});

/** `[security.auto_approval]`. */
export const autoApproval = section("security.auto_approval", "A reviewer may answer in a person's place", {
  enabled: key(z.boolean().default(false), "Whether reviewers are asked at all"),
  reviewers: key(names().default([]), "Tables of `[reviewers.*]`, asked in this order"),
  timeout_seconds: key(seconds().default(10), "Seconds a reviewer has"),
  max_per_turn: key(count().default(5), "Reviews in one turn; then a person decides"),
});
