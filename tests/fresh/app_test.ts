import assert from "node:assert/strict";
import { App, type Context, HttpError, page, type PageProps } from "fresh";
import { h } from "preact";

type Handler = (req: Request) => Promise<Response>;

function get(handler: Handler, path: string, init?: RequestInit): Promise<Response> {
  return handler(new Request(`http://localhost${path}`, init));
}

async function text(handler: Handler, path: string, init?: RequestInit): Promise<string> {
  return await (await get(handler, path, init)).text();
}

/** Runs while what is logged as an error is collected, not shown. */
async function quietly<Result>(run: () => Promise<Result>): Promise<{ result: Result; logged: unknown[] }> {
  const { error } = console;
  const logged: unknown[] = [];
  console.error = (...args) => logged.push(...args);
  try {
    return { result: await run(), logged };
  } finally {
    console.error = error;
  }
}

Deno.test("a route answers its own method", async () => {
  const verbs = ["get", "post", "patch", "put", "delete"] as const;
  for (const verb of verbs) {
    const handler = new App()[verb]("/x", (ctx) => ctx.text(ctx.req.method)).handler();
    assert.equal(await text(handler, "/x", { method: verb.toUpperCase() }), verb.toUpperCase());
  }
});

Deno.test("all() answers every method", async () => {
  const handler = new App().all("/x", (ctx) => ctx.text(ctx.req.method)).handler();
  for (const method of ["GET", "POST", "PROPFIND", "OPTIONS"]) {
    assert.equal(await text(handler, "/x", { method }), method);
  }
});

Deno.test("HEAD is answered by GET without a body, and by head() where there is one", async () => {
  const app = new App().get("/x", (ctx) => ctx.text("body", { headers: { "x-from": "get" } }));
  const answer = await get(app.handler(), "/x", { method: "HEAD" });
  assert.equal(answer.headers.get("x-from"), "get");
  assert.equal(answer.body, null);
  app.head("/x", (ctx) => ctx.text("", { headers: { "x-from": "head" } }));
  assert.equal((await get(app.handler(), "/x", { method: "HEAD" })).headers.get("x-from"), "head");
});

Deno.test("a method that a known path does not take is 405 and says which it takes", async () => {
  const handler = new App().get("/x", (ctx) => ctx.text("")).post("/x", (ctx) => ctx.text("")).handler();
  const answer = await get(handler, "/x", { method: "DELETE" });
  assert.equal(answer.status, 405);
  assert.equal(answer.headers.get("allow"), "GET, POST, HEAD, OPTIONS");
  await answer.text();
});

Deno.test("OPTIONS of a known path is 204 and says which methods it takes", async () => {
  const answer = await get(new App().put("/x", (ctx) => ctx.text("")).handler(), "/x", { method: "OPTIONS" });
  assert.deepEqual([answer.status, answer.headers.get("allow")], [204, "PUT, OPTIONS"]);
});

Deno.test("a path no route knows is 404", async () => {
  const answer = await get(new App().get("/x", (ctx) => ctx.text("")).handler(), "/y");
  assert.deepEqual([answer.status, await answer.text()], [404, "Not Found"]);
});

Deno.test("parameters are decoded, and kept as they stand when they cannot be", async () => {
  const handler = new App().get("/c/:id", (ctx) => ctx.text(`${ctx.params.id} ${ctx.route}`)).handler();
  assert.equal(await text(handler, "/c/a%20b%2Fc"), "a b/c /c/:id");
  assert.equal(await text(handler, "/c/%E0%A4%A"), "%E0%A4%A /c/:id");
});

Deno.test("a slash at the end matters for patterns with parameters alone", async () => {
  const handler = new App().get("/about", (ctx) => ctx.text("about")).get("/c/:id", (ctx) => ctx.text("c")).handler();
  assert.equal(await text(handler, "/about/"), "about");
  const answer = await get(handler, "/c/42/");
  assert.equal(answer.status, 404);
  await answer.text();
});

Deno.test("doubled slashes are made single before anything sees the path", async () => {
  const handler = new App().get("/a/b", (ctx) => ctx.text(ctx.url.pathname)).handler();
  assert.equal(await text(handler, "//a///b"), "/a/b");
});

Deno.test("a static pattern goes before one with a parameter, whichever was first", async () => {
  const handler = new App().get("/:id", (ctx) => ctx.text("id")).get("/new", (ctx) => ctx.text("new")).handler();
  assert.equal(await text(handler, "/new"), "new");
  assert.equal(await text(handler, "/other"), "id");
});

Deno.test("middlewares run in order around the handler, for their path alone", async () => {
  const trace: string[] = [];
  const mark = (name: string) => async (ctx: Context) => {
    trace.push(`>${name}`);
    const answer = await ctx.next();
    trace.push(`<${name}`);
    return answer;
  };
  const handler = new App().use(mark("all")).use("/admin", mark("admin"), mark("second"))
    .get("/admin/x", (ctx) => ctx.text("x")).get("/y", (ctx) => ctx.text("y")).handler();
  await text(handler, "/admin/x");
  assert.deepEqual(trace.splice(0), [">all", ">admin", ">second", "<second", "<admin", "<all"]);
  await text(handler, "/y");
  assert.deepEqual(trace, [">all", "<all"]);
});

Deno.test("what is registered later does not surround a route", async () => {
  const handler = new App().get("/x", (ctx) => ctx.text("x"))
    .use(async (ctx) => {
      const answer = await ctx.next();
      answer.headers.set("x-late", "1");
      return answer;
    }).get("/y", (ctx) => ctx.text("y")).handler();
  assert.equal((await get(handler, "/x")).headers.get("x-late"), null);
  assert.equal((await get(handler, "/y")).headers.get("x-late"), "1");
});

Deno.test("a middleware may ask next() twice and sees the same answer twice", async () => {
  const handler = new App().use(async (ctx) => {
    const first = await (await ctx.next()).text();
    return ctx.text(first + await (await ctx.next()).text());
  }).use((ctx) => ctx.next()).get("/x", (ctx) => ctx.text("x")).handler();
  assert.equal(await text(handler, "/x"), "xx");
});

Deno.test("a lazy middleware is imported when it is needed", async () => {
  let imported = 0;
  const handler = new App().get("/x", () => {
    imported++;
    return Promise.resolve((ctx: Context) => ctx.text("lazy"));
  }).handler();
  assert.equal(imported, 0);
  assert.equal(await text(handler, "/x"), "lazy");
});

Deno.test("state is handed down, and each request has its own", async () => {
  const app = new App<{ seen: number }>().use((ctx) => {
    ctx.state.seen = (ctx.state.seen ?? 0) + 1;
    return ctx.next();
  }).get("/x", (ctx) => ctx.text(String(ctx.state.seen)));
  const handler = app.handler();
  assert.deepEqual([await text(handler, "/x"), await text(handler, "/x")], ["1", "1"]);
});

Deno.test("an HttpError answers its status, with its message or the status text", async () => {
  const handler = new App().get("/a", () => {
    throw new HttpError(418, "Short and stout");
  }).get("/b", () => {
    throw new HttpError(409);
  }).handler();
  const answer = await get(handler, "/a");
  assert.deepEqual([answer.status, await answer.text()], [418, "Short and stout"]);
  assert.equal(await text(handler, "/b"), "Conflict");
  assert.equal(new HttpError(404).message, "");
});

Deno.test("an unknown error is 500, logged, and tells nothing", async () => {
  const handler = new App().get("/x", () => {
    throw new Error("secret detail");
  }).handler();
  const { result, logged } = await quietly(() => get(handler, "/x"));
  assert.deepEqual([result.status, await result.text()], [500, "Internal server error"]);
  assert.match(String(logged[0]), /secret detail/);
});

Deno.test("onError() answers what is thrown below its path, the nearest first", async () => {
  const boom = () => {
    throw new Error("boom");
  };
  const handler = new App()
    .onError("*", (ctx) => ctx.text(`all: ${(ctx.error as Error).message}`, { status: 500 }))
    .onError("/api", (ctx) => ctx.json({ title: (ctx.error as Error).message }, { status: 500 }))
    .get("/x", boom).get("/api/x", boom).handler();
  assert.equal(await text(handler, "/x"), "all: boom");
  assert.equal(await text(handler, "/api/x"), `{"title":"boom"}`);
});

Deno.test("an error page that throws is answered by the one above it", async () => {
  const handler = new App()
    .onError("*", (ctx) => ctx.text(`outer: ${(ctx.error as Error).message}`))
    .onError("/api", () => {
      throw new Error("second");
    })
    .get("/api/x", () => {
      throw new Error("first");
    }).handler();
  assert.equal(await text(handler, "/api/x"), "outer: second");
});

Deno.test("an error skips what a middleware does after next()", async () => {
  const handler = new App().onError("*", (ctx) => ctx.text("error")).use(async (ctx) => {
    const answer = await ctx.next();
    answer.headers.set("x-logged", "1");
    return answer;
  }).get("/x", () => {
    throw new Error("boom");
  }).handler();
  assert.equal((await get(handler, "/x")).headers.get("x-logged"), null);
});

Deno.test("notFound() answers unknown paths and every 404 that is thrown", async () => {
  const handler = new App().notFound((ctx) => ctx.text(`nothing at ${ctx.url.pathname}`, { status: 404 }))
    .get("/x", () => {
      throw new HttpError(404);
    }).handler();
  assert.equal(await text(handler, "/y"), "nothing at /y");
  assert.equal(await text(handler, "/x"), "nothing at /x");
});

Deno.test("route() renders its component with the handler's data, headers and status", async () => {
  const handler = new App().route("/x", {
    handler: { POST: () => page({ name: "Kai" }, { status: 201, headers: { "x-made": "1" } }) },
    component: (props: { data: { name: string } }) => h("p", null, "Aloha ", props.data.name),
  }).handler();
  const answer = await get(handler, "/x", { method: "POST" });
  assert.deepEqual([answer.status, answer.headers.get("x-made")], [201, "1"]);
  assert.match(await answer.text(), /<p>Aloha Kai<\/p>/);
  const missing = await get(handler, "/x", { method: "PUT" });
  assert.equal(missing.status, 405);
  await missing.text();
});

Deno.test("an async component may answer a response of its own", async () => {
  const handler = new App()
    .route("/gone", { component: async () => await Promise.resolve(new Response("gone", { status: 410 })) })
    .route("/here", { component: async () => await Promise.resolve(h("b", null, "here")) }).handler();
  const answer = await get(handler, "/gone");
  assert.deepEqual([answer.status, await answer.text()], [410, "gone"]);
  assert.match(await text(handler, "/here"), /<b>here<\/b>/);
});

Deno.test("a handler with two parameters is refused with what to do", async () => {
  const twice = ((_a: unknown, _b: unknown) => new Response("")) as () => Response;
  const handler = new App().route("/x", { handler: { GET: twice } }).handler();
  const { logged } = await quietly(() => text(handler, "/x"));
  assert.match(String(logged[0]), /A handler takes one parameter, the context; remove the second one/);
});

Deno.test("app and layouts surround a page, and can be left out", async () => {
  const handler = new App()
    .appWrapper(({ Component }: PageProps) => h("html", null, h("body", null, h(Component, null))))
    .layout("*", ({ Component }: PageProps) => h("main", null, h(Component, null)))
    .layout("/in", ({ Component }: PageProps) => h("section", null, h(Component, null)))
    .layout("/bare", ({ Component }: PageProps) => h("div", null, h(Component, null)), { skipInheritedLayouts: true })
    .get("/in/x", (ctx) => ctx.render(h("p", null)))
    .get("/bare/x", (ctx) => ctx.render(h("p", null)))
    .get("/alone", (ctx) => ctx.render(h("p", null), {}, { skipAppWrapper: true, skipInheritedLayouts: true }))
    .route("/own", { component: () => h("i", null), config: { skipInheritedLayouts: true } }).handler();
  const document = (inner: string) => `<!DOCTYPE html><html><body>${inner}</body></html>`;
  assert.equal(await text(handler, "/in/x"), document("<main><section><p></p></section></main>"));
  assert.equal(await text(handler, "/bare/x"), document("<div><p></p></div>"));
  assert.equal(await text(handler, "/alone"), "<p></p>");
  assert.equal(await text(handler, "/own"), document("<i></i>"));
});

Deno.test("under a base path routes answer below it, and nothing outside of it", async () => {
  const handler = new App({ basePath: "/base/" }).get("/", (ctx) => ctx.text("root"))
    .get("/x", (ctx) => ctx.text(`${ctx.config.basePath} ${ctx.route}`)).handler();
  assert.equal(await text(handler, "/base"), "root");
  assert.equal(await text(handler, "/base/"), "root");
  assert.equal(await text(handler, "/base/x"), "/base /x");
  for (const path of ["/x", "/basement/x", "/"]) {
    const answer = await get(handler, path);
    assert.equal(answer.status, 404, path);
    await answer.text();
  }
});

Deno.test("mountApp() puts another app below a path, its middlewares too", async () => {
  const inner = new App().use((ctx) => ctx.url.searchParams.has("no") ? ctx.text("refused") : ctx.next())
    .get("/x", (ctx) => ctx.text("inner")).route("/y", { handler: (ctx) => new Response(ctx.route) });
  const handler = new App().mountApp("/in", inner).get("/x", (ctx) => ctx.text("outer")).handler();
  assert.equal(await text(handler, "/in/x"), "inner");
  assert.equal(await text(handler, "/in/y"), "/in/y");
  assert.equal(await text(handler, "/in/x?no"), "refused");
  assert.equal(await text(handler, "/x?no"), "outer");
});

Deno.test("fsRoutes() without a build says what to do", () => {
  assert.throws(() => new App().fsRoutes().handler(), /call the function that Builder.build\(\) answers first/);
});

Deno.test("listen() serves until it is stopped", async () => {
  const stop = new AbortController();
  const listening = Promise.withResolvers<number>();
  const served = new App().get("/", (ctx) => ctx.text("up")).listen({
    port: 0,
    hostname: "127.0.0.1",
    signal: stop.signal,
    onListen: ({ port }) => listening.resolve(port),
  });
  const answer = await fetch(`http://127.0.0.1:${await listening.promise}/`);
  assert.equal(await answer.text(), "up");
  stop.abort();
  await served;
});

Deno.test("with mayBeStripped a path outside of the base path is read as the one below it", async () => {
  const app = new App({ basePath: "/home", mayBeStripped: true }).get("/x", (ctx) => ctx.text(ctx.url.pathname));
  for (const path of ["/x", "/home/x", "//x", "/home//x"]) {
    assert.equal(await text(app.handler(), path), "/home/x", path);
  }
  assert.equal((await get(app.handler(), "/homex")).status, 404);
  const strict = new App({ basePath: "/home" }).get("/x", (ctx) => ctx.text("")).handler();
  assert.equal((await get(strict, "/x")).status, 404);
});
