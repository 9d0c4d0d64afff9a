import assert from "node:assert/strict";
import { type TestServer, withServer } from "../web/test_server.ts";
import { ask } from "./asking.ts";

async function problem(server: TestServer, method: string, path: string, body?: unknown) {
  const answer = await server.send(method, path, body);
  assert.equal(answer.headers.get("content-type"), "application/problem+json");
  return await answer.json();
}

async function withWaiting(run: (server: TestServer, path: string, message: string) => Promise<void>): Promise<void> {
  await withServer(async (server) => {
    const { id } = await server.assistant.conversations.create();
    server.assistant.waiting.push({
      id: `${id}-1`,
      text: "later",
      images: [{
        ref: `/images/${"a".repeat(64)}`,
        name: "p.png",
        media_type: "image/png",
        bytes: 3,
        width: 1,
        height: 1,
      }],
      files: [{ ref: `/payloads/${"b".repeat(64)}`, name: "n.txt", media_type: "text/plain; charset=utf-8", bytes: 3 }],
      token: "T",
      thinking: "low",
      joins: "the running turn",
      at: "2026-11-30T09:00:00.000Z",
    });
    await run(server, `/api/conversations/${id}`, `/api/conversations/${id}/pending/${id}-1`);
  });
}

Deno.test("api: what waits is listed with all that it brings", () =>
  withWaiting(async (server, path) => {
    const { items } = await ask(server, "listPending", `${path}/pending`);
    assert.deepEqual(items, server.assistant.waiting);
  }));

Deno.test("api: a message that waits can be changed, taken back, and sent first", () =>
  withWaiting(async (server, _path, message) => {
    assert.equal((await ask(server, "changePending", message, { text: "sooner" })).text, "sooner");
    assert.deepEqual(await ask(server, "sendPending", `${message}/send`, {}), { fate: "joined", turn: "running" });
    await ask(server, "sendPending", `${message}/send`);
    await ask(server, "takePending", message);
  }));

Deno.test("api: a message that is gone is a 404 that says so", () =>
  withWaiting(async (server, path) => {
    const gone = `${path}/pending/01ARZ3NDEKTSV4RRFFQ69G5FAV`;
    for (const [method, at, body] of [["PATCH", gone, { text: "x" }], ["DELETE", gone], ["POST", `${gone}/send`, {}]]) {
      const found = await problem(server, method as string, at as string, body);
      assert.deepEqual([found.status, found.type], [404, "urn:malama:problem:message-gone"]);
      assert.match(found.detail, /read or run meanwhile/);
    }
  }));

Deno.test("api: another answer and another message are asked for by the turn they stand beside", () =>
  withWaiting(async (server, path) => {
    await ask(server, "regenerateTurn", `${path}/turns/T1/regenerate`, {});
    await ask(server, "regenerateTurn", `${path}/turns/T1/regenerate`, { model: "demo:tour", thinking: false });
    await ask(server, "editTurn", `${path}/turns/T2/edit`, { text: "better" });
    assert.deepEqual(server.assistant.done.map(([what, , ...rest]) => [what, ...rest]), [
      ["regenerate", "T1", {}],
      ["regenerate", "T1", { model: "demo:tour", thinking: false }],
      ["edit", "T2", "better"],
    ]);
    for (const body of [{ model: 7 }, { thinking: "a lot" }]) {
      assert.equal((await problem(server, "POST", `${path}/turns/T1/regenerate`, body)).status, 400);
    }
    assert.equal((await problem(server, "POST", `${path}/turns/T1/edit`, {})).status, 400);
    assert.equal((await problem(server, "PATCH", `${path}/pending/x`, { text: 7 })).status, 400);
  }));

Deno.test("api: a message that is to be a turn of its own, or to be planned, does not join", () =>
  withWaiting(async (server, path) => {
    for (
      const body of [{ text: "a" }, { text: "b", queue: true }, { text: "c", plan: true }, { text: "d", queue: false }]
    ) {
      await ask(server, "sendMessage", `${path}/messages`, body);
    }
    assert.deepEqual(server.assistant.submitted.map(({ message }) => message.queue), [
      undefined,
      true,
      true,
      undefined,
    ]);
  }));
