/** Where toolsets come from: what is pinned of them, and servers that do not answer. More in plugin_toolsets_test.ts. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BadSource, changedModules, entryOf, fetchSource } from "../../../core/sandbox/plugin_source.ts";

const env = (name: string) => Deno.env.get(name);

/** Fetches in a folder of its own. The runner's place is enough: no module here imports "malama". */
async function inFolder(
  work: (folder: string, fetched: (from: string, seconds?: number) => ReturnType<typeof fetchSource>) => Promise<void>,
): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const runner = { runner: join(folder, "runner.js"), importMap: join(folder, "map.json") };
  await Deno.writeTextFile(runner.importMap, "{}");
  const fetched = async (from: string, seconds?: number) =>
    await fetchSource({ from, entry: await entryOf(from, folder), cache: join(folder, "cache"), runner, seconds }, env);
  try {
    await work(folder, fetched);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("A module that changes, is added or goes changes the hash of the whole", () =>
  inFolder(async (folder, fetched) => {
    const write = (name: string, text: string) => Deno.writeTextFile(join(folder, name), text);
    await write("mod.ts", `export { a } from "./a.ts";`);
    await write("a.ts", `export const a = 1;`);
    const first = await fetched("./mod.ts");
    assert.deepEqual(first.modules.map(({ name }) => name), ["a.ts", "mod.ts"]);
    assert.deepEqual(await changedModules(first), []);
    await write("a.ts", `export const a = 2;`);
    assert.deepEqual(await changedModules(first), ["a.ts"]);
    const changed = await fetched("./mod.ts");
    await write("b.ts", `export const b = 3;`);
    await write("a.ts", `export { b as a } from "./b.ts";`);
    const more = await fetched("./mod.ts");
    await write("mod.ts", `export const a = 1;`);
    const fewer = await fetched("./mod.ts");
    assert.deepEqual(fewer.modules.map(({ name }) => name), ["mod.ts"]);
    assert.equal(new Set([first, changed, more, fewer].map(({ hash }) => hash)).size, 4);
  }));

Deno.test("A toolset of a server is pinned with the host that its modules came from", () =>
  inFolder(async (_, fetched) => {
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      () => new Response("export const a = 1;", { headers: { "content-type": "application/javascript" } }),
    );
    const host = `127.0.0.1:${server.addr.port}`;
    const { modules, hosts } = await fetched(`http://${host}/mod.js`);
    assert.deepEqual([modules.map(({ name }) => name), hosts], [[`http://${host}/mod.js`], [host]]);
  }));

Deno.test("A server that takes the connection and says nothing holds nobody past the time", () =>
  inFolder(async (_, fetched) => {
    const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    const taken = listener.accept().catch(() => null);
    await assert.rejects(
      fetched(`http://127.0.0.1:${listener.addr.port}/mod.ts`, 1),
      (error) => error instanceof BadSource && /within 1 seconds/.test(error.message),
    );
    listener.close();
    (await taken)?.close();
  }));
