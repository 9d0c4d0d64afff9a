import assert from "node:assert/strict";
import fc from "fast-check";
import { nearMatch, passage, pieces, rank } from "../../../components/palette/rank.ts";

const titles = (items: readonly string[], words: string, limit = 10) =>
  rank(items, words, (item) => item, limit).map(({ item }) => item);

const marked = (line: string, words: string) => {
  const [found] = rank([line], words, (item) => item, 1);
  return found && pieces(line, found.marks).map(({ text, hit }) => hit ? `[${text}]` : text).join("");
};

Deno.test("every word must stand in the line, in any order", () => {
  const items = ["Three days on the coast path", "Coast guard", "A path"];
  assert.deepEqual(titles(items, "path coast"), ["Three days on the coast path"]);
  assert.deepEqual(titles(items, "nowhere"), []);
});

Deno.test("the whole line goes first, then its start, then the start of a word, then the inside", () => {
  const items = ["Unbreaded", "My bread", "Bread that rises", "Bread"];
  assert.deepEqual(titles(items, "bread"), ["Bread", "Bread that rises", "My bread", "Unbreaded"]);
});

Deno.test("the words as they were typed go before the same words apart", () => {
  assert.deepEqual(titles(["Tables of budget", "A budget table"], "budget table")[0], "A budget table");
});

Deno.test("lines that fit equally well keep their order, and no words give the first ones", () => {
  assert.deepEqual(titles(["b one", "a one", "c one"], "one"), ["b one", "a one", "c one"]);
  assert.deepEqual(titles(["a", "b", "c"], "  ", 2), ["a", "b"]);
});

Deno.test("capitals and accents do not matter, and the marks stand in the line as it is written", () => {
  assert.equal(marked("Crème brûlée", "brulee"), "Crème [brûlée]");
  assert.equal(marked("Mālama", "malama"), "[Mālama]");
  assert.equal(marked("ĂB and İstanbul", "istanbul"), "ĂB and [İstanbul]");
  assert.equal(marked("Cre\u0300me", "creme"), "[Cre\u0300me]");
});

Deno.test("marks that touch are one", () => {
  assert.equal(marked("breadboard", "bread board"), "[breadboard]");
});

Deno.test("marks are ascending, apart, and cut the line without losing any of it", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "é", "İ", "ß", "😀", " ") });
  fc.assert(fc.property(word, word, (line, words) => {
    const [found] = rank([line], words, (item) => item, 1);
    if (!found) return;
    assert.equal(pieces(line, found.marks).map(({ text }) => text).join(""), line);
    const places = found.marks.flat();
    assert.deepEqual(places, places.toSorted((a, b) => a - b));
  }));
});

Deno.test("a passage is cut where the search marked it", () => {
  assert.deepEqual(passage("back by the evening \ue000ferry\ue001. Sleep"), [
    { text: "back by the evening ", hit: false },
    { text: "ferry", hit: true },
    { text: ". Sleep", hit: false },
  ]);
  assert.deepEqual(passage("no mark"), [{ text: "no mark", hit: false }]);
  assert.deepEqual(passage("\ue000cut off"), [{ text: "cut off", hit: false }]);
});

Deno.test("a passage begins near what matched, so that a narrow line shows it", () => {
  const long = passage(
    "Over the causeway to Longstone between ten and one, back by the evening \ue000ferry\ue001. Sleep",
  );
  assert.deepEqual(nearMatch(long)[0], { text: "…back by the evening ", hit: false });
  assert.deepEqual(nearMatch(passage("by \ue000ferry\ue001")), passage("by \ue000ferry\ue001"));
  assert.deepEqual(nearMatch(passage("no mark at all in this long passage")).length, 1);
});
