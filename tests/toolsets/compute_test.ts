import assert from "node:assert/strict";
import { createSandbox, SANDBOX } from "../../core/sandbox/mod.ts";
import { Services } from "../../core/tool/mod.ts";
import { compute } from "../../toolsets/compute.ts";
import { pythonProgram } from "../../toolsets/compute/python.ts";
import { builtInToolsets } from "../../toolsets/mod.ts";
import { gone, linux } from "../core/sandbox/processes.ts";
import { callContext, callTool, toolsetContext } from "./toolset_fixture.ts";

const context = callContext();
const [calculate] = compute.tools(toolsetContext(compute));

async function run(input: unknown): Promise<string> {
  assert.ok(calculate !== undefined);
  const checked = calculate.check(input);
  return checked.ok ? String(await calculate.run(checked.value, context)) : checked.problem;
}

Deno.test("calculate answers with the expression and its value", async () => {
  assert.equal(await run({ expression: " 2 ^ 10 " }), "2 ^ 10 = 1024");
});

Deno.test("calculate marks what is rounded", async () => {
  assert.equal(await run({ expression: "1 / 3" }), "1 / 3 ≈ 0.333333333333333");
});

Deno.test("calculate answers what it cannot work out with a sentence that says where (K-328)", async () => {
  assert.equal(
    await run({ expression: "1 / 0" }),
    "That could not be worked out. At character 3: Nothing can be divided by zero",
  );
});

Deno.test("calculate runs no code", async () => {
  const attempts = [
    "Deno.exit()",
    "globalThis",
    "import('x')",
    "(() => 1)()",
    "`${1}`",
    "eval(1)",
    "new Date()",
    "this",
  ];
  for (const expression of attempts) {
    assert.match(await run({ expression }), /could not be worked out/, expression);
  }
});

Deno.test("calculate says when its argument is missing", async () => {
  assert.match(await run({}), /expression/);
});

Deno.test("compute asks for no permissions and says how it is used", () => {
  assert.deepEqual(compute.permissions, {});
  assert.match(compute.guidance ?? "", /calculate/);
  assert.deepEqual(calculate?.spec.input.required, ["expression"]);
});

Deno.test("the built-in toolsets have names and tools that do not collide, and each tool says what it does", () => {
  const tools = builtInToolsets.flatMap((toolset) => toolset.tools(toolsetContext(toolset)));
  const names = tools.map((tool) => tool.spec.name);
  assert.equal(new Set(names).size, names.length);
  assert.equal(new Set(builtInToolsets.map((toolset) => toolset.name)).size, builtInToolsets.length);
  for (const tool of tools) assert.match(tool.spec.description, /^[A-Z].*\.$/s, tool.spec.name);
});

/** A sandbox in a folder of its own. */
async function withSandbox(work: (services: Services, folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const env = (name: string) => name === "OPENAI_API_KEY" ? "sk-secret" : Deno.env.get(name);
  try {
    await work(new Services().provide(SANDBOX, () => createSandbox({ folder, env })), folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("the tools of compute are exactly these, Python's where Python is (K section 6.2)", () => {
  const names = compute.tools(toolsetContext(compute)).map((tool) => tool.spec.name);
  const python = pythonProgram() === null ? [] : ["execute_python"];
  assert.deepEqual(names, ["calculate", "execute_typescript", ...python, "run_command"]);
});

Deno.test("execute_typescript gives what was printed and the default export, and says what bounded it", async () => {
  await withSandbox(async (services) => {
    const code = "const n: number = 6 * 7; console.log('n is', n); export default { n };";
    const said = String(await callTool(compute, "execute_typescript", { code }, { services }));
    assert.match(
      said,
      /^Exit code 0 after .* \[Limits: 30 s, 512 MB of memory, 20000 bytes of output; no files, network/,
    );
    assert.match(said, /Standard output:\nn is 42\n\{ n: 42 \}/);
  });
});

Deno.test("execute_typescript without grants reads nothing, and with one only what is below it", async () => {
  await withSandbox(async (services, folder) => {
    await Deno.mkdir(`${folder}/open`);
    await Deno.writeTextFile(`${folder}/open/a.txt`, "open");
    await Deno.writeTextFile(`${folder}/closed.txt`, "closed");
    await Deno.symlink(`${folder}/closed.txt`, `${folder}/open/link.txt`);
    const code = (path: string) => `console.log(Deno.readTextFileSync(${JSON.stringify(path)}))`;
    const settings = { code_read: `${folder}/open` };
    const run = async (input: unknown, given = {}) =>
      String(await callTool(compute, "execute_typescript", input, { services, ...given }));
    assert.match(await run({ code: code(`${folder}/open/a.txt`) }), /NotCapable/);
    const read = [`${folder}/open`];
    assert.match(
      await run({ code: code(`${folder}/open/a.txt`), read }, { settings }),
      /granted: read .*\n[^]*Standard output:\nopen/,
    );
    assert.match(await run({ code: code(`${folder}/open/link.txt`), read }, { settings }), /NotCapable/);
    assert.match(await run({ code: code(`${folder}/closed.txt`), read }, { settings }), /NotCapable/);
    const more = await run({ code: "1", read: [folder], net: ["example.org"] }, { settings });
    assert.match(more, /^Nothing was run: code is not allowed example\.org .*\n\[compute\]\ncode_net = "example.org"/);
    assert.match(await run({ code: "1", read: [`${folder}/open/../..`] }, { settings }), /Nothing was run/);
  });
});

Deno.test("execute_typescript writes nothing new where a link in an allowed folder leads", async () => {
  await withSandbox(async (services, folder) => {
    await Deno.mkdir(`${folder}/open`);
    await Deno.mkdir(`${folder}/closed`);
    await Deno.symlink(`${folder}/closed`, `${folder}/open/link`);
    await Deno.symlink(`${folder}/closed/new`, `${folder}/open/nowhere`);
    const settings = { code_write: `${folder}/open` };
    for (const path of [`${folder}/open/link/new`, `${folder}/open/nowhere`]) {
      const input = { code: `Deno.writeTextFileSync(${JSON.stringify(path)}, "x")`, write: [path] };
      const said = await callTool(compute, "execute_typescript", input, { services, settings });
      assert.match(String(said), /^Nothing was run/);
    }
    assert.deepEqual([...Deno.readDirSync(`${folder}/closed`)], []);
  });
});

Deno.test("run_command takes an argument for an argument, and hides the keys of providers (K-330)", async () => {
  await withSandbox(async (services) => {
    const run = async (command: string[], settings = {}) =>
      String(await callTool(compute, "run_command", { command }, { services, settings }));
    assert.match(await run(["echo", "$(id)", "a b"]), /Standard output:\n\$\(id\) a b/);
    assert.match(await run(["sh", "-c", "exit 3"]), /^Exit code 3 .*\nIt printed nothing\.$/);
    assert.match(await run(["no-such-program"]), /^Nothing was run\. There is no program "no-such-program" in PATH/);
    assert.doesNotMatch(await run(["env"]), /sk-secret/);
    assert.match(await run(["env"], { command_env_passthrough: " OPENAI_API_KEY " }), /sk-secret/);
  });
});

Deno.test("run_command ends what it left running, and is stopped with its turn", linux, async () => {
  await withSandbox(async (services, folder) => {
    const leaves = ["sh", "-c", "sleep 300 & echo pid $!"];
    const said = String(await callTool(compute, "run_command", { command: leaves }, { services }));
    await gone(Number(/pid (\d+)/.exec(said)?.[1]));
    const stop = new AbortController();
    const call = { signal: stop.signal };
    using begun = Deno.watchFs(folder);
    const command = ["sh", "-c", `echo $$ > ${folder}/pid; sleep 300`];
    const waits = assert.rejects(callTool(compute, "run_command", { command }, { services, call }), /stopped/);
    for await (const { kind } of begun) if (kind === "modify") break;
    stop.abort(new Error("stopped"));
    await waits;
    await gone(Number(await Deno.readTextFile(`${folder}/pid`)));
  });
});
