import { toolsetLines } from "../../cli/listing.ts";
import assert from "node:assert/strict";
import { main } from "../../main.ts";
import type { Surroundings } from "../../cli/surroundings.ts";
import { join } from "node:path";
import { withHome } from "./product.ts";

interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line inside this process. */
async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  let stdout = "";
  let stderr = "";
  const surroundings: Surroundings = {
    env: (name) => env[name],
    cwd: "/",
    stdout: (text) => void (stdout += text),
    stderr: (text) => void (stderr += text),
    now: () => new Date("2026-11-30T09:00:00Z"),
    version: "0.1.0",
  };
  const status = await main(args, surroundings);
  return { status, stdout, stderr };
}

async function withConfig(toml: string, test: (env: Record<string, string>, home: string) => Promise<void>) {
  await withHome(async (home) => {
    await Deno.writeTextFile(join(home, "config.toml"), toml);
    await test({ MALAMA_HOME: home, MALAMA_MODEL: "demo:tour" }, home);
  });
}

const ONE_AGENT = '[agents.assistant]\n[agents.assistant.tools]\navailable = ["time"]\n';

Deno.test("malama --version and --help print to stdout and exit 0", async () => {
  assert.deepEqual(await run(["--version"]), { status: 0, stdout: "malama 0.1.0\n", stderr: "" });
  const { status, stdout } = await run(["--help"]);
  assert.equal(status, 0);
  assert.match(stdout, /^Malama, a personal assistant/);
});

Deno.test("malama exits 2 with one line on a mistyped flag or command", async () => {
  for (const args of [["--prot", "1"], ["chta"], ["serve", "--port", "x"]]) {
    const { status, stdout, stderr } = await run(args);
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /^[^\n]+\n$/);
  }
});

Deno.test("malama exits 2 on an unknown front end and names those there are", () =>
  withConfig(ONE_AGENT, async (env) => {
    const { status, stderr } = await run(["--frontend", "gui"], env);
    assert.equal(status, 2);
    assert.match(stderr, /no front end "gui": the installed ones are web and cli/);
  }));

Deno.test("malama exits 2 with one line when a named configuration is missing", () =>
  withHome(async (home) => {
    const { status, stderr } = await run(["agents", "--config", join(home, "nowhere.toml")], { MALAMA_HOME: home });
    assert.equal(status, 2);
    assert.match(stderr, /^[^\n]*nowhere\.toml[^\n]*\n$/);
  }));

Deno.test("malama agents says how to make a configuration when there is none, and writes nothing", () =>
  withHome(async (home) => {
    const { status, stderr } = await run(["agents"], { MALAMA_HOME: home });
    assert.equal(status, 2);
    assert.match(stderr, /task start config init/);
    assert.deepEqual([...Deno.readDirSync(home)], []);
  }));

Deno.test("malama exits 2 with one line on a configuration that is wrong", () =>
  withConfig(`${ONE_AGENT}[web]\nprot = 1\n`, async (env) => {
    const { status, stderr } = await run(["agents"], env);
    assert.equal(status, 2);
    assert.match(stderr, /^[^\n]*prot[^\n]*\n$/);
  }));

Deno.test("malama exits 2 on an agent with a toolset that is not installed, naming the line", () =>
  withConfig(ONE_AGENT.replace("time", "tiem"), async (env) => {
    const { status, stderr } = await run(["agents"], env);
    assert.equal(status, 2);
    assert.match(stderr, /^[^\n]*config\.toml:3: [^\n]*"tiem"[^\n]*\n$/);
  }));

const HELPER = `[agents.helper]
description = "Helps"
model = "ollama:qwen3:8b"
thinking = "low"
max_iterations = 4
delegates_to = ["other"]
[agents.helper.tools]
available = ["time", "compute"]
resident = ["compute"]
confirm = ["compute.calculate"]
[agents.other]
`;

Deno.test("malama agents prints each agent: model, effort, toolsets in hand and to load, delegates (K-193)", () =>
  withConfig(`${ONE_AGENT}${HELPER}`, async (env) => {
    const { status, stdout } = await run(["agents"], env);
    assert.equal(status, 0);
    assert.match(
      stdout,
      /^assistant {3}\(the one you talk to\)\n[\s\S]*tools: get_current_date_and_time, convert_time\n/,
    );
    const said = "\nhelper\n  Helps\n  model ollama:qwen3:8b, thinking low, 4 model calls a run at most\n" +
      "  in hand: compute\n  can load: time\n  asks first: compute.calculate\n  delegates to: other\n  tools: calculate,";
    assert.ok(stdout.includes(said), stdout);
    assert.match(stdout, /spawn_subagent, available_tools, load_tools/);
  }));

Deno.test("malama toolsets prints every name for available, by provider, and what its tools do (K-193)", () =>
  withConfig(ONE_AGENT, async (env) => {
    const { stdout } = await run(["toolsets"], env);
    assert.match(stdout, /^Come with Malama\n\n {2}time {3}\S/);
    assert.match(stdout, /^ {4}calculate {2,}Works out/m);
    assert.doesNotMatch(stdout, /^ {2}core /m, "nobody declares the loop's own");
  }));

Deno.test("malama toolsets says what a third party's wants, what it is granted, and what is wrong", () => {
  const text = toolsetLines([{
    name: "weather",
    provider: "plugin",
    description: "Weather",
    entry_only: true,
    wanted: { net: ["a.example", "b.example"], read: [] },
    granted: { net: ["a.example"] },
    status: "problem",
    problem: "It did not start",
    from: "npm:weather",
    tools: [{ name: "forecast", description: "Tells" }],
  }]);
  assert.equal(
    text,
    "Plugins\n\n  weather   Weather\n    for the entry agent alone\n    from npm:weather\n    wants net a.example b.example\n" +
      "    is granted net a.example\n    cannot be used: It did not start\n    forecast  Tells\n\n",
  );
});

Deno.test("malama models prints the demo, and which key a provider elsewhere needs", () =>
  withConfig(ONE_AGENT, async (env) => {
    const { stdout } = await run(["models"], env);
    assert.match(stdout, /^demo:tour\s/m);
    assert.match(stdout, /^anthropic:\S+ .*needs ANTHROPIC_API_KEY$/m);
  }));

Deno.test("malama serve exits 1 with one line when MALAMA_MODEL is no model", () =>
  withConfig(ONE_AGENT, async (env) => {
    const { status, stderr } = await run(["serve", "--port", "0"], { ...env, MALAMA_MODEL: "nonsense" });
    assert.equal(status, 1);
    assert.match(stderr.trimEnd().split("\n").at(-1)!, /nonsense/);
    assert.doesNotMatch(stderr, /\n\s+at /);
  }));

Deno.test("malama serve exits 1 and names the variable when the model's key is not set, and lets the folder go", () =>
  withConfig(ONE_AGENT, async (env) => {
    const args = ["serve", "--port", "0", "--model", "anthropic:claude-opus-5"];
    for (let times = 0; times < 2; times++) {
      const { status, stdout, stderr } = await run(args, env);
      assert.equal(status, 1);
      assert.equal(stdout, "");
      assert.match(stderr, /needs a key: set ANTHROPIC_API_KEY, or choose another model with --model\n$/);
    }
  }));

Deno.test("malama serve exits 2 and names the port when it is taken", () =>
  withConfig(ONE_AGENT, async (env) => {
    const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = taken.addr;
    const { status, stderr } = await run(["serve", "--port", String(port)], env);
    taken.close();
    assert.equal(status, 2);
    assert.match(stderr, new RegExp(`^Port ${port} [^\n]*--port[^\n]*\n$`));
  }));

Deno.test("malama serve exits 2 when others could reach a page without a login", () =>
  withConfig(`${ONE_AGENT}[web]\nauth = "none"\nhost = "0.0.0.0"\n`, async (env) => {
    const { status, stderr } = await run(["serve", "--port", "0"], env);
    assert.equal(status, 2);
    assert.match(stderr, /auth/);
  }));

Deno.test("malama serve exits 2 where the data folder cannot be", () =>
  withConfig(ONE_AGENT, async (env, home) => {
    await Deno.writeTextFile(join(home, "data"), "a file where the folder should be");
    const { status, stderr } = await run(["serve", "--port", "0"], env);
    assert.equal(status, 2, stderr);
    assert.doesNotMatch(stderr, /\n\s+at /);
  }));

Deno.test("malama login exits 2 when no server runs, and says how to start one", () =>
  withConfig(ONE_AGENT, async (env) => {
    const { status, stderr } = await run(["login"], env);
    assert.equal(status, 2);
    assert.match(stderr, /task start serve/);
  }));

Deno.test("malama config path says which file is read", () =>
  withConfig(ONE_AGENT, async (env, home) => {
    assert.equal((await run(["config", "path"], env)).stdout, `${join(home, "config.toml")}\n`);
  }));

Deno.test("malama config check takes the sections of the built-in toolsets", () =>
  withConfig(ONE_AGENT, async (env) => {
    assert.equal((await run(["config", "check"], env)).status, 0);
  }));

Deno.test("malama doctor finds nothing wrong with a fresh folder", () =>
  withConfig(ONE_AGENT, async (env) => {
    const { status, stdout } = await run(["doctor", "--port", "0"], env);
    assert.equal(status, 0, stdout);
    for (const what of ["runtime", "configuration", "data folder", "store", "model", "port"]) {
      assert.match(stdout, new RegExp(`^(?:ok|note) +${what} `, "m"));
    }
    assert.match(stdout, /All is well\n$/);
  }));

Deno.test("malama doctor names everything that is wrong and what to do, and exits 1", () =>
  withConfig(`${ONE_AGENT}[assistant]\nmodel = "ollama:qwen3:8b@http://127.0.0.1:1"\n`, async (env, home) => {
    await Deno.mkdir(join(home, "data"));
    await Deno.writeTextFile(
      join(home, "data", "malama.db"),
      "this is no database, and long enough to be read as one".repeat(99),
    );
    const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { status, stdout } = await run(["doctor", "--port", String(taken.addr.port)], env);
    taken.close();
    assert.equal(status, 1);
    assert.match(stdout, /^problem +store +.*malama\.db/m);
    assert.match(stdout, /^problem +model +ollama:\S+ does not answer at http:\/\/127\.0\.0\.1:1/m);
    assert.match(stdout, /^problem +port +.*--port/m);
    assert.match(stdout, /3 to put right\n$/);
  }));

Deno.test("malama doctor stops at a configuration that is wrong", () =>
  withConfig("[web]\nport = true\n", async (env) => {
    const { status, stdout } = await run(["doctor"], env);
    assert.equal(status, 1);
    assert.match(stdout, /^problem +configuration /m);
    assert.doesNotMatch(stdout, /store/);
  }));
