import assert from "node:assert/strict";
import { z } from "zod";
import { ConfigChanged, ConfigError, loadConfig, SettingLocked } from "../../core/config/mod.ts";
import { liveSettings } from "../../core/live_settings.ts";
import { defineToolset, Services, SETTINGS } from "../../core/tool/mod.ts";
import { config as configToolset } from "../../toolsets/config.ts";
import { callTool } from "../toolsets/toolset_fixture.ts";

const counted = defineToolset({
  name: "counted",
  description: "Counts",
  settings: { limit: z.number().int().min(1).default(3), names: z.array(z.string()).default([]) },
  tools: () => [],
});

async function withFile(
  work: (settings: ReturnType<typeof liveSettings>, file: string) => Promise<void>,
): Promise<void> {
  const root = await Deno.makeTempDir();
  const file = `${root}/config.toml`;
  await Deno.writeTextFile(file, '# mine\n[assistant]\nagent = "a" # the one\n\n[agents.a]\n');
  try {
    const toolsets = { counted: counted.settings };
    await work(liveSettings(await loadConfig({ root, file, toolsets }), [counted], () => undefined), file);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("a hot setting is in force as soon as the file holds it, a cold one waits for a restart (K-037)", async () => {
  await withFile(async (settings, file) => {
    const hot = await settings.write({ "assistant.generate_titles": false });
    assert.deepEqual([hot.applied, hot.restart], [["assistant.generate_titles"], []]);
    assert.equal(settings.config.assistant.generateTitles, false);
    const cold = await settings.write({ "assistant.max_iterations": 7 });
    assert.deepEqual(cold.restart, ["assistant.max_iterations"]);
    assert.equal(settings.config.assistant.maxIterations, 10);
    const text = await Deno.readTextFile(file);
    assert.ok(text.startsWith("# mine\n") && text.includes("# the one") && text.includes("max_iterations = 7"), text);
    assert.equal(settings.config.settings.find(({ name }) => name === "assistant.generate_titles")?.value, false);
  });
});

Deno.test("a change that would not start, a locked one and a late one are refused, and nothing changes (K-038)", async () => {
  await withFile(async (settings, file) => {
    const before = await Deno.readTextFile(file);
    await assert.rejects(settings.write({ "assistant.model": "no such model" }), ConfigError);
    await assert.rejects(settings.write({ "security.approval_timeout": 5 }), SettingLocked);
    await assert.rejects(settings.write({ "assistant.max_iterations": 3 }, "another version"), ConfigChanged);
    assert.equal(await Deno.readTextFile(file), before);
  });
});

Deno.test("update_config reads a text as the type of the setting, and says which of the two happened (K-170)", async () => {
  await withFile(async (settings) => {
    const services = new Services().provide(SETTINGS, () => settings);
    const update = async (section: string, key: string, value: string) =>
      String(await callTool(configToolset, "update_config", { section, key, value }, { services }));
    assert.match(await update("assistant", "generate_titles", "off"), /is now off, and it applies already/);
    assert.match(await update("counted", "limit", "12"), /takes effect after a restart/);
    assert.match(await update("counted", "names", "a, b"), /takes effect after a restart/);
    const text = (await settings.read()).text ?? "";
    assert.ok(text.includes("limit = 12") && /names = \[ ?"a", "b" ?\]/.test(text), text);
    assert.match(await update("counted", "limit", "many"), /^Nothing was changed\. .*limit/);
    assert.match(await update("counted", "nothing", "1"), /There is no setting "counted.nothing"/);
    assert.match(await update("security", "locked_config_keys", ""), /cannot be written by what it restrains/);
    assert.match(await update("agents.a", "model", "demo:echo"), /is locked by "agents\.\*"/);
    const read = String(await callTool(configToolset, "read_config", {}, { services }));
    assert.match(read, /^# Locked against changes by you: security\.locked_config_keys, /);
    assert.ok(read.includes("# mine"));
  });
});
