import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { fileResponse, openDownload } from "../../web/stored_file.ts";

const bytes = new TextEncoder().encode("abc");

Deno.test("openDownload() opens a plain name and nothing that is no file", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(folder, "notes.txt"), "abc");
    await Deno.mkdir(join(folder, "folder"));
    await Deno.symlink(join(folder, "notes.txt"), join(folder, "link.txt"));
    const found = await openDownload(folder, "notes.txt");
    assert.equal(found?.bytes, 3);
    assert.equal(await new Response(found!.body).text(), "abc");
    for (
      const name of [
        "folder",
        "link.txt",
        "missing",
        "",
        ".",
        "..",
        "./notes.txt",
        "a..b",
        "notes.txt/",
        "x".repeat(201),
      ]
    ) {
      assert.equal(await openDownload(folder, name), null, name);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("openDownload() never leaves its folder, whatever the name", async () => {
  const root = await Deno.makeTempDir();
  try {
    await Deno.mkdir(join(root, "downloads"));
    await Deno.writeTextFile(join(root, "secret"), "secret");
    const part = fc.constantFrom(
      "..",
      ".",
      "/",
      "\\",
      "secret",
      "%2e",
      "\0",
      ":",
      "~",
      " ",
      "a",
      "//",
      "\n",
      "‥",
      "．",
    );
    await fc.assert(fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
      assert.equal(await openDownload(join(root, "downloads"), parts.join("")), null);
    }));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("fileResponse() shows pictures, text and JSON, and attaches everything else", () => {
  const isAttached = (type: string) =>
    fileResponse({ body: bytes, type, bytes: 3, name: "x" }).headers.has("content-disposition");
  for (const type of ["image/png", "image/webp", "text/plain; charset=utf-8", "application/json", "audio/mpeg"]) {
    assert.equal(isAttached(type), false, type);
  }
  for (
    const type of [
      "text/html",
      "text/html; charset=utf-8",
      "image/svg+xml",
      "application/xml",
      "text/xml",
      "text/javascript",
      "application/xhtml+xml",
      "application/octet-stream",
      "application/pdf",
      "",
      "x/image/png",
    ]
  ) assert.equal(isAttached(type), true, type);
});

Deno.test("fileResponse() writes a header that is one header, whatever the name", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), (download) => {
    const { headers } = fileResponse({ body: bytes, type: "text/plain", bytes: 3, download });
    const value = headers.get("content-disposition") ?? "";
    assert.match(value, /^attachment; filename="[^"\\\r\n/]+"; filename\*=UTF-8''[\w%.!~()*'_+@=,-]+$/);
    assert.doesNotMatch(value, /filename="\./);
  }));
});

Deno.test("fileResponse() lets what cannot change be kept, by this browser alone", () => {
  const caching = (immutable: boolean) =>
    fileResponse({ body: bytes, type: "image/png", bytes: 3, immutable }).headers.get("cache-control");
  assert.match(caching(true) ?? "", /^private, .*immutable/);
  assert.equal(caching(false), "no-store");
});
