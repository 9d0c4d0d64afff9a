import assert from "node:assert/strict";
import { join } from "node:path";
import { LiveClient } from "./live_client.ts";
import { type TestServer, withServer } from "./test_server.ts";

const PROGRAM_PATHS = [
  "/api/conversations",
  "/api/conversations/x",
  "/api/openapi.json",
  "/api/settings",
  "/api/nothing",
  "/live",
  "/payloads/x",
  "/images/x",
  "/downloads/x",
];

async function get(server: TestServer, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const answer = await fetch(`${server.server.url}${path}`, { headers, redirect: "manual" });
  await answer.body?.cancel();
  return answer;
}

Deno.test("authentication: a program without a token gets 401 as a problem, everywhere", () =>
  withServer(async (server) => {
    for (const path of PROGRAM_PATHS) {
      const answer = await get(server, path);
      assert.equal(answer.status, 401, path);
      assert.equal(answer.headers.get("content-type"), "application/problem+json");
      assert.equal(answer.headers.get("www-authenticate"), "Bearer");
    }
    const answer = await fetch(`${server.server.url}/api/conversations`, { method: "POST", body: "{}" });
    assert.equal(answer.status, 401);
    const problem = await answer.json();
    assert.deepEqual(Object.keys(problem), ["type", "title", "status", "detail"]);
    assert.match(problem.detail, /task start login/);
  }));

Deno.test("authentication: a page without a cookie is sent to /login", () =>
  withServer(async (server) => {
    for (const path of ["/", "/c/01ABC", "/settings", "/no-such-page"]) {
      const answer = await get(server, path);
      assert.equal(answer.status, 303, path);
      assert.equal(answer.headers.get("location"), "/login");
    }
  }));

Deno.test("authentication: /healthz needs none", () =>
  withServer(async (server) => {
    const answer = await fetch(`${server.server.url}/healthz`);
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), { status: "ok", version: "1.2.3", ready: false });
    server.assistant.makeReady();
    assert.equal((await (await fetch(`${server.server.url}/healthz`)).json()).ready, true);
  }, { isStarting: true }));

Deno.test("authentication: the token opens, however Bearer is spelt; other schemes and places do not", () =>
  withServer(async (server) => {
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      assert.equal(
        (await get(server, "/api/conversations", { authorization: `${scheme} ${server.token}` })).status,
        200,
      );
    }
    for (
      const authorization of [`Basic ${btoa(`x:${server.token}`)}`, server.token, "Bearer", `Token ${server.token}`]
    ) {
      assert.equal((await get(server, "/api/conversations", { authorization })).status, 401, authorization);
    }
    for (const query of [`token=${server.token}`, `access_token=${server.token}`]) {
      assert.equal((await get(server, `/api/conversations?${query}`)).status, 401);
    }
    for (const wrong of [server.token.slice(0, -1), `${server.token}x`, server.token.toLowerCase(), ""]) {
      assert.equal((await get(server, "/api/conversations", { authorization: `Bearer ${wrong}` })).status, 401);
    }
  }));

Deno.test("authentication: a wrong token is refused even beside a good cookie", () =>
  withServer(async (server) => {
    const cookie = await server.signIn();
    assert.equal((await get(server, "/api/conversations", { cookie })).status, 200);
    assert.equal((await get(server, "/api/conversations", { cookie, authorization: "Bearer wrong" })).status, 401);
  }));

Deno.test("authentication: failures are limited, on loopback too, and a right token still comes in", () =>
  withServer(async (server) => {
    const statuses = [];
    for (let count = 0; count < 14; count++) {
      statuses.push((await get(server, "/api/conversations", { authorization: "Bearer wrong" })).status);
    }
    assert.deepEqual(statuses, [...Array(10).fill(401), ...Array(4).fill(429)]);
    const answer = await fetch(`${server.server.url}/api/models`, { headers: { authorization: "Bearer wrong" } });
    assert.equal(answer.status, 429);
    const wait = Number(answer.headers.get("retry-after"));
    assert.ok(wait >= 1 && wait <= 60);
    assert.match((await answer.json()).detail, new RegExp(`wait ${wait} second`));
    assert.equal((await get(server, "/api/conversations", { authorization: `Bearer ${server.token}` })).status, 200);
    assert.equal((await get(server, "/api/conversations")).status, 401, "asking without any is no guess");
  }));

Deno.test("authentication: guesses at the cookie are limited too", () =>
  withServer(async (server) => {
    const name = (await server.signIn()).split("=")[0];
    let last = 0;
    for (let count = 0; count < 11; count++) {
      last = (await get(server, "/api/conversations", { cookie: `${name}=a.99999999999.guess${count}` })).status;
    }
    assert.equal(last, 429);
  }));

Deno.test("authentication: rotating the token closes sessions and sockets", () =>
  withServer(async (server) => {
    const cookie = await server.signIn();
    const passes: Record<string, string>[] = [{ cookie }, { authorization: `Bearer ${server.token}` }];
    const clients = passes.map((headers) => new LiveClient(server.server.url, headers));
    for (const client of clients) await client.next("hello");
    await Deno.writeTextFile(join(server.dataDir, "token"), "n".repeat(43));
    for (const { closed } of clients) assert.equal((await closed).code, 1008);
    assert.equal(server.server.hub.size, 0);
    assert.equal((await get(server, "/api/conversations", { cookie })).status, 401);
    assert.equal((await get(server, "/api/conversations", { authorization: `Bearer ${server.token}` })).status, 401);
    assert.equal((await get(server, "/api/conversations", { authorization: `Bearer ${"n".repeat(43)}` })).status, 200);
  }));

Deno.test("authentication: signing out ends the session on the server, and its sockets", () =>
  withServer(async (server) => {
    const [cookie, other] = [await server.signIn(), await server.signIn()];
    const client = new LiveClient(server.server.url, { cookie });
    await client.next("hello");
    const answer = await fetch(`${server.server.url}/api/sign-out`, { method: "POST", headers: { cookie } });
    assert.equal(answer.status, 204);
    assert.match(answer.headers.get("set-cookie") ?? "", /Max-Age=0/);
    assert.equal((await client.closed).code, 1008);
    assert.equal((await get(server, "/api/conversations", { cookie })).status, 401);
    assert.equal((await get(server, "/api/conversations", { cookie: other })).status, 200);
  }));

Deno.test('authentication: with auth = "none" everybody on this machine is in, and no code is made', () =>
  withServer(async (server) => {
    assert.equal((await get(server, "/api/conversations")).status, 200);
    assert.equal(server.server.loginUrl, `${server.server.url}/`);
    const answer = await fetch(`${server.server.url}/api/login-codes`, { method: "POST" });
    assert.equal(answer.status, 409);
    await answer.body?.cancel();
    const foreign = await fetch(`${server.server.url}/api/conversations`, {
      method: "POST",
      headers: { origin: "http://evil.example" },
    });
    assert.equal(foreign.status, 403);
    await foreign.body?.cancel();
  }, { web: { auth: "none" } }));

Deno.test("authentication: the token is in no answer, header, report or address", () =>
  withServer(async (server) => {
    const cookie = await server.signIn();
    const paths = ["/api/openapi.json", "/api/settings", "/api/diagnostics", "/healthz", "/api/nothing", "/"];
    const seen = [cookie, server.server.url, server.server.loginUrl, ...server.reports];
    for (const path of paths) {
      const answer = await server.fetch(path);
      seen.push(await answer.text(), ...[...answer.headers].flat());
    }
    await server.fetch("/api/conversations", { headers: { authorization: `Bearer ${server.token}x` } })
      .then(async (answer) => seen.push(await answer.text(), ...[...answer.headers].flat()));
    for (const text of seen) assert.ok(!text.includes(server.token));
  }));

Deno.test("authentication: everything works under a base path, with the cookie kept to it", () =>
  withServer(async (server) => {
    assert.ok(server.server.url.endsWith("/assistant"));
    const made = await (await server.send("POST", "/api/login-codes")).json();
    assert.ok(made.url.startsWith(`${server.server.url}/login?code=`));
    const answer = await fetch(made.url, { redirect: "manual" });
    await answer.body?.cancel();
    assert.equal(answer.headers.get("location"), "/assistant/");
    assert.match(answer.headers.get("set-cookie") ?? "", /; Path=\/assistant;/);
    assert.equal((await get(server, "/api/conversations")).status, 401);
    assert.equal((await get(server, "/")).headers.get("location"), "/assistant/login");
    const outside = `http://127.0.0.1:${server.server.port}`;
    assert.equal((await fetch(`${outside}/healthz`)).status, 200);
  }, { web: { basePath: "/assistant" } }));

Deno.test("authentication: a program gets a problem also when the data folder is gone", () =>
  withServer(async (server) => {
    const { dataDir } = server.assistant.config;
    await Deno.rename(dataDir, `${dataDir}.moved`);
    try {
      for (const path of PROGRAM_PATHS) {
        const answer = await fetch(`${server.server.url}${path}`, {
          headers: { authorization: `Bearer ${server.token}` },
        });
        const problem = await answer.json();
        assert.deepEqual([answer.status, problem.type], [503, "urn:malama:problem:no-token"], path);
        assert.match(problem.detail, /can be neither read nor made/);
        assert.equal(answer.headers.get("content-type"), "application/problem+json");
      }
    } finally {
      await Deno.rename(`${dataDir}.moved`, dataDir);
    }
    assert.equal((await get(server, "/api/conversations", { authorization: `Bearer ${server.token}` })).status, 200);
  }));
