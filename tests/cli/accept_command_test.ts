/** Third parties' toolsets from the command line. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { main } from "../../main.ts";
import { withHome } from "./product.ts";

const SKY = `import { defineToolset, tool, z } from "malama";
export default defineToolset({
  name: "sky", description: "Says how the sky is", permissions: { net: ["api.example.org"] },
  tools: () => [tool({ name: "sky", description: "The sky", input: z.object({}), run: () => "clear" })],
});
`;

async function run(home: string, ...args: readonly string[]) {
  let stdout = "";
  let stderr = "";
  const env: Readonly<Record<string, string>> = { MALAMA_HOME: home, MALAMA_MODEL: "demo:tour" };
  const status = await main(args, {
    env: (name) => env[name] ?? (name === "PATH" ? Deno.env.get(name) : undefined),
    cwd: "/",
    stdout: (text) => void (stdout += text),
    stderr: (text) => void (stderr += text),
    now: () => new Date("2026-11-30T09:00:00Z"),
    version: "0.1.0",
  });
  return { status, stdout, stderr };
}

Deno.test("A toolset of the config is listed with its tools, and one that changed only when it was accepted again", () =>
  withHome(async (home) => {
    await Deno.mkdir(join(home, "sky"));
    await Deno.writeTextFile(join(home, "sky", "mod.ts"), SKY);
    await Deno.writeTextFile(
      join(home, "config.toml"),
      `[agents.assistant.tools]\navailable = ["time", "sky"]\nconfirm = ["sky.sky"]\n\n[toolsets.sky]\nfrom = "./sky"\n`,
    );
    const first = await run(home, "toolsets");
    assert.equal(first.status, 0, first.stderr);
    assert.match(first.stdout, /sky {3}Says how the sky is[\s\S]*sky {2}The sky/);
    await Deno.writeTextFile(join(home, "sky", "mod.ts"), SKY.replace("The sky", "The whole sky"));
    assert.doesNotMatch((await run(home, "toolsets")).stdout, /The sky|The whole sky/);
    const accepted = await run(home, "toolsets", "accept", "sky");
    assert.equal(accepted.status, 0, accepted.stderr);
    assert.match(accepted.stdout, /^Accepted sky: Says how the sky is\n {2}sky {2}The whole sky\n/);
    assert.match(accepted.stdout, /\n\[toolsets\.sky\.permissions\]\nnet = \["api\.example\.org"\]\n/);
    assert.match((await run(home, "toolsets")).stdout, /The whole sky/);
  }));

Deno.test("A toolset that cannot be accepted is told in one line, with status 1", () =>
  withHome(async (home) => {
    await Deno.writeTextFile(join(home, "config.toml"), `[agents.assistant.tools]\navailable = ["time"]\n`);
    const { status, stdout, stderr } = await run(home, "toolsets", "accept", "sky");
    assert.deepEqual([status, stdout], [1, ""]);
    assert.match(stderr, /no \[toolsets\.sky\]/);
    assert.equal((await run(home, "toolsets", "accept")).status, 2);
  }));
