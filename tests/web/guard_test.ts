import assert from "node:assert/strict";
import { CONTENT_SECURITY_POLICY } from "../../web/security_headers.ts";
import { statusOf, type TestServer, withServer } from "./test_server.ts";

/** A request with headers that `fetch` would not send. */
function request(server: TestServer, line: string, headers: Record<string, string>, body = ""): Promise<string> {
  const all = { host: `127.0.0.1:${server.server.port}`, authorization: `Bearer ${server.token}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return server.raw(`${line} HTTP/1.1\r\n${lines}connection: close\r\n\r\n${body}`);
}

const post = { "content-type": "application/json", "content-length": "2" };

Deno.test("guard: a forged Host is refused on every kind of path", () =>
  withServer(async (server) => {
    for (const path of ["/healthz", "/api/conversations", "/", "/login", "/live", "/malama.css", "/api/nothing"]) {
      for (const host of ["evil.example", `evil.example:${server.server.port}`, "127.0.0.1.nip.io", "0.0.0.0"]) {
        const answer = await request(server, `GET ${path}`, { host });
        assert.equal(statusOf(answer), 403, `${path} ${host}`);
        assert.match(answer, /application\/problem\+json/);
        assert.match(answer, /allowed_hosts/);
      }
    }
  }));

Deno.test("guard: our own names are let in, a request without a name is not", () =>
  withServer(async (server) => {
    const { port } = server.server;
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, "LocalHost"]) {
      assert.equal(statusOf(await request(server, "GET /healthz", { host })), 200, host);
    }
    const nameless = await server.raw("GET /healthz HTTP/1.0\r\n\r\n");
    assert.ok(![200].includes(statusOf(nameless)));
  }));

Deno.test("guard: an address in the request line does not stand in for Host", () =>
  withServer(async (server) => {
    const line = `GET http://127.0.0.1:${server.server.port}/healthz`;
    assert.equal(statusOf(await request(server, line, { host: "evil.example" })), 403);
  }));

Deno.test("guard: a name in allowed_hosts is let in, whatever the port", () =>
  withServer(async (server) => {
    for (const host of ["malama.example", "malama.example:8443"]) {
      assert.equal(statusOf(await request(server, "GET /healthz", { host })), 200);
    }
    assert.equal(statusOf(await request(server, "GET /healthz", { host: "sub.malama.example" })), 403);
  }, { web: { allowedHosts: ["malama.example"] } }));

Deno.test("guard: a page from elsewhere changes nothing", () =>
  withServer(async (server) => {
    const own = `http://127.0.0.1:${server.server.port}`;
    for (const origin of ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1", "file://"]) {
      for (const method of ["POST", "PATCH", "PUT", "DELETE"]) {
        const answer = await request(server, `${method} /api/conversations`, { ...post, origin }, "{}");
        assert.equal(statusOf(answer), 403, `${method} ${origin}`);
      }
    }
    const list = await (await server.fetch("/api/conversations")).json();
    assert.deepEqual(list.items, []);
    assert.equal(statusOf(await request(server, "POST /api/conversations", { ...post, origin: own }, "{}")), 201);
    assert.equal(statusOf(await request(server, "POST /api/conversations", post, "{}")), 201);
  }));

Deno.test("guard: what the browser says about another site counts too", () =>
  withServer(async (server) => {
    for (
      const [site, status] of [["cross-site", 403], ["same-site", 403], ["same-origin", 201], ["none", 201]] as const
    ) {
      const answer = await request(server, "POST /api/conversations", { ...post, "sec-fetch-site": site }, "{}");
      assert.equal(statusOf(answer), status, site);
    }
  }));

Deno.test("guard: a socket from another page is refused, cookie or not", () =>
  withServer(async (server) => {
    const socket = {
      upgrade: "websocket",
      connection: "upgrade",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    for (const origin of ["http://evil.example", "null"]) {
      const headers = { host: `127.0.0.1:${server.server.port}`, cookie: await server.signIn(), origin, ...socket };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("");
      assert.equal(statusOf(await server.raw(`GET /live HTTP/1.1\r\n${lines}\r\n`)), 403, origin);
    }
    assert.equal(server.server.hub.size, 0);
  }));

Deno.test("guard: a reading request from another page gets no leave to be read there", () =>
  withServer(async (server) => {
    const answer = await request(server, "GET /api/conversations", { origin: "http://evil.example" });
    assert.equal(statusOf(answer), 200);
    assert.doesNotMatch(answer, /access-control/i);
    assert.match(answer, /cross-origin-resource-policy: same-origin/i);
    const preflight = await request(server, "OPTIONS /api/conversations", {
      origin: "http://evil.example",
      "access-control-request-method": "POST",
    });
    assert.doesNotMatch(preflight, /access-control/i);
  }));

Deno.test("guard: a body over 16 MiB is 413, said beforehand or not", () =>
  withServer(async (server) => {
    const { id } = await (await server.send("POST", "/api/conversations", {})).json();
    const piece = new Uint8Array(1024 * 1024).fill(32);
    const chunked = () => ReadableStream.from(Array(17).fill(piece));
    const whole = new Uint8Array(16 * 1024 * 1024 + 1).fill(32);
    const type = { "content-type": "application/json" };
    for (const path of [`/api/conversations/${id}/messages`, `/api/conversations/${id}/stop`, "/api/login-codes"]) {
      for (const body of [whole, chunked()]) {
        const answer = await server.fetch(path, { method: "POST", body, headers: type });
        assert.equal(answer.status, 413, path);
        assert.equal(answer.headers.get("content-type"), "application/problem+json");
        assert.match((await answer.json()).detail, /16 MiB/);
      }
    }
    assert.deepEqual(server.assistant.submitted, []);
  }));

Deno.test("guard: a body that says a shorter length than it is, is no way around the limit", () =>
  withServer(async (server) => {
    const answer = await request(
      server,
      "POST /api/conversations",
      { ...post, "content-length": "2" },
      `{}${" ".repeat(99)}`,
    );
    assert.ok([201, 400].includes(statusOf(answer)));
    const lying = await request(
      server,
      "POST /api/conversations",
      { ...post, "content-length": "99999999999999" },
      "{}",
    );
    assert.equal(statusOf(lying), 413);
  }));

Deno.test("guard: every answer carries the security headers", () =>
  withServer(async (server) => {
    const answers = [
      await server.fetch("/healthz"),
      await server.fetch("/api/conversations"),
      await server.fetch("/api/nothing"),
      await server.fetch("/api/conversations", { headers: { authorization: "Bearer wrong" } }),
      await server.fetch("/api/conversations", {
        method: "POST",
        body: "{",
        headers: { "content-type": "application/json" },
      }),
      await fetch(`${server.server.url}/c/x`, { redirect: "manual" }),
      await server.fetch("/api/conversations", { method: "POST", headers: { "sec-fetch-site": "cross-site" } }),
    ];
    for (const answer of answers) {
      await answer.body?.cancel();
      assert.equal(answer.headers.get("content-security-policy"), CONTENT_SECURITY_POLICY);
      assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
      assert.equal(answer.headers.get("referrer-policy"), "same-origin");
      assert.equal(answer.headers.get("x-frame-options"), "DENY");
      assert.equal(answer.headers.get("cross-origin-opener-policy"), "same-origin");
      assert.equal(answer.headers.get("cross-origin-resource-policy"), "same-origin");
      assert.ok(answer.headers.get("cache-control"));
    }
    assert.doesNotMatch(CONTENT_SECURITY_POLICY, /unsafe|https?:|\*/);
  }));

Deno.test("guard: an address that climbs leads nowhere, however it is spelt", () =>
  withServer(async (server) => {
    for (
      const path of ["/api/..", "/api/%2e%2e", "/api/.%2E/healthz", "/./healthz", "/x\\..\\healthz", "/healthz/%2e"]
    ) {
      const answer = await request(server, `GET ${path}`, {});
      assert.equal(statusOf(answer), 404, path);
      assert.match(answer, /application\/problem\+json/);
    }
    assert.equal(statusOf(await request(server, "GET /healthz?path=/../x", {})), 200);
  }));
