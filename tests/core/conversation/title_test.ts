import assert from "node:assert/strict";
import fc from "fast-check";
import { clampTitle, cleanTitle, firstCharacters, TITLE_LENGTH } from "../../../core/conversation/title.ts";

const CLEANED: readonly (readonly [string, string])[] = [
  ["Feeding a sourdough starter", "Feeding a sourdough starter"],
  ["Sure, here it is:\n\n  Feeding a starter  \n\n", "Feeding a starter"],
  ['"Feeding a starter."', "Feeding a starter"],
  ['**"Feeding a starter".**', "Feeding a starter"],
  ["***`Feeding a starter`***", "Feeding a starter"],
  ["“Die Brotzeit…”", "Die Brotzeit"],
  ["« Le pain »", "Le pain"],
  ["„Das Brot“", "Das Brot"],
  ["Feeding a starter::", "Feeding a starter"],
  ["Meaning of `map` in *C*", "Meaning of `map` in *C*"],
  ['"Yes" and "no"', '"Yes" and "no"'],
  ["'The cat's year'", "The cat's year"],
  ["The dogs'", "The dogs'"],
  ["One\u2028Two", "Two"],
  ["Bread\tand\u0007 salt", "Bread and salt"],
  ["Bread\u0007 and salt, and all that goes with them", "Bread and salt, and all that goes with"],
  ["Where the terns of the northern islands nest", "Where the terns of the northern islands"],
  ["Where the terns of the northern isles do nest", "Where the terns of the northern isles do"],
  ["Short Donaudampfschifffahrtsgesellschaftskapitänsmütze", "Short Donaudampfschifffahrtsgesellschaft"],
  ["東京".repeat(30), "東京".repeat(20)],
  ["🐚", "🐚"],
  ["", ""],
  [" \n\t\n", ""],
  ["A list:\n---", ""],
  ['"…"', ""],
  ["**", ""],
];

for (const [answer, title] of CLEANED) {
  Deno.test(`cleanTitle() makes ${JSON.stringify(title)} of ${JSON.stringify(answer)}`, () =>
    assert.equal(cleanTitle(answer), title));
}

const answers = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom("*", '"', "`", "'", "“", "”", ".", ":", " ", "\n", "a", "word ", "é", "🐚"),
    maxLength: 90,
  }),
);

Deno.test("cleanTitle() always gives a title that can be kept as it is, and stays what it is when cleaned again", () => {
  fc.assert(fc.property(answers, (answer) => {
    const title = cleanTitle(answer);
    assert.equal(clampTitle(title), title);
    assert.ok([...title].length <= TITLE_LENGTH);
    assert.doesNotMatch(title, /[.:…]$/);
    assert.equal(cleanTitle(title), title);
  }));
});

Deno.test("cleanTitle() cuts between words where that leaves more than half", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom("a", "é", "🐚"), minLength: 1, maxLength: 19 }), { minLength: 3 }),
      (words) => {
        const text = words.join(" ");
        const title = cleanTitle(text);
        assert.ok(text === title || text.startsWith(`${title} `));
      },
    ),
  );
});

Deno.test("firstCharacters() never gives half a character", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), fc.nat(30), (text, count) => {
    const start = firstCharacters(text, count);
    assert.ok(text.startsWith(start));
    assert.equal([...start].length, Math.min(count, [...text].length));
    assert.ok(start.isWellFormed());
  }));
});
