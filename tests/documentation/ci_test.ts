/** `.ci/run` tells the truth about what it ran, shown with a stand-in for Deno. */
import assert from "node:assert/strict";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../../.ci/run", import.meta.url));

interface Outcome {
  readonly code: number;
  readonly lastLine: string;
}

/** Runs the script with a Deno whose test run prints `printed`, and whose named subcommands fail. */
async function runCi(printed: string, fails: readonly string[] = []): Promise<Outcome> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(folder, "printed"), printed);
    const deno = [
      "#!/bin/sh",
      'case "$1" in',
      '  --version) echo "deno 2.9.6 (stable, release, x86_64-unknown-linux-gnu)" ;;',
      `  task) cat "${join(folder, "printed")}" ;;`,
      "esac",
      ...fails.map((name) => `[ "$1" != ${name} ] || exit 1`),
      "exit 0",
    ];
    await Deno.writeTextFile(join(folder, "deno"), deno.join("\n"), { mode: 0o755 });
    const { code, stdout } = await new Deno.Command("bash", {
      args: [SCRIPT],
      env: { PATH: folder + delimiter + Deno.env.get("PATH") },
    }).output();
    return { code, lastLine: new TextDecoder().decode(stdout).trimEnd().split("\n").at(-1)! };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Without Chromium the script would install it. */
const ignore = !hasChromium();

function hasChromium(): boolean {
  try {
    return Deno.statSync("/usr/bin/chromium").isFile;
  } catch {
    return false;
  }
}

function ciTest(behaviour: string, fn: () => Promise<void>): void {
  Deno.test({ name: `.ci/run ${behaviour}`, ignore, fn });
}

ciTest("ends with what deno test said", async () => {
  const outcome = await runCi("a ... ok (1ms)\n\nok | 12 passed (3 steps) | 0 failed | 1 ignored (2s)\n");
  assert.deepEqual(outcome, { code: 0, lastLine: "12 passed, 0 failed" });
});

ciTest("fails when a test failed", async () => {
  const outcome = await runCi("FAILED | 10 passed (2 steps) | 2 failed (5s)\n", ["task"]);
  assert.deepEqual(outcome, { code: 1, lastLine: "10 passed, 2 failed" });
});

ciTest("fails when no test ran", async () => {
  assert.deepEqual(await runCi("ok | 0 passed | 0 failed | 3 filtered out (45ms)\n"), {
    code: 1,
    lastLine: "0 passed, 1 failed",
  });
  assert.equal((await runCi("error: No test modules found\n", ["task"])).code, 1);
});

ciTest("fails when the run broke off without a summary", async () => {
  assert.deepEqual(await runCi("a ... ok (1ms)\n", ["task"]), { code: 1, lastLine: "0 passed, 1 failed" });
});

ciTest("fails on an error outside of any test", async () => {
  assert.equal((await runCi("FAILED | 10 passed | 0 failed (5s)\n", ["task"])).code, 1);
});

for (const check of ["fmt", "lint", "check"]) {
  ciTest(`counts a failed ${check} and still runs the tests`, async () => {
    const outcome = await runCi("ok | 12 passed | 0 failed (2s)\n", [check]);
    assert.deepEqual(outcome, { code: 1, lastLine: "12 passed, 1 failed" });
  });
}

ciTest("is not taken in by a test that prints a summary of its own", async () => {
  const outcome = await runCi("ok | 99 passed | 0 failed (1s)\nFAILED | 3 passed | 1 failed (5s)\n", ["task"]);
  assert.deepEqual(outcome, { code: 1, lastLine: "3 passed, 1 failed" });
});
