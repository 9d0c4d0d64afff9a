import assert from "node:assert/strict";
import fc from "fast-check";
import { Router } from "../../fresh/router.ts";

function router(...routes: readonly (readonly ["GET" | "POST" | "HEAD" | "ALL", string])[]): Router<string> {
  const made = new Router<string>();
  for (const [method, pattern] of routes) made.add(method, pattern, `${method} ${pattern}`);
  return made;
}

Deno.test("match() is null for a path that no pattern fits", () => {
  assert.equal(router(["GET", "/a"], ["GET", "/b/:id"]).match("GET", "/c"), null);
  assert.equal(router(["GET", "/b/:id"]).match("GET", "/b"), null);
});

Deno.test("match() without a handler names the methods of every pattern that fits", () => {
  const match = router(["GET", "/a"], ["POST", "/:any"]).match("DELETE", "/a");
  assert.equal(match?.handler, null);
  assert.deepEqual([...match?.methods ?? []], ["GET", "POST"]);
});

Deno.test("match() goes on to a later pattern that takes the method", () => {
  const match = router(["GET", "/a"], ["POST", "/:any"]).match("POST", "/a");
  assert.deepEqual([match?.handler, match?.params], ["POST /:any", { any: "a" }]);
});

Deno.test("match() of HEAD prefers its own handler, then GET, then one for all", () => {
  assert.equal(router(["GET", "/a"], ["HEAD", "/a"]).match("HEAD", "/a")?.handler, "HEAD /a");
  assert.equal(router(["ALL", "/a"], ["GET", "/a"]).match("HEAD", "/a")?.handler, "GET /a");
  assert.equal(router(["ALL", "/a"]).match("HEAD", "/a")?.handler, "ALL /a");
});

Deno.test("add() keeps the first handler of a pattern and a method", () => {
  const made = new Router<number>();
  made.add("GET", "/a", 1);
  made.add("GET", "/a/", 2);
  assert.equal(made.match("GET", "/a/")?.handler, 1);
});

Deno.test("patterns with optional and rest parameters leave out what is not there", () => {
  const made = router(["GET", "/docs{/:version}?"], ["GET", "/files/:path*"]);
  assert.deepEqual(made.match("GET", "/docs")?.params, {});
  assert.deepEqual(made.match("GET", "/docs/2")?.params, { version: "2" });
  assert.deepEqual(made.match("GET", "/files/a/b%20c")?.params, { path: "a/b c" });
  assert.deepEqual(made.match("GET", "/files")?.params, {});
});

Deno.test("any text survives as a parameter, but for the two that an address walks away", () => {
  const made = router(["GET", "/c/:id"]);
  // A segment "." or ".." is a step, also when it is escaped: that is how addresses are read everywhere.
  const texts = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => text !== "." && text !== "..");
  fc.assert(fc.property(texts, (text) => {
    const escaped = encodeURIComponent(text).replace(/\./g, "%2E");
    assert.equal(made.match("GET", `/c/${escaped}`)?.params.id, text);
  }));
});

Deno.test("no path is too odd to be looked up", () => {
  const made = router(["GET", "/"], ["GET", "/c/:id"], ["ALL", "/x/:rest*"]);
  fc.assert(fc.property(fc.string(), (text) => {
    made.match("GET", `/${text}`);
  }));
});
