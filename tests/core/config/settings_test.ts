import assert from "node:assert/strict";
import { z } from "zod";
import { hotSettings, locksInForce, sectionOf, sections, settingsView } from "../../../core/config/mod.ts";
import { configOf, LEAST } from "./config_on_disk.ts";

const none = () => undefined;

Deno.test("settingsView() lists every key with a fixed name, at its default or as written", async () => {
  const { values } = settingsView(await configOf(`${LEAST}[web]\nport = 9000\n`), none);
  assert.deepEqual(values["web.port"], { value: 9000, hot: false, locked: false, source: "file" });
  assert.deepEqual(values["web.host"], { value: "127.0.0.1", hot: false, locked: false, source: "default" });
  assert.deepEqual(values["assistant.model"], { value: null, hot: false, locked: false, source: "default" });
  assert.deepEqual(values["assistant.generate_titles"], { value: true, hot: true, locked: false, source: "default" });
  assert.deepEqual(values["security.approval_timeout"]?.locked, true);
  for (const section of sections.SECTIONS.filter(({ name, list }) => !name.includes("<name>") && !list)) {
    for (const key of Object.keys(section.keys)) {
      assert.ok(`${section.name}.${key}` in values, `${section.name}.${key}`);
    }
  }
});

Deno.test("settingsView() lists the tables people named, with the names quoted where needed", async () => {
  const config = await configOf(
    `${LEAST}[agents."a.b"]\nmodel = "demo:echo"\n[prices]\n"x:y" = { input = 1, output = 2 }\n`,
  );
  const { values } = settingsView(config, none);
  assert.equal(values['agents."a.b".model']?.value, "demo:echo");
  assert.equal(values['agents."a.b".model']?.source, "file");
  assert.deepEqual(values['prices."x:y"'], {
    value: { input: 1, output: 2 },
    hot: false,
    locked: false,
    source: "file",
  });
  assert.deepEqual(values["agents.assistant.tools.available"]?.value, null);
});

Deno.test("settingsView() says which settings a flag or the environment decides", async () => {
  const config = await configOf(LEAST, { flags: { port: 1, system: "Hello" } });
  const env = (name: string) => ({ MALAMA_MODEL: "demo:echo", MALAMA_HOME: "/srv" } as Record<string, string>)[name];
  const { values } = settingsView(config, env);
  assert.equal(values["web.port"]?.source, "flag");
  assert.equal(values["agents.assistant.system_message"]?.source, "flag");
  assert.deepEqual([values["assistant.model"]?.value, values["assistant.model"]?.source], ["demo:echo", "environment"]);
  assert.deepEqual(
    [values["paths.data_dir"]?.value, values["paths.data_dir"]?.source],
    [config.dataDir, "environment"],
  );
});

Deno.test("the file's model wins over the environment's", async () => {
  const { values } = settingsView(await configOf(`${LEAST}[assistant]\nmodel = "demo:tour"\n`), () => "demo:echo");
  assert.deepEqual([values["assistant.model"]?.value, values["assistant.model"]?.source], ["demo:tour", "file"]);
});

Deno.test("a value an agent inherits comes from the file", async () => {
  const { values } = settingsView(await configOf('[agents.assistant]\nbase = "b"\n[agents.b]\nmodel = "demo:echo"\n'));
  assert.deepEqual([values["agents.assistant.model"]?.value, values["agents.assistant.model"]?.source], [
    "demo:echo",
    "file",
  ]);
});

Deno.test("settingsView() withholds secrets and shows the rest of the list (K-318)", async () => {
  const text = `${LEAST}[[mcp.server]]\nname = "x"\ncommand = "c"\nenv = { TOKEN = "sesame" }\n`;
  const view = settingsView(await configOf(text));
  assert.equal(JSON.stringify(view).includes("sesame"), false);
  assert.deepEqual(view.values["mcp.server"], {
    value: [{ name: "x", command: "c", env: null }],
    hot: false,
    locked: true,
    source: "file",
  });
});

Deno.test("settingsView() lists a toolset's settings, and not those of a toolset without any", async () => {
  const toolsets = { weather: z.strictObject({ units: z.string().default("metric") }), time: z.strictObject({}) };
  const { values } = settingsView(await configOf(LEAST, { toolsets }));
  assert.equal(values["weather.units"]?.value, "metric");
  assert.equal(Object.keys(values).some((name) => name.startsWith("time.")), false);
});

Deno.test("settingsView() is plain JSON and carries the file's version", async () => {
  const config = await configOf(LEAST);
  const view = settingsView(config);
  assert.deepEqual(JSON.parse(JSON.stringify(view)), view);
  assert.equal(view.version, config.version);
});

Deno.test("the hot settings are those of the specification (K-024)", async () => {
  assert.deepEqual(hotSettings(await configOf(LEAST)), [
    "assistant.generate_titles",
    "assistant.capture_requests",
    "scheduling.max_task_conversations",
    "planning.plan_review",
    "planning.plan_review_agent",
    "planning.result_review",
    "planning.show_reasoning",
    "capabilities.max_depth",
  ]);
});

Deno.test("locksInForce() begins with the list itself (K-040)", async () => {
  const config = await configOf(`${LEAST}[security]\nlocked_config_keys = ["web.*"]\n`);
  assert.deepEqual(locksInForce(config), ["security.locked_config_keys", "web.*"]);
});

Deno.test("sectionOf() gives a section's values, typed", async () => {
  const config = await configOf(`${LEAST}[planning]\nreview_rounds = 4\n`);
  const rounds: number = sectionOf(config, sections.planning).review_rounds;
  assert.equal(rounds, 4);
  assert.equal(sectionOf(config, sections.autoApproval).max_per_turn, 5);
});
