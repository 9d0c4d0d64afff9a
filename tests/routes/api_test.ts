import assert from "node:assert/strict";
import { BadRequest, TurnInFlight } from "../../core/conversation/mod.ts";
import { ReadOnlyStorage, StorageFull } from "../../core/storage/mod.ts";
import { type Operation, type OperationName, operations } from "../../web/operations.ts";
import { withServer } from "../web/test_server.ts";
import { ask } from "./asking.ts";

async function problem(answer: Response) {
  assert.equal(answer.headers.get("content-type"), "application/problem+json");
  const found = await answer.json();
  assert.equal(found.status, answer.status);
  assert.ok(found.type && found.title && found.detail);
  return found;
}

const WITHOUT_BODY: readonly OperationName[] = [
  "listConversations",
  "listAgents",
  "listToolsets",
  "listSkills",
  "listMcpServers",
  "listModels",
  "getSettings",
  "getDiagnostics",
  "getUsage",
  "listApprovals",
  "listTasks",
  "getOpenapi",
  "getHealth",
];

Deno.test("api: every list and reading answers as it is described", () =>
  withServer(async (server) => {
    for (const name of WITHOUT_BODY) await ask(server, name, operations[name].path);
  }));

Deno.test("api: a conversation is made, read, changed, deleted and brought back", () =>
  withServer(async (server) => {
    const made = await ask(server, "createConversation", "/api/conversations", { title: "Garden", colour: "ignored" });
    assert.equal(made.title, "Garden");
    const path = `/api/conversations/${made.id}`;
    assert.deepEqual((await ask(server, "getConversation", path)).path, []);
    const changed = await ask(server, "updateConversation", path, { title: "x".repeat(60), pinned: true });
    assert.deepEqual([changed.title.length, changed.pinned], [40, true]);
    assert.equal((await ask(server, "updateConversation", path, { model: "demo:echo" })).model, "demo:echo");
    assert.equal((await ask(server, "updateConversation", path, { model: null })).model, null);
    await ask(server, "deleteConversation", path);
    assert.equal((await server.fetch(path)).status, 404);
    assert.equal((await ask(server, "restoreConversation", `${path}/restore`)).id, made.id);
    assert.equal((await ask(server, "listConversations", "/api/conversations")).items.length, 1);
  }));

Deno.test("api: a title is asked for without waiting for it", () =>
  withServer(async (server) => {
    const { id } = await ask(server, "createConversation", "/api/conversations", {});
    await ask(server, "nameConversation", `/api/conversations/${id}/title`);
    assert.deepEqual(server.assistant.named, [id]);
    await problem(await server.send("POST", "/api/conversations/nowhere/title"));
  }));

Deno.test("api: a new conversation says where it is, and needs no body", () =>
  withServer(async (server) => {
    const answer = await server.fetch("/api/conversations", { method: "POST" });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get("location"), `/api/conversations/${(await answer.json()).id}`);
  }));

Deno.test("api: the list is paged by time and checks its numbers", () =>
  withServer(async (server) => {
    for (let count = 0; count < 5; count++) {
      await ask(server, "createConversation", "/api/conversations", {});
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    const first = await ask(server, "listConversations", "/api/conversations?limit=3");
    assert.equal(first.items.length, 3);
    const query = `limit=3&before=${encodeURIComponent(first.next)}`;
    const second = await ask(server, "listConversations", `/api/conversations?${query}`);
    assert.equal(second.items.length, 2);
    assert.equal(second.next, null);
    const offset = new Date(Date.parse(first.next) + 3_600_000).toISOString().replace("Z", "+01:00");
    const other = await ask(
      server,
      "listConversations",
      `/api/conversations?limit=3&before=${encodeURIComponent(offset)}`,
    );
    assert.deepEqual(other.items, second.items, "the same time in another zone");
    for (
      const bad of ["limit=0", "limit=501", "limit=-1", "limit=1.5", "limit=many", "before=yesterday", "limit=NaN"]
    ) {
      const found = await problem(await server.fetch(`/api/conversations?${bad}`));
      assert.equal(found.status, 400, bad);
      assert.equal(found.errors[0].path, bad.split("=")[0]);
    }
    assert.equal((await server.fetch("/api/conversations?limit=")).status, 200);
  }));

Deno.test("api: entries are paged and check their numbers", () =>
  withServer(async (server) => {
    const { id } = await ask(server, "createConversation", "/api/conversations", {});
    const { log } = server.assistant;
    await log.open(id);
    for (const text of ["a", "b", "c", "d"]) await log.append(id, { turn: null, kind: "text", data: { text } });
    const path = `/api/conversations/${id}/entries`;
    const seqs = async (query: string) =>
      (await ask(server, "listEntries", `${path}?${query}`)).items.map(({ seq }: { seq: number }) => seq);
    assert.deepEqual(await seqs(""), [1, 2, 3, 4]);
    assert.deepEqual(await seqs("after=2"), [3, 4]);
    assert.deepEqual(await seqs("before=3&limit=1"), [2]);
    assert.deepEqual(await seqs("after=0&limit=2&all=true"), [1, 2]);
    assert.equal((await ask(server, "listEntries", path)).last_seq, 4);
    for (const bad of ["after=-1", "before=x", "limit=501", "all=yes", "after=1e400"]) {
      assert.equal((await problem(await server.fetch(`${path}?${bad}`))).status, 400, bad);
    }
  }));

Deno.test("api: a message is handed on whole, pictures as bytes", () =>
  withServer(async (server) => {
    const { id } = await ask(server, "createConversation", "/api/conversations", {});
    const receipt = await ask(server, "sendMessage", `/api/conversations/${id}/messages`, {
      text: "Look",
      token: "t-1",
      thinking: "high",
      parent: "01PARENT",
      plan: false,
      images: [{ name: "dot.png", media_type: "image/png", data: "iVBORw0KGgo=" }],
    });
    assert.equal(receipt.fate, "turn");
    const [{ conversation, message }] = server.assistant.submitted as [(typeof server.assistant.submitted)[0]];
    assert.equal(conversation, id);
    assert.deepEqual([message.text, message.token, message.thinking, message.parent], [
      "Look",
      "t-1",
      "high",
      "01PARENT",
    ]);
    const [image] = message.images!;
    assert.ok(image && "data" in image);
    assert.deepEqual([...image.data], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  }));

Deno.test("api: a picture needs no words, words need no picture, nothing is 400", () =>
  withServer(async (server) => {
    const { id } = await ask(server, "createConversation", "/api/conversations", {});
    const path = `/api/conversations/${id}/messages`;
    const image = { name: "a.png", media_type: "image/png", data: "iVBORw0KGgo=" };
    await ask(server, "sendMessage", path, { images: [image] });
    const bad: [unknown, string][] = [
      [{}, "text"],
      [{ text: "" }, "text"],
      [{ text: " \n\t" }, "text"],
      [{ text: 7 }, "text"],
      [{ text: "a", token: "" }, "token"],
      [{ text: "a", thinking: "enormous" }, "thinking"],
      [{ text: "a", images: {} }, "images"],
      [{ text: "a", images: [{ ...image, data: "not base64!" }] }, "images.0.data"],
      [{ text: "a", images: [{ ...image, data: undefined }] }, "images.0.data"],
      [{ text: "a", images: [{ ...image, media_type: "image/svg+xml" }] }, "images.0.media_type"],
      [{ text: "a", images: Array(21).fill(image) }, "images"],
    ];
    for (const [body, at] of bad) {
      const found = await problem(await server.send("POST", path, body));
      assert.equal(found.status, 400);
      assert.equal(found.errors[0].path, at, JSON.stringify(found));
      assert.doesNotMatch(JSON.stringify(found), /undefined/);
    }
    assert.equal(server.assistant.submitted.length, 1);
  }));

Deno.test("api: titles are checked, and a title that moved is 409", () =>
  withServer(async (server) => {
    const { id } = await ask(server, "createConversation", "/api/conversations", { title: "First" });
    const path = `/api/conversations/${id}`;
    for (const body of [{ title: "" }, { title: "   " }, { title: null }, { pinned: "yes" }, { model: "nonsense" }]) {
      assert.equal((await problem(await server.send("PATCH", path, body))).status, 400, JSON.stringify(body));
    }
    const moved = await problem(await server.send("PATCH", path, { title: "Mine", expected_title: "Other" }));
    assert.deepEqual([moved.status, moved.type], [409, "urn:malama:problem:title-moved"]);
    assert.equal(
      (await ask(server, "updateConversation", path, { title: "Mine", expected_title: "First" })).title,
      "Mine",
    );
    const unknown = await problem(await server.send("POST", "/api/conversations", { agent: "nobody" }));
    assert.deepEqual([unknown.status, unknown.errors[0].path], [400, "agent"]);
  }));

/** Every call with an id in its path. */
const ABOUT_ONE = Object.entries<Operation>(operations).filter(([, { path }]) =>
  path.startsWith("/api/conversations/:id")
);

Deno.test("api: an unknown id is 404 on every call, and never makes one", () =>
  withServer(async (server) => {
    assert.ok(ABOUT_ONE.length >= 8);
    for (
      const id of ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "x", "%00", "%2e%2e", "a b", "'; drop table conversations; --", "%ff"]
    ) {
      for (const [name, { method, path }] of ABOUT_ONE) {
        const answer = await server.send(
          method,
          path.replace(":id", id),
          method === "GET" ? undefined : { text: "a", turn: "T" },
        );
        assert.equal(answer.status, 404, `${name} ${id}`);
        await problem(answer);
      }
    }
    assert.deepEqual((await ask(server, "listConversations", "/api/conversations")).items, []);
  }));

Deno.test("api: part of an id is not an id", () =>
  withServer(async (server) => {
    const { id } = await ask(server, "createConversation", "/api/conversations", {});
    for (const part of [id.slice(0, 10), id.toLowerCase(), `${id}x`]) {
      for (const [name, { method, path }] of ABOUT_ONE) {
        const answer = await server.send(
          method,
          path.replace(":id", part),
          method === "GET" ? undefined : { text: "a", turn: "T" },
        );
        assert.equal(answer.status, 404, `${name} ${part}`);
        await answer.body?.cancel();
      }
    }
    await ask(server, "getConversation", `/api/conversations/${id}`);
  }));

Deno.test("api: bad JSON is 400 and another type is 415, on every call that changes something", () =>
  withServer(async (server) => {
    const { id } = await ask(server, "createConversation", "/api/conversations", {});
    const changing = Object.entries<Operation>(operations).filter(([, { method, raw }]) => method !== "GET" && !raw);
    assert.ok(changing.length >= 8);
    for (const [name, { method, path }] of changing) {
      const url = path.replace(":id", id);
      for (const body of ["{", "{'a':1}", "[]", "null", '"text"', "7", "\u0000"]) {
        const answer = await server.fetch(url, { method, body, headers: { "content-type": "application/json" } });
        assert.equal((await problem(answer)).status, 400, `${name} ${body}`);
      }
      const form = await server.fetch(url, { method, body: new URLSearchParams({ text: "a" }) });
      assert.equal((await problem(form)).status, 415, name);
    }
    assert.equal((await ask(server, "listConversations", "/api/conversations")).items.length, 1, "nothing was done");
  }));

Deno.test("api: a method that is not there is 405 and says which are", () =>
  withServer(async (server) => {
    const paths = new Set(Object.values<Operation>(operations).map(({ path }) => path));
    for (const path of paths) {
      const methods = Object.values<Operation>(operations).filter((each) => each.path === path).map(({ method }) =>
        method
      );
      for (const method of ["PUT", "DELETE", "PATCH", "POST", "GET"] as const) {
        if (methods.includes(method)) continue;
        const answer = await server.send(method, path.replace(/:\w+/, "x"));
        assert.equal(answer.status, 405, `${method} ${path}`);
        const allow = answer.headers.get("allow")?.split(", ") ?? [];
        for (const each of methods) assert.ok(allow.includes(each));
        await problem(answer);
      }
    }
  }));

Deno.test("api: HEAD is GET without its body, OPTIONS says what there is", () =>
  withServer(async (server) => {
    const head = await server.fetch("/api/conversations", { method: "HEAD" });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), "");
    const options = await server.fetch("/api/conversations", { method: "OPTIONS" });
    assert.equal(options.status, 204);
    assert.equal(options.headers.get("allow"), "GET, POST, HEAD, OPTIONS");
  }));

Deno.test("api: an unknown call is 404 as a problem, and names the list of those there are", () =>
  withServer(async (server) => {
    for (
      const path of [
        "/api",
        "/api/",
        "/api/nothing",
        "/api/conversations/x/explode",
        "/api//conversations/x/y",
      ]
    ) {
      for (const method of ["GET", "POST", "DELETE"]) {
        const found = await problem(await server.send(method, path));
        assert.equal(found.status, 404, `${method} ${path}`);
        assert.match(found.detail, /openapi\.json/);
      }
    }
  }));

Deno.test("api: what the core throws arrives as its problem", () =>
  withServer(async (server) => {
    const { id } = await ask(server, "createConversation", "/api/conversations", {});
    const cases: [Error, number][] = [
      [new TurnInFlight(id), 409],
      [new BadRequest("images", "Too many pictures"), 400],
      [new ReadOnlyStorage("the database is damaged"), 503],
      [new StorageFull("/data"), 507],
      [new Error("a bug with a stack"), 500],
    ];
    for (const [error, status] of cases) {
      server.assistant.failNext = error;
      const found = await problem(await server.send("POST", `/api/conversations/${id}/messages`, { text: "a" }));
      assert.equal(found.status, status);
      assert.doesNotMatch(JSON.stringify(found), /a bug|api_test|\.ts:/);
    }
    assert.ok(server.reports.some((line) => line.includes("a bug with a stack")));
  }));

Deno.test("api: usage is counted by day, agent or model, and nothing else", () =>
  withServer(async (server) => {
    for (const by of ["day", "agent", "model"]) await ask(server, "getUsage", `/api/usage?by=${by}`);
    await ask(server, "getUsage", "/api/usage?days=30&zone=Asia/Kathmandu");
    for (const bad of ["by=hour", "days=0", "days=many", "zone=Nowhere/Here"]) {
      assert.equal((await problem(await server.fetch(`/api/usage?${bad}`))).status, 400, bad);
    }
  }));

Deno.test("api: stop says whether anything was stopped", () =>
  withServer(async (server) => {
    const { id } = await ask(server, "createConversation", "/api/conversations", {});
    assert.deepEqual(await ask(server, "stopTurn", `/api/conversations/${id}/stop`), { stopped: false });
    assert.equal(typeof (await ask(server, "continueTurn", `/api/conversations/${id}/continue`)).turn, "string");
  }));
