import assert from "node:assert/strict";
import { findingsAnswer } from "../../../../core/model/demo/findings.ts";
import type { Finding } from "../../../../core/model/demo/situation.ts";

const found = (name: string, result: string, failed = false): Finding => ({ name, arguments: {}, result, failed });

Deno.test("findingsAnswer() says a sum in a sentence, its thousands apart", () => {
  assert.match(findingsAnswer([[found("calculate", "2^20 = 1048576")]]), /^`2\^20` is \*\*1,048,576\*\*\./);
  assert.match(
    findingsAnswer([[found("calculate", "1/3 ≈ 0.333333333333333")]]),
    /is about \*\*0\.333333333333333\*\*/,
  );
  assert.match(findingsAnswer([[found("calculate", "-1e3 = -1000")]]), /is \*\*-1,000\*\*/);
  assert.match(findingsAnswer([[found("calculate", "10^1500 ≈ 1e+1500")]]), /is about \*\*1e\+1500\*\*/);
});

Deno.test("findingsAnswer() passes on what a known tool says when it has no answer", () => {
  assert.match(
    findingsAnswer([[found("calculate", "That could not be worked out.")]]),
    /^That could not be worked out\./,
  );
  assert.match(
    findingsAnswer([[found("get_current_date_and_time", "There is no time zone")]]),
    /^There is no time zone/,
  );
});

Deno.test("findingsAnswer() gives a conversion without its exact line, and with its notes", () => {
  const answer = findingsAnswer([[found("convert_time", "09:00 is 17:00\nISO 8601: 2026\nNote: a gap")]]);
  assert.match(answer, /^09:00 is 17:00\n\nNote: a gap/);
  assert.doesNotMatch(answer, /ISO 8601/);
});

Deno.test("findingsAnswer() quotes a tool it does not know, whatever ticks are in it", () => {
  const answer = findingsAnswer([[found("shell", "a\n```\nb\n````\nc")]]);
  assert.ok(answer.startsWith("`shell` answered:\n\n`````text\na\n```\nb\n````\nc\n`````"));
});

Deno.test("findingsAnswer() cuts a long result", () => {
  const answer = findingsAnswer([[found("shell", "x".repeat(100_000))]]);
  assert.ok(answer.length < 2_000);
  assert.match(answer, /\n…\n/);
});

Deno.test("findingsAnswer() puts parallel answers in a table that no result can break", () => {
  const two = findingsAnswer([[found("a", "one | two\nthree"), found("calculate", "1+1 = 2")]]);
  assert.match(two, /^Both halves of that/);
  assert.match(two, /\| `a` \| one \\\| two three \|\n\| `calculate` \| `1\+1` is \*\*2\*\*\. \|/);
  assert.match(findingsAnswer([[found("a", "1"), found("b", "2"), found("c", "3")]]), /^All 3 parts of that/);
});

Deno.test("findingsAnswer() numbers steps that followed one another", () => {
  const answer = findingsAnswer([[found("calculate", "1+1 = 2")], [found("b", "done"), found("c", "too")]]);
  assert.match(answer, /1\. `1\+1` is \*\*2\*\*\.\n2\. done too\n\nEach step waited/);
});

Deno.test("findingsAnswer() says what failed, and that it stopped there", () => {
  const alone = findingsAnswer([[found("b", "b failed: no disk", true)]]);
  assert.match(alone, /`b` did not give an answer:\n\n> b failed: no disk\n\nI can only follow rules/);
  const later = findingsAnswer([[found("calculate", "1+1 = 2")], [found("b", "no disk", true)]]);
  assert.match(later, /2\. `b` failed: no disk/);
  assert.match(later, /`b` failed, so I stopped there\.$/);
});

Deno.test("findingsAnswer() says when the person did not allow a call", () => {
  for (const result of ["Denied by the person", "The call was not approved", "This is not allowed here"]) {
    assert.match(findingsAnswer([[found("b", result, true)]]), /You did not allow `b`, so I stopped there/, result);
  }
});

Deno.test("findingsAnswer() names the part of a question it could do nothing about", () => {
  assert.match(findingsAnswer([[found("a", "1")]], ["write a poem", ""]), /For “write a poem” I have no rule/);
  assert.doesNotMatch(findingsAnswer([[found("a", "1")]], [""]), /I have no rule/);
});
