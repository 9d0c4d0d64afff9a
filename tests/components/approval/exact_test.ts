import assert from "node:assert/strict";
import fc from "fast-check";
import { exactJson, seenPieces } from "../../../components/approval/exact.ts";
import { readJson } from "../../../components/approval/Forms.tsx";
import { ruleWords, timeLeft } from "../../../components/approval/words.ts";

Deno.test("property: exactJson() is the value itself, and holds nothing that cannot be seen", () => {
  fc.assert(fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
    const json = exactJson(value);
    assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify(value)));
    assert.doesNotMatch(json, /(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u);
  }));
});

Deno.test("property: seenPieces() keeps every character, in order", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const back = seenPieces(text).map((piece) =>
      piece.unseen ? String.fromCodePoint(parseInt(piece.text.slice(2), 16)) : piece.text
    );
    assert.equal(back.join(""), text);
  }));
});

Deno.test("exactJson() escapes what turns the order of letters, in pairs where it takes two", () => {
  assert.equal(exactJson("a\u202e\u200b"), '"a\\u202e\\u200b"');
  assert.equal(exactJson("\u{e0041}"), '"\\udb40\\udc41"');
});

Deno.test("readJson() gives the value, or says in a sentence what is wrong", () => {
  assert.deepEqual(readJson('{"a": 1}'), { value: { a: 1 } });
  const wrong = readJson('{"a": ');
  assert.match("problem" in wrong ? wrong.problem : "", /^This is not JSON yet: ./);
});

Deno.test("ruleWords() says whether the arguments count", () => {
  const rule = { agent: "coder", toolset: "compute", tool: "run_command" };
  assert.equal(ruleWords(rule), "let coder run run_command, whatever it is given");
  assert.equal(ruleWords({ ...rule, arguments: {} }), "let coder run run_command with exactly these arguments");
});

Deno.test("timeLeft() says minutes, then a clock, then nothing", () => {
  assert.equal(timeLeft(9 * 60_000 + 5000), "in 9 min");
  assert.equal(timeLeft(42_000), "in 0:42");
  assert.equal(timeLeft(3 * 3_600_000), "in 3 h");
  assert.equal(timeLeft(0), null);
});
