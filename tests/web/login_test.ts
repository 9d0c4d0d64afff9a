import assert from "node:assert/strict";
import { type TestServer, withServer } from "./test_server.ts";

async function makeLink(server: TestServer): Promise<string> {
  const answer = await server.send("POST", "/api/login-codes");
  assert.equal(answer.status, 201);
  const { url, expires_at } = await answer.json();
  const minutes = (Date.parse(expires_at) - Date.now()) / 60_000;
  assert.ok(minutes > 9.9 && minutes <= 10);
  return url;
}

async function open(url: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetch(url, { redirect: "manual", ...init });
  await answer.body?.cancel();
  return answer;
}

Deno.test("login: the link printed at the start opens the page once", () =>
  withServer(async (server) => {
    const { url, loginUrl } = server.server;
    assert.ok(loginUrl.startsWith(`${url}/login?code=`));
    const answer = await open(loginUrl);
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get("location"), "/", "the code is not in the address bar any more");
    const cookie = answer.headers.get("set-cookie") ?? "";
    assert.equal((await open(`${url}/api/conversations`, { headers: { cookie: cookie.split(";")[0]! } })).status, 200);
    const second = await open(loginUrl);
    assert.equal(second.status, 401);
    assert.equal(second.headers.get("set-cookie"), null);
  }));

Deno.test("login: the cookie is HttpOnly, SameSite=Strict, for our path, and holds no secret", () =>
  withServer(async (server) => {
    const code = await makeLink(server);
    const cookie = (await open(code)).headers.get("set-cookie") ?? "";
    assert.match(cookie, /; HttpOnly/);
    assert.match(cookie, /; SameSite=Strict/);
    assert.match(cookie, /; Path=\/;/);
    assert.doesNotMatch(cookie, /Secure|Domain/);
    assert.ok(!cookie.includes(server.token));
    assert.ok(!cookie.includes(code.split("code=")[1]!));
  }));

Deno.test("login: the cookie is Secure behind a configured proxy that speaks TLS", () =>
  withServer(async (server) => {
    const code = (await makeLink(server)).split("code=")[1];
    const answer = await server.raw(
      `GET /login?code=${code} HTTP/1.1\r\nhost: malama.example\r\nx-forwarded-proto: https\r\nconnection: close\r\n\r\n`,
    );
    assert.match(answer, /set-cookie: [^\r]*; Secure/i);
  }, { web: { allowedHosts: ["malama.example"] } }));

Deno.test("login: what is fetched ahead does not use the code up", () =>
  withServer(async (server) => {
    const url = await makeLink(server);
    assert.equal((await open(url, { method: "HEAD" })).headers.get("set-cookie"), null);
    const ahead: Record<string, string>[] = [
      { "sec-purpose": "prefetch" },
      { "sec-purpose": "prefetch;prerender" },
      { purpose: "prefetch" },
      { "sec-fetch-dest": "image" },
      { "sec-fetch-dest": "empty" },
    ];
    for (const headers of ahead) {
      const answer = await open(url, { headers });
      assert.equal(answer.headers.get("set-cookie"), null, JSON.stringify(headers));
    }
    assert.equal((await open(url)).status, 303);
  }));

Deno.test("login: a typed code opens too, in a form from our own page alone", () =>
  withServer(async (server) => {
    const code = (await makeLink(server)).split("code=")[1]!;
    const form = (origin: string) =>
      open(`${server.server.url}/login`, { method: "POST", body: new URLSearchParams({ code }), headers: { origin } });
    assert.equal((await form("http://evil.example")).status, 403);
    const answer = await form(server.server.url);
    assert.equal(answer.status, 303);
    assert.ok(answer.headers.get("set-cookie"));
  }));

Deno.test("login: five wrong codes close the door to further ones, and say how long", () =>
  withServer(async (server) => {
    const wrong = () => open(`${server.server.url}/login?code=4f7k-92qd-aaaa-bbbb`);
    for (let count = 0; count < 5; count++) assert.equal((await wrong()).status, 401);
    const answer = await wrong();
    assert.equal(answer.status, 429);
    assert.ok(Number(answer.headers.get("retry-after")) >= 1);
    assert.equal((await open(await makeLink(server))).status, 303, "a right code is no guess");
  }));

Deno.test("login: a page that is not signed in can see the login page, and nothing of anyone's", () =>
  withServer(async (server) => {
    await server.send("POST", "/api/conversations", { title: "A very private title" });
    for (const path of ["/login", "/login?code=wrong", "/login?signed_out"]) {
      const answer = await fetch(`${server.server.url}${path}`);
      const text = await answer.text();
      assert.match(answer.headers.get("content-type") ?? "", /text\/html/);
      assert.ok(!text.includes("A very private title") && !text.includes(server.token));
    }
  }));

Deno.test("login: signing out by form ends the session", () =>
  withServer(async (server) => {
    const cookie = await server.signIn();
    const answer = await open(`${server.server.url}/login`, {
      method: "POST",
      body: new URLSearchParams({ sign_out: "1" }),
      headers: { cookie, origin: server.server.url },
    });
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get("location"), "/login?signed_out");
    assert.match(answer.headers.get("set-cookie") ?? "", /Max-Age=0/);
    assert.equal((await open(`${server.server.url}/api/conversations`, { headers: { cookie } })).status, 401);
  }));
