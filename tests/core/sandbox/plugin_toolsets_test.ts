/** Third parties' toolsets as the config declares them: pinned, granted, and harmless when they are bad. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { acceptPlugin, openPlugins, type PluginOptions, type PluginToolset } from "../../../core/sandbox/mod.ts";
import { callTool } from "../../toolsets/toolset_fixture.ts";

const WEATHER = `import { defineToolset, tool, z } from "malama";
import { words } from "./words.ts";
export default defineToolset({
  name: "sky",
  description: "Says how the sky is",
  guidance: "Ask it first.",
  permissions: { net: ["api.example.org"], read: ["./data"] },
  settings: { unit: z.enum(["c", "f"]).default("c") },
  tools: ({ settings }) => [tool({
    name: "sky", description: "The sky", input: z.object({ place: z.string() }), timeoutSeconds: 300,
    run: ({ place }) => \`\${words} \${place} \${settings.unit}\`,
  })],
});
`;

interface Ground {
  readonly root: string;
  readonly options: (
    toolsets: Readonly<Record<string, unknown>>,
    settings?: PluginOptions["config"]["toolsets"],
  ) => PluginOptions;
  /** Opens them, and closes them when the work is done. */
  readonly open: (
    toolsets: Readonly<Record<string, unknown>>,
    look: (byName: (name: string) => PluginToolset) => Promise<void> | void,
    settings?: PluginOptions["config"]["toolsets"],
  ) => Promise<void>;
}

async function onGround(work: (ground: Ground) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(join(root, "weather"));
  await Deno.writeTextFile(join(root, "weather", "mod.ts"), WEATHER);
  await Deno.writeTextFile(join(root, "weather", "words.ts"), `export const words = "clear over";\n`);
  const options: Ground["options"] = (toolsets, settings = {}) => ({
    config: {
      sections: { toolsets },
      dataDir: join(root, "data"),
      file: join(root, "config.toml"),
      toolsets: settings,
    },
    env: (name) => Deno.env.get(name),
  });
  await Deno.mkdir(join(root, "data"));
  const open: Ground["open"] = async (toolsets, look, settings) => {
    const plugins = await openPlugins(options(toolsets, settings));
    try {
      await look((name) => {
        const found = plugins.toolsets.find(({ toolset }) => toolset.name === name);
        assert(found);
        return found;
      });
    } finally {
      await plugins.close();
    }
  };
  try {
    await work({ root, options, open });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("A toolset of the config is there under the name of its table, and its tools answer", () =>
  onGround(({ open }) =>
    open({ weather: { from: "./weather" } }, async (byName) => {
      const { toolset, problem, from } = byName("weather");
      assert.deepEqual([problem, from, toolset.description, toolset.guidance], [
        null,
        "./weather",
        "Says how the sky is",
        "Ask it first.",
      ]);
      assert.equal(await callTool(toolset, "sky", { place: "Hilo" }, { settings: { unit: "f" } }), "clear over Hilo f");
      assert.equal(await callTool(toolset, "sky", { place: "Hilo" }), "clear over Hilo c");
      assert.match(String(await callTool(toolset, "sky", {})), /place/);
      await assert.rejects(
        callTool(toolset, "sky", { place: "Hilo" }, { settings: { unit: "k" } }),
        /settings do not fit/,
      );
    })
  ));

Deno.test("What it asks for beyond what it was granted is a table to paste, and the time of a call is the config's", () =>
  onGround(async ({ root, open }) => {
    await open({
      weather: { from: "./weather", permissions: { net: ["api.example.org"] }, limits: { timeout_seconds: 9 } },
    }, (byName) => {
      const { table, granted, toolset } = byName("weather");
      assert.equal(table, `[toolsets.weather.permissions]\nnet = ["api.example.org"]\nread = ["./data"]`);
      assert.deepEqual(granted, { net: ["api.example.org"] });
      const context = {
        settings: {},
        now: () => new Date(),
        agent: { name: "a", isEntry: true, delegates: [], loadable: [], depth: 0 },
        service: () => assert.fail(),
      };
      assert.equal(toolset.tools(context)[0]?.timeoutMs, 9000);
    });
    await Deno.mkdir(join(root, "data", "x"));
    const all = { net: ["api.example.org"], read: ["data"] };
    await open(
      { weather: { from: "./weather", permissions: all } },
      (byName) => assert.equal(byName("weather").table, null),
    );
  }));

Deno.test("A module that changed, or that was added, is not run until a person accepts it", () =>
  onGround(async ({ root, options, open }) => {
    const declared = { weather: { from: "./weather" } };
    await open(declared, (byName) => assert.equal(byName("weather").problem, null));
    await Deno.writeTextFile(join(root, "weather", "words.ts"), `export const words = "stormy over";\n`);
    await open(declared, (byName) => {
      const { problem, toolset } = byName("weather");
      assert.match(String(problem), /changed since it was accepted \(words\.ts\)\. .*toolsets accept weather/);
      assert.equal(toolset.name, "weather");
    });
    const { description, table } = await acceptPlugin("weather", options(declared));
    assert.deepEqual(description.tools.map(({ spec }) => spec.name), ["sky"]);
    assert.match(String(table), /api\.example\.org/);
    await open(declared, async (byName) => {
      assert.equal(await callTool(byName("weather").toolset, "sky", { place: "Hilo" }), "stormy over Hilo c");
    });
  }));

Deno.test("A module that changes while Malama runs is not run by the next process either", () =>
  onGround(({ root, open }) =>
    open({ weather: { from: "./weather" } }, () => {}).then(() =>
      open({ weather: { from: "./weather" } }, async (byName) => {
        await Deno.writeTextFile(join(root, "weather", "mod.ts"), WEATHER.replace("The sky", "Another sky"));
        await assert.rejects(
          callTool(byName("weather").toolset, "sky", { place: "Hilo" }),
          /changed since it was accepted/,
        );
      })
    )
  ));

Deno.test("One that comes from somewhere else than it was accepted from is not run", () =>
  onGround(async ({ root, open }) => {
    await open({ weather: { from: "./weather" } }, () => {});
    await Deno.mkdir(join(root, "other"));
    await Deno.writeTextFile(join(root, "other", "mod.ts"), WEATHER.replace("./words.ts", "./mod.ts"));
    await open(
      { weather: { from: "./other" } },
      (byName) =>
        assert.match(String(byName("weather").problem), /accepted from \.\/weather and now comes from \.\/other/),
    );
  }));

Deno.test("A start needs no process of a toolset that was accepted and has not changed", () =>
  onGround(async ({ root, open }) => {
    await open({ weather: { from: "./weather" } }, () => {});
    await Deno.remove(join(root, "data", "plugins"), { recursive: true });
    await open({ weather: { from: "./weather" } }, async (byName) => {
      assert.equal(byName("weather").problem, null);
      await assert.rejects(Deno.stat(join(root, "data", "plugins")), Deno.errors.NotFound);
    });
  }));

Deno.test("Bad toolsets stop nothing: each says what is wrong, and the good one works", () =>
  onGround(async ({ root, open }) => {
    const write = (name: string, text: string) => Deno.writeTextFile(join(root, "weather", `${name}.ts`), text);
    await write("broken", `export default {`);
    await write("throws", `throw new Error("not today");`);
    await write("none", `export default 3;`);
    await write("hungry", `import x from "../secret.json" with { type: "json" }; export default x;`);
    await write("linked", `import x from "./link.json" with { type: "json" }; export default x;`);
    await write("missing", `import "./nowhere.ts"; export default 1;`);
    await Deno.writeTextFile(join(root, "secret.json"), `"secret"`);
    await Deno.symlink(join(root, "secret.json"), join(root, "weather", "link.json"));
    const names = ["broken", "throws", "none", "hungry", "linked", "missing"];
    const bad = Object.fromEntries(names.map((name) => [name, { from: `./weather/${name}.ts` }]));
    await open(
      {
        ...bad,
        weather: { from: "./weather" },
        gone: { from: "./gone" },
        all: { from: "./weather" },
        "../up": { from: "./weather" },
        refused: { from: "./weather", permissions: { read: ["a,b"] } },
      },
      async (byName) => {
        const problem = (name: string) => String(byName(name).problem);
        assert.match(problem("broken"), /broken\.ts/);
        assert.match(problem("throws"), /not today/);
        assert.match(problem("none"), /default export is no toolset/);
        assert.match(problem("hungry"), /outside of its folder/);
        assert.match(problem("linked"), /outside of its folder/);
        assert.match(problem("missing"), /nowhere\.ts/);
        assert.match(problem("gone"), /no toolset at/);
        assert.match(problem("all"), /"all" is reserved/);
        assert.match(problem("../up"), /cannot name a toolset/);
        assert.match(problem("refused"), /"a,b" cannot be granted as read/);
        assert.equal(await callTool(byName("weather").toolset, "sky", { place: "Hilo" }), "clear over Hilo c");
      },
    );
  }));

Deno.test("A lock that cannot be read is told and not overwritten", () =>
  onGround(async ({ root, options, open }) => {
    const file = join(root, "data", "plugins.lock");
    await Deno.writeTextFile(file, "{ half");
    await open({ weather: { from: "./weather" } }, (byName) =>
      assert.match(String(byName("weather").problem), /plugins\.lock cannot be read/));
    await assert.rejects(acceptPlugin("weather", options({ weather: { from: "./weather" } })), /cannot be read/);
    assert.equal(await Deno.readTextFile(file), "{ half");
  }));

Deno.test("A toolset that is not in the config cannot be accepted", () =>
  onGround(async ({ options }) => {
    await assert.rejects(acceptPlugin("nobody", options({})), /no \[toolsets\.nobody\]/);
  }));
