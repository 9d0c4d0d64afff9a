import assert from "node:assert/strict";
import { NotConnected, Wire, WireError } from "../../cli/wire.ts";

async function withServer(
  handle: (request: Request) => Response | Promise<Response>,
  run: (wire: Wire) => Promise<void>,
) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handle);
  const address = { url: `http://127.0.0.1:${server.addr.port}/base`, token: "secret" };
  try {
    await run(new Wire(address, () => Promise.resolve(address)));
  } finally {
    await server.shutdown();
  }
}

Deno.test("Wire sends the token and JSON, and gives the answer", () =>
  withServer(async (request) => {
    const { pathname } = new URL(request.url);
    return Response.json([request.method, pathname, request.headers.get("authorization"), await request.json()]);
  }, async (wire) => {
    assert.deepEqual(await wire.post("/api/x", { a: 1 }), ["POST", "/base/api/x", "Bearer secret", { a: 1 }]);
  }));

Deno.test("Wire gives nothing for an answer without a body", () =>
  withServer(() => new Response(null, { status: 204 }), async (wire) => {
    assert.equal(await wire.get("/api/x"), undefined);
  }));

Deno.test("Wire tells a refusal in the server's own sentence", () =>
  withServer(
    () => Response.json({ title: "Conflict", detail: "A turn is running: stop it first" }, { status: 409 }),
    async (wire) => {
      await assert.rejects(wire.get("/api/x"), (error) => {
        assert.ok(error instanceof WireError);
        assert.deepEqual([error.status, error.message], [409, "A turn is running: stop it first"]);
        return true;
      });
    },
  ));

for (const body of ["<html>", "null", '"text"', "{}", '{"detail":7}', '{"title":"Not found"}']) {
  Deno.test(`Wire makes a sentence of a refusal that says ${body}`, () =>
    withServer(() => new Response(body, { status: 404 }), async (wire) => {
      await assert.rejects(wire.get("/api/x"), /^WireError: (?:The server answered 404 without saying why|Not found)$/);
    }));
}

Deno.test("Wire gives a file piece by piece, and refuses as with any other call", () =>
  withServer((request) => {
    if (request.url.endsWith("/nowhere")) return Response.json({ detail: "No conversation" }, { status: 404 });
    return new Response(ReadableStream.from(["first ", "second"]).pipeThrough(new TextEncoderStream()));
  }, async (wire) => {
    const pieces = await Array.fromAsync(wire.file("/export"));
    assert.equal(pieces.map((piece) => new TextDecoder().decode(piece)).join(""), "first second");
    await assert.rejects(Array.fromAsync(wire.file("/nowhere")), (error) => {
      return error instanceof WireError && error.message === "No conversation";
    });
  }));

Deno.test("Wire tells of a file that breaks off", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const served = (async () => {
    using connection = await listener.accept();
    await connection.read(new Uint8Array(4096));
    await connection.write(
      new TextEncoder().encode("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n"),
    );
  })();
  const address = { url: `http://127.0.0.1:${listener.addr.port}`, token: "" };
  const wire = new Wire(address, () => Promise.resolve(address));
  await assert.rejects(Array.fromAsync(wire.file("/export")), NotConnected);
  await served;
  listener.close();
});

Deno.test("Wire does not follow a redirect with the token in hand", () =>
  withServer(() => new Response(null, { status: 303, headers: { location: "http://example.com/" } }), async (wire) => {
    await assert.rejects(wire.get("/api/x"), WireError);
  }));

Deno.test("Wire says where no server answers, and finds it again when it has moved", async () => {
  const gone = { url: "http://127.0.0.1:1", token: "" };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => Response.json("here"));
  const wire = new Wire(gone, () => Promise.resolve({ url: `http://127.0.0.1:${server.addr.port}`, token: "" }));
  await assert.rejects(
    wire.get("/api/x"),
    (error) => error instanceof NotConnected && error.message.includes(gone.url),
  );
  await wire.relocate();
  assert.equal(await wire.get("/api/x"), "here");
  await server.shutdown();
});

Deno.test("Wire gives up when it is told to, which is not a lost connection", () => {
  const held = Promise.withResolvers<Response>();
  return withServer(() => held.promise, async (wire) => {
    const controller = new AbortController();
    const answer = wire.get("/api/x", { signal: controller.signal });
    controller.abort();
    await assert.rejects(answer, { name: "AbortError" });
    held.resolve(new Response());
  });
});

Deno.test("Wire opens a live socket with the token in a header, never in the address", () => {
  const seen = Promise.withResolvers<string | null>();
  return withServer((request) => {
    seen.resolve(
      `${request.headers.get("authorization")} ${new URL(request.url).pathname}${new URL(request.url).search}`,
    );
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onopen = () => socket.close();
    return response;
  }, async (wire) => {
    const socket = wire.socket();
    const closed = new Promise((resolve) => socket.onclose = resolve);
    assert.equal(await seen.promise, "Bearer secret /base/live");
    await closed;
  });
});
