import assert from "node:assert/strict";
import { join } from "node:path";
import { type ConfigCheck, ConfigError, ConfigMissing, loadConfig } from "../../../core/config/mod.ts";
import { ConfigFolder, configOf, errorOf, faultsOf, LEAST } from "./config_on_disk.ts";

async function failing(promise: Promise<unknown>): Promise<ConfigError> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: "This loaded" });
}

Deno.test("loadConfig() reads the file into TypeScript's spelling", async () => {
  await using folder = await ConfigFolder.make();
  await folder.write(`
[assistant]
model = "ollama:qwen3:8b"
thinking = "low"
system_message = "Be kind"
max_iterations = 3
budget_tokens = 1000
budget_cost = 0.5
generation.temperature = 0.5

[agents.assistant]
description = "You talk to me"
delegates_to = ["coder"]
thinking = false
tools = { available = ["time"], confirm = [], review = ["time"] }

[agents.coder]
max_iterations = 20
tools.available = "all"

[web]
host = "::1"
port = 0
allowed_hosts = ["malama.example.org"]
base_path = "/malama"

[storage]
url = "http://127.0.0.1:8080"

[prices]
"openai:gpt-5" = { input = 1, output = 10, cache_read = 0.1 }
`);
  const config = await loadConfig(folder.source);
  assert.equal(config.file, folder.file);
  assert.equal(config.root, folder.root);
  assert.equal(config.dataDir, join(folder.root, "data"));
  assert.match(config.version, /^[0-9a-f]{64}$/);
  assert.equal(config.assistant.model, "ollama:qwen3:8b");
  assert.equal(config.assistant.thinking, "low");
  assert.equal(config.assistant.systemMessage, "Be kind");
  assert.equal(config.assistant.budgetTokens, 1000);
  assert.equal(config.assistant.budgetCost, 0.5);
  assert.deepEqual(config.assistant.generation, { temperature: 0.5 });
  assert.deepEqual({ ...config.agents }, {
    assistant: {
      name: "assistant",
      description: "You talk to me",
      thinking: false,
      delegatesTo: ["coder"],
      generation: {},
      tools: { available: ["time"], confirm: [], review: ["time"] },
    },
    coder: { name: "coder", maxIterations: 20, delegatesTo: [], generation: {}, tools: { available: "all" } },
  });
  assert.deepEqual(config.web, {
    host: "::1",
    port: 0,
    auth: "token",
    allowedHosts: ["malama.example.org"],
    basePath: "/malama",
  });
  assert.deepEqual(config.storage, { url: "http://127.0.0.1:8080" });
  assert.deepEqual(config.prices["openai:gpt-5"], { input: 1, output: 10, cache_read: 0.1 });
});

Deno.test("loadConfig() takes the data folder from the file when it is there (K-011)", async () => {
  assert.equal((await configOf(`${LEAST}[paths]\ndata_dir = "/srv/data"\n`)).dataDir, "/srv/data");
});

Deno.test("loadConfig() gives the same version for the same bytes and another for others", async () => {
  const [one, same, other] = await Promise.all([configOf(LEAST), configOf(LEAST), configOf(`${LEAST}# more\n`)]);
  assert.equal(one.version, same.version);
  assert.notEqual(one.version, other.version);
});

Deno.test("a missing default file names the command that writes one (K-012)", async () => {
  await using folder = await ConfigFolder.make();
  const error = await failing(loadConfig({ ...folder.source, named: false }));
  assert.ok(error instanceof ConfigMissing);
  assert.equal(error.named, false);
  assert.match(error.message, /There is no configuration yet: write one with "[^"]*task start config init"$/);
});

Deno.test("a missing named file is an error at once, also for whoever goes by the error's name (K-012)", async () => {
  await using folder = await ConfigFolder.make();
  const error = await failing(loadConfig({ ...folder.source, named: true }));
  assert.ok(error instanceof ConfigMissing && error.named);
  assert.equal(error.name, "ConfigError");
  assert.ok(error.message.startsWith(`${folder.file}: There is no such file`), error.message);
});

Deno.test("a file that is a folder, no text, or no TOML is told in one line", async () => {
  await using folder = await ConfigFolder.make();
  await Deno.mkdir(folder.file);
  assert.match((await failing(loadConfig(folder.source))).message, /cannot be read: it is a folder/);
  await Deno.remove(folder.file);
  await Deno.writeFile(folder.file, new Uint8Array([0x61, 0xff, 0xfe]));
  assert.match((await failing(loadConfig(folder.source))).message, /not UTF-8 text: save it as UTF-8$/);
  await folder.write("[web]\nport = eighty\n");
  const error = await failing(loadConfig(folder.source));
  assert.equal(
    error.message,
    `${folder.file}:2: This is not TOML: "eighty" is no value: a text needs quotes around it`,
  );
  assert.equal(error.line, 2);
});

Deno.test("an empty file lacks an agent and nothing else (K-013)", async () => {
  assert.deepEqual(await faultsOf(""), ["-: There is no agent: declare one as [agents.assistant]"]);
});

Deno.test("a file with a byte order mark or Windows line ends loads, with the right lines in its faults", async () => {
  assert.ok(await configOf(`\uFEFF${LEAST}`));
  assert.deepEqual(await faultsOf('\uFEFF[agents.assistant]\r\n\r\n[web]\r\nport = "x"\r\n'), [
    '4: [web].port must be an integer from 0 to 65535, not "x"',
  ]);
});

Deno.test("the error is one line with the place and the number of faults, and keeps each of them", async () => {
  const error = await errorOf(`${LEAST}[web]\nport = "x"\nhost = 5\nfoo = 1\n`);
  assert.equal(error.name, "ConfigError");
  assert.match(
    error.message,
    /config\.toml:3: \[web\]\.port must be .* \(and 2 more: see "[^"]*task start config check"\)$/,
  );
  assert.equal(error.message.includes("\n"), false);
  assert.deepEqual([error.line, error.section, error.key], [3, "web", "port"]);
  assert.deepEqual(error.problems.map(({ line, key }) => [line, key]), [[3, "port"], [4, "host"], [5, "foo"]]);
});

Deno.test("a flag decides over the file, the file over the default; an absent flag defers (K-014)", async () => {
  const text = `${LEAST}[assistant]\nmodel = "demo:echo"\n[web]\nport = 9000\n`;
  const plain = await configOf(text, { flags: { host: undefined } });
  assert.deepEqual([plain.assistant.model, plain.web.port, plain.web.host], ["demo:echo", 9000, "127.0.0.1"]);
  const flagged = await configOf(text, { flags: { model: "demo:tour", port: 0, host: "::1", frontend: "cli" } });
  assert.deepEqual([flagged.assistant.model, flagged.web.port, flagged.web.host], ["demo:tour", 0, "::1"]);
  assert.equal(flagged.frontend.name, "cli");
});

Deno.test("--system replaces the opener of the entry agent alone (K-189, K-192)", async () => {
  const text = '[agents.assistant]\nsystem_message = "old"\n[agents.coder]\nsystem_message = "coder"\n';
  const { agents, assistant } = await configOf(text, { flags: { system: "new" } });
  assert.equal(agents.assistant?.systemMessage, "new");
  assert.equal(agents.coder?.systemMessage, "coder");
  assert.notEqual(assistant.systemMessage, "new");
});

Deno.test("a faulty flag is told by its name, and the file is not blamed", async () => {
  const error = await errorOf(LEAST, { flags: { port: 70000 } });
  assert.equal(error.message, "--port must be an integer from 0 to 65535, not 70000");
});

Deno.test("a flag that a higher floor refuses is told by its name, whatever line of the file names the key", async () => {
  const check: ConfigCheck = ({ assistant }) =>
    assistant.model === "nonsense"
      ? [{ message: '"nonsense" is not a model', section: "assistant", key: "model" }]
      : [];
  const text = `${LEAST}[assistant]\nmodel = "demo:tour"\n`;
  const error = await errorOf(text, { flags: { model: "nonsense" }, checks: [check] });
  assert.equal(error.message, '--model: "nonsense" is not a model');
});

Deno.test("a flag cannot open the door the file keeps shut", async () => {
  const error = await errorOf(`${LEAST}[web]\nauth = "none"\n`, { flags: { host: "0.0.0.0" } });
  assert.match(error.message, /cannot be "none" while host is "0\.0\.0\.0"/);
});

Deno.test("a check from a higher floor names a section and key, and gets its line", async () => {
  const check: ConfigCheck = (config) =>
    Object.values(config.agents).filter(({ model }) => model === "nonsense").map(({ name }) => ({
      message: `[agents.${name}].model cannot be used`,
      section: `agents.${name}`,
      key: "model",
    }));
  const error = await errorOf('[agents.assistant]\ndescription = "x"\nmodel = "nonsense"\n', { checks: [check] });
  assert.match(error.message, /config\.toml:3: \[agents\.assistant\]\.model cannot be used$/);
  assert.ok(await configOf('[agents.assistant]\nmodel = "demo:tour"\n', { checks: [check] }));
});

Deno.test("checks from higher floors see only what is right by itself", async () => {
  let asked = 0;
  await errorOf("[agents.user]\n", {
    checks: [() => {
      asked++;
      return [];
    }],
  });
  assert.equal(asked, 0);
});

Deno.test("the configuration cannot be changed, however deep", async () => {
  const config = await configOf(LEAST);
  const change = (target: object) => () => Object.assign(target, { port: 1, x: 1, 0: "y" });
  for (const part of [config, config.web, config.agents, config.sections, config.security.lockedConfigKeys]) {
    assert.throws(change(part), TypeError);
  }
});

Deno.test("names that every object has are plain agent names", async () => {
  const { agents } = await configOf("[agents.assistant]\n[agents.constructor]\nmodel = 'demo:echo'\n");
  assert.deepEqual(Object.keys(agents), ["assistant", "constructor"]);
  assert.equal(agents.toString, undefined);
});
