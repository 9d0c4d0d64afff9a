import assert from "node:assert/strict";
import { operations } from "../../web/operations.ts";
import { insertConversation, insertEntry } from "../core/storage/sample_store.ts";
import { type TestServer, withServer } from "../web/test_server.ts";

async function search(server: TestServer, query: string) {
  const answer = await server.fetch(`/api/search?${query}`);
  return { status: answer.status, body: await answer.json() };
}

function withSaid(...texts: readonly string[]) {
  return (body: (server: TestServer) => Promise<void>) =>
    withServer(async (server) => {
      const entries = texts.map((text, index) => insertEntry({ conversation: `c${index}`, seq: index + 1, text }));
      await server.assistant.storage.database.write([
        ...texts.map((_, index) => insertConversation(`c${index}`)),
        ...entries,
      ]);
      await body(server);
    });
}

Deno.test("GET /api/search answers as it is described", () =>
  withSaid("a kettle on the hob", "the hob is old")(async (server) => {
    const { status, body } = await search(server, "q=hob");
    assert.equal(status, 200);
    assert.ok(operations.search.answer.safeParse(body).success);
    assert.deepEqual(body.items.map(({ conversation }: { conversation: string }) => conversation), ["c1", "c0"]);
    assert.equal(body.items[1].snippet, "a kettle on the \ue000hob\ue001");
    assert.equal((await search(server, "q=hob&limit=1")).body.items.length, 1);
    assert.equal((await search(server, "q=hob&mode=both")).body.items.length, 2);
    assert.deepEqual((await search(server, "q=nothing+like+it")).body, { items: [] });
  }));

Deno.test("GET /api/search takes the words as they are typed: a blank at the end ends the last one", () =>
  withSaid("kettles")(async (server) => {
    assert.equal((await search(server, "q=kettle")).body.items.length, 1);
    assert.equal((await search(server, "q=kettle%20")).body.items.length, 0);
  }));

Deno.test("GET /api/search refuses a request without words and numbers out of range, and names the parameter", () =>
  withSaid()(async (server) => {
    for (const query of ["", "q=", "q=%20%09", "q=a&limit=0", "q=a&limit=101", "q=a&limit=x", "q=a&mode=fuzzy"]) {
      const { status, body } = await search(server, query);
      assert.equal(status, 400, query);
      assert.match(body.errors[0].path, /^(?:q|limit|mode)$/, query);
    }
    assert.equal((await search(server, `q=${"a".repeat(10_001)}`)).status, 400);
    assert.equal((await search(server, `q=${"a".repeat(10_000)}`)).status, 200);
  }));

Deno.test("GET /api/search by meaning is refused with a sentence until embeddings are set up", () =>
  withSaid("a")(async (server) => {
    const { status, body } = await search(server, "q=a&mode=meaning");
    assert.equal(status, 409);
    assert.match(body.detail, /embeddings/);
  }));
