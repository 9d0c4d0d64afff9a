import assert from "node:assert/strict";
import fc from "fast-check";
import {
  clip,
  count,
  duration,
  elapsed,
  firstSentence,
  isFree,
  latestSentence,
  modelName,
  money,
  size,
  some,
  spokenFrom,
  timeOfDay,
} from "../../components/words.ts";

Deno.test("duration() says a span as a person would", () => {
  const said = [0, 4, 840, 6000, 14_200, 59_940, 59_960, 72_000, 160_400, 3_600_000, 4_860_000].map(duration);
  assert.deepEqual(said, [
    "0 s",
    "0.1 s",
    "0.8 s",
    "6 s",
    "14.2 s",
    "59.9 s",
    "1 min",
    "1 min 12 s",
    "2 min 40 s",
    "1 h",
    "1 h 21 min",
  ]);
});

Deno.test("elapsed() counts like a clock, and never backwards", () => {
  assert.deepEqual([-5, 6000, 52_900, 600_000, 3_723_000].map(elapsed), ["0:00", "0:06", "0:52", "10:00", "1:02:03"]);
});

Deno.test("numbers, sizes and money are readable", () => {
  assert.equal(count(8412), "8,412");
  assert.deepEqual([some(1, "call"), some(3, "call"), some(0, "call")], ["1 call", "3 calls", "0 calls"]);
  assert.deepEqual([1, 312, 4200, 214_020, 1_300_000].map(size), ["1 byte", "312 bytes", "4.2 KB", "214 KB", "1.3 MB"]);
  assert.deepEqual([0, 0.00004, 0.041, 2.5].map(money), ["no cost", "$0.00004", "$0.041", "$2.50"]);
});

Deno.test("times that cannot be read say nothing", () => {
  assert.equal(timeOfDay("nonsense"), "");
  assert.match(timeOfDay("2026-11-30T09:12:00Z"), /^\d\d:12$/);
});

Deno.test("firstSentence() takes the first sentence, and no more than fits", () => {
  assert.equal(firstSentence("The causeway sets the calendar. Then price beds."), "The causeway sets the calendar");
  assert.equal(firstSentence("Is it 4.5 km? Yes."), "Is it 4.5 km?");
  assert.equal(firstSentence("  No\n end  "), "No end");
  assert.equal(firstSentence(""), "");
  assert.equal(firstSentence("word ".repeat(100), 20).length, 20);
});

Deno.test("latestSentence() takes the sentence that is being written", () => {
  assert.equal(latestSentence("First one. Second o"), "Second o");
  assert.equal(latestSentence("First one."), "First one.");
  assert.equal(latestSentence(""), "");
});

Deno.test("clip() never exceeds its limit", () => {
  fc.assert(fc.property(fc.string(), fc.integer({ min: 1, max: 40 }), (text, limit) => {
    assert.ok(clip(text, limit).length <= Math.max(limit, text.length <= limit ? text.length : limit));
  }));
});

Deno.test("property: spokenFrom() says everything once, in whole sentences, however the text came", () => {
  const sentence = fc.constantFrom("One is here. ", "Two is **bold**. ", "Is three? ", "Four\n\n", "Five! ");
  const text = fc.array(sentence, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(""));
  fc.assert(fc.property(text, fc.array(fc.nat(200), { maxLength: 20 }), (whole, points) => {
    const cuts = [...points.map((point) => point % (whole.length + 1)).toSorted((a, b) => a - b), whole.length];
    let upto = 0;
    const said: string[] = [];
    cuts.forEach((cut, index) => {
      const next = spokenFrom(whole.slice(0, cut), upto, index === cuts.length - 1);
      upto = next.upto;
      if (next.said !== "") said.push(next.said);
    });
    assert.equal(said.join(" "), spokenFrom(whole, 0, true).said);
  }));
});

Deno.test("spokenFrom() leaves the marks out and says that a listing is one", () => {
  assert.equal(spokenFrom("See [the docs](https://a.example) and `run`. ", 0, true).said, "See the docs and run.");
  assert.equal(spokenFrom("*One* is **2**, and _three_. ", 0, true).said, "One is 2, and three.");
  assert.equal(spokenFrom("`17 * 23` and 3*4, by `read_file`. ", 0, true).said, "17 * 23 and 3*4, by read_file.");
  assert.match(spokenFrom("Here:\n```ts\nconst a = 1;\n```\nDone.", 0, true).said, /A listing\..*Done\./);
});

Deno.test("modelName() is the model without provider, address and flags", () => {
  assert.equal(modelName("ollama:qwen3:8b@http://gpu:11434;tools"), "qwen3:8b");
  assert.equal(modelName("anthropic:claude-sonnet-5"), "claude-sonnet-5");
  assert.equal(modelName("demo:script@/a/b.json"), "demo:script");
  assert.equal(modelName("odd"), "odd");
});

Deno.test("isFree() knows what runs on this machine", () => {
  assert.ok(isFree("demo:tour") && isFree("ollama:x"));
  assert.ok(!isFree("openai:x") && !isFree("openrouter:ollama:x"));
});
