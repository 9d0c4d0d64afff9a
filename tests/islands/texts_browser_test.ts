import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { LOOSE, openStart, say, untilAnswered, withPage } from "./harness.ts";
import { browserTest, startChromium } from "../chromium.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

/** How far the text stands from the left and the right edge of what holds it, in pixels. */
const edges = (block: Locator) =>
  block.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const text = range.getBoundingClientRect();
    const box = element.getBoundingClientRect();
    return { left: Math.round(text.left - box.left), right: Math.round(box.right - text.right) };
  });

browserTest(
  "a text that runs from right to left begins at the right, in the message, the answer and the field",
  LOOSE,
  async () => {
    const text = "שלום, מה שלומך היום?\n\nAnd in English.\n\n- אחת\n- שתיים\n\n> ציטוט";
    await withPage(browser, { script: [{ text }] }, async (page, site) => {
      await openStart(page, site);
      await say(page, "שלום, מה שלומך?");
      await untilAnswered(page);
      assert.equal((await edges(page.locator(".said p").first())).right, 0);
      assert.equal((await edges(page.locator(".prose p").nth(0))).right, 0);
      assert.equal((await edges(page.locator(".prose p").nth(1))).left, 0);
      const list = page.locator(".prose ul");
      assert.equal(await list.evaluate((element) => getComputedStyle(element).direction), "rtl");
      assert.equal(await list.evaluate((element) => getComputedStyle(element).paddingLeft), "0px");
      const quote = page.locator(".prose blockquote");
      assert.equal(await quote.evaluate((element) => getComputedStyle(element).borderRightWidth), "2px");
      assert.equal(await page.locator("#say").evaluate((field) => getComputedStyle(field).unicodeBidi), "plaintext");
    });
  },
);

browserTest(
  "a long name of a tool is cut on a narrow page, and code in a table is not broken into letters",
  LOOSE,
  async () => {
    await withPage(
      browser,
      { model: "demo:tour", context: { viewport: { width: 320, height: 640 } } },
      async (page, site) => {
        await openStart(page, site);
        await say(page, "What is 2^64, and also what day is it in Auckland?");
        await untilAnswered(page);
        const sideways = await page.evaluate(() =>
          document.documentElement.scrollWidth - document.documentElement.clientWidth
        );
        assert.equal(sideways, 0);
        const lines = await page.locator(".sheet-table code").first().evaluate((code) => code.getClientRects().length);
        assert.equal(lines, 1);
      },
    );
  },
);

browserTest("a long reason begins beside the word that says it failed, and the way on follows it", LOOSE, async () => {
  await withPage(browser, { script: [] }, async (page, site) => {
    await openStart(page, site);
    const detail =
      "Write something shorter: this message has more than a million characters, and no model reads them all";
    await page.route(/\/messages$/, (route) =>
      route.fulfill({
        status: 400,
        contentType: "application/problem+json",
        body: JSON.stringify({ title: "No", status: 400, detail }),
      }));
    await say(page, "Much");
    const notice = page.locator(".said .notice");
    await notice.getByRole("button", { name: "Edit" }).waitFor();
    const { word, reason, acts } = await notice.evaluate((element) => {
      const lines = (part: Element) => [...part.getClientRects()].map((rect) => Math.round(rect.bottom));
      const [word, reason, acts] = [...element.children].map(lines);
      return { word, reason, acts };
    });
    assert.equal(reason!.length, 2, "it takes two lines");
    assert.equal(reason![0], word![0]);
    assert.ok(Math.abs(acts![0]! - reason![1]!) < 12, "on the last line");
  });
});
