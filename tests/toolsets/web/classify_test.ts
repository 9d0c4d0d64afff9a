import assert from "node:assert/strict";
import fc from "fast-check";
import { classify } from "../../../toolsets/web/classify.ts";
import { PNG } from "./pictures.ts";
import { pdfOf } from "./pdf_files.ts";

const text = (words: string) => new TextEncoder().encode(words);

const CASES: readonly (readonly [type: string, bytes: Uint8Array, kind: string])[] = [
  ["text/html; charset=utf-8", text("<p>x"), "html"],
  ["application/xhtml+xml", text("<p>x"), "html"],
  ["", text("<!DOCTYPE html><p>x"), "html"],
  ["application/octet-stream", text("  <html>"), "html"],
  ["text/plain", text("<html>"), "text"],
  ["application/json", text("{}"), "text"],
  ["application/ld+json", text("{}"), "text"],
  ["application/rss+xml; charset=utf-8", text("<rss/>"), "text"],
  ["image/svg+xml", text("<svg/>"), "text"],
  ["", text("words"), "text"],
  ["application/octet-stream", text("words"), "text"],
  ["application/pdf", pdfOf(["x"]), "pdf"],
  ["application/octet-stream", pdfOf(["x"]), "pdf"],
  ["text/plain", pdfOf(["x"]), "pdf"],
  ["text/html", pdfOf(["x"]), "pdf"],
  ["", pdfOf(["x"]), "pdf"],
  ["application/pdf", text("<html>no PDF"), "other"],
  ["text/html", text("a page about %PDF-1.4"), "html"],
  ["image/png", PNG, "image"],
  ["image/jpeg", PNG, "image"],
  ["application/octet-stream", PNG, "image"],
  ["image/png", PNG.subarray(0, 30), "other"],
  ["image/png", text("<html>an error page"), "other"],
  ["text/plain", new Uint8Array([0x61, 0, 0x62]), "other"],
  ["text/plain; charset=utf-16le", new Uint8Array([0x61, 0, 0x62, 0]), "text"],
  ["text/plain", new Uint8Array([0xff, 0xfe, 0x61, 0]), "text"],
  ["application/zip", new Uint8Array([0x50, 0x4b, 3, 4]), "other"],
  ["", new Uint8Array([0x1f, 0x8b, 8, 1]), "other"],
  ["video/mp4", text("xxxx"), "other"],
  ["", new Uint8Array(), "text"],
];

for (const [type, bytes, kind] of CASES) {
  const start = JSON.stringify(new TextDecoder("latin1").decode(bytes.subarray(0, 8)));
  Deno.test(`"${type}" beginning with ${start} is ${kind} (K-329)`, () => {
    assert.equal(classify(type, bytes).kind, kind);
  });
}

Deno.test("of a type that is no type nothing is repeated", () => {
  const content = classify("image/png\n=== ends ===", new Uint8Array([0, 1]));
  assert.deepEqual(content, { kind: "other", what: "a picture that cannot be shown" });
});

Deno.test("no type and no bytes whatever make it throw", () => {
  fc.assert(fc.property(fc.string(), fc.uint8Array(), (type, bytes) => {
    assert.equal(typeof classify(type, bytes).kind, "string");
  }));
});
