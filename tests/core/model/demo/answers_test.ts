import assert from "node:assert/strict";
import { catalogueOf, keyVariables, parseModelString, tourOpenings } from "../../../../core/model/mod.ts";
import {
  cell,
  clip,
  connectAnswer,
  firstSentence,
  FORMATTED_ANSWER,
  helpAnswer,
  KEYED_EXAMPLES,
} from "../../../../core/model/demo/answers.ts";

Deno.test("the models named as examples are in the catalogue, with the variable their provider reads", () => {
  for (const { model, variable } of KEYED_EXAMPLES) {
    const parsed = parseModelString(model);
    assert.ok(Object.hasOwn(catalogueOf(parsed.provider), parsed.id), model);
    assert.ok(keyVariables(parsed.provider).includes(variable), variable);
    assert.ok(connectAnswer().includes(`\`${model}\``));
  }
});

Deno.test("the figures of the prepared table are right", () => {
  const rows = [...FORMATTED_ANSWER.matchAll(/^\| (\d+) \| ([\d,.]+) \| ([\d,.]+) \|$/gm)];
  assert.equal(rows.length, 4);
  for (const [, years, worth, interest] of rows) {
    const expected = 1000 * 1.04 ** Number(years);
    assert.equal(worth?.replaceAll(",", ""), expected.toFixed(2));
    assert.equal(interest?.replaceAll(",", ""), (expected - 1000).toFixed(2));
  }
});

Deno.test("the answers' lines are whole paragraphs, so that they wrap at any width", () => {
  const prose = [connectAnswer(), helpAnswer([]), FORMATTED_ANSWER].join("\n\n").replace(/```.*?```/gs, "");
  for (const block of prose.split(/\n{2,}/)) {
    const lines = block.trim().split("\n");
    if (lines.every((line) => /^\s*(?:[-*|>#]|\d+\.)/.test(line))) continue;
    assert.equal(lines.length, 1, block);
  }
});

Deno.test("helpAnswer() lists the tools there are, and asks only for what they can do", () => {
  const tool = (name: string) => ({ name, description: "Does a | b. And more.", input: {} });
  const both = helpAnswer([tool("get_current_date_and_time"), tool("calculate")]);
  assert.match(both, /\| `calculate` \| Does a \\\| b\. \|/);
  assert.match(both, /also what day is it in Auckland/);
  assert.doesNotMatch(helpAnswer([tool("calculate")]), /Tokyo/);
  assert.match(helpAnswer([]), /has no tools/);
  assert.match(helpAnswer(Array.from({ length: 20 }, (_, index) => tool(`t${index}`))), /And 8 more\./);
});

const OPENINGS: readonly (readonly [readonly string[], readonly string[]])[] = [
  [["get_current_date_and_time", "calculate"], ["tools", "a tool call", "two calls", "how an answer", "next step"]],
  [["get_current_date_and_time"], ["tools", "a tool call", "how an answer", "next step", "remembers"]],
  [["calculate"], ["tools", "a tool call", "how an answer", "next step", "remembers"]],
  [["something_else"], ["tools", "how an answer", "next step", "remembers", "read back"]],
  [[], ["what works here", "how an answer", "next step", "remembers", "read back"]],
];

for (const [names, shows] of OPENINGS) {
  Deno.test(`tourOpenings() offers five that work with ${names.join(" and ") || "no tools"}`, () => {
    const openings = tourOpenings(names.map((name) => ({ name })));
    assert.equal(openings.length, 5);
    for (const [index, part] of shows.entries()) assert.ok(openings[index]?.shows.includes(part), part);
    assert.equal(new Set(openings.map((opening) => opening.say)).size, 5);
  });
}

Deno.test("clip(), cell() and firstSentence() keep texts short, on one line and in their cell", () => {
  assert.equal(clip("a  b\nc", 10), "a b c");
  assert.equal(clip("a long text", 7), "a long…");
  assert.equal(cell("a|b\nc"), "a\\|b c");
  assert.equal(firstSentence("One. Two."), "One.");
  assert.equal(firstSentence("Version 1.2 is out. Two."), "Version 1.2 is out.");
  assert.equal(firstSentence("no end\nmore"), "no end");
  assert.equal(firstSentence(""), "");
});
