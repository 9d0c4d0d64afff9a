import assert from "node:assert/strict";
import { LiveConnection, type LiveListener } from "../../cli/live_connection.ts";
import { EventQueue } from "../../cli/event_queue.ts";

type Told = readonly [what: string, detail?: unknown];

interface Server {
  readonly url: string;
  readonly sockets: WebSocket[];
  close(): Promise<void>;
}

/** Greets each socket with these frames. */
function greeter(frames: readonly string[] = ['{"op":"hello","version":"0.1.0","ready":true}']): Server {
  const sockets: WebSocket[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { socket, response } = Deno.upgradeWebSocket(request);
    sockets.push(socket);
    socket.onopen = () => frames.forEach((frame) => socket.send(frame));
    return response;
  });
  return {
    url: `ws://127.0.0.1:${server.addr.port}`,
    sockets,
    async close() {
      for (const socket of sockets) socket.close();
      await server.shutdown();
    },
  };
}

function listener(told: EventQueue<Told>): LiveListener {
  return {
    opened: (hello) => told.push(["opened", hello.version]),
    operation: (operation) => told.push([operation.op]),
    lost: (seconds) => told.push(["lost", seconds]),
  };
}

async function next(told: AsyncIterator<Told>): Promise<Told> {
  const { value } = await told.next();
  return value;
}

Deno.test("LiveConnection says opened at each hello, before any other operation", async () => {
  const server = greeter(['{"op":"hello","version":"1"}', '{"op":"ready"}']);
  const queue = new EventQueue<Told>();
  const told = queue[Symbol.asyncIterator]();
  const live = new LiveConnection({
    connect: () => Promise.resolve(new WebSocket(server.url)),
    listener: listener(queue),
    pauses: [5, 10],
  });
  assert.deepEqual(await next(told), ["opened", "1"]);
  assert.deepEqual(await next(told), ["ready"]);
  server.sockets[0]!.close();
  assert.deepEqual(await next(told), ["lost", 0.005]);
  assert.deepEqual(await next(told), ["opened", "1"]);
  await live.close();
  await server.close();
});

Deno.test("LiveConnection waits longer after each try that fails, up to the longest, and starts over after a hello", async () => {
  const server = greeter();
  const queue = new EventQueue<Told>();
  const told = queue[Symbol.asyncIterator]();
  let tries = 0;
  const live = new LiveConnection({
    connect: () => ++tries <= 4 ? Promise.reject(new Error("no server")) : Promise.resolve(new WebSocket(server.url)),
    listener: listener(queue),
    pauses: [1, 4],
  });
  for (const seconds of [0.001, 0.002, 0.004, 0.004]) assert.deepEqual(await next(told), ["lost", seconds]);
  assert.equal((await next(told))[0], "opened");
  server.sockets[0]!.close();
  assert.deepEqual(await next(told), ["lost", 0.001]);
  await live.close();
  await server.close();
});

Deno.test("LiveConnection counts a server that answers without a hello as a failed try", async () => {
  const queue = new EventQueue<Told>();
  const told = queue[Symbol.asyncIterator]();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response("no", { status: 401 }),
  );
  const live = new LiveConnection({
    connect: () => Promise.resolve(new WebSocket(`ws://127.0.0.1:${server.addr.port}`)),
    listener: listener(queue),
    pauses: [1, 2],
  });
  assert.deepEqual(await next(told), ["lost", 0.001]);
  assert.deepEqual(await next(told), ["lost", 0.002]);
  await live.close();
  await server.shutdown();
});

Deno.test("LiveConnection passes over frames that are no operation", async () => {
  const server = greeter(["not json", "[]", "null", '{"op":7}', '{"op":"hello","version":"1"}', '{"op":"unheard_of"}']);
  const queue = new EventQueue<Told>();
  const told = queue[Symbol.asyncIterator]();
  const live = new LiveConnection({
    connect: () => Promise.resolve(new WebSocket(server.url)),
    listener: listener(queue),
  });
  assert.deepEqual(await next(told), ["opened", "1"]);
  assert.deepEqual(await next(told), ["unheard_of"]);
  await live.close();
  await server.close();
});

Deno.test("LiveConnection sends only while there is a connection", async () => {
  const server = greeter();
  const queue = new EventQueue<Told>();
  const told = queue[Symbol.asyncIterator]();
  const live = new LiveConnection({
    connect: () => Promise.resolve(new WebSocket(server.url)),
    listener: listener(queue),
  });
  assert.equal(live.send({ op: "ping" }), false);
  await next(told);
  const received = new Promise((resolve) => server.sockets[0]!.onmessage = ({ data }) => resolve(data));
  assert.equal(live.send({ op: "ping" }), true);
  assert.equal(await received, '{"op":"ping"}');
  await live.close();
  assert.equal(live.send({ op: "ping" }), false);
  await server.close();
});

Deno.test({
  name: "LiveConnection.close() leaves no socket and no timer, whatever it was doing",
  sanitizeOps: true,
  sanitizeResources: true,
  fn: async () => {
    const queue = new EventQueue<Told>();
    const told = queue[Symbol.asyncIterator]();
    const waiting = new LiveConnection({
      connect: () => Promise.reject(new Error("no server")),
      listener: listener(queue),
      pauses: [60_000, 60_000],
    });
    assert.deepEqual(await next(told), ["lost", 60]);
    await waiting.close();
  },
});
