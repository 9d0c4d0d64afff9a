import assert from "node:assert/strict";
import { type Api, ApiError } from "../../../components/state/api.ts";
import { Renaming } from "../../../components/state/renaming.ts";
import type { Conversation } from "../../../core/log/entry.ts";

/** A server that holds one title, a page that holds its row, and what was said. */
function setUp(title = "Bread") {
  const server = { title, sent: [] as { title?: string; expected_title?: string }[], down: false };
  const row = { id: "c1", title } as Conversation;
  const page = { row, said: [] as string[] };
  const renaming = new Renaming({
    api: {
      change: (_id, change) => {
        server.sent.push(change);
        if (server.down) return Promise.reject(new Error("Not connected"));
        if (change.expected_title !== server.title) return Promise.reject(new ApiError(409, "Moved", "It was changed"));
        server.title = change.title!;
        return Promise.resolve({ ...row, title: server.title });
      },
      detail: () => Promise.resolve({ ...row, title: server.title, path: [] }),
    } as Pick<Api, "change" | "detail">,
    rowOf: (id) => id === "c1" ? page.row : undefined,
    takeRow: (next) => page.row = next,
    attempt: (work) => work().catch((error) => void page.said.push(error.message)),
  });
  const write = (text: string) => {
    if (renaming.name.value === null) renaming.open(page.row, "head");
    renaming.type(text);
    return renaming.keep();
  };
  return { server, page, renaming, write };
}

Deno.test("a name is kept at once, with the title that was shown", async () => {
  const { server, page, renaming, write } = setUp();
  const kept = write("  Bread  that rises ");
  assert.equal(renaming.name.value, null);
  assert.equal(page.row.title, "Bread that rises");
  await kept;
  assert.deepEqual(server.sent, [{ title: "Bread that rises", expected_title: "Bread" }]);
});

Deno.test("two tabs rename the same conversation: the second sees what it is now and keeps its words in the field", async () => {
  const { server, page, renaming, write } = setUp();
  renaming.open(page.row, "head");
  server.title = "Rye";
  await write("Sourdough");
  assert.equal(page.row.title, "Rye");
  const { text, now, place } = renaming.name.value!;
  assert.deepEqual([text, now, place], ["Sourdough", "Rye", "head"]);
  await renaming.keep();
  assert.equal(server.title, "Sourdough", "kept once more, it goes over the one that was shown");
  assert.equal(renaming.name.value, null);
});

Deno.test("a title that moved while the field stood open is noticed, though the row already shows it", async () => {
  const { server, page, renaming } = setUp();
  renaming.open(page.row, "side");
  server.title = "Rye";
  page.row = { ...page.row, title: "Rye" };
  renaming.type("Sourdough");
  await renaming.keep();
  assert.equal(renaming.name.value?.now, "Rye");
});

Deno.test("two tabs that write the same name agree", async () => {
  const { server, page, renaming, write } = setUp();
  renaming.open(page.row, "head");
  server.title = "Sourdough";
  await write("Sourdough");
  assert.equal(renaming.name.value, null);
  assert.equal(page.row.title, "Sourdough");
});

Deno.test("a field that was opened meanwhile is not taken over", async () => {
  const { server, page, renaming, write } = setUp();
  renaming.open(page.row, "head");
  server.title = "Rye";
  const kept = write("Sourdough");
  renaming.open(page.row, "side");
  await kept;
  assert.equal(renaming.name.value?.place, "side");
});

Deno.test("a name that could not be kept leaves the title, and says why", async () => {
  const { server, page, renaming, write } = setUp();
  server.down = true;
  await write("Sourdough");
  assert.equal(page.row.title, "Bread");
  assert.deepEqual(page.said, ["Not connected"]);
  assert.equal(renaming.name.value, null);
});

Deno.test("nothing, the same, and a dropped name are not sent", async () => {
  const { server, page, renaming, write } = setUp();
  await write("   ");
  await write("Bread");
  renaming.open(page.row, "head");
  renaming.type("Never");
  renaming.drop();
  await renaming.keep();
  assert.deepEqual(server.sent, []);
});

Deno.test("a field stands in its place alone", () => {
  const { page, renaming } = setUp();
  renaming.open(page.row, "side");
  assert.equal(renaming.at("head", "c1"), null);
  assert.equal(renaming.at("side", "c2"), null);
  assert.equal(renaming.at("side", "c1")?.text, "Bread");
});
