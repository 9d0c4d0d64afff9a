import assert from "node:assert/strict";
import { CONTENT_SECURITY_POLICY } from "../../web/security_headers.ts";
import { type TestServer, withServer } from "./test_server.ts";

const BELOW = { web: { basePath: "/assistant" } };

/** Asks as a browser does for a manifest or a worker: nobody is signed in. */
async function open(server: TestServer, path: string): Promise<Response> {
  const answer = await fetch(`${server.server.url}${path}`, { redirect: "manual" });
  assert.equal(answer.status, 200, path);
  return answer;
}

/** The width and height a PNG says. */
function pngSize(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer);
  assert.equal(view.getUint32(0), 0x89504e47);
  return `${view.getUint32(16)}x${view.getUint32(20)}`;
}

for (const options of [{}, BELOW]) {
  const base = "web" in options ? "/assistant" : "";

  Deno.test(`the manifest names everything below "${base}/", and its icons are there`, () =>
    withServer(async (server) => {
      const answer = await open(server, "/manifest.webmanifest");
      assert.equal(answer.headers.get("content-type"), "application/manifest+json");
      const manifest = await answer.json();
      const { id, start_url, scope, display, shortcuts } = manifest;
      assert.deepEqual([id, start_url, scope, shortcuts[0].url], Array(4).fill(`${base}/`));
      assert.equal(display, "standalone");
      assert.deepEqual(manifest.icons.map((icon: { purpose: string }) => icon.purpose), [
        "any",
        "any",
        "maskable",
        "any",
      ]);
      const origin = server.server.url.slice(0, server.server.url.length - base.length);
      for (const { src, sizes, type } of manifest.icons) {
        assert.ok(src.startsWith(`${base}/`), src);
        const icon = await fetch(origin + src);
        assert.equal(icon.headers.get("content-type"), type);
        assert.match(icon.headers.get("cache-control") ?? "", /immutable/);
        const bytes = await icon.bytes();
        if (type === "image/png") assert.equal(pngSize(bytes), sizes);
      }
    }, options));

  Deno.test(`the service worker keeps files below "${base}/" that are all there, and names no other`, () =>
    withServer(async (server) => {
      const answer = await open(server, "/sw.js");
      assert.match(answer.headers.get("content-type") ?? "", /^text\/javascript/);
      assert.equal(answer.headers.get("cache-control"), "no-cache");
      const text = await answer.text();
      const shell = JSON.parse(/self\.shell = (.*);\n/.exec(text)![1]!);
      assert.equal(shell.base, base);
      assert.match(shell.hash, /^\w{20,}$/);
      const worker = JSON.parse(/importScripts\((.*)\);/.exec(text)![1]!);
      const origin = server.server.url.slice(0, server.server.url.length - base.length);
      for (const address of [worker, `${base}/offline`, ...shell.files]) {
        assert.ok(address.startsWith(`${base}/`), address);
        const file = await fetch(origin + address, { redirect: "manual" });
        assert.equal(file.status, 200, address);
        await file.body?.cancel();
      }
      assert.ok(
        shell.files.every((address: string) => !address.includes("katex")),
        "formulas load when they are needed",
      );
    }, options));
}

Deno.test("the page for no connection is the same for everyone and says nothing of anybody", () =>
  withServer(async (server) => {
    await server.assistant.conversations.create({ title: "A secret title" });
    const plain = await (await open(server, "/offline")).text();
    const cookie = `${await server.signIn()}; malama_theme=dark; malama_side=300r`;
    const mine = await (await fetch(`${server.server.url}/offline`, { headers: { cookie } })).text();
    assert.equal(mine, plain);
    for (
      const secret of ["A secret title", server.dataDir, server.assistant.version, server.assistant.defaultModel.string]
    ) {
      assert.ok(!plain.includes(secret), secret);
    }
  }));

Deno.test("every page leads to the manifest and the touch icon, and lets a worker of its own in", () =>
  withServer(async (server) => {
    for (const path of ["/login", "/", "/settings"]) {
      const html = await (await server.fetch(path)).text();
      assert.match(html, /<link rel="manifest" href="\/assistant\/manifest\.webmanifest"/);
      assert.match(html, /<link rel="apple-touch-icon" href="\/assistant\/icons\/apple-touch-icon\.png\?/);
      assert.match(html, /<meta name="theme-color"/);
    }
    assert.match(CONTENT_SECURITY_POLICY, /worker-src 'self'/);
  }, BELOW));

Deno.test("only the page after signing out clears the browser", () =>
  withServer(async (server) => {
    const script = /<script src="\/signed_out\.js\?[^"]+" defer/;
    assert.match(await (await open(server, "/login?signed_out")).text(), script);
    assert.doesNotMatch(await (await open(server, "/login")).text(), script);
  }));
