import assert from "node:assert/strict";
import {
  BadDocument,
  DocumentNotFound,
  MAX_DOCUMENT_LENGTH,
  NoSingleMatch,
  NotReadWhole,
} from "../../../core/memory/document.ts";
import { Documents } from "../../../core/memory/documents.ts";
import { withStorage } from "../storage/sample_store.ts";

const NOW = new Date("2026-03-01T12:00:00Z");

function withDocuments(body: (documents: Documents) => Promise<void>): Promise<void> {
  return withStorage(({ database }) => body(new Documents({ database, now: () => NOW })));
}

/** Two megabytes of numbered lines. */
const LONG = Array.from({ length: 50_000 }, (_, line) => `Line ${line}: what stands in a long document`).join("\n");

Deno.test("a document is saved, and read in windows that give all of it back (K-332)", () =>
  withDocuments(async (documents) => {
    assert.ok(LONG.length > 2_000_000);
    const { document, isNew } = await documents.save("/notes//long.md", LONG);
    assert.deepEqual([isNew, document.path, document.characters, document.revision], [
      true,
      "notes/long.md",
      LONG.length,
      1,
    ]);
    let read = "";
    while (read.length < LONG.length) {
      const window = await documents.read("notes/long.md", { offset: read.length, length: 40_000, reader: "C" });
      assert.equal(window.from, read.length);
      assert.ok(window.to > window.from);
      read += window.text;
      assert.equal(window.isReadWhole, read.length === LONG.length);
    }
    assert.equal(read, LONG);
  }));

Deno.test("a window never cuts a character in two, and an offset past the end gives nothing", () =>
  withDocuments(async (documents) => {
    await documents.save("p", "a🌊b🌊c");
    for (
      const [offset, length, text] of [[0, 2, "a"], [2, 3, "🌊b"], [1, 1, "🌊"], [4, 99, "🌊c"], [99, 5, ""]] as const
    ) {
      assert.equal((await documents.read("p", { offset, length })).text, text, `${offset}, ${length}`);
    }
  }));

Deno.test("an existing document is replaced only by who has read it whole, or says overwrite (K-332, K-333)", () =>
  withDocuments(async (documents) => {
    await documents.save("p", "0123456789", { reader: "A" });
    await assert.rejects(documents.save("p", "new", { reader: "B" }), NotReadWhole);
    await assert.rejects(documents.save("p", "new"), NotReadWhole);
    await documents.read("p", { offset: 5, length: 5, reader: "B" });
    await assert.rejects(documents.save("p", "56789", { reader: "B" }), NotReadWhole, "half of it was read");
    await documents.read("p", { offset: 0, length: 5, reader: "B" });
    assert.equal((await documents.save("p", "by B", { reader: "B" })).document.revision, 2);
    await assert.rejects(documents.save("p", "by A", { reader: "A" }), NotReadWhole, "it changed since");
    await documents.save("p", "by B again", { reader: "B" });
    await documents.save("p", "by A", { reader: "A", overwrite: true });
    assert.equal((await documents.get("p"))?.content, "by A");
    await assert.rejects(documents.save("p", "by B", { reader: "B" }), NotReadWhole);
  }));

Deno.test("another document at the path of a removed one has not been read by anyone (K-333)", () =>
  withDocuments(async (documents) => {
    await documents.save("p", "one", { reader: "A" });
    assert.equal(await documents.remove("p"), true);
    assert.equal(await documents.remove("p"), false);
    await documents.save("p", "two", { reader: "B" });
    await assert.rejects(documents.save("p", "three", { reader: "A" }), NotReadWhole);
  }));

Deno.test("an edit replaces the one exact match; none and several are refused with their number", () =>
  withDocuments(async (documents) => {
    await documents.save("p", "tea, tea, coffee $& \\n", { reader: "A" });
    await assert.rejects(
      documents.edit("p", { find: "milk", replace: "x" }),
      (error) => error instanceof NoSingleMatch && error.count === 0,
    );
    await assert.rejects(
      documents.edit("p", { find: "tea", replace: "x" }),
      (error) => error instanceof NoSingleMatch && error.count === 2,
    );
    await assert.rejects(documents.edit("p", { find: "", replace: "x" }), BadDocument);
    await assert.rejects(documents.edit("q", { find: "a", replace: "b" }), DocumentNotFound);
    await documents.edit("p", { find: "coffee", replace: "$& $1 cocoa", reader: "A" });
    assert.equal((await documents.get("p"))?.content, "tea, tea, $& $1 cocoa $& \\n");
    await documents.save("p", "all known", { reader: "A" });
  }));

Deno.test("of many edits at the same time each is made, on what the others left", () =>
  withDocuments(async (documents) => {
    await documents.save("p", "<1><2><3><4>");
    await Promise.all(["1", "2", "3", "4"].map((n) => documents.edit("p", { find: `<${n}>`, replace: `[${n}]` })));
    assert.equal((await documents.get("p"))?.content, "[1][2][3][4]");
  }));

Deno.test("of many saves of a new document at the same time one creates it and the others are refused", () =>
  withDocuments(async (documents) => {
    const saved = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => documents.save("p", `by ${index}`, { reader: `C${index}` })),
    );
    assert.equal(saved.filter(({ status }) => status === "fulfilled").length, 1);
    for (const each of saved) if (each.status === "rejected") assert.ok(each.reason instanceof NotReadWhole);
  }));

Deno.test("documents are listed by path, in pages, and by folder", () =>
  withDocuments(async (documents) => {
    for (const path of ["b", "a/2", "a/1", "ab/1", "a_/x"]) await documents.save(path, path);
    const paths = (items: readonly { path: string }[]) => items.map(({ path }) => path);
    const first = await documents.list({ limit: 3 });
    assert.deepEqual(paths(first.items), ["a/1", "a/2", "a_/x"]);
    assert.deepEqual(paths((await documents.list({ after: first.next! })).items), ["ab/1", "b"]);
    assert.deepEqual(paths((await documents.list({ under: "a/" })).items), ["a/1", "a/2"]);
    assert.equal((await documents.list({ under: " / " })).items.length, 5);
  }));

Deno.test("a search finds words in long documents, in paths, in any writing, with the place around them (K-332)", () =>
  withDocuments(async (documents) => {
    await documents.save("long.md", `${LONG}\nThe ferry to Moloka'i leaves at seven\n${LONG}`.slice(0, 3_900_000));
    await documents.save("recipes/poke.md", "Tuna, onions, sesame");
    await documents.save("עברית.md", "המעבורת יוצאת בשבע");
    await documents.save("日本語.md", "船は七時に出発します");
    const [found] = await documents.search("ferries to Molokai's harbour ferry");
    assert.equal(found?.path, "long.md");
    assert.ok(found.excerpt.length <= 1500);
    assert.match(found.excerpt, /The ferry to Moloka'i leaves at seven/);
    assert.equal((await documents.get("long.md"))?.content.slice(found.from, found.to), found.excerpt);
    assert.equal((await documents.search("poke"))[0]?.path, "recipes/poke.md");
    assert.equal((await documents.search("המעבורת"))[0]?.path, "עברית.md");
    assert.equal((await documents.search("出発"))[0]?.path, "日本語.md");
    assert.deepEqual(await documents.search('" OR ('), []);
    assert.deepEqual(await documents.near("old/poke.txt"), ["recipes/poke.md"]);
  }));

Deno.test("a document that is too long is refused with what would be right (K-328)", () =>
  withDocuments(async (documents) => {
    await assert.rejects(documents.save("p", "x".repeat(MAX_DOCUMENT_LENGTH + 1)), /part it into several/);
  }));
