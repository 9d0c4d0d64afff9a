import assert from "node:assert/strict";
import fc from "fast-check";
import { readPicture } from "../../../core/log/mod.ts";
import { ascii, gif, join, jpeg, png, pngHeader, webp } from "./sample_pictures.ts";

const measure = fc.integer({ min: 1, max: 16_383 });

/** Each type with the widest range of measures its sample can say. */
const samples = [
  { type: "image/png", make: pngHeader },
  { type: "image/gif", make: gif },
  { type: "image/jpeg", make: (width: number, height: number) => jpeg(width, height) },
  { type: "image/webp", make: (width: number, height: number) => webp("VP8 ", width, height) },
  { type: "image/webp", make: (width: number, height: number) => webp("VP8L", width, height) },
  { type: "image/webp", make: (width: number, height: number) => webp("VP8X", width, height) },
];

Deno.test("readPicture() reads type and size of PNG, JPEG, GIF and the three kinds of WebP", () => {
  fc.assert(fc.property(fc.constantFrom(...samples), measure, measure, ({ type, make }, width, height) => {
    assert.deepEqual(readPicture(make(width, height)), { media_type: type, width, height, whole: true });
  }));
});

Deno.test("readPicture() reads a real PNG, also inside a larger buffer", () => {
  const bytes = png(320, 200);
  const inside = join(new Uint8Array(7), bytes, new Uint8Array(5)).subarray(7, 7 + bytes.length);
  assert.deepEqual(readPicture(inside), { media_type: "image/png", width: 320, height: 200, whole: true });
});

Deno.test("readPicture() gives a photo that was taken upright the measures it is shown with", () => {
  for (const little of [false, true]) {
    for (const orientation of [1, 2, 3, 4]) {
      const { width, height } = readPicture(jpeg(4000, 3000, orientation, little))!;
      assert.deepEqual([width, height], [4000, 3000], `orientation ${orientation}`);
    }
    for (const orientation of [5, 6, 7, 8]) {
      const { width, height } = readPicture(jpeg(4000, 3000, orientation, little))!;
      assert.deepEqual([width, height], [3000, 4000], `orientation ${orientation}`);
    }
  }
});

Deno.test("readPicture() says when the end is missing, wherever it was cut", () => {
  fc.assert(
    fc.property(fc.constantFrom(...samples), fc.double({ min: 0, max: 0.999, noNaN: true }), (sample, share) => {
      const bytes = sample.make(300, 200);
      const found = readPicture(bytes.subarray(0, Math.floor(bytes.length * share)));
      assert.ok(found === null || !found.whole, `${sample.type} cut at ${share}`);
    }),
  );
  assert.equal(readPicture(png(64, 64).subarray(0, 60))?.whole, false);
});

Deno.test("readPicture() takes what a camera or an editor wrote after the end", () => {
  for (const { make } of samples) assert.equal(readPicture(join(make(30, 20), new Uint8Array(40)))?.whole, true);
});

Deno.test("readPicture() knows no picture of no size", () => {
  for (const [width, height] of [[0, 10], [10, 0], [0, 0]] as const) {
    for (
      const make of [pngHeader, gif, (w: number, h: number) => jpeg(w, h), (w: number, h: number) => webp("VP8 ", w, h)]
    ) {
      assert.equal(readPicture(make(width, height)), null);
    }
  }
});

Deno.test("readPicture() knows nothing else as a picture: SVG, HTML, BMP, TIFF, PDF, text, nothing", () => {
  const others = [
    "",
    "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "<!doctype html><script>alert(1)</script>",
    "BM\x36\0\0\0",
    "II*\0\x08\0\0\0",
    "%PDF-1.7",
    "GIF88a\x01\0\x01\0",
    "RIFF\x04\0\0\0WAVEfmt ",
    "RIFF\x04\0\0\0WEBPVP9 ",
    "\x89PNG\r\n\x1a\nIDATxxxxxxxxxxxxxxxx",
    "\xff\xd8",
    "\xff\xd8\xff",
    "\xff\xd8\xff\xd9",
  ];
  for (const other of others) assert.equal(readPicture(ascii(other)), null, JSON.stringify(other));
});

Deno.test("readPicture() never throws and never says a size below 1, whatever the bytes", () => {
  const hostile = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.tuple(fc.constantFrom(...samples), fc.uint8Array({ maxLength: 60 }), fc.nat(60)).map(([sample, noise, at]) => {
      const bytes = sample.make(300, 200);
      bytes.set(noise.subarray(0, Math.max(0, bytes.length - at)), Math.min(at, bytes.length));
      return bytes;
    }),
  );
  fc.assert(
    fc.property(hostile, (bytes) => {
      const found = readPicture(bytes);
      assert.ok(found === null || found.width >= 1 && found.height >= 1);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("readPicture() is quick on a header that never comes to an end", () => {
  const fill = join(Uint8Array.from([0xff, 0xd8]), new Uint8Array(4_000_000).fill(0xff));
  const segments = new Uint8Array(4_000_000);
  segments.set([0xff, 0xd8]);
  for (let at = 2; at + 4 <= segments.length; at += 4) segments.set([0xff, 0xe0, 0, 2], at);
  const chunks = new Uint8Array(4_000_000);
  chunks.set(pngHeader(10, 10).subarray(0, 33));
  const began = performance.now();
  assert.equal(readPicture(fill), null);
  assert.equal(readPicture(segments), null);
  assert.equal(readPicture(chunks)?.whole, false);
  assert.ok(performance.now() - began < 2000);
});
