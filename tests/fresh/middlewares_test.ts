import assert from "node:assert/strict";
import { App, csp, csrf, type CsrfOptions, trailingSlashes } from "fresh";

async function policyOf(...options: Parameters<typeof csp>): Promise<Headers> {
  const handler = new App().use(csp(...options)).get("/", (ctx) => ctx.text("")).handler();
  return (await handler(new Request("http://localhost/"))).headers;
}

Deno.test("csp() allows our own origin and never upgrades to https", async () => {
  const policy = (await policyOf()).get("content-security-policy") ?? "";
  assert.match(policy, /default-src 'self'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /upgrade-insecure-requests/);
});

Deno.test("csp() puts our directives in the place of its own", async () => {
  const policy = (await policyOf({ csp: ["img-src 'self' blob:", "manifest-src 'self'"] }))
    .get("content-security-policy") ?? "";
  assert.deepEqual(policy.match(/img-src [^;]+/g), ["img-src 'self' blob:"]);
  assert.match(policy, /manifest-src 'self'/);
});

Deno.test("csp() can only report, and says where to", async () => {
  const headers = await policyOf({ reportOnly: true, reportTo: "/reports" });
  assert.equal(headers.get("content-security-policy"), null);
  assert.match(
    headers.get("content-security-policy-report-only") ?? "",
    /report-to csp-endpoint; report-uri \/reports/,
  );
  assert.equal(headers.get("reporting-endpoints"), `csp-endpoint="/reports"`);
});

async function csrfStatus(
  headers: Record<string, string>,
  origin?: CsrfOptions<unknown>["origin"],
  method = "POST",
): Promise<number> {
  const handler = new App().use(csrf({ origin })).all("/", (ctx) => ctx.text("")).handler();
  return (await handler(new Request("http://localhost/", { method, headers }))).status;
}

Deno.test("csrf() lets our own pages and programs change state, and no other page", async () => {
  assert.equal(await csrfStatus({}), 200);
  assert.equal(await csrfStatus({ "sec-fetch-site": "same-origin" }), 200);
  assert.equal(await csrfStatus({ "sec-fetch-site": "none" }), 200);
  assert.equal(await csrfStatus({ origin: "http://localhost" }), 200);
  assert.equal(await csrfStatus({ origin: "http://evil.example" }), 403);
  assert.equal(await csrfStatus({ origin: "null" }), 403);
  assert.equal(await csrfStatus({ "sec-fetch-site": "cross-site", origin: "http://localhost" }), 403);
  assert.equal(await csrfStatus({ "sec-fetch-site": "same-site" }), 403);
});

Deno.test("csrf() looks at no request that only reads", async () => {
  for (const method of ["GET", "HEAD", "OPTIONS"]) {
    assert.equal(await csrfStatus({ "sec-fetch-site": "cross-site" }, undefined, method), 200);
  }
});

Deno.test("csrf() lets the origins through that it is told", async () => {
  const other = { "sec-fetch-site": "cross-site", origin: "http://other.example" };
  assert.equal(await csrfStatus(other, "http://other.example"), 200);
  assert.equal(await csrfStatus(other, ["http://a.example", "http://other.example"]), 200);
  assert.equal(await csrfStatus(other, (origin) => origin.endsWith("other.example")), 200);
  assert.equal(await csrfStatus(other, "http://third.example"), 403);
});

async function sentTo(mode: "always" | "never", path: string): Promise<string | null> {
  const handler = new App({ basePath: "/base" }).use(trailingSlashes(mode)).get("/*", (ctx) => ctx.text("")).handler();
  return (await handler(new Request(`http://localhost${path}`))).headers.get("location");
}

Deno.test("trailingSlashes() knows one spelling of an address", async () => {
  assert.equal(await sentTo("never", "/base/x/?q=1"), "/base/x?q=1");
  assert.equal(await sentTo("never", "/base/x"), null);
  assert.equal(await sentTo("never", "/base/"), null);
  assert.equal(await sentTo("always", "/base/x?q=1"), "/base/x/?q=1");
  assert.equal(await sentTo("always", "/base/x/"), null);
  assert.equal(await sentTo("always", "/base/x.css"), null);
});
