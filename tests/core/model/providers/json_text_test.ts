import assert from "node:assert/strict";
import fc from "fast-check";
import { jsonText } from "../../../../core/model/providers/json_text.ts";

Deno.test("half a character is written as a replacement, and everything else as it is", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["\ud83d", "\ufffd"],
    ["a\ud800b\udfffc", "a\ufffdb\ufffdc"],
    ["\ud83d\ude00", "\ud83d\ude00"],
    ["\\ud800", "\\ud800"],
    ["\\\\ud800 \ud800", "\\\\ud800 \ufffd"],
    ["\u0000\u001f\n\u2028", "\u0000\u001f\n\u2028"],
  ];
  for (const [given, expected] of cases) assert.equal(JSON.parse(jsonText({ given })).given, expected);
});

Deno.test("what is sent holds whole characters only, and reads as what was given made whole", () => {
  const text = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) });
  const tricky = fc.array(fc.oneof(text, fc.constantFrom("\\", "\\u", "ud800", "\ud800", "\udc00", '"')), {
    maxLength: 8,
  });
  fc.assert(fc.property(tricky, (parts) => {
    const given = parts.join("");
    const sent = jsonText([given, { [given]: 1 }]);
    const [read] = JSON.parse(sent);
    assert.equal(read, given.toWellFormed());
    assert.ok(Object.keys(JSON.parse(sent)[1])[0]!.isWellFormed());
  }));
});
