import assert from "node:assert/strict";
import { withServer } from "../web/test_server.ts";
import { ask } from "./asking.ts";

async function problemOf(answer: Response): Promise<[number, string, string]> {
  const { status, type, detail } = await answer.json();
  return [status, type.split(":").at(-1), detail];
}

const texts = (page: { items: { text: string }[] }) => page.items.map(({ text }) => text);

Deno.test("api: a memory is added, listed, found, changed, deleted and brought back", () =>
  withServer(async (server) => {
    const dog = await ask(server, "addMemory", "/api/memories", { text: "The dog is called Biscuit" });
    assert.equal(dog.origin, null);
    assert.equal((await ask(server, "addMemory", "/api/memories", { text: " The dog is called Biscuit " })).id, dog.id);
    await ask(server, "addMemory", "/api/memories", { text: "Taxes are due in May" });
    const page = await ask(server, "listMemories", "/api/memories?limit=1");
    assert.deepEqual([texts(page), page.count], [["Taxes are due in May"], 2]);
    const older = await ask(server, "listMemories", `/api/memories?before=${page.next}`);
    assert.deepEqual([texts(older), older.next], [["The dog is called Biscuit"], null]);
    assert.equal((await ask(server, "listMemories", "/api/memories?q=biscuits&limit=1")).items[0].id, dog.id);
    const path = `/api/memories/${dog.id}`;
    assert.equal(
      (await ask(server, "updateMemory", path, { text: "The cat is called Lulu" })).text,
      "The cat is called Lulu",
    );
    await ask(server, "deleteMemory", path);
    assert.equal((await ask(server, "listMemories", "/api/memories")).count, 1);
    assert.equal((await ask(server, "restoreMemory", `${path}/restore`)).id, dog.id);
  }));

Deno.test("api: what cannot be done with a memory is a problem that says why", () =>
  withServer(async (server) => {
    const one = await ask(server, "addMemory", "/api/memories", { text: "One" });
    await ask(server, "addMemory", "/api/memories", { text: "Two" });
    assert.deepEqual((await problemOf(await server.send("PATCH", "/api/memories/none", { text: "x" }))).slice(0, 2), [
      404,
      "memory-not-found",
    ]);
    assert.equal((await problemOf(await server.send("DELETE", "/api/memories/none")))[0], 404);
    assert.equal((await problemOf(await server.send("POST", "/api/memories/none/restore")))[0], 404);
    assert.deepEqual(
      (await problemOf(await server.send("PATCH", `/api/memories/${one.id}`, { text: "Two" }))).slice(0, 2),
      [409, "memory-exists"],
    );
    const empty = await problemOf(await server.send("POST", "/api/memories", { text: "  " }));
    assert.deepEqual(empty, [400, "bad-input", "text: A memory cannot be empty"]);
    assert.equal((await problemOf(await server.send("POST", "/api/memories", { text: "\0" })))[0], 400);
    assert.equal((await server.fetch("/api/memories", { headers: { authorization: "Bearer no" } })).status, 401);
  }));

Deno.test("api: a document is put, got, replaced, found and deleted, its path with slashes", () =>
  withServer(async (server) => {
    const path = "/api/documents/travel/coast%20path.md";
    const made = await ask(server, "putDocument", path, { content: "Low water at noon" });
    assert.deepEqual([made.path, made.revision], ["travel/coast path.md", 1]);
    assert.equal((await ask(server, "getDocument", path)).content, "Low water at noon");
    assert.equal((await ask(server, "putDocument", path, { content: "High water", revision: 1 })).revision, 2);
    const late = await problemOf(await server.send("PUT", path, { content: "Old news", revision: 1 }));
    assert.deepEqual(late.slice(0, 2), [409, "document-changed"]);
    const found = await ask(server, "listDocuments", "/api/documents?q=water");
    assert.deepEqual([found.items[0].path, found.items[0].excerpt], ["travel/coast path.md", "High water"]);
    assert.equal((await ask(server, "listDocuments", "/api/documents?under=travel")).items.length, 1);
    await ask(server, "deleteDocument", path);
    assert.deepEqual((await problemOf(await server.fetch(path))).slice(0, 2), [404, "document-not-found"]);
    assert.equal((await problemOf(await server.send("DELETE", path)))[0], 404);
  }));

Deno.test("api: a path that leaves the documents is refused (K-332)", () =>
  withServer(async (server) => {
    for (const path of ["%2e%2e%2fsecrets", "a%2f..%2f..%2fb", "..%5Cb"]) {
      assert.equal(
        (await problemOf(await server.send("PUT", `/api/documents/${path}`, { content: "x" })))[0],
        400,
        path,
      );
    }
  }));
