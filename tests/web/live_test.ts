import assert from "node:assert/strict";
import type { Log } from "../../core/log/mod.ts";
import { MAX_WATCHES } from "../../web/live_connection.ts";
import { type Frame, LiveClient } from "./live_client.ts";
import { type TestServer, withServer } from "./test_server.ts";

/** A conversation that can be written to. */
async function conversation(server: TestServer): Promise<{ id: string; log: Log }> {
  const { id } = await server.assistant.conversations.create({});
  await server.assistant.log.open(id);
  return { id, log: server.assistant.log };
}

function say(log: Log, id: string, text: string) {
  return log.append(id, { turn: null, kind: "text", data: { text } });
}

Deno.test("live: hello comes first and says what the page starts from", () =>
  withServer(async (server) => {
    const { id } = await conversation(server);
    const { client, hello } = await LiveClient.open(server);
    assert.equal(hello.op, "hello");
    assert.equal(hello.version, "1.2.3");
    assert.equal(hello.ready, true);
    assert.equal(typeof hello.page, "string");
    assert.deepEqual(hello.conversations.map((row: { id: string }) => row.id), [id]);
    assert.deepEqual(hello.tasks, []);
    assert.deepEqual(hello.approvals, []);
    assert.equal(hello.models[0].string, "demo:tour");
    assert.equal(hello.models[0].context_window, 32_768);
    await client.close();
  }));

Deno.test("live: ready is told when the start is finished", () =>
  withServer(async (server) => {
    const { client, hello } = await LiveClient.open(server);
    assert.equal(hello.ready, false);
    server.assistant.makeReady();
    await client.next("ready");
    await client.close();
  }, { isStarting: true }));

Deno.test("live: a watch gives everything after the cursor, then each new entry", () =>
  withServer(async (server) => {
    const { id, log } = await conversation(server);
    for (const text of ["one", "two", "three"]) await say(log, id, text);
    const { client } = await LiveClient.open(server);
    client.send({ op: "watch", conversation: id, after: 1 });
    const first = await client.next("entries");
    assert.deepEqual(first.items.map((entry: { seq: number }) => entry.seq), [2, 3]);
    assert.equal(first.last_seq, 3);
    await say(log, id, "four");
    const second = await client.next("entries");
    assert.deepEqual([second.items[0].data.text, second.last_seq], ["four", 4]);
    await client.close();
  }));

Deno.test("live: a watch is told what waits, after the log, and then of every change", () =>
  withServer(async (server) => {
    const { id, log } = await conversation(server);
    await say(log, id, "one");
    const waiting = {
      ...{ id: `${id}-1`, text: "later", images: [], files: [], token: "T", thinking: null, joins: null },
      at: "2026-11-30T09:00:00Z",
    };
    server.assistant.waiting.push(waiting);
    const { client } = await LiveClient.open(server);
    client.send({ op: "watch", conversation: id, after: 0 });
    const frames = await client.until(({ op }) => op === "pending");
    assert.deepEqual(frames.map(({ frame }) => frame.op), ["entries", "pending"]);
    assert.deepEqual(frames.at(-1)?.frame, { op: "pending", conversation: id, items: [waiting] });
    server.assistant.feed.announce({ op: "pending", conversation: id, items: [] });
    assert.deepEqual((await client.next("pending")).items, []);
    await client.close();
  }));

Deno.test("live: nothing comes of a conversation that is not watched, or not any more", () =>
  withServer(async (server) => {
    const [mine, other] = [await conversation(server), await conversation(server)];
    const { client } = await LiveClient.open(server);
    client.send({ op: "watch", conversation: mine.id, after: 0 });
    await client.next("entries");
    await say(other.log, other.id, "elsewhere");
    client.send({ op: "unwatch", conversation: mine.id });
    client.send({ op: "ping" });
    await client.next("pong");
    await say(mine.log, mine.id, "unseen");
    client.send({ op: "ping" });
    const frames = await client.until(({ op }) => op === "pong");
    assert.ok(frames.every(({ frame }) => frame.op !== "entries"));
    await client.close();
  }));

Deno.test("live: text grows in few frames, in order, and is whole at the end", () =>
  withServer(async (server) => {
    const { id, log } = await conversation(server);
    const { client } = await LiveClient.open(server);
    client.send({ op: "watch", conversation: id, after: 0 });
    await client.next("entries");
    const open = log.appendOpen(id, { turn: null, kind: "text", data: { text: "" } });
    await open.durable;
    let whole = "";
    for (let count = 0; count < 400; count++) {
      const piece = `word${count} `;
      whole += piece;
      open.grow(piece);
      if (count % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await open.close();
    const frames = await client.until(({ op, state }) => op === "patch" && state === "done");
    const deltas = frames.filter(({ frame }) => frame.op === "delta");
    let text = frames.find(({ frame }) => frame.op === "entries")!.frame.items[0].data.text as string;
    for (const { frame } of deltas) {
      assert.equal(frame.at, text.length);
      text += frame.text;
    }
    assert.equal(text, whole);
    assert.equal(frames.at(-1)!.frame.data.text, whole);
    assert.ok(deltas.length < 40, `400 pieces made ${deltas.length} frames`);
    await client.close();
  }));

Deno.test("live: frames of text of one entry are 40 ms apart", () =>
  withServer(async (server) => {
    const { id } = await conversation(server);
    const { client } = await LiveClient.open(server);
    client.send({ op: "watch", conversation: id, after: 0 });
    await client.next("entries");
    const begin = performance.now();
    for (let at = 0; performance.now() - begin < 400; at++) {
      server.assistant.feed.announce({ op: "delta", conversation: id, seq: 1, at, text: "x" });
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    server.assistant.feed.announce({ op: "head", conversation: id, head: null });
    const frames = (await client.until(({ op }) => op === "head")).filter(({ frame }) => frame.op === "delta");
    assert.ok(frames.length >= 2 && frames.length <= 13, `${frames.length} frames in 400 ms`);
    await client.close();
  }));

Deno.test("live: a resumed watch ends with exactly what is stored, wherever it was cut", () =>
  withServer(async (server) => {
    const { id, log } = await conversation(server);
    const open = log.appendOpen(id, { turn: null, kind: "text", data: { text: "" } });
    await open.durable;
    for (const cutAfter of [0, 1, 3, 7]) {
      const { client } = await LiveClient.open(server);
      client.send({ op: "watch", conversation: id, after: 0 });
      let text = (await client.next("entries")).items[0].data.text as string;
      for (let count = 0; count < cutAfter; count++) {
        open.grow(`${cutAfter}.${count} `);
        const delta = await client.next("delta");
        text = text.slice(0, delta.at) + delta.text;
      }
      assert.equal(text, (open.data as { text: string }).text);
      await client.close();
      open.grow("while away ");
    }
    await open.close();
    const { client } = await LiveClient.open(server);
    client.send({ op: "watch", conversation: id, after: 1 });
    const [entry] = (await client.next("entries")).items;
    assert.equal(entry.state, "done");
    assert.equal(entry.data.text, (open.data as { text: string }).text);
    await client.close();
  }));

Deno.test("live: bad JSON leaves the socket open", () =>
  withServer(async (server) => {
    const { client } = await LiveClient.open(server);
    const wrong = [
      "{",
      "",
      "null",
      "[]",
      '{"op":"explode"}',
      '{"op":"watch"}',
      new Uint8Array([1, 2, 3]),
      `"${"x".repeat(1_100_000)}"`,
    ];
    for (const frame of wrong) {
      client.send(frame);
      const { op, title, detail } = await client.next();
      assert.equal(op, "error");
      assert.ok(title.length > 5 && detail.length > 10);
    }
    client.send({ op: "ping" });
    assert.equal((await client.next()).op, "pong");
    await client.close();
  }));

Deno.test("live: unknown conversations and terrariums are errors that leave the socket open", () =>
  withServer(async (server) => {
    const { client } = await LiveClient.open(server);
    client.send({ op: "watch", conversation: "01UNKNOWN", after: 0 });
    const missing = await client.next();
    assert.deepEqual([missing.op, missing.title, missing.conversation], ["error", "No such conversation", "01UNKNOWN"]);
    client.send({ op: "watch_graph", graph: "newsroom", after: 0 });
    assert.match((await client.next("error")).detail, /newsroom/);
    await client.close();
  }));

Deno.test("live: a watch of part of an id is no watch", () =>
  withServer(async (server) => {
    const { id } = await conversation(server);
    const { client } = await LiveClient.open(server);
    client.send({ op: "watch", conversation: id.slice(0, 12), after: 0 });
    assert.equal((await client.next()).op, "error");
    await client.close();
  }));

Deno.test("live: one socket watches a hundred conversations and no more", () =>
  withServer(async (server) => {
    const ids: string[] = [];
    for (let count = 0; count <= MAX_WATCHES; count++) ids.push((await server.assistant.conversations.create({})).id);
    const { client } = await LiveClient.open(server);
    for (const id of ids) client.send({ op: "watch", conversation: id, after: 0 });
    const frames: Frame[] = [];
    while (frames.length <= MAX_WATCHES) {
      const frame = await client.next();
      if (frame.op === "entries" || frame.op === "error") frames.push(frame);
    }
    assert.equal(frames.filter(({ op }) => op === "error").length, 1);
    assert.match(frames.find(({ op }) => op === "error")!.detail, /unwatch/);
    await client.close();
  }));

Deno.test("live: every tab hears of rows, and of those that are gone", () =>
  withServer(async (server) => {
    const [{ client: one }, { client: two }] = [await LiveClient.open(server), await LiveClient.open(server)];
    const made = await (await server.send("POST", "/api/conversations", { title: "Shopping" })).json();
    for (const client of [one, two]) assert.equal((await client.next("conversation")).conversation.title, "Shopping");
    await server.send("DELETE", `/api/conversations/${made.id}`);
    for (const client of [one, two]) {
      assert.equal((await client.next("conversation_removed")).conversation, made.id);
      await client.close();
    }
  }));

Deno.test("live: what a tab watches is read", () =>
  withServer(async (server) => {
    const { id, log } = await conversation(server);
    await say(log, id, "news");
    const unread = async () => (await server.assistant.conversations.get(id)).unread;
    assert.equal(await unread(), true);
    const { client } = await LiveClient.open(server);
    client.send({ op: "watch", conversation: id, after: 0 });
    await client.until(({ op, conversation }) =>
      op === "conversation" && conversation.id === id && !conversation.unread
    );
    assert.equal(await unread(), false);
    await client.close();
  }));

Deno.test("live: a closed socket listens to nothing", () =>
  withServer(async (server) => {
    const { id, log } = await conversation(server);
    const { client } = await LiveClient.open(server);
    client.send({ op: "watch", conversation: id, after: 0 });
    await client.next("entries");
    assert.equal(server.server.hub.size, 1);
    await client.close();
    const deadline = Date.now() + 5000;
    while (server.server.hub.size > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(server.server.hub.size, 0);
    await say(log, id, "into the void");
    assert.deepEqual(server.reports.filter((line) => line.startsWith("ERROR")), []);
  }));

Deno.test("live: what is said after the goodbye begins nothing", () =>
  withServer(async (server) => {
    const { id, log } = await conversation(server);
    const sent: Frame[] = [];
    const socket = {
      readyState: WebSocket.OPEN,
      bufferedAmount: 0,
      send: (text: string) => void sent.push(JSON.parse(text)),
      close() {},
    } as unknown as WebSocket;
    const watched = log.watch.bind(log);
    let watches = 0;
    log.watch = (...args) => (watches++, watched(...args));
    server.server.hub.accept(socket, "session");
    const say = (frame: unknown) => socket.onmessage?.(new MessageEvent("message", { data: JSON.stringify(frame) }));
    await socket.onopen?.(new Event("open"));
    server.server.hub.endSession("session");
    // A peer may leave our goodbye unanswered and speak on.
    for (let times = 0; times < 3; times++) say({ op: "watch", conversation: id, after: 0 });
    await server.assistant.conversations.get(id);
    await server.assistant.conversations.get(id);
    assert.equal(watches, 0);
    assert.ok(sent.every((frame) => frame.op === "hello"));
  }));

Deno.test("live: a reader who does not read is dropped, and others hear on", () =>
  withServer(async (server) => {
    const { id } = await conversation(server);
    const { client } = await LiveClient.open(server);
    client.send({ op: "watch", conversation: id, after: 0 });
    await client.next("entries");
    using deaf = await Deno.connect({ hostname: "127.0.0.1", port: server.server.port });
    const head =
      `GET /live HTTP/1.1\r\nhost: 127.0.0.1:${server.server.port}\r\nauthorization: Bearer ${server.token}\r\n` +
      "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
    await deaf.write(new TextEncoder().encode(head));
    // Waits for the 101 and `hello`, then asks, and reads no more.
    let seen = "";
    while (!seen.includes('"hello"')) {
      const piece = new Uint8Array(65536);
      seen += new TextDecoder().decode(piece.subarray(0, await deaf.read(piece) ?? 0));
    }
    await deaf.write(maskedFrame(JSON.stringify({ op: "watch", conversation: id, after: 0 })));
    const text = "x".repeat(64 * 1024);
    const deadline = Date.now() + 15_000;
    for (let seq = 1; server.server.hub.size === 2 && Date.now() < deadline; seq++) {
      server.assistant.feed.announce({ op: "delta", conversation: id, seq, at: 0, text });
      await client.next("delta");
    }
    assert.equal(server.server.hub.size, 1);
    client.send({ op: "ping" });
    await client.next("pong");
    await client.close();
  }));

Deno.test("live: a long conversation comes in pieces to one who reads, and drops nobody", () =>
  withServer(async (server) => {
    const { id, log } = await conversation(server);
    const text = "x".repeat(100_000);
    for (let count = 0; count < 40; count++) await say(log, id, text);
    const { client } = await LiveClient.open(server);
    client.send({ op: "watch", conversation: id, after: 0 });
    const frames = (await client.until(({ op, last_seq }) => op === "entries" && last_seq === 40))
      .filter(({ frame }) => frame.op === "entries");
    assert.ok(frames.length > 4);
    assert.deepEqual(
      frames.flatMap(({ frame }) => frame.items.map(({ seq }: { seq: number }) => seq)),
      [
        ...Array(40).keys(),
      ].map((at) => at + 1),
    );
    await client.close();
  }));

Deno.test("live: stopping says goodbye with 1001", () =>
  withServer(async (server) => {
    const { client } = await LiveClient.open(server);
    await server.server.close();
    assert.equal((await client.closed).code, 1001);
  }));

Deno.test("live: an address opened without a socket says so", () =>
  withServer(async (server) => {
    const answer = await server.fetch("/live");
    assert.equal(answer.status, 426);
    assert.equal((await answer.json()).title, "A socket is needed");
  }));

/** A text frame as a client must send it, masked. */
function maskedFrame(text: string): Uint8Array {
  const payload = new TextEncoder().encode(text);
  return new Uint8Array([0x81, 0x80 | payload.length, 0, 0, 0, 0, ...payload]);
}
