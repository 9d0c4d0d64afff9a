/**
 * What a third party's toolset may try from inside its process, and does not get. Each attempt answers with what it got hold
 * of, and the test looks whether the secret or the server was reached.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startPlugin, toolText, type WrittenPlugin } from "./plugin_fixture.ts";
import { gone, linux } from "./processes.ts";

const SECRET = "the-secret-word";

interface Ground {
  /** A folder that was not granted. */
  readonly folder: string;
  /** A file in it that holds the secret. */
  readonly secret: string;
  /** A server on loopback that says the secret; not granted. */
  readonly url: string;
  readonly port: number;
}

async function onGround(work: (ground: Ground, asked: () => number) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const secret = join(folder, "secret.json");
  await Deno.writeTextFile(secret, JSON.stringify(SECRET));
  let asked = 0;
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, () => {
    asked++;
    return new Response(SECRET);
  });
  const { port } = server.addr;
  try {
    await work({ folder, secret, port, url: `http://127.0.0.1:${port}` }, () => asked);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const q = (text: string) => JSON.stringify(text);

/** Bodies of a tool that is granted nothing; one that gets through answers with the secret, `ESCAPED`, or by reaching the server. */
const ATTEMPTS: Readonly<Record<string, (ground: Ground) => string>> = {
  "read a file": ({ secret }) => `return await Deno.readTextFile(${q(secret)});`,
  "read a file by node": ({ secret }) => `return (await import("node:fs")).readFileSync(${q(secret)}, "utf8");`,
  "read a file by a way round": ({ secret }) => `return await Deno.readTextFile("/tmp/../" + ${q(secret)});`,
  "list a folder": ({ folder }) => `return "ESCAPED" + [...Deno.readDirSync(${q(folder)})].length;`,
  "find out whether a file is there": ({ secret }) => `return "ESCAPED" + (await Deno.stat(${q(secret)})).size;`,
  "read the users of the machine": () => `return "ESCAPED" + await Deno.readTextFile("/etc/passwd");`,
  "read the environment of its process": () => `return "ESCAPED" + await Deno.readTextFile("/proc/self/environ");`,
  "read the environment of the host": () => `return "ESCAPED" + await Deno.readTextFile("/proc/${Deno.pid}/environ");`,
  "read the memory of the host": () => `return "ESCAPED" + Deno.openSync("/proc/${Deno.pid}/mem");`,
  "open the host's descriptors": () => `return "ESCAPED" + [...Deno.readDirSync("/proc/${Deno.pid}/fd")].length;`,
  "see a variable": () => `return "ESCAPED" + Deno.env.get("HOME");`,
  "see all variables": () => `return "ESCAPED" + JSON.stringify(Deno.env.toObject());`,
  "see a variable by node": () => `return "ESCAPED" + (await import("node:process")).default.env.HOME;`,
  "see who runs it": () => `return "ESCAPED" + Deno.uid();`,
  "see the machine's name": () => `return "ESCAPED" + Deno.hostname();`,
  "list its own folder": () => `return "ESCAPED" + [...Deno.readDirSync(new URL(".", import.meta.url))].length;`,
  "read our runner": () => `return "ESCAPED" + await Deno.readTextFile(new URL(Deno.mainModule));`,
  "fetch": ({ url }) => `return await (await fetch(${q(url)})).text();`,
  "fetch by node": ({ url }) =>
    `return await new Promise(async (yes, no) => (await import("node:http")).get(${q(url)}, yes).on("error", no));`,
  "connect": ({ port }) => `await Deno.connect({ port: ${port} }); return "ESCAPED";`,
  "connect by node": ({ port }) =>
    `return await new Promise(async (yes, no) => { const it = (await import("node:net")).connect(${port}, "127.0.0.1", () => yes("ESCAPED")); it.on("error", no); });`,
  "open a web socket": ({ port }) =>
    `return await new Promise((yes, no) => { const it = new WebSocket("ws://127.0.0.1:${port}"); it.onopen = () => yes("ESCAPED"); it.onerror = no; });`,
  "ask for a name": () => `return "ESCAPED" + await Deno.resolveDns("example.org", "A");`,
  "listen": () => `Deno.listen({ port: 0 }); return "ESCAPED";`,
  "serve": () => `Deno.serve({ port: 0 }, () => new Response("x")); return "ESCAPED";`,
  "start a program": () => `await new Deno.Command("/bin/sh", { args: ["-c", "true"] }).output(); return "ESCAPED";`,
  "start a program by node": () => `(await import("node:child_process")).execSync("true"); return "ESCAPED";`,
  "start itself again with every right": () => `(await import("node:child_process")).fork("x"); return "ESCAPED";`,
  "load a library": () =>
    `Deno.dlopen("/lib/x86_64-linux-gnu/libc.so.6", { getpid: { parameters: [], result: "i32" } }); return "ESCAPED";`,
  "write a file": ({ folder }) => `Deno.writeTextFileSync(${q(join(folder, "mine"))}, "x"); return "ESCAPED";`,
  "write into its own folder": () =>
    `Deno.writeTextFileSync(new URL("./more.ts", import.meta.url), "x"); return "ESCAPED";`,
  "change its own module": () => `Deno.writeTextFileSync(new URL(import.meta.url), "x"); return "ESCAPED";`,
  "make a temporary file": () => `Deno.makeTempFileSync(); return "ESCAPED";`,
  "make a link out": ({ secret }) =>
    `Deno.symlinkSync(${q(secret)}, new URL("./link", import.meta.url)); return "ESCAPED";`,
  "open a database": () => `new (await import("node:sqlite")).DatabaseSync("/tmp/plugin.db"); return "ESCAPED";`,
  "open a key store": () => `await Deno.openKv(); return "ESCAPED";`,
  "import a file as json": ({ secret }) =>
    `return (await import(${q(`file://${secret}`)}, { with: { type: "json" } })).default;`,
  "import a file by a computed import": ({ secret }) =>
    `const at = ["file:/", ${q(secret)}].join("/"); return (await import(at, { with: { type: "json" } })).default;`,
  "import a file from a module in data": ({ secret }) =>
    `return (await import("data:application/javascript," + encodeURIComponent('export { default } from ' + JSON.stringify(${
      q(`file://${secret}`)
    }) + ' with { type: "json" }'))).default;`,
  "import from the server": ({ url }) => `return await import(${q(`${url}/x.ts`)});`,
  "require a file": ({ secret }) =>
    `return (await import("node:module")).createRequire(import.meta.url)(${q(secret)});`,
  "install a package": () => `const at = "npm:left-pad@1.3.0"; await import(at); return "ESCAPED";`,
  "install a package from elsewhere": () =>
    `const at = "https://esm.sh/left-pad@1.3.0"; await import(at); return "ESCAPED";`,
  "install a package of the registry of modules": () =>
    `const at = "jsr:@std/assert@1"; await import(at); return "ESCAPED";`,
  "give a worker more": ({ secret }) =>
    `return await new Promise((yes, no) => { const it = new Worker("data:application/javascript," + encodeURIComponent("postMessage(Deno.readTextFileSync(" + JSON.stringify(${
      q(secret)
    }) + "))"), { type: "module", deno: { permissions: "inherit" } }); it.onmessage = ({ data }) => yes(data); it.onerror = (event) => { event.preventDefault(); no(new Error("refused")); }; });`,
  "use a thread of node": ({ secret }) =>
    `return await new Promise(async (yes, no) => { const { Worker } = await import("node:worker_threads"); const it = new Worker("require('node:worker_threads').parentPort.postMessage(require('fs').readFileSync(" + JSON.stringify(${
      q(secret)
    }) + ", 'utf8'))", { eval: true }); it.on("message", yes); it.on("error", no); });`,
  "kill the host": () => `Deno.kill(${Deno.pid}, "SIGKILL"); return "ESCAPED";`,
  "kill the host by node": () => `(await import("node:process")).kill(${Deno.pid}, 9); return "ESCAPED";`,
  "ask for a permission": () =>
    `return (await Deno.permissions.request({ name: "read" })).state === "granted" ? "ESCAPED" : "no";`,
};

/** What an attempt ended with, in words. */
async function tried(plugin: WrittenPlugin): Promise<string> {
  try {
    return JSON.stringify(await plugin.call("attempt", {}, AbortSignal.timeout(20_000)));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

for (const [what, body] of Object.entries(ATTEMPTS)) {
  Deno.test(`a toolset that was granted nothing does not ${what}`, () =>
    onGround(async (ground, asked) => {
      await using plugin = await startPlugin(toolText("attempt", body(ground)));
      const got = await tried(plugin);
      assert.doesNotMatch(got, /ESCAPED|the-secret-word/);
      assert.equal(asked(), 0);
    }));
}

Deno.test("a toolset reaches the port it was granted, no other one, and none by a redirect", () =>
  onGround(async ({ url }, asked) => {
    await using mine = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      (request) => request.url.endsWith("/away") ? Response.redirect(url) : new Response("mine"),
    );
    const own = `127.0.0.1:${mine.addr.port}`;
    await using plugin = await startPlugin(
      toolText("own", `return await (await fetch("http://${own}/")).text();`) +
        toolText("other", `return await (await fetch(${q(url)})).text();`) +
        toolText("away", `return await (await fetch("http://${own}/away")).text();`),
      { permissions: { net: [own] } },
    );
    assert.equal(await plugin.call("own"), "mine");
    await assert.rejects(plugin.call("other"), /net access/);
    await assert.rejects(plugin.call("away"), /net access/);
    assert.equal(asked(), 0);
  }));

Deno.test("a toolset reads the folder it was granted, nothing above it, and nothing a link in it leads to", () =>
  onGround(async ({ folder, secret }) => {
    const granted = join(folder, "granted");
    await Deno.mkdir(granted);
    await Deno.writeTextFile(join(granted, "mine"), "mine");
    await Deno.symlink(secret, join(granted, "link"));
    await using plugin = await startPlugin(
      toolText("own", `return await Deno.readTextFile(${q(join(granted, "mine"))});`) +
        toolText("above", `return await Deno.readTextFile(${q(granted)} + "/../secret.json");`) +
        toolText("link", `return await Deno.readTextFile(${q(join(granted, "link"))});`),
      { permissions: { read: [granted] } },
    );
    assert.equal(await plugin.call("own"), "mine");
    await assert.rejects(plugin.call("above"), /read access/);
    await assert.rejects(plugin.call("link"), /read access/);
  }));

Deno.test("a toolset that may write in a folder cannot make a link there that leads out", () =>
  onGround(async ({ folder, secret }) => {
    const granted = join(folder, "granted");
    await Deno.mkdir(granted);
    await using plugin = await startPlugin(
      toolText(
        "attempt",
        `Deno.symlinkSync(${q(secret)}, ${q(join(granted, "link"))}); return await Deno.readTextFile(${
          q(join(granted, "link"))
        });`,
      ),
      { permissions: { read: [granted], write: [granted] } },
    );
    assert.doesNotMatch(await tried(plugin), /the-secret-word/);
  }));

Deno.test("nothing a toolset stores is there for its next process: caches, storage, channels, and those of its workers", async () => {
  const inside = `try { const kept = await caches.open("x"); const had = await kept.match("https://a.b/c");
    await kept.put("https://a.b/c", new Response("h")); postMessage(had ? "found" : "stored"); } catch { postMessage("refused"); }`;
  await using plugin = await startPlugin(
    toolText(
      "own",
      `return ["caches", "localStorage", "sessionStorage", "BroadcastChannel", "indexedDB"].filter((name) => name in globalThis);`,
    ) +
      toolText(
        "worker",
        `return await new Promise((yes) => { const it = new Worker("data:application/javascript," + ${
          q(encodeURIComponent(inside))
        }, { type: "module" }); it.onmessage = ({ data }) => { it.terminate(); yes(data); }; });`,
      ),
  );
  for (const _ of [1, 2]) {
    assert.deepEqual(await plugin.call("own"), []);
    assert.equal(await plugin.call("worker"), "refused");
    await plugin.host.stop();
  }
});

Deno.test("a toolset that forges answers forges no more than its own", async () => {
  const forged = (id: string) =>
    `{"jsonrpc":"2.0","id":${id},"result":{"output":{"text":"x","images":[{"media_type":"a","data":{"base64":"%%%"}}]}}}`;
  await using plugin = await startPlugin(
    toolText(
      "other",
      `for (let id = -5; id < 5000; id++) Deno.stdout.writeSync(new TextEncoder().encode(${
        q(forged("ID"))
      }.replace("ID", id) + "\\n")); return "own";`,
    ) +
      toolText(
        "proto",
        `Deno.stdout.writeSync(new TextEncoder().encode('{"jsonrpc":"2.0","id":"__proto__","result":1}\\n{"jsonrpc":"2.0","id":1e99,"result":1}\\n')); return JSON.parse('{"__proto__":{"polluted":true}}');`,
      ),
  );
  await assert.rejects(plugin.call("other"), /no answer of a tool/);
  await plugin.host.stop();
  await plugin.call("proto");
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

Deno.test("programs a toolset was granted end with its process, whatever they do about signals", linux, async () => {
  await using plugin = await startPlugin(
    toolText(
      "start",
      `const it = new Deno.Command("/bin/sh", { args: ["-c", "trap '' TERM HUP INT; sleep 300"], stdout: "null", stderr: "null" }).spawn(); return it.pid;`,
    ),
    { permissions: { run: ["/bin/sh"] } },
  );
  const pid = await plugin.call("start");
  await plugin.host.stop();
  await gone(Number(pid));
});

Deno.test("a toolset that starts workers for ever is ended for its memory, and the host goes on", linux, async () => {
  await using plugin = await startPlugin(
    toolText(
      "attempt",
      `const all = []; for (;;) { all.push(new Worker("data:application/javascript,setInterval(()=>{},1e6)", { type: "module" })); await new Promise((go) => setTimeout(go, 1)); }`,
    ),
  );
  assert.match(await tried(plugin), /memory|exit code|SIG/);
});

Deno.test("a regular expression that takes for ever is ended with its call", async () => {
  await using plugin = await startPlugin(
    toolText("attempt", `return /^(a+)+$/.test("a".repeat(40) + "b");`) + toolText("well", `return "well";`),
  );
  await assert.rejects(plugin.call("attempt", {}, AbortSignal.timeout(300)));
  assert.equal(await plugin.call("well").catch(() => plugin.call("well")), "well");
});
