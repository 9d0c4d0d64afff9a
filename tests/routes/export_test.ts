import assert from "node:assert/strict";
import type { Statement } from "../../core/storage/mod.ts";
import { type TestServer, withServer } from "../web/test_server.ts";

const TURN = "01K7Q2M000000000000000TRN1";

/** A conversation of one turn with an answer. */
async function conversation({ assistant }: TestServer, title: string, status = "done"): Promise<string> {
  const { id } = await assistant.conversations.create({ title });
  const entry = (seq: number, kind: string, data: unknown): Statement => ({
    sql:
      `insert into entries (conversation, seq, turn, kind, state, at, touched, data) values (?, ?, ?, ?, 'done', '', 0, ?)`,
    args: [id, seq, TURN, kind, JSON.stringify(data)],
  });
  await assistant.storage.database.write([
    {
      sql: `insert into turns (id, conversation, n, origin, status, agent, model, started_at)
            values (?, ?, 1, 'person', ?, 'assistant', 'demo:tour', '2026-11-30T09:00:00.000Z')`,
      args: [TURN, id, status],
    },
    entry(1, "user", { text: "When is low water?", images: [], from: "person" }),
    entry(2, "thinking", { text: "I should look" }),
    entry(3, "text", { text: "At **11:31**, über noon" }),
    { sql: "update conversations set head = ?, last_seq = 3, turn_count = 1 where id = ?", args: [TURN, id] },
  ]);
  return id;
}

Deno.test("GET …/export is Markdown as an attachment, named for any client", () =>
  withServer(async (server) => {
    const id = await conversation(server, 'Ebbe "und" Flut, 潮');
    const answer = await server.fetch(`/api/conversations/${id}/export`);
    const text = await answer.text();
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("content-type"), "text/markdown; charset=utf-8");
    assert.equal(answer.headers.get("cache-control"), "no-store");
    const day = new Date().toISOString().slice(0, 10);
    const end = id.slice(-6).toLowerCase();
    assert.equal(
      answer.headers.get("content-disposition"),
      `attachment; filename="${day}-ebbe-und-flut-${end}.md"; ` +
        `filename*=UTF-8''${day}-ebbe-und-flut-%E6%BD%AE-${end}.md`,
    );
    assert.ok(text.startsWith('# Ebbe "und" Flut, 潮\n'));
    assert.ok(text.includes("### You\n\nWhen is low water?\n\n### Answer\n\nAt **11:31**, über noon\n"));
    assert.ok(!text.includes("I should look"));
  }));

Deno.test("GET …/export?full=true has the thinking too, and says so in the name", () =>
  withServer(async (server) => {
    const id = await conversation(server, "Tides");
    const answer = await server.fetch(`/api/conversations/${id}/export?format=md&full=true`);
    assert.match(await answer.text(), /### Thinking\n\n> I should look\n/);
    assert.match(answer.headers.get("content-disposition") ?? "", /-tides-\w{6}\.full\.md"/);
  }));

Deno.test("GET …/export?format=jsonl is one object a line, from the header to the end", () =>
  withServer(async (server) => {
    const id = await conversation(server, "Tides");
    const hash = await server.assistant.storage.blobs.put(new Uint8Array([1, 2, 3]), "image/png", id);
    const answer = await server.fetch(`/api/conversations/${id}/export?format=jsonl&full=true`);
    assert.equal(answer.headers.get("content-type"), "application/jsonl");
    assert.match(answer.headers.get("content-disposition") ?? "", /^attachment; filename="[^"]+\.full\.jsonl"/);
    const lines = (await answer.text()).trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual([lines[0].malama, lines[0].kind, lines[0].id], [1, "conversation", id]);
    assert.deepEqual(lines.slice(1).map((line) => Object.keys(line)[0]), [
      "turn",
      "entry",
      "entry",
      "entry",
      "blob",
      "end",
    ]);
    assert.deepEqual(lines[5].blob, { hash, media_type: "image/png", bytes: 3, data: "AQID" });
    assert.deepEqual(lines[6].end, { turns: 1, entries: 3, blobs: 1 });
  }));

Deno.test("GET …/export of a turn that runs gives what stands", () =>
  withServer(async (server) => {
    const id = await conversation(server, "Tides", "running");
    const text = await (await server.fetch(`/api/conversations/${id}/export`)).text();
    assert.match(text, /At \*\*11:31\*\*[\s\S]*> \*\*Still running\*\*[\s\S]*usage not known yet\n$/);
  }));

Deno.test("GET …/export is 404 for no conversation and 400 for no format, as problems", () =>
  withServer(async (server) => {
    const id = await conversation(server, "Tides");
    for (
      const [path, status, said] of [
        ["nowhere/export", 404, /nowhere/],
        ["nowhere/export?format=jsonl", 404, /nowhere/],
        [`${id}/export?format=pdf`, 400, /format/],
        [`${id}/export?full=yes`, 400, /full/],
      ] as const
    ) {
      const answer = await server.fetch(`/api/conversations/${path}`);
      assert.equal(answer.status, status, path);
      assert.equal(answer.headers.get("content-type"), "application/problem+json");
      assert.match((await answer.json()).detail, said);
    }
    await server.assistant.conversations.delete(id);
    const gone = await server.fetch(`/api/conversations/${id}/export`);
    assert.equal(gone.status, 404);
    await gone.body?.cancel();
  }));

Deno.test("GET …/export needs authentication, and HEAD gives the name without the file", () =>
  withServer(async (server) => {
    const id = await conversation(server, "Tides");
    const stranger = await fetch(`${server.server.url}/api/conversations/${id}/export`);
    assert.equal(stranger.status, 401);
    await stranger.body?.cancel();
    const head = await server.fetch(`/api/conversations/${id}/export`, { method: "HEAD" });
    assert.equal(head.status, 200);
    assert.match(head.headers.get("content-disposition") ?? "", /tides/);
    assert.equal(await head.text(), "");
  }));

Deno.test("GET …/export that is left half way leaves the server well", () =>
  withServer(async (server) => {
    const { id } = await server.assistant.conversations.create({ title: "Long" });
    const data = JSON.stringify({ text: "word ".repeat(2000) });
    await server.assistant.storage.database.write([
      ...Array.from({ length: 600 }, (_, index): Statement => ({
        sql:
          `insert into entries (conversation, seq, kind, state, at, touched, data) values (?, ?, 'phase', 'done', '', 0, ?)`,
        args: [id, index + 1, data],
      })),
      { sql: "update conversations set last_seq = 600 where id = ?", args: [id] },
    ]);
    const answer = await server.fetch(`/api/conversations/${id}/export?format=jsonl`);
    const reader = answer.body!.getReader();
    await reader.read();
    await reader.cancel();
    const whole = await server.fetch(`/api/conversations/${id}/export?format=jsonl`);
    assert.deepEqual(JSON.parse((await whole.text()).trimEnd().split("\n").at(-1)!).end.entries, 600);
    assert.deepEqual(server.reports.filter((report) => report.startsWith("ERROR")), []);
  }));
