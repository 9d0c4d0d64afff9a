import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { LOOSE, openStart, say, untilAnswered, withPage } from "./harness.ts";
import { answers } from "./script.ts";
import { browserTest, startChromium } from "../chromium.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

/** Saves a file by the menu of the head, and gives its name and what is in it. */
async function save(page: Page, label: string): Promise<{ readonly name: string; readonly text: string }> {
  await page.locator(".head details.menu summary").click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: label }).click(),
  ]);
  return { name: download.suggestedFilename(), text: await Deno.readTextFile(await download.path()) };
}

browserTest("the head's menu saves the conversation in either form, and the page stays as it is", LOOSE, async () => {
  await withPage(browser, { script: answers(1), basePath: "/home" }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Hello there");
    await untilAnswered(page);
    const where = page.url();
    const markdown = await save(page, "Export as Markdown");
    assert.match(markdown.name, /^\d{4}-\d\d-\d\d-hello-there-[a-z0-9]{6}\.md$/);
    assert.match(markdown.text, /### You\n\nHello there\n\n### Answer\n\nAnswer number 1\.\n/);
    assert.equal(await page.locator(".head details.menu[open]").count(), 0);
    const lines = await save(page, "Export as JSONL");
    assert.match(lines.name, /\.full\.jsonl$/);
    assert.equal(JSON.parse(lines.text.trimEnd().split("\n").at(-1)!).end.turns, 1);
    assert.equal(page.url(), where);
    assert.equal(await page.getByText("Live on this machine").count(), 1);
  });
});

browserTest("without scripts the menu still saves, and offers nothing that would do nothing", LOOSE, async () => {
  await withPage(browser, { context: { javaScriptEnabled: false } }, async (page, site) => {
    const { id } = await site.assistant.conversations.create({ title: "Bread" });
    await page.goto(`${site.url}/c/${id}`);
    const { name, text } = await save(page, "Export as Markdown");
    assert.match(name, /-bread-/);
    assert.match(text, /^# Bread\n/);
    assert.equal(await page.locator(".head details.menu button:visible").count(), 0);
    assert.equal(await page.locator(".row details.menu button:visible").count(), 0);
  });
});
