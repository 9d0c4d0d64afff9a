import assert from "node:assert/strict";
import { encodingOf, isBinary } from "../../../core/files/binary.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("a file is no text by its name, a NUL, or more than a tenth of control characters at its beginning (T-151)", () => {
  assert.ok(isBinary("a.PNG", bytes("text")));
  assert.ok(isBinary("a.txt", bytes("te\0xt")));
  assert.ok(isBinary("a.txt", bytes("\x01\x02" + "a".repeat(17))));
  assert.ok(!isBinary("a.txt", bytes("\x01\x02" + "a".repeat(18))));
  assert.ok(!isBinary("a", bytes("plain\r\n\ttext \x1b[31mred\x1b[0m")));
  assert.ok(!isBinary("a.txt", bytes("a".repeat(8192) + "\0")), "what comes later is not looked at");
});

Deno.test("an empty file is text, and so is UTF-16 with its mark (T-151)", () => {
  assert.ok(!isBinary("a.png", new Uint8Array()));
  assert.ok(!isBinary("a.txt", new Uint8Array([0xff, 0xfe, 104, 0])));
});

Deno.test("the encoding is that of the mark, UTF-8 where the beginning is, and Windows-1252 for the rest", () => {
  assert.equal(encodingOf(new Uint8Array([0xef, 0xbb, 0xbf, 0xff])), "utf-8");
  assert.equal(encodingOf(new Uint8Array([0xfe, 0xff])), "utf-16be");
  assert.equal(encodingOf(bytes("ä").subarray(0, 1)), "utf-8", "a character may be cut in two");
  assert.equal(encodingOf(new Uint8Array([0xe4, 97])), "windows-1252");
});
