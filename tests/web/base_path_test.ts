import assert from "node:assert/strict";
import { withServer } from "./test_server.ts";

const BELOW = { web: { basePath: "/assistant" } };

Deno.test("with a base path it answers below it and without it: a proxy may keep the prefix or take it away", () =>
  withServer(async ({ server, token }) => {
    const origin = server.url.replace(/\/assistant$/, "");
    const headers = { authorization: `Bearer ${token}` };
    for (const at of [origin, `${origin}/assistant`]) {
      const list = await fetch(`${at}/api/conversations`, { headers });
      assert.equal(list.status, 200, at);
      await list.body?.cancel();
      const style = await fetch(`${at}/malama.css`);
      assert.equal(style.headers.get("content-type"), "text/css; charset=utf-8");
      await style.body?.cancel();
      const health = await fetch(`${at}/healthz`);
      assert.equal((await health.json()).status, "ok");
      const page = await (await fetch(`${at}/login`)).text();
      assert.match(page, /action="\/assistant\/login"/);
      assert.match(page, /href="\/assistant\/malama\.css\?/);
      const unknown = await fetch(`${at}/api/nothing`, { headers });
      assert.deepEqual([unknown.status, unknown.headers.get("content-type")], [404, "application/problem+json"]);
      await unknown.body?.cancel();
    }
  }, BELOW));

Deno.test("with a base path every address it gives out has it: redirects, the cookie, what was made, the description", () =>
  withServer(async ({ server, token, assistant }) => {
    const origin = server.url.replace(/\/assistant$/, "");
    const headers = { authorization: `Bearer ${token}` };
    for (const at of [origin, `${origin}/assistant`]) {
      const away = await fetch(`${at}/`, { redirect: "manual" });
      assert.deepEqual([away.status, away.headers.get("location")], [303, "/assistant/login"]);
      const made = await fetch(`${at}/api/login-codes`, { method: "POST", headers });
      const { url } = await made.json();
      assert.ok(url.startsWith(`${origin}/assistant/login?code=`));
      const inside = await fetch(`${at}/login?code=${new URL(url).searchParams.get("code")}`, { redirect: "manual" });
      assert.deepEqual([inside.status, inside.headers.get("location")], [303, "/assistant/"]);
      assert.match(inside.headers.get("set-cookie") ?? "", /; Path=\/assistant;/);
      const conversation = await fetch(`${at}/api/conversations`, { method: "POST", headers });
      const { id } = await conversation.json();
      assert.equal(conversation.headers.get("location"), `/assistant/api/conversations/${id}`);
      const { servers } = await (await fetch(`${at}/api/openapi.json`, { headers })).json();
      assert.deepEqual(servers.map((each: { url: string }) => each.url), ["/assistant", `${origin}/assistant`]);
    }
    assert.equal((await assistant.conversations.list()).items.length, 2);
  }, BELOW));

Deno.test("a page says which methods it takes", () =>
  withServer(async (server) => {
    for (const [path, allow] of [["/usage", "GET, HEAD, OPTIONS"], ["/login", "GET, POST, HEAD, OPTIONS"]] as const) {
      const answer = await server.fetch(path, { method: "DELETE" });
      await answer.body?.cancel();
      assert.deepEqual([answer.status, answer.headers.get("allow")], [405, allow], path);
    }
    for (const method of ["PUT", "POST"]) {
      const health = await server.fetch("/healthz", { method });
      await health.body?.cancel();
      assert.deepEqual([health.status, health.headers.get("allow")], [405, "GET, HEAD, OPTIONS"], method);
    }
    const asked = await server.fetch("/", { method: "OPTIONS" });
    assert.deepEqual([asked.status, asked.headers.get("allow")], [204, "GET, POST, HEAD, OPTIONS"]);
    const head = await server.fetch("/healthz", { method: "HEAD" });
    assert.deepEqual([head.status, await head.text()], [200, ""]);
  }));
