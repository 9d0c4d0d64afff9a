import assert from "node:assert/strict";
import { lineOf, settingSections } from "../../../components/server/settings.tsx";

const FILE = `# Malama
[assistant]
model = "demo:tour" # here
"agent" = "assistant"

[agents.assistant.tools]
available = "all"

[web]
port = 8000
`;

Deno.test("lineOf() finds the line of a key in its own section", () => {
  assert.equal(lineOf(FILE, "assistant", "model"), 3);
  assert.equal(lineOf(FILE, "assistant", "agent"), 4);
  assert.equal(lineOf(FILE, "agents.assistant.tools", "available"), 7);
  assert.equal(lineOf(FILE, "web", "port"), 10);
  assert.equal(lineOf(FILE, "web", "model"), null);
  assert.equal(lineOf("", "web", "port"), null);
});

Deno.test("settingSections() says what each setting is and where that comes from", () => {
  const view = (value: unknown, source: "file" | "default" | "flag" | "environment", more = {}) => ({
    value,
    source,
    hot: true,
    locked: false,
    ...more,
  });
  const sections = settingSections({
    version: "v",
    values: {
      "assistant.model": view("demo:tour", "file"),
      "assistant.budget_tokens": view(null, "default"),
      "web.port": view(8000, "file", { hot: false, locked: true }),
      "web.allowed_hosts": view([], "default", { hot: false }),
      "web.host": view("::1", "flag"),
    },
  }, FILE);
  assert.deepEqual(sections.map(({ name }) => name), ["assistant", "web"]);
  const told = Object.fromEntries(
    sections.flatMap(({ settings }) => settings.map(({ name, value, origin }) => [name, `${value}. ${origin}`])),
  );
  assert.deepEqual(told, {
    model: "demo:tour. config.toml, line 3",
    budget_tokens: "not set. Default",
    port: "8000. Locked. config.toml, line 10, read at the start",
    allowed_hosts: "none. Default",
    host: "::1. From the command line",
  });
});
