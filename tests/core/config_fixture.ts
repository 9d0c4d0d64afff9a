/**
 * A configuration for tests that need one and not a file.
 *
 * @module
 */
import type { Config } from "../../core/config/mod.ts";

/** One agent, `assistant`, with these toolsets. */
export function testConfig(available: readonly string[] = [], rest: Partial<Config> = {}): Config {
  return {
    file: "config.toml",
    version: "test",
    dataDir: "data",
    assistant: {
      systemMessage: "You help",
      agent: "assistant",
      concurrentTools: true,
      agentCacheCap: 8,
      maxIterations: 10,
      generateTitles: false,
      captureRequests: true,
      generation: {},
      tools: { confirm: [], review: [] },
    },
    agents: {
      assistant: { name: "assistant", delegatesTo: [], generation: {}, tools: { available } },
    },
    web: { host: "127.0.0.1", port: 0, auth: "token", allowedHosts: [], basePath: "" },
    storage: {},
    security: { approvalTimeout: 600, allowPrivateNetwork: [], lockedConfigKeys: [], neverAutoApprove: [] },
    logging: { level: "INFO" },
    frontend: { name: "web" },
    prices: {},
    toolsets: {},
    sections: {
      security: { auto_approval: { enabled: false, reviewers: [], timeout_seconds: 10, max_per_turn: 5 } },
      capabilities: { max_depth: 3 },
      fs: { root: [] },
    },
    ...rest,
  } as Config;
}
