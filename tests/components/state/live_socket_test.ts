import assert from "node:assert/strict";
import { type Connection, type Frame, LiveSocket, type SocketWorld } from "../../../components/state/live_socket.ts";

/** A socket that a test plays the server of. */
class FakeSocket {
  readyState = 0;
  readonly sent: string[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = 3;
  }

  hear(frame: unknown): void {
    this.readyState = 1;
    this.onmessage?.({ data: typeof frame === "string" ? frame : JSON.stringify(frame) });
  }

  drop(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

function stage() {
  let now = 0;
  let timers: { at: number; then: () => void }[] = [];
  const sockets: FakeSocket[] = [];
  const connections: Connection[] = [];
  const frames: Frame[] = [];
  const world: SocketWorld = {
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    now: () => now,
    after: (ms, then) => {
      const timer = { at: now + ms, then };
      timers.push(timer);
      return () => timers = timers.filter((other) => other !== timer);
    },
  };
  const socket = new LiveSocket({
    url: "ws://here/live",
    world,
    onConnection: (connection) => connections.push(connection),
    onFrame: (frame) => frames.push(frame),
  });
  const pass = (ms: number) => {
    for (const end = now + ms;;) {
      const next = timers.toSorted((a, b) => a.at - b.at)[0];
      if (!next || next.at > end) {
        now = end;
        return;
      }
      now = next.at;
      timers = timers.filter((timer) => timer !== next);
      next.then();
    }
  };
  return { socket, sockets, connections, frames, pass, now: () => now };
}

Deno.test("connect() opens one socket, however often it is called", () => {
  const { socket, sockets } = stage();
  socket.connect();
  socket.connect();
  assert.equal(sockets.length, 1);
});

Deno.test("the greeting makes it live, and every frame is handed on in order", () => {
  const { socket, sockets, connections, frames } = stage();
  socket.connect();
  sockets[0]!.hear({ op: "hello" });
  sockets[0]!.hear({ op: "delta" });
  assert.deepEqual(connections, [{ state: "connecting" }, { state: "live" }]);
  assert.deepEqual(frames.map((frame) => frame.op), ["hello", "delta"]);
});

Deno.test("what is no frame is not handed on", () => {
  const { socket, sockets, frames } = stage();
  socket.connect();
  for (const nonsense of ["", "{", "null", "[]", '"x"', "{}", '{"op":7}']) sockets[0]!.hear(nonsense);
  assert.deepEqual(frames, []);
});

Deno.test("after a loss it waits half a second, then twice as long each time, up to ten", () => {
  const { socket, sockets, connections, pass, now } = stage();
  socket.connect();
  const waits: number[] = [];
  for (let n = 0; n < 7; n++) {
    sockets.at(-1)!.drop();
    const last = connections.at(-1)!;
    assert.ok(last.state === "waiting");
    waits.push(last.retryAt - now());
    pass(waits.at(-1)!);
  }
  assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  assert.equal(sockets.length, 8);
});

Deno.test("only a socket that was greeted begins the waiting anew", () => {
  const { socket, sockets, connections, pass, now } = stage();
  socket.connect();
  sockets[0]!.drop();
  pass(500);
  sockets[1]!.hear({ op: "ready" });
  sockets[1]!.drop();
  assert.deepEqual(connections.at(-1), { state: "waiting", retryAt: now() + 1000 });
  pass(1000);
  sockets[2]!.hear({ op: "hello" });
  sockets[2]!.drop();
  assert.deepEqual(connections.at(-1), { state: "waiting", retryAt: now() + 500 });
});

Deno.test("connect() while it waits tries at once, and the old timer is forgotten", () => {
  const { socket, sockets, pass } = stage();
  socket.connect();
  sockets[0]!.drop();
  socket.connect();
  assert.equal(sockets.length, 2);
  pass(20_000);
  assert.equal(sockets.length, 2);
});

Deno.test("a socket that falls silent is asked, and given up when it does not answer", () => {
  const { socket, sockets, pass, connections } = stage();
  socket.connect();
  sockets[0]!.hear({ op: "hello" });
  pass(44_000);
  assert.deepEqual(sockets[0]!.sent, []);
  pass(1000);
  assert.deepEqual(sockets[0]!.sent, ['{"op":"ping"}']);
  sockets[0]!.hear({ op: "pong" });
  pass(45_000);
  assert.equal(sockets[0]!.sent.length, 2);
  pass(10_000);
  assert.equal(connections.at(-1)!.state, "waiting");
  assert.equal(sockets[0]!.readyState, 3);
});

Deno.test("a socket that is doubted is asked at once: an answer clears it, silence ends it after three seconds", () => {
  const { socket, sockets, pass, connections } = stage();
  socket.doubt();
  socket.connect();
  socket.doubt();
  assert.deepEqual(sockets[0]!.sent, [], "one that is opening is waited for");
  sockets[0]!.hear({ op: "hello" });
  socket.doubt();
  assert.deepEqual(sockets[0]!.sent, ['{"op":"ping"}']);
  sockets[0]!.hear({ op: "pong" });
  pass(10_000);
  assert.equal(connections.at(-1)!.state, "live");
  socket.doubt();
  pass(2999);
  assert.equal(connections.at(-1)!.state, "live");
  pass(1);
  assert.equal(connections.at(-1)!.state, "waiting");
  assert.equal(sockets[0]!.readyState, 3);
});

Deno.test("what an old socket still says is not heard", () => {
  const { socket, sockets, frames, pass } = stage();
  socket.connect();
  sockets[0]!.drop();
  pass(500);
  sockets[0]!.hear({ op: "delta" });
  assert.deepEqual(frames, []);
});

Deno.test("send() says whether it was sent", () => {
  const { socket, sockets } = stage();
  assert.equal(socket.send({ op: "ping" }), false);
  socket.connect();
  assert.equal(socket.send({ op: "ping" }), false);
  sockets[0]!.hear({ op: "hello" });
  assert.equal(socket.send({ op: "ping" }), true);
});

Deno.test("close() ends it for good", () => {
  const { socket, sockets, pass } = stage();
  socket.connect();
  sockets[0]!.hear({ op: "hello" });
  socket.close();
  pass(120_000);
  socket.connect();
  assert.equal(sockets.length, 1);
});
