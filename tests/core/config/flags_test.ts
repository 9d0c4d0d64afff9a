import assert from "node:assert/strict";
import { applyFlags } from "../../../core/config/flags.ts";

Deno.test("applyFlags() says which settings it decided, and by which flag", () => {
  const tree = { assistant: { agent: "boss" }, agents: { boss: {} }, web: {}, frontend: {} };
  const flags = { model: "demo:echo", system: "Hi", host: "::1", port: 0, frontend: "cli" };
  assert.deepEqual(applyFlags(tree, flags), {
    decided: [
      { flag: "model", path: ["assistant", "model"] },
      { flag: "system", path: ["agents", "boss", "system_message"] },
      { flag: "host", path: ["web", "host"] },
      { flag: "port", path: ["web", "port"] },
      { flag: "frontend", path: ["frontend", "name"] },
    ],
    problems: [],
  });
  assert.equal((tree.web as { host?: string }).host, "::1");
});

Deno.test("applyFlags() decides nothing for what was not given", () => {
  const tree = { assistant: { agent: "boss" }, web: { port: 1 } };
  assert.deepEqual(applyFlags(tree, { model: undefined, port: undefined }), { decided: [], problems: [] });
  assert.deepEqual(tree, { assistant: { agent: "boss" }, web: { port: 1 } });
});

Deno.test("applyFlags() invents no agent for --system when the entry agent is missing", () => {
  const tree = { assistant: { agent: "constructor" }, agents: {} };
  assert.deepEqual(applyFlags(tree, { system: "Hi" }), { decided: [], problems: [] });
  assert.deepEqual(Object.keys(tree.agents), []);
});

Deno.test("applyFlags() names each faulty flag and keeps the others", () => {
  const { decided, problems } = applyFlags({ assistant: {}, web: {} }, { model: "", host: "", port: 1.5 });
  assert.deepEqual(decided, []);
  assert.deepEqual(problems.map(({ message }) => message), [
    '--model must be a string, not ""',
    '--host must be a string, not ""',
    "--port must be an integer from 0 to 65535, not 1.5",
  ]);
});
