import assert from "node:assert/strict";
import { App } from "fresh";
import { Builder } from "fresh/dev";

const apply = await new Builder({ root: new URL("./site/", import.meta.url) }).build({ snapshot: "memory" });

function site(options: { basePath?: string; below?: string } = {}) {
  const app = new App({ basePath: options.basePath });
  apply(app);
  return app.fsRoutes(options.below).handler();
}

async function get(path: string, init?: RequestInit): Promise<{ status: number; body: string; headers: Headers }> {
  const answer = await site()(new Request(`http://localhost${path}`, init));
  return { status: answer.status, body: await answer.text(), headers: answer.headers };
}

Deno.test("a route file is served at its place, inside the app and the layout", async () => {
  const { status, body } = await get("/");
  assert.equal(status, 200);
  assert.match(body, /^<!DOCTYPE html><html lang="en">.*<body><main><h1>Home<\/h1><\/main><\/body><\/html>$/);
});

Deno.test("a page without islands carries no script", async () => {
  assert.doesNotMatch((await get("/")).body, /<script|modulepreload/);
});

Deno.test("middleware files run from the top down, in the order of their lists", async () => {
  assert.match((await get("/")).body, /<meta name="through" content="first,second"\/>/);
  assert.match((await get("/blog/x")).body, /<meta name="through" content="first,second,blog"\/>/);
});

Deno.test("a handler hands data, headers and status to its page", async () => {
  const { body, headers } = await get("/blog/rain");
  assert.equal(headers.get("x-slug"), "rain");
  assert.match(body, /<article>On rain<\/article>/);
});

Deno.test("what Head holds is hoisted and takes the place of the app's own", async () => {
  const head = /<head>(.*)<\/head>/.exec((await get("/blog/rain")).body)?.[1] ?? "";
  assert.deepEqual(head.match(/<title>.*?<\/title>/g), ["<title>On rain</title>"]);
  assert.deepEqual(head.match(/<meta name="description"[^>]*>/g), [`<meta name="description" content="of the page"/>`]);
  assert.deepEqual(head.match(/<link[^>]*>/g), [`<link rel="canonical" href="/two"/>`]);
});

Deno.test("a method that a route file does not name is 405 and says which there are; OPTIONS asks for them", async () => {
  const refused = await get("/blog/x", { method: "DELETE" });
  assert.equal(refused.status, 405);
  assert.match(refused.headers.get("allow") ?? "", /^GET, (?:POST, )?HEAD, OPTIONS$/);
  const alone = await get("/", { method: "POST" });
  assert.deepEqual([alone.status, alone.headers.get("allow")], [405, "GET, HEAD, OPTIONS"]);
  const asked = await get("/", { method: "OPTIONS" });
  assert.deepEqual([asked.status, asked.headers.get("allow")], [204, "GET, HEAD, OPTIONS"]);
  const posted = await get("/blog/x", { method: "POST" });
  assert.deepEqual([posted.status, posted.headers.get("location")], [303, "/blog/posted"]);
});

Deno.test("_404 answers unknown paths and thrown 404s, inside the app", async () => {
  for (const path of ["/nowhere", "/blog/missing"]) {
    const { status, body } = await get(path);
    assert.equal(status, 404);
    assert.match(body, new RegExp(`<html lang="en">.*<main><p>nothing at ${path}</p></main>`));
  }
});

Deno.test("_error answers with the status that was thrown", async () => {
  const { status, body } = await get("/blog/secret");
  assert.equal(status, 403);
  assert.match(body, /<main><p>sorry: not for you<\/p><\/main>/);
});

Deno.test("the nearest _error answers first", async () => {
  const { status, body } = await get("/boom", { method: "PUT" });
  assert.deepEqual([status, body], [502, `{"title":"boom"}`]);
});

Deno.test("a group is not in the address, but its layout is around its routes", async () => {
  assert.match((await get("/cart")).body, /<main><div class="shop"><p>cart<\/p><\/div><\/main>/);
});

Deno.test("a route file may choose its address, leave out layouts and name style sheets", async () => {
  const { body } = await get("/posters/7");
  assert.match(body, /<body><p>poster 7<\/p><\/body>/);
  assert.match(body, /<link rel="stylesheet" href="\/poster.css"\/>/);
  assert.equal((await get("/poster")).status, 404);
});

Deno.test("a rest parameter holds the rest of the path", async () => {
  assert.equal((await get("/c/one/two")).body, "rest one/two");
});

Deno.test("route files may be served below a path and a base path", async () => {
  const answer = await site({ basePath: "/base", below: "/site" })(new Request("http://localhost/base/site/cart"));
  assert.match(await answer.text(), /<div class="shop"><p>cart<\/p><\/div>/);
});

Deno.test("a route registered before the files has no app and no error page of theirs", async () => {
  const app = new App().get("/early", () => {
    throw new Error("early");
  });
  apply(app);
  const { error } = console;
  console.error = () => {};
  try {
    const answer = await app.fsRoutes().handler()(new Request("http://localhost/early"));
    assert.equal(await answer.text(), "Internal server error");
  } finally {
    console.error = error;
  }
});
