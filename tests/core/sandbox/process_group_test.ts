/** A child and all that it starts, gone on every way it can end. */
import assert from "node:assert/strict";
import { startGroup } from "../../../core/sandbox/process_group.ts";
import { gone, linux } from "./processes.ts";

const signal = new AbortController().signal;

/** Starts `sh`, waits for the first line it prints, and gives the numbers in it. */
async function started(script: string, limits = {}, abort: AbortSignal = signal) {
  const group = startGroup(
    { command: "/bin/sh", args: ["-c", script], env: { PATH: "/usr/bin:/bin" }, stdin: "null" },
    limits,
    abort,
  );
  group.child.stderr.cancel();
  const lines = group.child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await lines.read();
  lines.cancel();
  return { group, pids: value.trim().split(" ").map(Number) };
}

Deno.test("When a child ends by itself, what it left in its group ends too", linux, async () => {
  const { group, pids: [grandchild = 0] } = await started(`sleep 300 & echo $!; exit 4`);
  assert.deepEqual(await group.ended, { how: "exit", code: 4 });
  await gone(grandchild);
});

Deno.test("A group past its time is killed, whatever it does about signals", linux, async () => {
  const { group, pids: [grandchild = 0] } = await started(
    `trap '' TERM INT HUP; sleep 300 & echo $!; while :; do wait; done`,
    { seconds: 0.3 },
  );
  assert.deepEqual(await group.ended, { how: "time" });
  await gone(grandchild);
});

Deno.test("A group whose signal aborts is killed, and one that has aborted already is not started", linux, async () => {
  const stop = new AbortController();
  const { group, pids: [grandchild = 0] } = await started(`sleep 300 & echo $!; wait`, {}, stop.signal);
  stop.abort(new Error("enough"));
  assert.equal((await group.ended).how, "signal");
  await gone(grandchild);
  assert.throws(
    () => startGroup({ command: "/bin/true", args: [], env: {}, stdin: "null" }, {}, stop.signal),
    /enough/,
  );
});

Deno.test("A child past its memory is killed", linux, async () => {
  const group = startGroup(
    {
      command: Deno.execPath(),
      args: ["eval", "const all = []; for (;;) { all.push(new Uint8Array(4e6).fill(1)); await 0; }"],
      env: { NO_COLOR: "1" },
      stdin: "null",
    },
    { memoryMb: 200 },
  );
  group.child.stderr.cancel();
  group.child.stdout.cancel();
  assert.deepEqual(await group.ended, { how: "memory" });
});

Deno.test("A child sees the variables it is given and none of ours", linux, async () => {
  const group = startGroup({ command: "/usr/bin/env", args: [], env: { ONE: "1" }, stdin: "null" });
  group.child.stderr.cancel();
  assert.equal((await new Response(group.child.stdout).text()).trim(), "ONE=1");
  await group.ended;
});

Deno.test("When Malama is killed by force, its groups are killed with the programs they started", linux, async () => {
  const program = `
    import { startGroup } from ${
    JSON.stringify(new URL("../../../core/sandbox/process_group.ts", import.meta.url).href)
  };
    const group = startGroup({
      command: "/bin/sh", args: ["-c", "sleep 300 & echo $! $$; wait"], env: { PATH: "/usr/bin:/bin" }, stdin: "null",
    });
    for await (const chunk of group.child.stdout) await Deno.stdout.write(chunk);
  `;
  await using host = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", `data:application/typescript,${encodeURIComponent(program)}`],
    stdout: "piped",
  }).spawn();
  const lines = host.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await lines.read();
  const pids = value.trim().split(" ").map(Number);
  assert.equal(pids.length, 2);
  host.kill("SIGKILL");
  await Promise.all(pids.map(gone));
  await lines.cancel();
});
