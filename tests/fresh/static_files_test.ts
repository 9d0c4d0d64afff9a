import assert from "node:assert/strict";
import { join } from "node:path";
import { App, staticFiles } from "fresh";
import { Builder } from "fresh/dev";
import { mediaType } from "../../fresh/media_types.ts";

interface Site extends AsyncDisposable {
  readonly root: string;
  get(path: string, init?: RequestInit): Promise<Response>;
  hashOf(path: string): string | null;
}

async function site(basePath = ""): Promise<Site> {
  const root = await Deno.makeTempDir();
  await Deno.mkdir(join(root, "static/deep"), { recursive: true });
  await Deno.mkdir(join(root, "more"));
  await Deno.writeTextFile(join(root, "secret.txt"), "secret");
  await Deno.writeTextFile(join(root, "static/.hidden"), "secret");
  await Deno.writeTextFile(join(root, "static/a.css"), "a{}");
  await Deno.writeTextFile(join(root, "static/deep/b c.svg"), "<svg/>");
  await Deno.writeTextFile(join(root, "more/a.css"), "second");
  await Deno.writeTextFile(join(root, "more/only.txt"), "only here");
  const apply = await new Builder({ root, staticDir: ["static", "more"] }).build({ snapshot: "memory" });
  const app = new App({ basePath }).use(staticFiles()).get("/next", (ctx) => ctx.text("next"));
  apply(app);
  const handler = app.handler();
  return {
    root,
    get: (path, init) => handler(new Request(`http://localhost${path}`, init)),
    hashOf: (path) => apply.snapshot.staticHash(path),
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

Deno.test("a static file is checked each time, unless its address holds its hash", async () => {
  await using at = await site();
  const plain = await at.get("/a.css");
  assert.equal(await plain.text(), "a{}");
  assert.equal(plain.headers.get("content-type"), "text/css; charset=utf-8");
  assert.equal(plain.headers.get("cache-control"), "no-cache");
  const hashed = await at.get(`/a.css?__frsh_c=${at.hashOf("/a.css")}`);
  assert.equal(hashed.headers.get("cache-control"), "public, max-age=31536000, immutable");
  await hashed.text();
});

Deno.test("a known ETag is answered 304", async () => {
  await using at = await site();
  const etag = (await at.get("/a.css")).headers.get("etag") ?? "";
  for (const known of [etag, etag.replace("W/", ""), `"other", ${etag}`, "*"]) {
    const answer = await at.get("/a.css", { headers: { "if-none-match": known } });
    assert.deepEqual([answer.status, answer.body], [304, null], known);
  }
  const other = await at.get("/a.css", { headers: { "if-none-match": `"other"` } });
  assert.equal(other.status, 200);
  await other.text();
});

Deno.test("the hash of another version leads to the file as it is now", async () => {
  await using at = await site("/base");
  const answer = await at.get("/base/a.css?x=1&__frsh_c=old");
  assert.deepEqual([answer.status, answer.headers.get("location")], [307, "/base/a.css?x=1"]);
});

Deno.test("a changed file has another hash", async () => {
  await using at = await site();
  const before = at.hashOf("/a.css");
  await Deno.writeTextFile(join(at.root, "static/a.css"), "a{color:red}");
  assert.notEqual(at.hashOf("/a.css"), before);
  assert.equal(await (await at.get("/a.css")).text(), "a{color:red}");
});

Deno.test("a file is found by its decoded name, in the first folder that has it", async () => {
  await using at = await site();
  assert.equal(await (await at.get("/deep/b%20c.svg")).text(), "<svg/>");
  assert.equal(await (await at.get("/only.txt")).text(), "only here");
  assert.equal(await (await at.get("/a.css")).text(), "a{}");
});

Deno.test("a path never leaves the static folder", async () => {
  await using at = await site();
  const paths = [
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/deep/..%2f..%2fsecret.txt",
    "/..%5csecret.txt",
    "/deep/..%5c..%5csecret.txt",
    "/%00../secret.txt",
    "/a.css%00",
    "/.hidden",
    "/%2ehidden",
    "/deep//b%20c.svg/",
    "/%E0%A4%A",
    `/${"x".repeat(5000)}`,
    "/deep",
    "/a.css/b",
    "/C:%5cx",
  ];
  for (const path of paths) {
    const answer = await at.get(path);
    assert.equal(answer.status, 404, path);
    await answer.text();
  }
});

Deno.test("only GET and HEAD read a static file", async () => {
  await using at = await site();
  const head = await at.get("/a.css", { method: "HEAD" });
  assert.deepEqual([head.status, head.body, head.headers.get("content-length")], [200, null, "3"]);
  for (const path of ["/a.css", "/_fresh/js/abc/boot.js"]) {
    const posted = await at.get(path, { method: "POST" });
    assert.deepEqual([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"]);
    await posted.text();
  }
});

Deno.test("what is no static file goes on, a missing icon does not", async () => {
  await using at = await site();
  assert.equal(await (await at.get("/next")).text(), "next");
  const icon = await at.get("/favicon.ico");
  assert.deepEqual([icon.status, icon.body], [404, null]);
});

Deno.test("a built file of another build is 404 and not kept", async () => {
  await using at = await site();
  const answer = await at.get("/_fresh/js/old/boot.js");
  assert.deepEqual([answer.status, answer.headers.get("cache-control")], [404, "no-store"]);
  await answer.text();
});

Deno.test("mediaType() knows the files of a page", () => {
  assert.equal(mediaType("fonts/KaTeX_Main.woff2"), "font/woff2");
  assert.equal(mediaType("A.SVG"), "image/svg+xml");
  assert.equal(mediaType("no-ending"), "application/octet-stream");
});
