import assert from "node:assert/strict";
import { defaultOf } from "../../../core/config/key_rule.ts";
import { buildSchema } from "../../../core/config/schema.ts";
import { fillDefaults } from "../../../core/config/defaults.ts";
import { sections } from "../../../core/config/mod.ts";
import { configOf, LEAST } from "./config_on_disk.ts";

const { root } = buildSchema();

function filled(given: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(fillDefaults(root, given)));
}

Deno.test("fillDefaults() changes nothing that is written", () => {
  const { web } = filled({ web: { port: 1, host: "::1", auth: "token", allowed_hosts: ["x"], base_path: "/m" } });
  assert.deepEqual(web, { port: 1, host: "::1", auth: "token", allowed_hosts: ["x"], base_path: "/m" });
});

Deno.test("fillDefaults() fills in each table a person named, and invents none", () => {
  const tree = filled({ toolsets: { weather: { from: "./w" } } });
  assert.deepEqual(tree.toolsets, {
    weather: {
      from: "./w",
      permissions: { net: [], read: [], write: [], env: [], run: [] },
      limits: { memory_mb: 256, timeout_seconds: 60 },
    },
  });
  assert.deepEqual(tree.terrariums, {});
  assert.deepEqual((tree.scheduling as { task: unknown }).task, {});
  assert.deepEqual((tree.mcp as { server: unknown }).server, []);
});

Deno.test("fillDefaults() leaves out tables that mean something by being there", () => {
  const { assistant } = filled({ agents: { assistant: {} } }).agents as Record<string, Record<string, unknown>>;
  assert.equal("startup" in assistant!, false);
  assert.equal("termination" in assistant!, false);
  assert.equal("compaction" in assistant!, true);
});

Deno.test("the defaults are those of the specification (K section 1.2)", async () => {
  const config = await configOf(LEAST);
  assert.equal(config.assistant.agent, "assistant");
  assert.equal(config.assistant.concurrentTools, true);
  assert.equal(config.assistant.agentCacheCap, 8);
  assert.equal(config.assistant.maxIterations, 10);
  assert.equal(config.assistant.generateTitles, true);
  assert.equal(config.assistant.captureRequests, true);
  assert.equal("model" in config.assistant, false);
  assert.deepEqual(config.assistant.generation, {});
  assert.deepEqual(config.assistant.tools.review, []);
  assert.ok(config.assistant.tools.confirm.includes("compute.execute_typescript"));
  assert.deepEqual(config.web, { host: "127.0.0.1", port: 8000, auth: "token", allowedHosts: [], basePath: "" });
  assert.equal(config.security.approvalTimeout, 600);
  assert.deepEqual(config.security.allowPrivateNetwork, []);
  assert.equal(config.logging.level, "INFO");
  assert.deepEqual(config.storage, {});
});

Deno.test("every default is valid by its own rule", () => {
  for (const section of sections.SECTIONS) {
    for (const [name, rule] of Object.entries(section.keys)) {
      const value = defaultOf(rule);
      if (value === undefined) continue;
      assert.ok(rule.schema.safeParse(value).success, `${section.name}.${name}`);
    }
  }
});

Deno.test("a depth below none is none (K section 1.2)", async () => {
  const config = await configOf(`${LEAST}[capabilities]\nmax_depth = -2\n`);
  assert.equal((config.sections.capabilities as { max_depth: number }).max_depth, 0);
});
