import assert from "node:assert/strict";
import fc from "fast-check";
import { BadPath } from "../../../core/memory/document.ts";
import { documentPath } from "../../../core/memory/document_path.ts";

Deno.test("a path is brought to one form", () => {
  for (
    const written of [
      "travel/coast.md",
      "/travel//coast.md",
      "./travel/./coast.md/",
      "travel\\coast.md",
      " travel / coast.md ",
    ]
  ) {
    assert.equal(documentPath(written), "travel/coast.md");
  }
  assert.equal(documentPath("e\u0301"), "é");
});

Deno.test("a path that leaves the documents, or is none, is refused with what would be right (K-332)", () => {
  for (
    const bad of [
      "",
      " ",
      "/",
      "..",
      "../secrets",
      "a/../../b",
      "a/..",
      "a\\..\\b",
      "a/\u0007/b",
      "x".repeat(121),
      "a/".repeat(300),
    ]
  ) {
    assert.throws(() => documentPath(bad), BadPath, bad);
  }
});

Deno.test("normalising what is normal changes nothing, and never gives a way up", () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(..."ab./\\ é") }), (text) => {
    let path;
    try {
      path = documentPath(text);
    } catch (error) {
      return assert.ok(error instanceof BadPath);
    }
    assert.equal(documentPath(path), path);
    assert.ok(path.split("/").every((step) => step !== "" && step !== "." && step !== ".."));
  }));
});
