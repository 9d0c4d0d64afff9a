/** Model-written code: what it may do, and how it ends. */
import assert from "node:assert/strict";
import { type CodeRequest, createSandbox } from "../../../core/sandbox/mod.ts";

async function onSandbox(
  work: (
    run: (code: string, rest?: Partial<CodeRequest>) => ReturnType<ReturnType<typeof createSandbox>["runTypeScript"]>,
    folder: string,
  ) => Promise<void>,
): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const sandbox = createSandbox({ folder: `${folder}/sandbox`, env: (name) => Deno.env.get(name) });
  try {
    await work((code, rest) => sandbox.runTypeScript({ code, signal: new AbortController().signal, ...rest }), folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("Code computes and prints, types and all, and its default export is printed too", () =>
  onSandbox(async (run) => {
    const { stdout, end } = await run(`const a: number = 20; console.log("a", a); export default { sum: a + 22 };`);
    assert.equal(stdout.text, "a 20\n{ sum: 42 }\n");
    assert.deepEqual(end, { how: "exit", code: 0 });
  }));

Deno.test("An error is told with its line and none of ours", () =>
  onSandbox(async (run) => {
    const { stderr, end } = await run(`const a = 1;\nthrow new RangeError("too far");`);
    assert.match(stderr.text, /RangeError: too far\n\s+at code\.ts:2:7/);
    assert.doesNotMatch(stderr.text, /code_runner|blob:/);
    assert.deepEqual(end, { how: "exit", code: 1 });
  }));

Deno.test("What code only prints about memory is not taken for its end", () =>
  onSandbox(async (run) => {
    const { end } = await run(`console.error("the printer is out of memory")`);
    assert.deepEqual(end, { how: "exit", code: 0 });
    const failed = await run(`console.error("out of memory"); Deno.exit(3)`);
    assert.deepEqual(failed.end, { how: "exit", code: 3 });
  }));

Deno.test("A program that is granted by its name is found, and the path is still not to be seen", () =>
  onSandbox(async (run) => {
    const { stdout } = await run(
      `console.log(new TextDecoder().decode((await new Deno.Command("echo", { args: ["hello"] }).output()).stdout));
       try { Deno.env.get("PATH") } catch (error) { console.log(error.name) }`,
      { permissions: { run: ["echo"] } },
    );
    assert.equal(stdout.text, "hello\n\nNotCapable\n");
  }));

Deno.test("What a Worker stores is not there for the next run, nor anywhere", () =>
  onSandbox(async (run, folder) => {
    const inside = `try { const kept = await caches.open("x");
      const had = await kept.match("https://a.b/c");
      await kept.put("https://a.b/c", new Response("h".repeat(5e5)));
      postMessage(had ? "found" : "stored") } catch (error) { postMessage("refused") }`;
    const code = `const worker = new Worker("data:application/javascript," + ${
      JSON.stringify(encodeURIComponent(inside))
    }, { type: "module" });
      console.log(await new Promise((resolve) => worker.onmessage = ({ data }) => resolve(data))); worker.terminate();`;
    for (const _ of [1, 2]) assert.equal((await run(code)).stdout.text, "refused\n");
    assert.ok((await Deno.stat(`${folder}/sandbox/location_data`)).isFile);
  }));
