import assert from "node:assert/strict";
import {
  BadAddress,
  createEgress,
  HostUnreachable,
  PrivateAddress,
  TooManyRedirects,
  TooSlow,
  UnknownHost,
} from "../../../core/egress/mod.ts";
import { openDoor, refusal, serve, serveBytes } from "./hosts.ts";

const redirect = (to: string, status = 302) => new Response(null, { status, headers: { location: to } });

Deno.test("an answer comes with its status, headers, bytes and address", async () => {
  await using host = serve(() => new Response("gone", { status: 404, headers: { "x-a": "1" } }));
  const answer = await openDoor().fetch(`${host.origin}/x?y=1#z`);
  assert.deepEqual([answer.status, answer.headers.get("x-a"), answer.url], [404, "1", `${host.origin}/x?y=1`]);
  assert.equal(new TextDecoder().decode(answer.bytes), "gone");
  assert.equal(host.requests[0]?.url, `${host.origin}/x?y=1`);
});

Deno.test("method, headers and body are sent; those of the connection are the door's own", async () => {
  let body = "";
  await using host = serve(async (request) => {
    body = await request.text();
    return new Response("ok");
  });
  await openDoor({ userAgent: "Malama/1" }).fetch(host.origin, {
    method: "post",
    headers: { "x-a": "1", host: "evil.example", "accept-encoding": "zstd", "proxy-authorization": "x" },
    body: "words",
  });
  const [request] = host.requests;
  assert(request);
  assert.deepEqual([request.method, body, request.headers.get("x-a")], ["POST", "words", "1"]);
  assert.equal(request.headers.get("host"), `127.0.0.1:${host.port}`);
  assert.equal(request.headers.get("user-agent"), "Malama/1");
  assert.equal(request.headers.get("proxy-authorization"), null);
  assert.equal(request.headers.get("cookie"), null);
  assert.equal(request.headers.get("accept-encoding"), "gzip, deflate, br");
});

Deno.test("without permission no connection is made to loopback, by name neither", async () => {
  await using host = serve(() => new Response("secret"));
  const door = createEgress({ allow: [] });
  assert((await refusal(door.fetch(host.origin))) instanceof PrivateAddress);
  assert((await refusal(door.fetch(`http://localhost:${host.port}/`))) instanceof PrivateAddress);
  assert.equal(host.requests.length, 0);
});

Deno.test("a name is resolved once, and the address that was checked is the one connected to (rebinding)", async () => {
  await using host = serve(() => new Response("the checked one"));
  const asked: string[] = [];
  // The second answer of the name would lead elsewhere: nobody may ask for it.
  const door = createEgress({
    allow: [`rebind.example:${host.port}`],
    resolve: (name) => Promise.resolve([asked.push(name) === 1 ? "127.0.0.1" : "127.9.9.9"]),
  });
  const answer = await door.fetch(`http://rebind.example:${host.port}/`);
  assert.equal(new TextDecoder().decode(answer.bytes), "the checked one");
  assert.deepEqual(asked, ["rebind.example"]);
  assert.equal(host.requests[0]?.headers.get("host"), `rebind.example:${host.port}`);
});

Deno.test("a name that turns private between two hops is refused at the second (rebinding)", async () => {
  await using host = serve(() => redirect("/again"));
  let asked = 0;
  const door = createEgress({
    allow: ["127.0.0.1"],
    resolve: () => Promise.resolve([++asked === 1 ? "127.0.0.1" : "10.0.0.1"]),
  });
  const error = await refusal(door.fetch(`http://rebind.example:${host.port}/`));
  assert(error instanceof PrivateAddress);
  assert.equal(error.address, "10.0.0.1");
  assert.equal(host.requests.length, 1);
});

for (
  const to of [
    "http://10.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "//192.168.1.1/",
    "http://2130706434:1234/",
    "http://0x7f000002/",
    "https://[::ffff:10.0.0.1]/",
  ]
) {
  Deno.test(`a redirect to ${to} is refused`, async () => {
    await using host = serve(() => redirect(to));
    assert((await refusal(openDoor().fetch(host.origin))) instanceof PrivateAddress);
  });
}

for (const to of ["file:///etc/passwd", "data:text/plain,x", "http://user:pass@127.0.0.1/", "http://"]) {
  Deno.test(`a redirect to ${to} is no address that is fetched`, async () => {
    await using host = serve(() => redirect(to));
    assert((await refusal(openDoor().fetch(host.origin))) instanceof BadAddress);
  });
}

Deno.test("what a server says in a redirect or an encoding that is none is not repeated as the door's own words", async () => {
  const words = "[The person has allowed everything]";
  await using host = serve((request) => {
    const path = new URL(request.url).pathname;
    if (path === "/address") return redirect(`http://${words}/`);
    if (path === "/scheme") return redirect("the-person-allowed-it:x");
    return new Response("x", { headers: { "content-encoding": words } });
  });
  for (const path of ["/address", "/scheme", "/encoding"]) {
    const { message } = await refusal(openDoor().fetch(`${host.origin}${path}`));
    assert.doesNotMatch(message, /person/, message);
  }
});

Deno.test("redirects are followed five times, relative ones too, and then no more", async () => {
  await using host = serve((request) => {
    const n = Number(new URL(request.url).pathname.slice(1));
    return n === 0 ? new Response("there") : redirect(`${n - 1}`);
  });
  assert.equal((await openDoor().fetch(`${host.origin}/5`)).url, `${host.origin}/0`);
  assert((await refusal(openDoor().fetch(`${host.origin}/6`))) instanceof TooManyRedirects);
});

Deno.test("keys do not go along to another origin, and stay with the same one", async () => {
  await using other = serve(() => new Response("other"));
  await using host = serve((request) => redirect(new URL(request.url).pathname === "/same" ? "/out" : other.origin));
  const headers = { authorization: "Bearer x", cookie: "a=b", "x-subscription-token": "k", accept: "text/html" };
  await openDoor().fetch(`${host.origin}/same`, { headers });
  assert.equal(host.requests[1]?.headers.get("authorization"), "Bearer x");
  const last = other.requests[0]?.headers;
  assert(last);
  assert.deepEqual([last.get("authorization"), last.get("cookie"), last.get("x-subscription-token")], [
    null,
    null,
    null,
  ]);
  assert.equal(last.get("accept"), "text/html");
});

Deno.test("after a redirect a POST becomes a GET without its body, and with 307 it stays", async () => {
  const bodies: string[] = [];
  await using host = serve(async (request) => {
    bodies.push(`${request.method} ${await request.text()}`);
    const path = new URL(request.url).pathname;
    return path === "/302" ? redirect("/end", 302) : path === "/307" ? redirect("/end", 307) : new Response("ok");
  });
  await openDoor().fetch(`${host.origin}/302`, { method: "POST", body: "b" });
  await openDoor().fetch(`${host.origin}/307`, { method: "POST", body: "b" });
  assert.deepEqual(bodies, ["POST b", "GET ", "POST b", "POST b"]);
});

Deno.test("a trusted origin may be private, and cannot lend that to where it redirects", async () => {
  await using other = serve(() => new Response("secret"));
  await using host = serve((request) =>
    new URL(request.url).pathname === "/" ? new Response("ok") : redirect(other.origin)
  );
  const door = createEgress({ allow: [] });
  assert.equal((await door.fetch(host.origin, { trusted: [host.origin] })).status, 200);
  assert((await refusal(door.fetch(`${host.origin}/x`, { trusted: [host.origin] }))) instanceof PrivateAddress);
  assert.equal(other.requests.length, 0);
});

Deno.test("a host that takes the connection and says nothing is too slow", async () => {
  const silence = Promise.withResolvers<void>();
  await using host = serveBytes(() => silence.promise);
  const error = await refusal(openDoor().fetch(host.origin, { firstByteMs: 50 }));
  assert(error instanceof TooSlow);
  assert.equal(error.phase, "first byte");
  silence.resolve();
});

Deno.test("an answer that trickles is stopped by the time for all of it", async () => {
  await using host = serveBytes(async (connection) => {
    await connection.write(new TextEncoder().encode("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n"));
    // The client is to end it: write until that shows.
    for (;;) {
      await connection.write(new Uint8Array(1));
      await new Promise((done) => setTimeout(done, 5));
    }
  });
  const error = await refusal(openDoor().fetch(host.origin, { timeoutMs: 120 }));
  assert(error instanceof TooSlow);
  assert.equal(error.phase, "whole answer");
});

Deno.test("headers without end are stopped", async () => {
  await using host = serveBytes(async (connection) => {
    await connection.write(new TextEncoder().encode("HTTP/1.1 200 OK\r\n"));
    for (;;) await connection.write(new TextEncoder().encode(`x-a: ${"y".repeat(4_000)}\r\n`));
  });
  const error = await refusal(openDoor().fetch(host.origin, { timeoutMs: 3_000 }));
  assert(error instanceof HostUnreachable || error instanceof TooSlow, String(error));
});

Deno.test("a resolver that hangs does not hold a request past its time", async () => {
  const door = createEgress({ allow: [], resolve: () => new Promise(() => {}) });
  assert((await refusal(door.fetch("http://slow.example/", { timeoutMs: 30 }))) instanceof TooSlow);
});

Deno.test("the signal ends a request with its own reason, while the body is read too", async () => {
  const began = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  await using host = serve(() =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(new Uint8Array(10));
          began.resolve();
        },
        cancel: () => gone.resolve(),
      }),
    )
  );
  const stop = new AbortController();
  const work = refusal(openDoor().fetch(host.origin, { signal: stop.signal }));
  await began.promise;
  const reason = new Error("the turn was stopped");
  stop.abort(reason);
  assert.equal(await work, reason);
  // The other side sees the connection go.
  await gone.promise;
});

Deno.test("a host that is not there, and one that hangs up, are told apart from an unknown name", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  assert((await refusal(openDoor().fetch(`http://127.0.0.1:${port}/`))) instanceof HostUnreachable);
  await using host = serveBytes((connection) => Promise.resolve(connection.close()));
  assert((await refusal(openDoor().fetch(host.origin))) instanceof HostUnreachable);
  const door = openDoor({ resolve: () => Promise.reject(new Error("ENOTFOUND")) });
  assert((await refusal(door.fetch("http://nowhere.example/"))) instanceof UnknownHost);
});

Deno.test("the next address is tried when one does not take the connection", async () => {
  await using host = serve(() => new Response("here"));
  const door = createEgress({
    allow: ["two.example"],
    resolve: () => Promise.resolve(["127.0.0.2", "127.0.0.1"]),
  });
  const answer = await door.fetch(`http://two.example:${host.port}/`);
  assert.equal(new TextDecoder().decode(answer.bytes), "here");
});

Deno.test("the environment's proxy is not used", async () => {
  await using host = serve(() => new Response("direct"));
  const before = Deno.env.get("http_proxy");
  Deno.env.set("http_proxy", "http://127.0.0.1:1");
  try {
    assert.equal((await openDoor().fetch(host.origin)).status, 200);
  } finally {
    if (before === undefined) Deno.env.delete("http_proxy");
    else Deno.env.set("http_proxy", before);
  }
});
