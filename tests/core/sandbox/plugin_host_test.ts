/** A third party's toolset in a process of its own: what it answers, and what happens when it fails. */
import assert from "node:assert/strict";
import { PluginError, PluginFailed } from "../../../core/sandbox/plugin_process.ts";
import { someAgent } from "../../toolsets/toolset_fixture.ts";
import { startPlugin, toolText } from "./plugin_fixture.ts";

const echo =
  `tool({ name: "echo", description: "Says it again", input: z.object({ text: z.string(), times: z.number().default(1) }),
  concurrent: false, timeoutSeconds: 7, run: ({ text, times }) => text.repeat(times) }),`;

Deno.test("A toolset in a process of its own describes itself and answers with text, JSON and pictures", async () => {
  await using plugin = await startPlugin(
    echo + toolText("table", `return { rows: [1, 2] };`) +
      toolText(
        "picture",
        `return { text: "seen", images: [{ media_type: "image/png", data: new Uint8Array([1, 2]) }] };`,
      ) +
      toolText("nothing", ``),
  );
  const described = await plugin.host.describe({ settings: {}, agent: someAgent });
  assert.equal(described.description, "For a test");
  assert.deepEqual(described.tools.map(({ spec }) => spec.name), ["echo", "table", "picture", "nothing"]);
  assert.deepEqual([described.tools[0]?.concurrent, described.tools[0]?.timeoutSeconds], [false, 7]);
  assert.equal(await plugin.call("echo", { text: "hé\n", times: 2 }), "hé\nhé\n");
  assert.deepEqual(await plugin.call("table"), { rows: [1, 2] });
  assert.deepEqual(await plugin.call("picture"), {
    text: "seen",
    images: [{ media_type: "image/png", data: new Uint8Array([1, 2]) }],
  });
  assert.equal(await plugin.call("nothing"), null);
});

Deno.test("Arguments are put right and checked in its process, and a problem is a sentence (K-148)", async () => {
  await using plugin = await startPlugin(echo);
  assert.equal(await plugin.call("echo", { text: "a", times: "3" }), "aaa");
  assert.match(String(await plugin.call("echo", { times: 3 })), /text/);
});

Deno.test("What a tool throws is its own error, and its process goes on", async () => {
  await using plugin = await startPlugin(toolText("bad", `throw new Error("the moon is full");`) + echo);
  await assert.rejects(
    plugin.call("bad"),
    (error) => error instanceof PluginError && error.message === "the moon is full",
  );
  assert.equal(await plugin.call("echo", { text: "on" }), "on");
});

Deno.test("A service of the house is not there in its process, and the error names it", async () => {
  await using plugin = await startPlugin(toolText("ask", `return call.service({ name: "memory" });`));
  await assert.rejects(plugin.call("ask"), /no "memory" here/);
});

for (
  const [what, body, why] of [
    ["exits", `Deno.exit(3);`, /exit code 3/],
    ["kills itself", `Deno.kill(Deno.pid, "SIGKILL");`, /SIGKILL/],
    ["leaves a rejection unhandled", `Promise.reject(new Error("lost")); await new Promise(() => {});`, /lost/],
    ["fills its heap", `const all = []; for (;;) all.push(new Array(1000).fill(all.length + 0.5));`, /memory/],
    ["fills its buffers", `const all = []; for (;;) { all.push(new Uint8Array(8e6).fill(1)); await 0; }`, /memory/],
    [
      "floods standard output in one line",
      `const part = new Uint8Array(1e6).fill(97); for (let i = 0; i < 50; i++) Deno.stdout.writeSync(part); await new Promise(() => {});`,
      /16 MB/,
    ],
    [
      "floods standard output with lines that are no answers",
      `const part = new TextEncoder().encode("x".repeat(99) + "\\n"); for (let i = 0; i < 5e5; i++) Deno.stdout.writeSync(part); await new Promise(() => {});`,
      /no answer/,
    ],
    [
      "answers in bytes that are no text",
      `const part = crypto.getRandomValues(new Uint8Array(65536)); for (let i = 0; i < 400; i++) Deno.stdout.writeSync(part); await new Promise(() => {});`,
      /no answer|16 MB/,
    ],
  ] as const
) {
  Deno.test(`A toolset that ${what} fails its call with why, and is started again`, async () => {
    await using plugin = await startPlugin(toolText("fail", body) + echo);
    await assert.rejects(plugin.call("fail"), (error) => error instanceof PluginFailed && why.test(error.message));
    assert.equal(await plugin.call("echo", { text: "again" }), "again");
  });
}

Deno.test("A few lines of garbage between answers are passed over", async () => {
  await using plugin = await startPlugin(
    toolText(
      "noisy",
      `console.log("hello"); Deno.stdout.writeSync(new TextEncoder().encode("{}\\n\\0\\n[1\\n")); return "ok";`,
    ),
  );
  assert.equal(await plugin.call("noisy"), "ok");
});

Deno.test("50 MB on standard error stop nothing", async () => {
  await using plugin = await startPlugin(
    toolText("loud", `const part = "x".repeat(1e5); for (let i = 0; i < 500; i++) console.error(part); return "done";`),
  );
  assert.equal(await plugin.call("loud"), "done");
});

Deno.test("A stopped call is over at once, and a toolset that listens keeps its process", async () => {
  await using plugin = await startPlugin(
    toolText("pid", `return Deno.pid;`) +
      toolText(
        "wait",
        `await new Promise((_, no) => call.signal.addEventListener("abort", () => no(call.signal.reason)));`,
      ),
  );
  const pid = await plugin.call("pid");
  const stop = new AbortController();
  const waiting = plugin.call("wait", {}, stop.signal);
  stop.abort(new Error("stopped by hand"));
  await assert.rejects(waiting, /stopped by hand/);
  assert.equal(await plugin.call("pid"), pid);
});

Deno.test("A toolset that hangs in a loop is ended when its call is stopped, and started again", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  await using plugin = await startPlugin(
    toolText("pid", `return Deno.pid;`) +
      toolText("hang", `Deno.writeTextFileSync(${JSON.stringify(`${folder}/begun`)}, ""); for (;;);`),
    { permissions: { write: [folder] } },
  );
  const pid = await plugin.call("pid");
  const stop = new AbortController();
  using begun = Deno.watchFs(folder);
  const hanging = plugin.call("hang", {}, stop.signal);
  await begun[Symbol.asyncIterator]().next();
  const other = plugin.call("pid");
  const lost = assert.rejects(other, /did not answer any more/);
  stop.abort(new Error("out of time"));
  await assert.rejects(hanging, /out of time/);
  await lost;
  assert.notEqual(await plugin.call("pid"), pid);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("A toolset that fails again and again is left alone, and a call meanwhile is told for how long", async () => {
  let now = 0;
  await using plugin = await startPlugin(echo, { before: `if (true) throw new Error("never");`, clock: () => now });
  await assert.rejects(plugin.call("echo", { text: "a" }), /never/);
  await using dying = await startPlugin(toolText("die", `Deno.exit(1);`) + echo, { clock: () => now });
  await assert.rejects(dying.call("die"), /exit code 1/);
  await assert.rejects(dying.call("die"), /exit code 1/);
  await assert.rejects(dying.call("echo", { text: "a" }), /failed 2 times in a row: it is started again in 1 seconds/);
  now += 1001;
  assert.equal(await dying.call("echo", { text: "a" }), "a");
  await assert.rejects(dying.call("die"), /exit code 1/);
  assert.equal(await dying.call("echo", { text: "b" }), "b", "an answer in between forgives what was before");
});

Deno.test("A description that is none is refused with where it is wrong", async () => {
  await using plugin = await startPlugin(
    `{ spec: { name: "a b", description: "d", input: {} }, concurrent: true, timeoutMs: 1 }`,
  );
  await assert.rejects(plugin.host.describe({ settings: {}, agent: someAgent }), /tools\.0\.spec\.name/);
});

Deno.test("Its process sees none of our variables and works in no folder of ours", async () => {
  await using plugin = await startPlugin(
    toolText(
      "look",
      `const denied = []; for (const name of ["HOME", "PATH", "MALAMA_HOME"]) try { Deno.env.get(name); } catch (error) { denied.push(error.name); } return denied;`,
    ),
  );
  assert.deepEqual(await plugin.call("look"), ["NotCapable", "NotCapable", "NotCapable"]);
});
