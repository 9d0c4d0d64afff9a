import assert from "node:assert/strict";
import { join } from "node:path";
import { EXAMPLE_CONFIG, loadConfig } from "../../core/config/mod.ts";
import { toolsAndModels, toolsetSettings } from "../../cli/startup.ts";
import { liveSettings } from "../../core/live_settings.ts";
import { Services, SETTINGS } from "../../core/tool/mod.ts";
import { config } from "../../toolsets/config.ts";
import { builtInToolsets } from "../../toolsets/mod.ts";
import { callTool } from "./toolset_fixture.ts";

interface Desk {
  readonly file: string;
  read(): Promise<string>;
  update(section: string, key: string, value: string): Promise<string>;
}

/** The shipped example with what `more` says behind it. */
async function withDesk(
  body: (desk: Desk) => Promise<void>,
  { more = "", env = {} }: { readonly more?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "malama-config-" });
  const file = join(root, "config.toml");
  await Deno.writeTextFile(file, EXAMPLE_CONFIG + more);
  try {
    const loaded = await loadConfig({ root, file, toolsets: toolsetSettings(), checks: [toolsAndModels] });
    const settings = liveSettings(loaded, builtInToolsets, (name) => env[name]);
    const services = new Services().provide(SETTINGS, () => settings);
    await body({
      file,
      read: async () => String(await callTool(config, "read_config", {}, { services })),
      update: async (section, key, value) =>
        String(await callTool(config, "update_config", { section, key, value }, { services })),
    });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("read_config gives the file as it is now, below the locks in force (K-040)", () =>
  withDesk(async ({ file, read }) => {
    await Deno.writeTextFile(file, "# changed by hand\n[agents.assistant]\n");
    const [locks = "", tasks = "", _, ...text] = (await read()).split("\n");
    assert.match(locks, /^# Locked against changes by you: security\.locked_config_keys, security\.\*, .*fs\.root/);
    assert.match(tasks, /list of locks itself is always locked\. Tasks are changed with the scheduling tools/);
    assert.equal(text.join("\n"), "# changed by hand\n[agents.assistant]\n");
    await Deno.remove(file);
    assert.match(await read(), /There is no file: every setting is at its default\.$/);
    await Deno.writeTextFile(file, "[broken");
    assert.match(await read(), /^The file cannot be shown: .*not TOML.*mend it by hand/);
    await Deno.writeFile(file, new Uint8Array([0x23, 0xff]));
    assert.match(await read(), /^The file cannot be shown: .*not UTF-8 text.*mend it by hand/);
    await Deno.remove(file);
    await Deno.mkdir(file);
    assert.match(await read(), /^The file cannot be shown: .*cannot be read: it is a folder/);
  }));

Deno.test("read_config shows no value of an MCP server's environment (K-318)", () =>
  withDesk(async ({ read }) => {
    const text = await read();
    assert.doesNotMatch(text, /s3cret/);
    assert.match(text, /env = \{ TOKEN = "\(hidden\)" \}/);
  }, { more: '\n[[mcp.server]]\nname = "x"\ncommand = "x"\nenv = { TOKEN = "s3cret" }\n' }));

Deno.test("update_config refuses what is locked: the pattern, the scheduling tools for tasks, the axiom for the list (K-034)", () =>
  withDesk(async ({ file, update }) => {
    const before = await Deno.readTextFile(file);
    assert.match(
      await update("assistant.tools", "confirm", ""),
      /locked by "assistant\.tools\.\*": edit the file by hand/,
    );
    assert.match(await update("fs", "root", "/"), /locked by "fs\.root"/);
    assert.match(await update("compute", "code_read", "/"), /locked by "compute\.\*"/);
    assert.match(await update("agents.assistant", "model", "demo:tour"), /locked by "agents\.\*"/);
    assert.match(await update("scheduling.task.morning", "enabled", "false"), /change it with the scheduling tools/);
    assert.match(
      await update("security", "locked_config_keys", ""),
      /security\.locked_config_keys cannot be written by what it restrains/,
    );
    assert.equal(await Deno.readTextFile(file), before);
  }));

Deno.test("update_config says which of the two happened, and changes nothing else in the file (K-035, K-170)", () =>
  withDesk(async ({ file, update }) => {
    const before = await Deno.readTextFile(file);
    assert.equal(
      await update("assistant", "generate_titles", "no"),
      "assistant.generate_titles is now no, and it applies already.",
    );
    assert.match(
      await update("assistant", "max_iterations", "7"),
      /takes effect after a restart of Malama: tell the person/,
    );
    const after = await Deno.readTextFile(file);
    const added = after.split("\n").filter((line) => !before.split("\n").includes(line));
    assert.deepEqual(added.sort(), ["generate_titles = false", "max_iterations = 7"]);
  }));

Deno.test("update_config names a model only when it can be asked here (K-038)", () =>
  withDesk(async ({ update }) => {
    assert.match(await update("assistant", "model", "openai:gpt-5"), /OPENAI_API_KEY is not set in the environment/);
    assert.match(await update("assistant", "model", "gpt-5"), /is not a model: write it as provider:model/);
    assert.match(await update("assistant", "model", "anthropic:claude-sonnet-5"), /is saved as/);
  }, { env: { ANTHROPIC_API_KEY: "k" } }));

Deno.test("update_config refuses a value that does not fit, a setting there is none of, and a file that does not load (K-037, K-038)", () =>
  withDesk(async ({ file, update }) => {
    assert.match(await update("assistant", "max_iterations", "many"), /^Nothing was changed\. .*max_iterations/);
    assert.match(await update("assistant", "nonsense", "1"), /There is no setting "assistant\.nonsense"/);
    assert.match(await update("", "", "1"), /There is no setting/);
    assert.match(await update("assistant.generation", "temperature", "5"), /temperature/);
    await Deno.writeTextFile(file, "[agents.assistant]\nbroken");
    assert.match(await update("assistant", "max_iterations", "7"), /^Nothing was changed\./);
    assert.equal(await Deno.readTextFile(file), "[agents.assistant]\nbroken");
  }));
