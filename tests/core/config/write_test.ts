import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { z } from "zod";
import {
  ConfigChanged,
  ConfigError,
  EXAMPLE_CONFIG,
  loadConfig,
  removeSetting,
  SettingLocked,
  type SettingValue,
  writeSettings,
} from "../../../core/config/mod.ts";
import { ConfigFolder } from "./config_on_disk.ts";

const FILE = `# Mine.
[agents.assistant]   # me
[web]
port = 8000 # old
#host = "127.0.0.1"

[[mcp.server]]
name = "x"
url = "https://a.b"
`;

async function failing<T extends ConfigError>(
  promise: Promise<unknown>,
  kind: new (...args: never[]) => T,
): Promise<T> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof kind, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: "This was written" });
}

/** Nothing but the file itself is in its folder: no draft was left behind. */
async function assertTidy(folder: ConfigFolder): Promise<void> {
  const names = (await Array.fromAsync(Deno.readDir(folder.root))).map(({ name }) => name);
  assert.deepEqual(names, ["config.toml"]);
}

Deno.test("writeSettings() writes several settings at once and leaves every other byte alone (K-035)", async () => {
  await using folder = await (await ConfigFolder.make()).write(FILE);
  const written = await writeSettings(folder.source, {
    "web.port": 9000,
    "web.host": "::1",
    "assistant.generate_titles": false,
  });
  const expected = FILE.replace("8000", "9000").replace('#host = "127.0.0.1"\n', '#host = "127.0.0.1"\nhost = "::1"\n');
  assert.equal(await folder.read(), `${expected}\n[assistant]\ngenerate_titles = false\n`);
  assert.deepEqual(written.applied, ["assistant.generate_titles"]);
  assert.deepEqual(written.restart, ["web.port", "web.host"]);
  assert.equal(written.config.web.port, 9000);
  const again = await loadConfig(folder.source);
  assert.equal(written.version, again.version);
  await assertTidy(folder);
});

Deno.test("removeSetting() and null bring a default back", async () => {
  await using folder = await (await ConfigFolder.make()).write(FILE);
  const { config } = await removeSetting(folder.source, "web.port");
  assert.equal(config.web.port, 8000);
  assert.equal(await folder.read(), FILE.replace("port = 8000 # old\n", ""));
  const before = await folder.read();
  await writeSettings(folder.source, { "web.port": null });
  assert.equal(await folder.read(), before);
});

Deno.test("writeSettings() keeps Windows line ends and a byte order mark", async () => {
  await using folder = await ConfigFolder.make();
  const text = `\uFEFF${FILE.replaceAll("\n", "\r\n")}`;
  await folder.write(text);
  await writeSettings(folder.source, { "web.port": 9000 });
  const bytes = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await Deno.readFile(folder.file));
  assert.equal(bytes, text.replace("8000", "9000"));
});

Deno.test("writeSettings() refuses a version that is no longer the file's (ConfigChanged), and says which is", async () => {
  await using folder = await (await ConfigFolder.make()).write(FILE);
  const { version } = await loadConfig(folder.source);
  await folder.write(`${FILE}# a person was here\n`);
  const error = await failing(writeSettings(folder.source, { "web.port": 1 }, { version }), ConfigChanged);
  assert.equal(error.version, (await loadConfig(folder.source)).version);
  assert.equal(error.name, "ConfigChanged");
  assert.equal(await folder.read(), `${FILE}# a person was here\n`);
  await writeSettings(folder.source, { "web.port": 1 }, { version: error.version });
  assert.match(await folder.read(), /port = 1 # old/);
});

Deno.test("of many writers at once none loses its change", async () => {
  await using folder = await (await ConfigFolder.make()).write(FILE);
  const changes: readonly Record<string, SettingValue>[] = [
    { "web.port": 9000 },
    { "assistant.max_iterations": 3 },
    { "logging.level": "DEBUG" },
    { "planning.review_rounds": 1 },
  ];
  await Promise.all(changes.map((change) => writeSettings(folder.source, change)));
  const config = await loadConfig(folder.source);
  assert.deepEqual([config.web.port, config.assistant.maxIterations, config.logging.level], [9000, 3, "DEBUG"]);
  assert.equal((config.sections.planning as { review_rounds: number }).review_rounds, 1);
  await assertTidy(folder);
});

Deno.test("of two writers with the same version exactly one is told", async () => {
  await using folder = await (await ConfigFolder.make()).write(FILE);
  const { version } = await loadConfig(folder.source);
  const results = await Promise.allSettled([
    writeSettings(folder.source, { "web.port": 1 }, { version }),
    writeSettings(folder.source, { "web.port": 2 }, { version }),
  ]);
  const refused = results.filter((result) => result.status === "rejected");
  assert.equal(refused.length, 1);
  assert.ok(refused[0]!.reason instanceof ConfigChanged);
});

Deno.test("writeSettings() refuses a locked setting with the pattern, and the list by axiom (K-034)", async () => {
  await using folder = await (await ConfigFolder.make()).write(FILE);
  const locked = await failing(writeSettings(folder.source, { "agents.assistant.model": "demo:echo" }), SettingLocked);
  assert.equal(locked.pattern, "agents.*");
  assert.equal(locked.message, `${folder.file}: agents.assistant.model is locked by "agents.*": edit the file by hand`);
  const task = await failing(writeSettings(folder.source, { "scheduling.task.x.prompt": "y" }), SettingLocked);
  assert.match(task.message, /change it with the scheduling tools$/);
  const axiom = await failing(writeSettings(folder.source, { "security.locked_config_keys": [] }), SettingLocked);
  assert.match(axiom.message, /cannot be written by what it restrains/);
  assert.equal(await folder.read(), FILE);
});

Deno.test("one locked setting among others writes none of them", async () => {
  await using folder = await (await ConfigFolder.make()).write(FILE);
  await failing(writeSettings(folder.source, { "web.port": 1, "web.auth": "none" }), SettingLocked);
  assert.equal(await folder.read(), FILE);
});

Deno.test("the locks of the file on disk hold, not those it would have (K-033)", async () => {
  const text = `${FILE}[security]\nlocked_config_keys = ["web.*"]\n`;
  await using folder = await (await ConfigFolder.make()).write(text);
  await failing(writeSettings(folder.source, { "web.port": 1 }), SettingLocked);
  await writeSettings(folder.source, { "agents.assistant.model": "demo:echo" });
  assert.match(await folder.read(), /\[agents\.assistant\] {3}# me\nmodel = "demo:echo"\n/);
});

Deno.test("tools that own a locked table may write it", async () => {
  await using folder = await (await ConfigFolder.make()).write(FILE);
  const { config } = await writeSettings(folder.source, {
    "scheduling.task.morning.prompt": "What is on?",
    "scheduling.task.morning.schedule": { type: "daily", at: "07:30" },
  }, { locks: false });
  assert.deepEqual(Object.keys((config.sections.scheduling as { task: object }).task), ["morning"]);
  assert.match(
    await folder.read(),
    /\[scheduling\.task\.morning\]\nprompt = "What is on\?"\nschedule = \{ type = "daily", at = "07:30" \}\n/,
  );
});

const BAD: readonly (readonly [string, Record<string, SettingValue>, RegExp])[] = [
  ["a value of the wrong kind", { "web.port": "eighty" }, /config\.toml: \[web\]\.port must be an integer .*"eighty"$/],
  [
    "a value that does not go with another",
    { "assistant.agent": "nobody" },
    /names no agent: there is no \[agents\.nobody\]/,
  ],
  ["a setting that does not exist", { "web.prot": 1 }, /There is no setting "web\.prot"/],
  ["a name that is none", { "web..port": 1 }, /There is no setting "web\.\.port"/],
  ["a whole section", { web: { port: 1 } }, /There is no setting "web"/],
  ["a text that cannot be encoded", { "assistant.system_message": "\ud800" }, /half a character/],
];

for (const [name, values, message] of BAD) {
  Deno.test(`writeSettings() refuses ${name} and writes nothing (K-038)`, async () => {
    await using folder = await (await ConfigFolder.make()).write(FILE);
    assert.match((await failing(writeSettings(folder.source, values), ConfigError)).message, message);
    assert.equal(await folder.read(), FILE);
    await assertTidy(folder);
  });
}

Deno.test("writeSettings() refuses an element of a list of tables, even unlocked", async () => {
  await using folder = await (await ConfigFolder.make()).write(FILE);
  const write = writeSettings(folder.source, { "mcp.server.url": "https://c.d" }, { locks: false });
  assert.match((await failing(write, ConfigError)).message, /list of tables; edit the file by hand/);
});

Deno.test("writeSettings() refuses to touch a file that does not load (K-038)", async () => {
  const broken = `${FILE}[web\n`;
  await using folder = await (await ConfigFolder.make()).write(broken);
  assert.match(
    (await failing(writeSettings(folder.source, { "web.port": 1 }), ConfigError)).message,
    /This is not TOML/,
  );
  assert.equal(await folder.read(), broken);
});

Deno.test("a check from a higher floor has its say before anything is written", async () => {
  await using folder = await (await ConfigFolder.make()).write(FILE);
  const source = {
    ...folder.source,
    checks: [
      (config: { assistant: { model?: string } }) =>
        config.assistant.model === "nonsense"
          ? [{ message: "[assistant].model cannot be used", section: "assistant", key: "model" }]
          : [],
    ],
  };
  assert.match(
    (await failing(writeSettings(source, { "assistant.model": "nonsense" }), ConfigError)).message,
    /\[assistant\]\.model cannot be used/,
  );
  await writeSettings(source, { "assistant.model": "demo:echo" });
  assert.match(await folder.read(), /model = "demo:echo"/);
});

Deno.test("writeSettings() writes a toolset's settings", async () => {
  await using folder = await (await ConfigFolder.make()).write(FILE);
  const source = {
    ...folder.source,
    toolsets: { weather: z.strictObject({ units: z.enum(["c", "f"]).default("c") }) },
  };
  const { config } = await writeSettings(source, { "weather.units": "f" });
  assert.deepEqual(config.toolsets.weather, { units: "f" });
  await failing(writeSettings(source, { "weather.units": "k" }), ConfigError);
});

Deno.test("writeSettings() writes the example first where there is no file (K-036)", async () => {
  await using folder = await ConfigFolder.make();
  await writeSettings(folder.source, { "web.port": 9000 });
  assert.equal(await folder.read(), EXAMPLE_CONFIG.replace(/^(#port = 8000.*\n)/m, "$1port = 9000\n"));
});

Deno.test("flags are never written back (K-014)", async () => {
  await using folder = await (await ConfigFolder.make()).write(FILE);
  const { config } = await writeSettings({ ...folder.source, flags: { port: 1 } }, { "web.host": "::1" });
  assert.equal(config.web.port, 1);
  assert.match(await folder.read(), /port = 8000 # old/);
});

Deno.test("setting what is already there does not touch the file", async () => {
  await using folder = await (await ConfigFolder.make()).write(FILE);
  const before = await Deno.stat(folder.file);
  await writeSettings(folder.source, { "web.port": 8000 });
  assert.equal((await Deno.stat(folder.file)).ino, before.ino);
});

Deno.test({
  name: "the file keeps its mode, and a symbolic link to it stays one",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using folder = await ConfigFolder.make();
    const real = join(folder.root, "real.toml");
    await Deno.writeTextFile(real, FILE);
    await Deno.chmod(real, 0o640);
    await Deno.symlink(real, folder.file);
    await writeSettings(folder.source, { "web.port": 9000 });
    assert.equal((await Deno.lstat(folder.file)).isSymlink, true);
    assert.equal((await Deno.stat(real)).mode! & 0o777, 0o640);
    assert.equal(await Deno.readTextFile(real), FILE.replace("8000", "9000"));
  },
});

Deno.test("a reader sees the old file or the new one, never half of one", async () => {
  const text = `${FILE}${"# filling\n".repeat(20_000)}`;
  await using folder = await (await ConfigFolder.make()).write(text);
  const valid = new Set([text, text.replace("8000", "9000")]);
  let writing = true;
  const reader = (async () => {
    let reads = 0;
    while (writing) {
      assert.ok(valid.has(await folder.read()), "half a file was read");
      reads++;
    }
    return reads;
  })();
  for (let round = 0; round < 6; round++) await writeSettings(folder.source, { "web.port": round % 2 ? 8000 : 9000 });
  writing = false;
  assert.ok(await reader > 0);
});

Deno.test("any value written reads back through a whole load, and taking it out restores the file", async () => {
  await using folder = await (await ConfigFolder.make()).write(FILE);
  const value = fc.record({
    message: fc.string({ unit: "grapheme", maxLength: 40 }),
    port: fc.integer({ min: 0, max: 65535 }),
    hosts: fc.array(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 3 }),
    temperature: fc.double({ min: 0, max: 2, noNaN: true }),
    titles: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(value, async ({ message, port, hosts, temperature, titles }) => {
      await folder.write(FILE);
      const { config } = await writeSettings(folder.source, {
        "assistant.system_message": message,
        "assistant.generate_titles": titles,
        "assistant.generation.temperature": temperature,
        "web.allowed_hosts": hosts,
        "web.port": port,
      });
      assert.equal(config.assistant.systemMessage, message);
      assert.equal(config.assistant.generateTitles, titles);
      assert.equal(config.assistant.generation.temperature! + 0, temperature + 0);
      assert.deepEqual(config.web.allowedHosts, hosts);
      assert.equal(config.web.port, port);
      await writeSettings(folder.source, { "web.allowed_hosts": null, "web.port": 8000 });
      const left = await folder.read();
      assert.ok(left.startsWith(FILE), left);
    }),
    { numRuns: 30 },
  );
});
