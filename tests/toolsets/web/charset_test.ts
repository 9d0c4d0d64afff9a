import assert from "node:assert/strict";
import { charsetOf, decodeText } from "../../../toolsets/web/charset.ts";

const bytes = (...parts: (string | readonly number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => typeof part === "string" ? [...new TextEncoder().encode(part)] : [...part]));

/** 日本 in Shift_JIS, é in windows-1252. */
const [NIHON, E_ACUTE] = [[0x93, 0xfa, 0x96, 0x7b], [0xe9]] as const;

const CASES: readonly (readonly [what: string, label: string | null, bytes: Uint8Array, text: string])[] = [
  ["the server's word", "Shift_JIS", bytes(NIHON), "日本"],
  ["the page's own word", null, bytes('<meta charset="shift_jis">', NIHON), '<meta charset="shift_jis">日本'],
  [
    "the older form of it",
    null,
    bytes("<meta http-equiv=content-type content='text/html; charset=sjis'>", NIHON),
    "<meta http-equiv=content-type content='text/html; charset=sjis'>日本",
  ],
  [
    "the word of XML",
    null,
    bytes('<?xml version="1.0" encoding="shift_jis"?>', NIHON),
    '<?xml version="1.0" encoding="shift_jis"?>日本',
  ],
  ["the server before the page", "latin1", bytes('<meta charset="utf-8">', E_ACUTE), '<meta charset="utf-8">é'],
  ["UTF-8 when nobody says a word", null, bytes("日本"), "日本"],
  ["Western European when it is no UTF-8", null, bytes("caf", E_ACUTE), "café"],
  ["a charset that nobody knows", "x-unknown", bytes("日本"), "日本"],
  ["the byte order mark before all", "latin1", bytes([0xef, 0xbb, 0xbf], "é"), "é"],
  ["UTF-16 by its mark", null, bytes([0xff, 0xfe, 0x61, 0, 0xe9, 0]), "aé"],
  ["UTF-16 that is claimed and cannot be", null, bytes("<meta charset=utf-16>é"), "<meta charset=utf-16>é"],
  ["a character that is cut off at the end", null, bytes("日", [0xe6, 0x9c]), "日\uFFFD"],
];

for (const [what, label, given, text] of CASES) {
  Deno.test(`letters are read by ${what}`, () => assert.equal(decodeText(given, label), text));
}

Deno.test("the charset of a content-type is found, quoted or not", () => {
  assert.equal(charsetOf("text/html; charset=ISO-8859-1"), "ISO-8859-1");
  assert.equal(charsetOf('text/html;Charset="utf-8"; x=y'), "utf-8");
  assert.equal(charsetOf("text/html"), null);
});
