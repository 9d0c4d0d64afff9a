import assert from "node:assert/strict";
import { readLock } from "../../core/storage/mod.ts";
import type { LoadedApp } from "../../web/app.ts";
import { CannotListen, OpenToAll, PortTaken } from "../../web/listen_errors.ts";
import { serve } from "../../web/serve.ts";
import { fakeAssistant } from "./fake_assistant.ts";
import { withServer } from "./test_server.ts";

async function withAssistant(
  run: (assistant: Awaited<ReturnType<typeof fakeAssistant>>) => Promise<void>,
): Promise<void> {
  const dataDir = await Deno.makeTempDir();
  const assistant = await fakeAssistant(dataDir);
  try {
    await run(assistant);
  } finally {
    await assistant.close();
    await Deno.remove(dataDir, { recursive: true });
  }
}

Deno.test("serve() says which port is taken, and how to choose another", () =>
  withAssistant(async (assistant) => {
    using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = taken.addr;
    await assert.rejects(serve({ assistant, web: { ...assistant.config.web, port } }), (error: Error) => {
      assert.ok(error instanceof PortTaken);
      assert.match(error.message, new RegExp(`Port ${port} on 127.0.0.1 is taken.*--port`));
      return true;
    });
  }));

Deno.test("serve() refuses an address that is not this machine's", () =>
  withAssistant(async (assistant) => {
    for (const host of ["192.0.2.1", "127.0.0.1:80", "http://x", " ", "no such host"]) {
      await assert.rejects(serve({ assistant, web: { ...assistant.config.web, host } }), CannotListen, host);
    }
  }));

Deno.test("serve() refuses to open an address others reach without authentication", () =>
  withAssistant(async (assistant) => {
    for (const host of ["0.0.0.0", "::", "192.168.1.5", "malama.example"]) {
      const web = { ...assistant.config.web, host, auth: "none" as const };
      await assert.rejects(serve({ assistant, web }), (error: Error) => {
        assert.ok(error instanceof OpenToAll);
        assert.match(error.message, /auth = "token"/);
        return true;
      });
    }
  }));

Deno.test("serve() listens on every address with a token, and asks for it there", () =>
  withAssistant(async (assistant) => {
    const server = await serve({ assistant, web: { ...assistant.config.web, host: "0.0.0.0" } });
    assert.equal(server.url, `http://localhost:${server.port}`);
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/conversations`);
    assert.equal(answer.status, 401);
    await answer.body?.cancel();
    await server.close();
  }));

Deno.test("serve() answers /healthz while the rest is starting, and the rest afterwards", () =>
  withAssistant(async (assistant) => {
    const app = Promise.withResolvers<LoadedApp>();
    const server = await serve({ assistant, loadApp: () => app.promise });
    const health = await (await fetch(`${server.url}/healthz`)).json();
    assert.deepEqual(health, { status: "ok", version: "1.2.3", ready: false });
    const waiting = fetch(`${server.url}/anything`);
    app.resolve({ handler: () => new Response("up"), pageHash: () => Promise.resolve("") });
    assert.equal(await (await waiting).text(), "up");
    await server.close();
  }));

Deno.test("serve() tells of pages that cannot be loaded, and shows no stack", () =>
  withAssistant(async (assistant) => {
    const reports: string[] = [];
    const server = await serve({
      assistant,
      report: (_, __, message) => reports.push(message),
      loadApp: () => Promise.reject(new Error("routes/broken.tsx has no end")),
    });
    await assert.rejects(server.loaded);
    const answer = await fetch(`${server.url}/`);
    assert.equal(answer.status, 500);
    const problem = await answer.json();
    assert.doesNotMatch(problem.detail, /broken|\.tsx?|:\d+/);
    assert.ok(reports.some((line) => line.includes("routes/broken.tsx")));
    await server.close();
  }));

Deno.test("serve() stops when its signal aborts", () =>
  withAssistant(async (assistant) => {
    const stop = new AbortController();
    const server = await serve({ assistant, signal: stop.signal });
    await (await fetch(`${server.url}/healthz`)).body?.cancel();
    stop.abort();
    await server.close();
    await assert.rejects(fetch(`${server.url}/healthz`));
  }));

Deno.test("close() does not wait for ever for a request that never ends", () =>
  withAssistant(async (assistant) => {
    const asked = Promise.withResolvers<void>();
    const handler = () => (asked.resolve(), new Promise<never>(() => {}));
    const server = await serve({
      assistant,
      loadApp: () => Promise.resolve({ handler, pageHash: () => Promise.resolve("") }),
    });
    const leave = new AbortController();
    const hanging = fetch(`${server.url}/x`, { signal: leave.signal }).catch(() => "ended");
    await asked.promise;
    await server.close();
    await assert.rejects(fetch(`${server.url}/healthz`));
    leave.abort();
    assert.equal(await hanging, "ended");
  }));

Deno.test("serve() opens the browser on the link that signs it in", () =>
  withAssistant(async (assistant) => {
    const opened: string[] = [];
    const server = await serve({ assistant, openBrowser: (url) => void opened.push(url) });
    assert.deepEqual(opened, [server.loginUrl]);
    await server.close();
  }));

Deno.test("serve() writes down where it listens, for the terminal to find", () =>
  withServer(async (server) => {
    assert.equal((await readLock(server.dataDir))?.url, server.server.url);
  }));

Deno.test("serve() compresses what is worth it", () =>
  withServer(async (server) => {
    const answer = await server.fetch("/api/openapi.json", { headers: { "accept-encoding": "gzip" } });
    await answer.body?.cancel();
    const raw = await server.raw(
      `GET /api/openapi.json HTTP/1.1\r\nhost: 127.0.0.1:${server.server.port}\r\n` +
        `authorization: Bearer ${server.token}\r\naccept-encoding: gzip\r\nconnection: close\r\n\r\n`,
    );
    assert.match(raw, /content-encoding: gzip/i);
  }));
