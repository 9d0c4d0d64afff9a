/** Commands: an argument vector in a folder, within its limits (K-330, K-318). */
import assert from "node:assert/strict";
import { type CommandRequest, createSandbox, NotStarted } from "../../../core/sandbox/mod.ts";

const VARIABLES: Readonly<Record<string, string>> = {
  PATH: "/usr/bin:/bin",
  LANG: "C.UTF-8",
  OPENAI_API_KEY: "secret",
  MY_NAME: "Ada",
};

const sandbox = createSandbox({ folder: "/nonexistent", env: (name) => VARIABLES[name] });

const run = (command: readonly string[], rest: Partial<CommandRequest> = {}) =>
  sandbox.runCommand({ command, signal: new AbortController().signal, ...rest });

Deno.test("An argument is an argument, whatever is in it: no shell reads it (K-330)", async () => {
  const { end, stdout } = await run(["printf", "%s|", "a b", "$(id)", "`id`", ";", "*", "-x", ""]);
  assert.deepEqual(end, { how: "exit", code: 0 });
  assert.equal(stdout.text, "a b|$(id)|`id`|;|*|-x||");
});

Deno.test("A command sees the variables of the list and those the person named, and no key (K-318)", async () => {
  const { stdout } = await run(["env"], { passThrough: ["MY_NAME"] });
  const names = stdout.text.trim().split("\n").map((line) => line.split("=")[0]).filter((name) =>
    name !== "PWD" && name !== "_"
  );
  assert.deepEqual(names.sort(), ["LANG", "MY_NAME", "PATH"]);
});

Deno.test("The exit code is the command's, and so is the signal that ended it", async () => {
  const exit = await run(["sh", "-c", "echo a; echo b >&2; exit 143"]);
  assert.deepEqual(exit.end, { how: "exit", code: 143 });
  assert.deepEqual([exit.stdout.text, exit.stderr.text], ["a\n", "b\n"]);
  const killed = await run(["sh", "-c", "kill -TERM $$"]);
  assert.deepEqual(killed.end, { how: "signal", signal: "SIGTERM" });
});

Deno.test("A command that does not end is killed at its limit, and its result says so", async () => {
  const { end, limits } = await run(["sh", "-c", "trap '' TERM; sleep 300; sleep 300"], { limits: { seconds: 0.3 } });
  assert.deepEqual(end, { how: "time" });
  assert.equal(limits.seconds, 0.3);
});

Deno.test("No command runs longer than ten minutes, whatever is asked", async () => {
  assert.equal((await run(["true"], { limits: { seconds: 100_000 } })).limits.seconds, 600);
});

Deno.test("Both streams share the limit of output: the quiet one lends its half (K-330)", async () => {
  const script = `head -c 50000 /dev/zero | tr '\\0' a; head -c 100 /dev/zero | tr '\\0' b >&2`;
  const { stdout, stderr } = await run(["sh", "-c", script]);
  assert.equal(stderr.text.length, 100);
  assert.deepEqual([stdout.text.length, stdout.cutBytes], [19_900, 30_100]);
  const both = await run(["sh", "-c", `head -c 50000 /dev/zero; head -c 50000 /dev/zero >&2`]);
  assert.deepEqual([both.stdout.text.length, both.stderr.text.length], [10_000, 10_000]);
});

Deno.test("50 MB of output are read to their end and kept up to the limit, and no character is cut in two", async () => {
  const { end, stdout } = await run(["sh", "-c", "yes ä | head -c 50000000"], { limits: { outputBytes: 20_000 } });
  assert.deepEqual(end, { how: "exit", code: 0 });
  assert.ok(!stdout.text.includes("\ufffd"));
  assert.equal(new TextEncoder().encode(stdout.text).byteLength + stdout.cutBytes, 50_000_000);
});

Deno.test("Something left running that holds the output open does not hold the result", async () => {
  const { stdout, end } = await run(["sh", "-c", "setsid sleep 3 & echo $!"]);
  assert.deepEqual(end, { how: "exit", code: 0 });
  try {
    Deno.kill(Number(stdout.text), "SIGKILL");
  } catch {
    // It went with its group, before it had one of its own.
  }
});

Deno.test("A program or a folder that is not there is told in a sentence, before anything starts", async () => {
  for (
    const [command, cwd, why] of [
      [[], undefined, /empty/],
      [["no-such-program"], undefined, /no program "no-such-program" in PATH/],
      [["./here"], "/tmp", /no program ".\/here"/],
      [["true"], "/no/such/folder", /no folder/],
      [["-x"], undefined, /no program "-x"/],
    ] as const
  ) {
    await assert.rejects(run(command, { cwd }), (error) => error instanceof NotStarted && why.test(error.message));
  }
});

Deno.test("A command that is stopped ends with the reason", async () => {
  const stop = new AbortController();
  const running = run(["sleep", "300"], { signal: stop.signal });
  stop.abort(new Error("stopped by hand"));
  await assert.rejects(running, /stopped by hand/);
});

Deno.test("A command is held to its memory", { ignore: Deno.build.os !== "linux" }, async () => {
  const { end, limits } = await run(["sh", "-c", `x=$(head -c 200000000 /dev/zero | tr '\\0' a); echo \${#x}`], {
    limits: { memoryMb: 64 },
  });
  assert.notDeepEqual(end, { how: "exit", code: 0 });
  assert.equal(limits.memoryHeld, true);
});
