/**
 * MCP servers and third parties' toolsets: what is added from outside, and what each is granted.
 *
 * @module
 */
import { z } from "zod";
import { key, section, type SectionFault } from "../key_rule.ts";
import { count, permissions, port, seconds, text } from "./values.ts";

const namespaceEntry = () =>
  z.string().regex(/^[A-Za-z0-9_-]+$/, "must be letters, digits, - and _, since toolsets are named by it");

/** `[mcp]`. */
export const mcp = section("mcp", "MCP servers in general", {
  oauth_callback_host: key(text().default("localhost"), "Where a sign-in comes back to"),
  oauth_callback_port: key(port().optional(), "Its port; any free one when not written"),
}, { toolset: true });

/** `[[mcp.server]]`. */
export const mcpServer = section("mcp.server", "One MCP server: exactly one of `url` and `command`", {
  name: key(namespaceEntry(), "Its name among the toolsets"),
  description: key(z.string().optional(), "What it offers: an agent that has not loaded it reads this"),
  url: key(
    z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
    "A server to connect to",
  ),
  token_env: key(text().optional(), "Environment variable that holds its bearer token"),
  command: key(text().optional(), "A program to start"),
  args: key(z.array(z.string()).optional(), "Its arguments"),
  env: key(z.record(z.string(), z.string()).optional(), "Its environment", { secret: true }),
  cwd: key(text().optional(), "Its working folder"),
  permissions: key(permissions().optional(), "Grants, for a server we start with Deno"),
}, { list: true, optional: true, check: serverFaults });

function serverFaults(values: Readonly<Record<string, unknown>>): readonly SectionFault[] {
  const remote = values.url !== undefined;
  if (remote === (values.command !== undefined)) return [{ message: "needs exactly one of url and command" }];
  const strays = remote ? ["args", "env", "cwd", "permissions"] : ["token_env"];
  return strays.filter((name) => values[name] !== undefined).map((name) => ({
    key: name,
    message: `does not go with ${remote ? "url" : "command"}`,
  }));
}

/** `[toolsets.<name>]`. */
export const thirdParty = section("toolsets.<name>", "A third party's toolset, run in a process of its own", {
  from: key(
    z.string().regex(/^(\.{0,2}\/|https:|npm:|jsr:)./, 'must start with "./", "/", "https:", "npm:" or "jsr:"'),
    "Where it comes from",
  ),
});

const grant = () => z.array(text()).default([]);

/** `[toolsets.<name>.permissions]`. */
export const thirdPartyPermissions = section(
  "toolsets.<name>.permissions",
  "What its process is granted; nothing when not written",
  {
    net: key(grant(), "Hosts it may reach"),
    read: key(grant(), "Paths it may read"),
    write: key(grant(), "Paths it may write"),
    env: key(grant(), "Environment variables it may see"),
    run: key(grant(), "Programs it may start"),
  },
);

/** `[toolsets.<name>.limits]`. */
export const thirdPartyLimits = section("toolsets.<name>.limits", "Past either, its process is ended", {
  memory_mb: key(count().default(256), "Memory in megabytes"),
  timeout_seconds: key(seconds().default(60), "Seconds for one call"),
});
