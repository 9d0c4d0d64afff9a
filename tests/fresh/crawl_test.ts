import assert from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import { crawl, patternOf } from "../../fresh/crawl.ts";

async function crawled(files: readonly string[], ignore?: readonly RegExp[]) {
  const root = await Deno.makeTempDir();
  try {
    for (const file of files) {
      await Deno.mkdir(join(root, dirname(file)), { recursive: true });
      await Deno.writeTextFile(join(root, file), "");
    }
    const { routes, islands } = crawl(join(root, "routes"), join(root, "islands"), ignore);
    return {
      routes: routes.map(({ kind, segment, pattern }) => kind === "route" ? pattern : `${kind} ${segment}`),
      islands: islands.map((file) => relative(root, file)),
    };
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("patternOf() makes an address of a file's place", () => {
  const patterns: Readonly<Record<string, string>> = {
    "index": "/",
    "about": "/about",
    "c/[id]": "/c/:id",
    "c/index": "/c",
    "api/conversations/[id]/messages": "/api/conversations/:id/messages",
    "docs/[...rest]": "/docs/:rest*",
    "docs/[[version]]": "/docs{/:version}?",
    "[[lang]]/about": "{/:lang}?/about",
    "[id]-raw": "/:id-raw",
    "v[n]": "/v:n",
    "(shop)/cart/(inner)/item": "/cart/item",
    "v1.0": "/v1.0",
    "what+": "/what\\+",
    "über": "/%C3%BCber",
  };
  for (const [id, pattern] of Object.entries(patterns)) assert.equal(patternOf(id), pattern, id);
});

Deno.test("patternOf() refuses half a parameter", () => {
  assert.throws(() => patternOf("c/[id"), /"\[id" is no part of a route's name; write "\[name\]"/);
});

Deno.test("crawl() puts what surrounds before routes, and the particular before the general", async () => {
  const { routes } = await crawled([
    "routes/[...rest].tsx",
    "routes/[slug].tsx",
    "routes/about.tsx",
    "routes/index.tsx",
    "routes/c/[id].tsx",
    "routes/c/new.tsx",
    "routes/c/_middleware.ts",
    "routes/(group)/_layout.tsx",
    "routes/(group)/zoo.tsx",
    "routes/_layout.tsx",
    "routes/_middleware.ts",
    "routes/_404.tsx",
    "routes/_error.tsx",
    "routes/_app.tsx",
  ]);
  assert.deepEqual(routes.slice(0, 5).sort(), ["app /", "error /", "layout /", "middleware /", "not_found /"]);
  assert.deepEqual(routes.slice(5, 7).sort(), ["layout /(group)", "middleware /c"]);
  assert.deepEqual(routes.slice(7), ["/", "/about", "/c/new", "/c/:id", "/zoo", "/:slug", "/:rest*"]);
});

Deno.test("crawl() finds islands in their folder and in (_islands), and leaves out tests and (_other)", async () => {
  const { routes, islands } = await crawled([
    "islands/Counter.tsx",
    "islands/deep/Panel.tsx",
    "islands/Counter_test.tsx",
    "islands/types.d.ts",
    "islands/notes.md",
    "routes/shop/(_islands)/Cart.tsx",
    "routes/shop/(_parts)/Part.tsx",
    "routes/shop/index.tsx",
    "routes/shop/index.test.tsx",
  ]);
  assert.deepEqual(islands, ["islands/Counter.tsx", "islands/deep/Panel.tsx", "routes/shop/(_islands)/Cart.tsx"]);
  assert.deepEqual(routes, ["/shop"]);
});

Deno.test("crawl() leaves out what it is told to ignore", async () => {
  const { routes } = await crawled(["routes/a.tsx", "routes/b.tsx"], [/\/b\.tsx$/]);
  assert.deepEqual(routes, ["/a"]);
});

Deno.test("crawl() of missing folders is empty", async () => {
  assert.deepEqual(await crawled([]), { routes: [], islands: [] });
});

Deno.test("crawl() refuses a second app component and a second page for what is not found", async () => {
  await assert.rejects(crawled(["routes/a/_app.tsx"]), /must stand at the top of the routes folder/);
  await assert.rejects(crawled(["routes/a/_404.tsx"]), /must stand at the top of the routes folder/);
});
