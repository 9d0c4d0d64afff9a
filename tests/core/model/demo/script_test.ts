import assert from "node:assert/strict";
import { BadScript, playOf, readScript } from "../../../../core/model/demo/script.ts";

Deno.test("readScript() reads a JSON list, and one turn a line with remarks", () => {
  const turns = [{ text: "one" }, { text: "two" }];
  assert.deepEqual(readScript(JSON.stringify(turns)), turns);
  assert.deepEqual(readScript('// a remark\n{"text":"one"}\n\n  {"text":"two"}\n'), turns);
});

const REFUSED: readonly (readonly [string, string, RegExp])[] = [
  ["an empty file", "", /is empty: write one turn a line/],
  ["an empty list", "[]", /is empty/],
  ["a line that is not JSON", '{"text":"one"}\n{"text":', /^Turn 2 is not JSON/],
  ["a list that is not JSON", "[{]", /^The script is not JSON/],
  ["an unknown key", '{"txt":"one"}', /^Turn 1 is not one: .*txt/s],
  ["a wrong type", '{"text":1}', /^Turn 1 is not one/],
  ["an unknown failure", '{"fail":"exploded"}', /^Turn 1 is not one/],
  ["a negative wait", '{"wait_ms":-1}', /^Turn 1 is not one/],
  ["a call without a name", '{"tool_calls":[{"arguments":{}}]}', /^Turn 1 is not one/],
];

for (const [name, text, message] of REFUSED) {
  Deno.test(`readScript() refuses ${name}`, () => {
    assert.throws(() => readScript(text), (error) => {
      return error instanceof BadScript && message.test(error.message);
    });
  });
}

Deno.test("playOf() plays a turn's keys in the order the table says", () => {
  const play = playOf({
    wait_ms: 5,
    thinking: "hm",
    text: "yes",
    refusal: "no",
    tool_calls: [{ name: "a" }, { name: "b", arguments: { x: 1 }, call: "c1" }],
    interleaved: true,
    fail: "stalled",
  });
  assert.deepEqual(play.parts.map((part) => part.type), ["wait", "thinking", "text", "refusal", "calls", "fail"]);
  const calls = play.parts.find((part) => part.type === "calls");
  assert.deepEqual(calls, {
    type: "calls",
    calls: [{ name: "a", arguments: {} }, { name: "b", arguments: { x: 1 }, call: "c1" }],
    interleaved: true,
  });
});

Deno.test("playOf() plays parts before the turn's own text", () => {
  const play = playOf({ parts: [{ text: "a" }, { wait_ms: 3 }, { thinking: "b" }], text: "c" });
  assert.deepEqual(play.parts, [
    { type: "text", text: "a" },
    { type: "wait", ms: 3 },
    { type: "thinking", text: "b" },
    { type: "text", text: "c" },
  ]);
});

Deno.test("playOf() reads usage in full, none, or leaves it to be estimated", () => {
  assert.deepEqual(playOf({ usage: { input_tokens: 1, output_tokens: 2 } }).usage, {
    input_tokens: 1,
    output_tokens: 2,
    cached_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
  });
  assert.equal(playOf({ usage: null }).usage, null);
  assert.ok(!("usage" in playOf({ text: "x" })));
});

const FAILURES: readonly (readonly [Parameters<typeof playOf>[0], string, number | undefined])[] = [
  [{ status: 429 }, "RateLimited", 429],
  [{ status: 529 }, "RateLimited", 529],
  [{ status: 503 }, "RateLimited", 503],
  [{ status: 500 }, "Unreachable", 500],
  [{ status: 401 }, "Rejected", 401],
  [{ fail: "unreachable" }, "Unreachable", undefined],
  [{ fail: "stalled" }, "Stalled", undefined],
  [{ fail: "incomplete" }, "Incomplete", undefined],
  [{ fail: "rejected", status: 404 }, "Rejected", 404],
  [{ fail: "rate_limited" }, "RateLimited", undefined],
];

for (const [turn, name, status] of FAILURES) {
  Deno.test(`playOf() ends ${JSON.stringify(turn)} in ${name}`, () => {
    const last = playOf(turn).parts.at(-1);
    assert.ok(last?.type === "fail");
    assert.equal(last.error.name, name);
    assert.equal(last.error.status, status);
    assert.doesNotMatch(last.error.message, /[.!]$/);
  });
}
