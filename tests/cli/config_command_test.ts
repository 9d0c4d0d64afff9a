import assert from "node:assert/strict";
import { join } from "node:path";
import { z } from "zod";
import { type ConfigCommandIo, runConfigCommand } from "../../cli/config_command.ts";
import { EXAMPLE_CONFIG } from "../../core/config/mod.ts";

/** A home folder of its own, and what was printed. */
class Home implements AsyncDisposable {
  out = "";
  err = "";

  private constructor(readonly folder: string) {}

  static async make(): Promise<Home> {
    return new Home(await Deno.makeTempDir({ prefix: "malama-config-command-" }));
  }

  get file(): string {
    return join(this.folder, "config.toml");
  }

  async run(args: readonly string[], rest: Partial<ConfigCommandIo> = {}): Promise<number> {
    this.out = this.err = "";
    return await runConfigCommand(args, {
      env: (name) => name === "MALAMA_HOME" ? this.folder : undefined,
      stdout: (text) => this.out += text,
      stderr: (text) => this.err += text,
      cwd: this.folder,
      ...rest,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}

Deno.test("config path says where the file is, by home, variable and flag", async () => {
  await using home = await Home.make();
  assert.equal(await home.run(["path"]), 0);
  assert.equal(home.out, `${home.file}\n`);
  assert.equal(await home.run(["path", "--config", "other.toml"]), 0);
  assert.equal(home.out, `${join(home.folder, "other.toml")}\n`);
  const env = (name: string) => name === "MALAMA_CONFIG" ? "/etc/malama.toml" : undefined;
  await home.run(["path"], { env });
  assert.equal(home.out, "/etc/malama.toml\n");
});

Deno.test("config init writes the example where the file belongs, and says where (K-044)", async () => {
  await using home = await Home.make();
  assert.equal(await home.run(["init"]), 0);
  assert.equal(home.out, `Wrote ${home.file}\n`);
  assert.equal(await Deno.readTextFile(home.file), EXAMPLE_CONFIG);
});

Deno.test("config init refuses to overwrite without --force (K-044)", async () => {
  await using home = await Home.make();
  await Deno.writeTextFile(home.file, "# mine\n");
  assert.equal(await home.run(["init"]), 2);
  assert.match(home.err, /^.*config\.toml: The file is there already: .*"--force"\n$/);
  assert.equal(await Deno.readTextFile(home.file), "# mine\n");
  assert.equal(await home.run(["init", "--force"]), 0);
  assert.equal(await Deno.readTextFile(home.file), EXAMPLE_CONFIG);
});

Deno.test("config init writes to a path somebody names, from the working directory", async () => {
  await using home = await Home.make();
  for (const args of [["--path", "sub/a.toml"], ["--path=sub/b.toml"]]) {
    assert.equal(await home.run(["init", ...args]), 0);
  }
  assert.equal(await Deno.readTextFile(join(home.folder, "sub/a.toml")), EXAMPLE_CONFIG);
  assert.equal(await Deno.readTextFile(join(home.folder, "sub/b.toml")), EXAMPLE_CONFIG);
});

Deno.test("config check says ok and what was found", async () => {
  await using home = await Home.make();
  await home.run(["init"]);
  assert.equal(await home.run(["check"]), 0);
  assert.equal(home.err, "");
  assert.equal(
    home.out,
    [
      `ok: ${home.file}`,
      "  agents  assistant (the one you talk to), researcher, coder, introspector",
      "  model   not set: MALAMA_MODEL, a local server that answers, then demo:tour",
      `  data    ${join(home.folder, "data")}`,
      "  web     127.0.0.1:8000\n",
    ].join("\n"),
  );
});

Deno.test("config check prints every fault on a line of its own and ends with 2 (K-019)", async () => {
  await using home = await Home.make();
  await Deno.writeTextFile(home.file, '[agents.assistant]\n[web]\nport = "x"\nprot = 1\n');
  assert.equal(await home.run(["check"]), 2);
  assert.equal(home.out, "");
  const lines = home.err.trimEnd().split("\n");
  assert.equal(lines.length, 2);
  assert.ok(lines[0]!.startsWith(`${home.file}:3: [web].port must be an integer`), lines[0]);
  assert.ok(lines[1]!.startsWith(`${home.file}:4: Unknown key [web].prot`), lines[1]);
});

Deno.test("config check says what to do about a missing file, default or named", async () => {
  await using home = await Home.make();
  assert.equal(await home.run(["check"]), 2);
  assert.match(home.err, /write one with "[^"]*task start config init"\n$/);
  assert.equal(await home.run(["check", "--config", "other.toml"]), 2);
  assert.match(home.err, /other\.toml: There is no such file: .*config init --path .*other\.toml"\n$/);
});

Deno.test("config check knows the installed toolsets, warns, and asks higher floors", async () => {
  await using home = await Home.make();
  await Deno.writeTextFile(home.file, '[agents.assistant]\nmodel = "nonsense"\n[weather]\nunits = "c"\n');
  const toolsets = { weather: z.strictObject({ units: z.string() }) };
  assert.equal(await home.run(["check"], { toolsets }), 0);
  assert.match(home.err, /^Nobody reads \[weather\]/);
  const checks = [
    () => [{ message: "[agents.assistant].model cannot be used", section: "agents.assistant", key: "model" }],
  ];
  assert.equal(await home.run(["check"], { toolsets, checks }), 2);
  assert.equal(home.err, `${home.file}:2: [agents.assistant].model cannot be used\n`);
});

const MISTAKES: readonly (readonly [readonly string[], RegExp])[] = [
  [[], /^Usage:/],
  [["chekc"], /^There is no "config chekc": use init, check or path\n$/],
  [["check", "--confg", "x"], /^"--confg" is not known here: use --config\n$/],
  [["check", "--config"], /^--config needs a file after it\n$/],
  [["init", "--path="], /^--path needs a file after it\n$/],
  [["path", "extra"], /^"extra" is not known here/],
];

for (const [args, message] of MISTAKES) {
  Deno.test(`config ${args.join(" ")} is a mistake that says what to do, and ends with 2`, async () => {
    await using home = await Home.make();
    assert.equal(await home.run(args), 2);
    assert.match(home.err, message);
    assert.equal(home.out, "");
  });
}

Deno.test("config --help shows the usage and is no mistake", async () => {
  await using home = await Home.make();
  assert.equal(await home.run(["--help"]), 0);
  assert.match(home.out, /task start config init/);
});
