import assert from "node:assert/strict";
import { App, csp } from "fresh";

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
