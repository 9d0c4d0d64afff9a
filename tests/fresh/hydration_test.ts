import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { serveFixture, watchTrouble } from "./browser.ts";
import { browserTest, startChromium } from "../chromium.ts";

async function inBrowser(run: (page: Page, url: string, trouble: readonly string[]) => Promise<void>): Promise<void> {
  await using server = await serveFixture();
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    await run(page, server.url, watchTrouble(page));
  } finally {
    await browser.close();
  }
}

browserTest("islands without an element of their own grow and shrink in their place", async () => {
  await inBrowser(async (page, url, trouble) => {
    const rows = () => page.locator("ul > li").allTextContents();
    await page.goto(`${url}/rows`);
    assert.deepEqual(await rows(), ["a1", "between", "b1", "last"]);
    await page.click("#add-a");
    await page.click("#add-b");
    await page.getByText("b2").waitFor();
    assert.deepEqual(await rows(), ["a1", "a2", "between", "b1", "b2", "last"]);
    await page.evaluate(() => document.dispatchEvent(new Event("show-shy")));
    await page.getByText("shy").waitFor();
    assert.deepEqual(await rows(), ["a1", "a2", "between", "shy", "b1", "b2", "last"]);
    await page.click("#drop-a");
    await page.click("#drop-a");
    await page.getByText("a2").waitFor({ state: "detached" });
    assert.deepEqual(await rows(), ["between", "shy", "b1", "b2", "last"]);
    await page.click("#add-a");
    await page.getByText("a1").waitFor();
    assert.deepEqual(await rows(), ["a1", "between", "shy", "b1", "b2", "last"]);
    assert.deepEqual(trouble, []);
  });
});

browserTest("what was ticked, typed and picked before hydration is kept, and only that is announced", async () => {
  await inBrowser(async (page, url) => {
    const scripts = Promise.withResolvers<void>();
    await page.route("**/_fresh/js/**", async (route) => {
      await scripts.promise;
      await route.continue();
    });
    await page.goto(`${url}/form`, { waitUntil: "commit" });
    await page.check("#ticked");
    await page.fill("#named", "mine");
    await page.selectOption("#picked", "two");
    scripts.resolve();
    await page.locator("#heard", { hasText: "picked" }).waitFor();
    assert.equal(await page.textContent("#heard"), "ticked,named,picked");
    assert.equal(await page.isChecked("#ticked"), true);
    assert.equal(await page.inputValue("#picked"), "two");
  });
});

browserTest("a drawing handed to an island stays what the server sent", async () => {
  await inBrowser(async (page, url, trouble) => {
    await page.goto(`${url}/form`);
    await page.check("#ticked");
    await page.locator("#heard", { hasText: "ticked" }).waitFor();
    const drawing = await page.locator("#drawing").evaluate((element) => ({
      namespace: element.namespaceURI,
      viewBox: element.getAttribute("viewBox"),
      children: [...element.children].map((child) => child.localName),
      odd: element.querySelector("circle")?.getAttribute("data-odd"),
    }));
    assert.deepEqual(drawing, {
      namespace: "http://www.w3.org/2000/svg",
      viewBox: "0 0 4 4",
      children: ["linearGradient", "circle"],
      odd: `"<&>"`,
    });
    assert.deepEqual(trouble, []);
  });
});
