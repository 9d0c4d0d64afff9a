/**
 * What model-written code may try, and does not get: each attempt prints `ESCAPED` where it gets through.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type ChildResult, createSandbox } from "../../../core/sandbox/mod.ts";

const SECRET = "the-secret-word";

interface Ground {
  readonly folder: string;
  readonly secret: string;
  /** A server on loopback that says the secret, and counts who asks. */
  readonly url: string;
  readonly asked: () => number;
  readonly run: (
    code: string,
    rest?: { readonly seconds?: number; readonly read?: string[]; readonly write?: string[] },
  ) => Promise<ChildResult>;
}

async function onGround(work: (ground: Ground) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const secret = `${folder}/secret.json`;
  await Deno.writeTextFile(secret, JSON.stringify(SECRET));
  let asked = 0;
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, () => {
    asked++;
    return new Response(SECRET);
  });
  const env = (name: string) => name === "OPENAI_API_KEY" ? SECRET : Deno.env.get(name);
  const sandbox = createSandbox({ folder: `${folder}/sandbox`, env });
  const signal = new AbortController().signal;
  try {
    await work({
      folder,
      secret,
      url: `http://127.0.0.1:${server.addr.port}`,
      asked: () => asked,
      run: (code, { seconds = 5, ...permissions } = {}) =>
        sandbox.runTypeScript({ code, permissions, limits: { seconds, memoryMb: 128 }, signal }),
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Attempts that would print the secret, or reach the server, by what they are called. */
const ATTEMPTS: Readonly<Record<string, (ground: Ground) => string>> = {
  "read a file": ({ secret }) => `console.log(await Deno.readTextFile(${q(secret)}))`,
  "read a file by node": ({ secret }) => `import fs from "node:fs"; console.log(fs.readFileSync(${q(secret)}, "utf8"))`,
  "import a file as json": ({ secret }) =>
    `import x from ${q(`file://${secret}`)} with { type: "json" }; console.log(x)`,
  "import a file as text": ({ secret }) =>
    `import x from ${q(`file://${secret}`)} with { type: "text" }; console.log(x)`,
  "import a file by a literal dynamic import": ({ secret }) =>
    `console.log((await import(${q(`file://${secret}`)}, { with: { type: "json" } })).default)`,
  "import a file by a computed import": ({ secret }) =>
    `const at = ["file:/", ${
      q(secret)
    }].join("/"); console.log((await import(at, { with: { type: "json" } })).default)`,
  "import a file from a module in data": ({ secret }) => {
    const inner = `import x from ${q(`file://${secret}`)} with { type: "json" }; export default x;`;
    return `console.log((await import("data:text/javascript," + encodeURIComponent(${q(inner)}))).default)`;
  },
  "require a file": ({ secret }) =>
    `import { createRequire } from "node:module"; console.log(createRequire("file:///")( ${q(secret)}))`,
  "fetch a file address": ({ secret }) => `console.log(await (await fetch(${q(`file://${secret}`)})).text())`,
  "list a folder": ({ folder }) =>
    `for (const e of Deno.readDirSync(${q(folder)})) if (e.name === "secret.json") console.log(${q(SECRET)})`,
  "read the environment": () => `console.log(Deno.env.get("OPENAI_API_KEY"))`,
  "read the environment by node": () => `import p from "node:process"; console.log(p.env.OPENAI_API_KEY)`,
  "read the environment in /proc": () => `console.log(Deno.readTextFileSync("/proc/self/environ"))`,
  "read the parent's environment in /proc": () => `console.log(Deno.readTextFileSync("/proc/1/environ"))`,
  "fetch": ({ url }) => `console.log(await (await fetch(${q(url)})).text())`,
  "open a socket": ({ url }) =>
    `const c = await Deno.connect({ hostname: "127.0.0.1", port: ${
      new URL(url).port
    } }); await c.write(new TextEncoder().encode("GET / HTTP/1.0\\r\\n\\r\\n")); console.log(await new Response(c.readable).text())`,
  "open a web socket": ({ url }) =>
    `new WebSocket(${q(url.replace("http", "ws"))}); await new Promise((r) => setTimeout(r, 300))`,
  "ask by node:http": ({ url }) =>
    `import http from "node:http"; await new Promise((r) => http.get(${
      q(url)
    }, r).on("error", (e) => { console.error(e); r(0); }))`,
  "import from the server": ({ url }) => `await import(${q(`${url}/x.ts`)})`,
  "resolve a name": () => `await Deno.resolveDns("example.org", "A"); console.log(${q(SECRET)})`,
  "listen": () => `Deno.listen({ port: 0 }); console.log(${q(SECRET)})`,
  "start a program": () => `await new Deno.Command("/bin/echo").output(); console.log(${q(SECRET)})`,
  "start a program by node": () =>
    `import { execSync } from "node:child_process"; execSync("true"); console.log(${q(SECRET)})`,
  "load a library": () => `Deno.dlopen("libc.so.6", {}); console.log(${q(SECRET)})`,
  "write a file": ({ folder }) => `Deno.writeTextFileSync(${q(`${folder}/left.txt`)}, "x"); console.log(${q(SECRET)})`,
  "make a temporary file": () => `Deno.makeTempFileSync(); console.log(${q(SECRET)})`,
  "open a database": () =>
    `import { DatabaseSync } from "node:sqlite"; new DatabaseSync("/tmp/x.db"); console.log(${q(SECRET)})`,
  "open a key store": () => `await Deno.openKv("/tmp/kv"); console.log(${q(SECRET)})`,
  "install a package": () => `await import("npm:is-number@7.0.0"); console.log(${q(SECRET)})`,
  "install a package from elsewhere": () => `await import("https://esm.sh/is-number"); console.log(${q(SECRET)})`,
  "install a package of the registry of modules": () => `await import("jsr:@std/path"); console.log(${q(SECRET)})`,
  "ask for a permission": () =>
    `const s = await Deno.permissions.request({ name: "read" }); if (s.state === "granted") console.log(${q(SECRET)})`,
  "give a worker more": ({ secret }) => {
    const inner = `self.onmessage = () => { try { self.postMessage(Deno.readTextFileSync(${
      q(secret)
    })) } catch (e) { self.postMessage(String(e)) } }`;
    return `const w = new Worker(URL.createObjectURL(new Blob([${
      q(inner)
    }])), { type: "module", deno: { permissions: { read: true } } });
      w.postMessage(0); console.log(await new Promise((r) => { w.onmessage = (e) => r(e.data); w.onerror = () => r("no"); setTimeout(() => r("no"), 1500) })); Deno.exit()`;
  },
  "use a thread of node": ({ secret }) =>
    `import { Worker } from "node:worker_threads"; const w = new Worker("require('node:fs').readFileSync(" + JSON.stringify(${
      q(secret)
    }) + ")", { eval: true }); await new Promise((r) => { w.on("error", r); w.on("exit", r) })`,
  "kill the host": () => `Deno.kill(${Deno.pid}, "SIGKILL"); console.log(${q(SECRET)})`,
  "kill the host by node": () =>
    `import p from "node:process"; p.kill(${Deno.pid}, "SIGKILL"); console.log(${q(SECRET)})`,
};

/** A text as a literal of the language. */
function q(text: string): string {
  return JSON.stringify(text);
}

for (const [name, attempt] of Object.entries(ATTEMPTS)) {
  Deno.test(`code without permissions does not ${name}`, () =>
    onGround(async (ground) => {
      const result = await ground.run(attempt(ground));
      assert.ok(!result.stdout.text.includes(SECRET), result.stdout.text);
      assert.ok(!result.stderr.text.includes(SECRET), result.stderr.text);
      assert.equal(ground.asked(), 0);
      await assert.rejects(Deno.stat(`${ground.folder}/left.txt`), Deno.errors.NotFound);
    }));
}

/** Attempts to take the machine: each ends at its limit, and the host goes on. */
const FLOODS: Readonly<Record<string, readonly [code: string, end: RegExp]>> = {
  "loop for ever": ["while (true);", /^time$/],
  "match a regular expression for ever": ["/^(a+)+$/.test('a'.repeat(60) + 'b')", /^time$/],
  "fill the heap": ["const a = []; while (true) a.push({ x: [1, 2, 3] })", /^(memory|signal)$/],
  "fill memory outside of the heap": [
    "const a = []; while (true) a.push(new Uint8Array(1e7).fill(1))",
    /^(memory|exit)$/,
  ],
  "wait for ever": ["await new Promise((r) => setInterval(() => {}, 1000))", /^time$/],
  "start workers for ever": [
    "while (true) { new Worker(URL.createObjectURL(new Blob(['while(true);'])), { type: 'module' }); await 0 }",
    /^(time|memory|exit|signal)$/,
  ],
  "kill itself": ["Deno.kill(Deno.pid, 'SIGKILL')", /^(signal|exit)$/],
};

for (const [name, [code, end]] of Object.entries(FLOODS)) {
  Deno.test(`code may ${name}, and is ended without harm to the host`, () =>
    onGround(async ({ run }) => {
      // What has to end at its memory is given time to get there on a machine that is busy.
      const result = await run(code, { seconds: end.test("time") ? 2 : 60 });
      assert.match(result.end.how, end, result.stderr.text.slice(0, 300));
      assert.equal((await run("console.log(1)")).stdout.text, "1\n");
    }));
}

Deno.test("code that prints without end is read to its end and kept to its limit", () =>
  onGround(async ({ run }) => {
    const result = await run("const s = 'x'.repeat(1e6); for (let i = 0; i < 50; i++) console.log(s)");
    assert.ok(result.stdout.text.length <= 20_000);
    assert.ok(result.stdout.cutBytes > 49_000_000);
  }));

Deno.test("nothing one run leaves is there for the next: stores, channels, caches, globals", () =>
  onGround(async ({ run }) => {
    const leave = `
      for (const [name, keep] of Object.entries({
        local: () => localStorage.setItem("k", "${SECRET}"),
        session: () => sessionStorage.setItem("k", "${SECRET}"),
        cache: async () => (await caches.open("c")).put("https://x.invalid/", new Response("${SECRET}")),
        global: () => globalThis.left = "${SECRET}",
      })) try { await keep() } catch { console.log("no", name) }`;
    const look = `
      console.log(globalThis.left, globalThis.localStorage?.getItem("k"),
        await globalThis.caches?.open("c").then((c) => c.match("https://x.invalid/")).then((r) => r?.text()))`;
    assert.match((await run(leave)).stdout.text, /no local/);
    assert.ok(!(await run(look)).stdout.text.includes(SECRET));
  }));

Deno.test("a link inside of a granted folder does not lead out of it", () =>
  onGround(async ({ folder, secret, run }) => {
    await Deno.mkdir(`${folder}/open/deep`, { recursive: true });
    await Deno.symlink(secret, `${folder}/open/deep/link.json`);
    await Deno.symlink(folder, `${folder}/open/up`);
    const read = [`${folder}/open`];
    for (const path of ["deep/link.json", "deep/../deep/link.json", "up/secret.json", "../secret.json"]) {
      const result = await run(`console.log(Deno.readTextFileSync(${q(`${folder}/open/${path}`)}))`, { read });
      assert.ok(!result.stdout.text.includes(SECRET), path);
    }
  }));

Deno.test("a link whose name has a comma, which no flag can carry, does not lead out either", () =>
  onGround(async ({ folder, secret, run }) => {
    await Deno.mkdir(`${folder}/open/deep`, { recursive: true });
    await Deno.writeTextFile(`${folder}/open/own.txt`, "own");
    await Deno.symlink(secret, `${folder}/open/deep/li,nk.json`);
    const look = (path: string) =>
      run(`console.log(Deno.readTextFileSync(${q(`${folder}/open/${path}`)}))`, { read: [`${folder}/open`] });
    assert.ok(!(await look("deep/li,nk.json")).stdout.text.includes(SECRET));
    assert.equal((await look("own.txt")).stdout.text, "own\n");
  }));

Deno.test("a link in a folder that may be written does not lead into one that may only be read", () =>
  onGround(async ({ folder, secret, run }) => {
    await Deno.mkdir(`${folder}/mine`);
    await Deno.symlink(secret, `${folder}/mine/link.json`);
    const code = `Deno.writeTextFileSync(${q(`${folder}/mine/own.txt`)}, "own");
      Deno.writeTextFileSync(${q(`${folder}/mine/link.json`)}, "changed");`;
    const { end } = await run(code, { read: [secret], write: [`${folder}/mine`] });
    assert.deepEqual(end, { how: "exit", code: 1 });
    assert.equal(await Deno.readTextFile(secret), JSON.stringify(SECRET));
    assert.equal(await Deno.readTextFile(`${folder}/mine/own.txt`), "own");
  }));
