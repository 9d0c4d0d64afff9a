import assert from "node:assert/strict";
import fc from "fast-check";
import { bareName, MAX_NAME, NotAttachable, storeAttachment, tellKind } from "../../../core/turn/attachment.ts";
import { ascii, gif, join, jpeg, png, pngHeader, webp } from "../log/sample_pictures.ts";
import { withStorage } from "../storage/sample_store.ts";

const text = (words: string) => new TextEncoder().encode(words);
const refuses = (bytes: Uint8Array, name: string, says: RegExp, type = "") =>
  assert.throws(
    () => tellKind(bytes, name, type),
    (error) => error instanceof NotAttachable && says.test(error.message) && !/[.!]$/.test(error.message),
  );

Deno.test("storeAttachment() keeps a picture with the type and size its bytes have, whatever it is called", () =>
  withStorage(async ({ blobs }) => {
    const pictures = [
      ["image/png", png(30, 20)],
      ["image/jpeg", jpeg(30, 20)],
      ["image/gif", gif(30, 20)],
      ["image/webp", webp("VP8L", 30, 20)],
    ] as const;
    for (const [media_type, bytes] of pictures) {
      const stored = await storeAttachment(bytes, { name: "C:\\photos\\holiday.bmp", type: "image/bmp", blobs });
      const { ref, ...rest } = stored;
      const expected = { kind: "image", name: "holiday.bmp", media_type, bytes: bytes.length, width: 30, height: 20 };
      assert.deepEqual(rest, expected);
      assert.match(ref, /^\/images\/[0-9a-f]{64}$/);
      assert.deepEqual(await blobs.get(ref.slice("/images/".length)), { bytes, mediaType: media_type });
    }
  }));

Deno.test("storeAttachment() keeps text as plain text, also when it is HTML by its name and its bytes", () =>
  withStorage(async ({ blobs }) => {
    const page = text("<!doctype html><script>alert(1)</script>");
    const stored = await storeAttachment(page, { name: "page.html", type: "text/html", blobs });
    assert.equal(stored.kind, "file");
    assert.equal(stored.media_type, "text/plain; charset=utf-8");
    assert.equal((await blobs.get(stored.ref.slice("/payloads/".length)))?.mediaType, "text/plain; charset=utf-8");
  }));

Deno.test("storeAttachment() takes an empty name, and the same bytes twice are stored once", () =>
  withStorage(async ({ blobs, database }) => {
    const [one, two] = [
      await storeAttachment(text("same"), { name: "", blobs }),
      await storeAttachment(text("same"), { name: "b.txt", blobs }),
    ];
    assert.deepEqual([one.name, two.name, one.ref], ["file", "b.txt", two.ref]);
    assert.equal((await database.read("select hash from blobs")).length, 1);
  }));

Deno.test("tellKind() refuses HTML named .png, and anything else that says it is a picture and is none", () => {
  refuses(
    text("<!doctype html><script>alert(1)</script>"),
    "cat.png",
    /^"cat\.png" is no picture that can be sent: send PNG/,
  );
  refuses(text("hello"), "notes.txt", /no picture/, "image/png");
  refuses(ascii("BM\x36\0\0\0"), "scan.bmp", /no picture/);
  refuses(ascii("\0\0\0\x18ftypheic"), "IMG_1.HEIC", /send PNG, JPEG, GIF or WebP/);
});

Deno.test("tellKind() refuses SVG by its name and by its type", () => {
  const svg = text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  refuses(svg, "drawing.svg", /SVG drawing/);
  refuses(svg, "drawing.SVGZ", /SVG drawing/);
  refuses(svg, "drawing", /SVG drawing/, "image/svg+xml; charset=utf-8");
});

Deno.test("tellKind() refuses a picture that is cut short, and one of more than 100 megapixels", () => {
  refuses(png(64, 64).subarray(0, 70), "half.png", /"half\.png" is cut short/);
  refuses(pngHeader(10_001, 10_000), "wall.png", /"wall\.png" has 101 megapixels: 100 is the most/);
  refuses(pngHeader(0x7fffffff, 0x7fffffff), "bomb.png", /megapixels/);
  assert.equal(tellKind(pngHeader(10_000, 10_000), "poster.png").kind, "image");
});

Deno.test("tellKind() refuses what is no text: nothing, binary, UTF-16, half characters, more than 2 MB", () => {
  refuses(new Uint8Array(), "empty.txt", /^"empty\.txt" is empty$/);
  refuses(ascii("%PDF-1.7\n\xb5\xb5"), "paper.pdf", /neither a picture .* nor UTF-8 text/);
  refuses(join(text("ELF"), new Uint8Array(4)), "program", /nor UTF-8 text/);
  refuses(Uint8Array.from([0xff, 0xfe, 0x41, 0x00]), "utf16.txt", /nor UTF-8 text/);
  refuses(Uint8Array.from([0x41, 0xc3]), "cut.txt", /nor UTF-8 text/);
  refuses(new Uint8Array(2_000_001).fill(0x61), "log.txt", /larger than 2 MB/);
  assert.equal(tellKind(new Uint8Array(2_000_000).fill(0x61), "log.txt").kind, "file");
  assert.equal(tellKind(text("\ufeffmālama, 日本, 👩‍👩‍👧"), "notes.md").kind, "file");
});

Deno.test("bareName() drops folders, in every spelling", () => {
  const spellings = [
    "../../etc/passwd",
    "/etc/passwd",
    "..\\..\\windows\\passwd",
    "C:\\passwd",
    "a/b\\c/passwd",
    "file:///etc/passwd",
    "\u202e/passwd",
    "pass\0wd",
    "pass\r\nwd",
    " passwd ",
  ];
  for (const spelling of spellings) assert.equal(bareName(spelling), "passwd", JSON.stringify(spelling));
  for (const nothing of ["", ".", "..", "...", "/", "a/", "\\", "\u200e", " "]) assert.equal(bareName(nothing), "file");
});

Deno.test("bareName() takes away what turns the text around: gnp.exe does not read exe.png", () => {
  assert.equal(bareName("photo\u202egnp.exe"), "photognp.exe");
  assert.equal(bareName("\u2066a\u2069\u200f\u061cb\u2028.txt"), "ab.txt");
  assert.equal(bareName("صورة 👩‍👩‍👧.png"), "صورة 👩‍👩‍👧.png", "letters of any writing stay, and joined characters");
});

Deno.test("bareName() keeps the extension of a name that is too long", () => {
  const long = bareName(`${"a".repeat(1000)}.markdown`);
  assert.equal(long.length, MAX_NAME);
  assert.ok(long.endsWith("a.markdown"));
  assert.equal(bareName("😀".repeat(500)).isWellFormed(), true);
});

Deno.test("bareName() gives a bare name of at most 255 for any text, and the same when given it again", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 600 }), (name) => {
    const bare = bareName(name);
    assert.ok(bare.length >= 1 && bare.length <= MAX_NAME && bare.isWellFormed());
    assert.doesNotMatch(bare, /[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    assert.notEqual(bare, "..");
    assert.equal(bareName(bare), bare);
  }));
});
