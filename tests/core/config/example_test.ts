import assert from "node:assert/strict";
import {
  ConfigError,
  EXAMPLE_CONFIG,
  loadConfig,
  scaffoldConfig,
  sections,
  writeExample,
} from "../../../core/config/mod.ts";
import { defaultOf } from "../../../core/config/key_rule.ts";
import { isTable, parseToml } from "../../../core/config/toml.ts";
import { ConfigFolder, configOf } from "./config_on_disk.ts";

/** The example with every setting in it switched on: a setting is a line that starts with "#" and no space. */
const SWITCHED_ON = EXAMPLE_CONFIG.replace(/^#(?=[^\s#])/gm, "");

Deno.test("the shipped example loads and warns of nothing (K-045)", async () => {
  const config = await configOf(EXAMPLE_CONFIG);
  assert.deepEqual(config.warnings, []);
  assert.deepEqual(Object.keys(config.agents), ["assistant", "researcher", "coder", "introspector"]);
  assert.equal(config.assistant.agent, "assistant");
  const { delegatesTo, tools } = config.agents.assistant!;
  assert.deepEqual(delegatesTo, ["researcher", "coder", "introspector"]);
  assert.deepEqual(tools, {
    available: ["memory", "documents", "config", "conversations", "capabilities", "time", "messaging"],
    resident: ["memory", "config", "conversations", "capabilities", "time", "messaging"],
  });
});

Deno.test("the shipped example sets nothing but its agents: who they are and what they hold", async () => {
  const config = await configOf(EXAMPLE_CONFIG);
  const written = config.settings.filter(({ source }) => source === "file").map(({ name }) => name);
  assert.deepEqual(written.filter((name) => !name.startsWith("agents.")), []);
  const keys = new Set(written.map((name) => name.split(".").slice(2).join(".")));
  assert.deepEqual([...keys].sort(), [
    "delegates_to",
    "description",
    "system_message",
    "tools.available",
    "tools.resident",
  ]);
});

Deno.test("the example with every setting switched on loads as well", async () => {
  assert.deepEqual(Object.keys((await configOf(SWITCHED_ON)).agents), [
    "assistant",
    "researcher",
    "coder",
    "introspector",
  ]);
});

/** Triggers that wait for a schedule take one of three keys; two of them stand in the comment of the third. */
const SHOWN_IN_A_COMMENT = ["every_minutes", "hourly_at"];

Deno.test("the example names every section, and every key in one it belongs to (K-043)", () => {
  const tree = parseToml(SWITCHED_ON);
  // A key that several sections share by the same rule, such as a generation parameter, is shown in one of them.
  const shown = new Set<unknown>();
  const wanted = sections.SECTIONS.filter(({ like }) => like === undefined);
  for (const section of wanted) {
    const tables = tablesAt(tree, section.name.split("."));
    assert.notEqual(tables.length, 0, `[${section.name}] is not in the example`);
    for (const [key, rule] of Object.entries(section.keys)) {
      const inComment = SHOWN_IN_A_COMMENT.includes(key) && SWITCHED_ON.includes(`${key} =`);
      if (inComment || tables.some((table) => Object.hasOwn(table, key))) shown.add(rule);
    }
  }
  for (const section of wanted) {
    for (const [key, rule] of Object.entries(section.keys)) assert.ok(shown.has(rule), `[${section.name}].${key}`);
  }
});

Deno.test("each key stands on one line of its own", () => {
  for (const line of SWITCHED_ON.split("\n").filter((text) => /^[^#\s[]/.test(text))) {
    assert.doesNotThrow(() => parseToml(line), line);
  }
});

/** Defaults that depend on the machine, and examples that cannot be a default. */
const NO_DEFAULT_SHOWN = /^(agents|reviewers|toolsets|terrariums|scheduling\.task|mcp\.server)/;

Deno.test("what the example shows for a key with a default is that default", () => {
  const tree = parseToml(SWITCHED_ON);
  for (const section of sections.SECTIONS.filter(({ name }) => !NO_DEFAULT_SHOWN.test(name))) {
    for (const [key, rule] of Object.entries(section.keys)) {
      const value = defaultOf(rule);
      if (value === undefined) continue;
      for (const table of tablesAt(tree, section.name.split("."))) {
        assert.deepEqual(table[key], value, `[${section.name}].${key}`);
      }
    }
  }
});

/** Every table at the pattern; `<name>` stands for any, and a list gives its elements. */
function tablesAt(value: unknown, pattern: readonly string[]): readonly Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap((item) => tablesAt(item, pattern));
  if (!isTable(value)) return [];
  const [first, ...rest] = pattern;
  if (first === undefined) return [value];
  const below = first === "<name>" ? Object.values(value) : [value[first]];
  return below.flatMap((part) => tablesAt(part, rest));
}

Deno.test("scaffoldConfig() writes the example for its owner alone, folders included", async () => {
  await using folder = await ConfigFolder.make();
  const file = `${folder.root}/a/b/config.toml`;
  await scaffoldConfig(file);
  assert.equal(await Deno.readTextFile(file), EXAMPLE_CONFIG);
  if (Deno.build.os !== "windows") assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
});

Deno.test("scaffoldConfig() overwrites only when told to (K-044)", async () => {
  await using folder = await (await ConfigFolder.make()).write("# mine\n");
  await assert.rejects(scaffoldConfig(folder.file), (error: Error) => {
    assert.ok(error instanceof ConfigError);
    assert.match(error.message, /is there already: delete it first, or overwrite it with "--force"$/);
    return true;
  });
  assert.equal(await folder.read(), "# mine\n");
  await scaffoldConfig(folder.file, { force: true });
  assert.equal(await folder.read(), EXAMPLE_CONFIG);
});

Deno.test("scaffoldConfig() says when the folder does not let it", async () => {
  await using folder = await (await ConfigFolder.make()).write("# a file, no folder\n");
  await assert.rejects(scaffoldConfig(`${folder.file}/config.toml`), ConfigError);
});

Deno.test("writeExample() writes a missing default file and says so, once", async () => {
  await using folder = await ConfigFolder.make();
  const location = { root: folder.root, file: folder.file, named: false };
  assert.equal(await writeExample(location), true);
  assert.equal(await writeExample(location), false);
  assert.ok(await loadConfig(location));
});

Deno.test("writeExample() never writes a file somebody named", async () => {
  await using folder = await ConfigFolder.make();
  assert.equal(await writeExample({ root: folder.root, file: folder.file, named: true }), false);
  await assert.rejects(Deno.stat(folder.file), Deno.errors.NotFound);
});
