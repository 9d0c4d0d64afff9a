import assert from "node:assert/strict";
import { App, type Context } from "fresh";

async function answerOf(handle: (ctx: Context) => Response | Promise<Response>): Promise<Response> {
  return await new App().get("/", handle).handler()(new Request("http://localhost/"));
}

Deno.test("redirect() answers 302, or the status given, to where it was told", async () => {
  for (const to of ["/x?next=//y#z", "https://example.org//a", "relative", "/"]) {
    const answer = await answerOf((ctx) => ctx.redirect(to));
    assert.deepEqual([answer.status, answer.headers.get("location")], [302, to]);
  }
  assert.equal((await answerOf((ctx) => ctx.redirect("/", 303))).status, 303);
});

Deno.test("redirect() of a path never names another host", async () => {
  for (const path of ["//evil.example/x", "///evil.example/x", "/\\evil.example/x", "\\\\evil.example/x"]) {
    const answer = await answerOf((ctx) => ctx.redirect(path));
    assert.equal(answer.headers.get("location"), "/evil.example/x", path);
  }
});

Deno.test("text(), html() and json() name what they send, unless told otherwise", async () => {
  const types = async (handle: (ctx: Context) => Response) => (await answerOf(handle)).headers.get("content-type");
  assert.equal(await types((ctx) => ctx.text("")), "text/plain; charset=utf-8");
  assert.equal(await types((ctx) => ctx.html("")), "text/html; charset=utf-8");
  assert.equal(await types((ctx) => ctx.json({})), "application/json");
  const headers = { "content-type": "application/problem+json" };
  assert.equal(await types((ctx) => ctx.json({}, { headers, status: 400 })), "application/problem+json");
});

Deno.test("stream() sends pieces of text and bytes from any source", async () => {
  async function* pieces() {
    yield "Alo";
    await Promise.resolve();
    yield new TextEncoder().encode("ha ā");
  }
  assert.equal(await (await answerOf((ctx) => ctx.stream(pieces()))).text(), "Aloha ā");
  assert.equal(await (await answerOf((ctx) => ctx.stream(["a", "b"]))).text(), "ab");
  assert.equal(await (await answerOf((ctx) => ctx.stream(pieces, { status: 201 }))).text(), "Aloha ā");
});

Deno.test("stream() closes its source when the reader leaves", async () => {
  const closed = Promise.withResolvers<void>();
  async function* endless() {
    try {
      for (;;) yield await Promise.resolve("x");
    } finally {
      closed.resolve();
    }
  }
  const reader = (await answerOf((ctx) => ctx.stream(endless))).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await closed.promise;
});

Deno.test("upgrade() of a plain request is 400", async () => {
  const answer = await answerOf((ctx) => ctx.upgrade({}).response);
  assert.deepEqual([answer.status, await answer.text()], [400, "Expected a web socket upgrade"]);
});

Deno.test("upgrade() and ws() open sockets", async () => {
  const app = new App()
    .get("/raw", (ctx) => {
      const { socket, response } = ctx.upgrade();
      socket.onmessage = ({ data }) => socket.send(`raw ${data}`);
      return response;
    })
    .ws("/handled", { message: (socket, { data }) => socket.send(`handled ${data}`) });
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, app.handler());
  try {
    for (const name of ["raw", "handled"]) {
      const socket = new WebSocket(`ws://127.0.0.1:${server.addr.port}/${name}`);
      const answer = Promise.withResolvers<string>();
      socket.onopen = () => socket.send("hi");
      socket.onmessage = ({ data }) => answer.resolve(data);
      socket.onerror = () => answer.reject(new Error("The socket failed"));
      assert.equal(await answer.promise, `${name} hi`);
      const closed = Promise.withResolvers<void>();
      socket.onclose = () => closed.resolve();
      socket.close();
      await closed.promise;
    }
  } finally {
    await server.shutdown();
  }
});
