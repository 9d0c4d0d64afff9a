import assert from "node:assert/strict";
import type { Statement } from "../../core/storage/mod.ts";
import { operations } from "../../web/operations.ts";
import { type TestServer, withServer } from "../web/test_server.ts";

const ids = { a: "01K7Q2M000000000000000TRNA", b: "01K7Q2M000000000000000TRNB", c: "01K7Q2M000000000000000TRNC" };

/** A root `a` with two versions of its answer, `b` and `c`; `c` is in view. */
async function forked({ assistant }: TestServer): Promise<string> {
  const { id } = await assistant.conversations.create({ title: "Tides" });
  const turn = (turn: string, parent: string | null, seq: number): Statement[] => [
    {
      sql: `insert into turns (id, conversation, parent, n, origin, status, agent, model, started_at)
            values (?, ?, ?, ?, 'person', 'done', 'assistant', 'demo:tour', '2026-11-30T09:00:00.000Z')`,
      args: [turn, id, parent, parent === null ? 1 : 2],
    },
    {
      sql: `insert into entries (conversation, seq, turn, kind, state, at, touched, data)
            values (?, ?, ?, 'text', 'done', '2026-11-30T09:00:00.000Z', 0, ?)`,
      args: [id, seq, turn, JSON.stringify({ text: `said in ${turn}` })],
    },
  ];
  await assistant.storage.database.write([
    ...turn(ids.a, null, 1),
    ...turn(ids.b, ids.a, 2),
    ...turn(ids.c, ids.a, 3),
    { sql: "update conversations set head = ?, last_seq = 3, turn_count = 3 where id = ?", args: [ids.c, id] },
  ]);
  return id;
}

const problemOf = async (answer: Response) => {
  assert.equal(answer.headers.get("content-type"), "application/problem+json");
  return await answer.json();
};

Deno.test("PUT …/head shows another branch and answers the path, as it is described", () =>
  withServer(async (server) => {
    const id = await forked(server);
    const answer = await server.send("PUT", `/api/conversations/${id}/head`, { turn: ids.b });
    assert.equal(answer.status, 200);
    const detail = operations.setHead.answer.parse(await answer.json());
    assert.deepEqual(detail.path.map((turn) => [turn.id, turn.siblings]), [[ids.a, [ids.a]], [ids.b, [ids.b, ids.c]]]);
    const entries = await (await server.fetch(`/api/conversations/${id}/entries`)).json();
    assert.deepEqual(entries.items.map(({ seq }: { seq: number }) => seq), [1, 2]);
  }));

Deno.test("POST …/branch and …/duplicate make conversations and say where they are", () =>
  withServer(async (server) => {
    const id = await forked(server);
    for (
      const [call, body, title, turns, origin] of [
        ["branch", { turn: ids.b }, "Branch of Tides", 2, { kind: "branch", conversation: id, turn: ids.b }],
        ["duplicate", undefined, "Copy of Tides", 3, { kind: "copy", conversation: id }],
      ] as const
    ) {
      const answer = await server.send("POST", `/api/conversations/${id}/${call}`, body);
      assert.equal(answer.status, 201);
      const made = operations.branchConversation.answer.parse(await answer.json());
      assert.deepEqual([made.title, made.turns, made.origin], [title, turns, origin]);
      const there = await server.fetch(answer.headers.get("location")!);
      assert.equal((await there.json()).id, made.id);
    }
  }));

Deno.test("POST …/truncate takes a turn away, and 409 while one runs", () =>
  withServer(async (server) => {
    const id = await forked(server);
    const { database } = server.assistant.storage;
    await database.write([{ sql: "update turns set status = 'running' where id = ?", args: [ids.b] }]);
    const refused = await server.send("POST", `/api/conversations/${id}/truncate`, { turn: ids.c });
    assert.equal(refused.status, 409);
    assert.match((await problemOf(refused)).detail, /stop it or wait/);
    await database.write([{ sql: "update turns set status = 'done' where id = ?", args: [ids.b] }]);
    const answer = await server.send("POST", `/api/conversations/${id}/truncate`, { turn: ids.c });
    assert.equal(answer.status, 200);
    const detail = operations.truncateConversation.answer.parse(await answer.json());
    assert.deepEqual([detail.head, detail.turns], [ids.b, 2]);
  }));

Deno.test("the calls on the tree refuse what is not there, and what is not right, with a problem", () =>
  withServer(async (server) => {
    const id = await forked(server);
    for (const [method, call] of [["PUT", "head"], ["POST", "branch"], ["POST", "truncate"]] as const) {
      for (
        const [path, body, status] of [
          [`/api/conversations/${id}/${call}`, { turn: "nothing" }, 404],
          [`/api/conversations/nothing/${call}`, { turn: ids.a }, 404],
          [`/api/conversations/${id}/${call}`, {}, 400],
          [`/api/conversations/${id}/${call}`, { turn: 7 }, 400],
          [`/api/conversations/${id}/${call}`, { turn: "" }, 400],
        ] as const
      ) {
        const answer = await server.send(method, path, body);
        assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(body)}`);
        await problemOf(answer);
      }
    }
    assert.equal((await server.send("POST", "/api/conversations/nothing/duplicate")).status, 404);
    assert.equal((await (await server.fetch("/api/conversations")).json()).items.length, 1);
  }));

Deno.test("POST /api/import takes an export back, whatever type it is said to be", () =>
  withServer(async (server) => {
    const id = await forked(server);
    const file = await (await server.fetch(`/api/conversations/${id}/export?format=jsonl&full=true`)).text();
    for (const type of ["application/jsonl", "text/plain", "application/octet-stream"]) {
      const answer = await server.fetch("/api/import", {
        method: "POST",
        body: file,
        headers: { "content-type": type },
      });
      assert.equal(answer.status, 201, type);
      const made = operations.importConversation.answer.parse(await answer.json());
      assert.deepEqual([made.turns, made.origin], [3, { kind: "import", conversation: id }]);
      assert.equal(answer.headers.get("location"), `/api/conversations/${made.id}`);
    }
  }));

Deno.test("POST /api/import: a JSONL import that is cut off or forged is 400, with its line", () =>
  withServer(async (server) => {
    const id = await forked(server);
    const file = await (await server.fetch(`/api/conversations/${id}/export?format=jsonl`)).text();
    const lines = file.split("\n");
    for (
      const [body, path, detail] of [
        [lines.slice(0, 3).join("\n"), "line 3", /cut off/],
        [file.slice(0, -20), `line ${lines.length - 1}`, /not JSON/],
        [file.replace(/"parent":null/, '"parent":"x"'), "line 2", /not among the turns/],
        ["", "line 1", /empty/],
        ["\u0000\u0001", "line 1", /not JSON/],
      ] as const
    ) {
      const answer = await server.fetch("/api/import", { method: "POST", body });
      assert.equal(answer.status, 400);
      const problem = await problemOf(answer);
      assert.equal(problem.errors[0].path, path);
      assert.match(problem.detail, detail);
    }
    assert.equal((await (await server.fetch("/api/conversations")).json()).items.length, 1);
  }));

Deno.test("POST /api/import may be longer than other requests, and is refused past its own limit", () =>
  withServer(async (server) => {
    const id = await forked(server);
    const file = await (await server.fetch(`/api/conversations/${id}/export?format=jsonl`)).text();
    const line = `${JSON.stringify({ padding: "x".repeat(1024 * 1024) })}\n`;
    const long = file.replace('{"end"', `${line.repeat(20)}{"end"`);
    const answer = await server.fetch("/api/import", { method: "POST", body: long });
    assert.equal(answer.status, 201, await answer.text());
    const head = `host: 127.0.0.1:${server.server.port}\r\nauthorization: Bearer ${server.token}\r\n`;
    const tooLong = await server.raw(
      `POST /api/import HTTP/1.1\r\n${head}content-length: ${1024 ** 3 + 1}\r\nconnection: close\r\n\r\n`,
    );
    assert.match(tooLong, /^HTTP\/1\.1 413 [\s\S]*1 GiB/);
  }));

Deno.test("POST /api/import needs the token like any other call, and reads nothing before", () =>
  withServer(async (server) => {
    const answer = await fetch(`${server.server.url}/api/import`, { method: "POST", body: "{}" });
    assert.equal(answer.status, 401);
    await answer.body?.cancel();
  }));
