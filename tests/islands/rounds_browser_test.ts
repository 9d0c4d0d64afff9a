import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { assertAccessible } from "./axe.ts";
import { LOOSE, openStart, say, untilAnswered, untilLive, withPage } from "./harness.ts";
import { answers, BROKEN, COAST } from "./script.ts";
import { browserTest, startChromium } from "../chromium.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

const panel = (page: Page) => page.getByRole("complementary", { name: /rounds/ });
const rounds = (page: Page) => page.locator(".head").getByRole("button", { name: "Rounds", exact: true });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id ?? null);

async function open(page: Page): Promise<void> {
  await rounds(page).click();
  await panel(page).locator(".round-line").waitFor();
}

browserTest("the panel opens at the last call and the arrows turn its tabs", LOOSE, async () => {
  await withPage(browser, { script: COAST }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Three days on the coast path");
    await untilAnswered(page);
    await open(page);
    assert.equal(await focused(page), "round-tab-1");
    assert.match(await panel(page).locator(".round-line").innerText(), /It finished by itself\./);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await focused(page), "round-tab-0");
    const line = await panel(page).locator(".round-line").innerText();
    assert.match(line, /It stopped to call read_file, fetch_page and calculate\./);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await focused(page), "round-tab-1", "and round");
    assert.match(await panel(page).innerText(), /11,306 tokens/);
    assert.equal(await page.locator(".shell.rail").count(), 1, "the side makes room");
  });
});

browserTest("a request is fetched when it is unfolded, and not before", LOOSE, async () => {
  await withPage(browser, { script: COAST }, async (page, site) => {
    const asked: string[] = [];
    page.on("request", (request) => request.url().includes("/payloads/") && asked.push(request.url()));
    await openStart(page, site);
    await say(page, "Three days on the coast path");
    await untilAnswered(page);
    await open(page);
    assert.deepEqual(asked, []);
    await panel(page).getByText("The request, as sent").click();
    await panel(page).locator(".tree").waitFor();
    assert.equal(asked.length, 1);
    await panel(page).getByRole("img", { name: /Of 11,306 tokens, the first 8,000 came from the cache/ }).waitFor();
    await panel(page).locator("summary", { hasText: "messages" }).click();
    const message = panel(page).locator(".tree summary", { hasText: "user" }).first();
    await message.waitFor();
    await assertAccessible(page, "the panel with an open request");
    const more = panel(page).getByRole("button", { name: "Show all of system" });
    await more.click();
    await panel(page).getByRole("region", { name: "system, all of it" }).waitFor();
    const saved = page.waitForEvent("download");
    await panel(page).getByRole("link", { name: "Save this request as a file" }).click();
    assert.equal((await saved).suggestedFilename(), "turn-1-round-2.json");
  });
});

browserTest("Escape closes the panel and gives the focus back", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Hello");
    await untilAnswered(page);
    await open(page);
    await page.locator("#say").focus();
    await page.keyboard.press("F6");
    await page.keyboard.press("F6");
    await page.keyboard.press("Escape");
    await panel(page).waitFor({ state: "detached" });
    assert.equal(await rounds(page).evaluate((button) => button === document.activeElement), true);
    assert.equal(await page.locator(".shell.rail").count(), 0, "the side is as it was");
  });
});

browserTest("a call that failed says why", LOOSE, async () => {
  await withPage(browser, { script: BROKEN }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Break off");
    await untilAnswered(page);
    await open(page);
    assert.match(await panel(page).locator(".round-line .bad").innerText(), /^It failed: ./);
  });
});

browserTest("on a phone the panel covers the page, which cannot be reached behind it", LOOSE, async () => {
  const context = { viewport: { width: 360, height: 780 }, hasTouch: true };
  await withPage(browser, { script: answers(1), context }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Hello");
    await untilAnswered(page);
    await page.getByLabel("More for this conversation").click();
    await rounds(page).click();
    await panel(page).locator(".round-line").waitFor();
    assert.equal(await page.locator(".main").getAttribute("inert"), "");
    await assertAccessible(page, "the panel on a phone");
    await panel(page).getByRole("button", { name: "Close" }).click();
    await panel(page).waitFor({ state: "detached" });
    assert.equal(await page.locator(".main").getAttribute("inert"), null);
  });
});

browserTest("the head says how full the window is", LOOSE, async () => {
  await withPage(browser, { script: COAST }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Three days on the coast path");
    await untilAnswered(page);
    await page.getByRole("img", { name: /\d+ percent of the context window is used, 11,306 of/ }).waitFor();
  });
});

browserTest("a reply where nobody looked is an alert and a count, and both go when it is read", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    const { id } = await site.assistant.conversations.create({ title: "Bread" });
    await openStart(page, site);
    await site.assistant.turns.submit(id, { text: "Hello" });
    const alert = page.locator(".alert", { hasText: "Reply ready in “Bread”" });
    await alert.waitFor();
    await page.waitForFunction(() => document.title.startsWith("(1) "));
    await assertAccessible(page, "an alert");
    const other = await page.context().newPage();
    await other.goto(`${site.url}/c/${id}`);
    await alert.waitFor({ state: "detached" });
    await page.waitForFunction(() => !document.title.startsWith("("));
    await other.close();
  });
});

browserTest("an alert is put away with the keyboard", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await openStart(page, site);
    await page.keyboard.press("Control+'");
    const alert = page.locator(".alert", { hasText: "No decision waits for you" });
    await alert.waitFor();
    await alert.getByRole("button", { name: "Dismiss" }).focus();
    await page.keyboard.press("Escape");
    await alert.waitFor({ state: "detached" });
    assert.equal(await focused(page), "log");
  });
});

browserTest(
  "two tabs rename one conversation: the second is told, and its words stay in the field",
  LOOSE,
  async () => {
    await withPage(browser, {}, async (page, site) => {
      const { id } = await site.assistant.conversations.create({ title: "Bread" });
      await page.goto(`${site.url}/c/${id}`);
      await untilLive(page);
      await page.keyboard.press("F2");
      await page.locator(".title-field").fill("Sourdough");
      await site.assistant.conversations.update(id, { title: "Rye" });
      await page.locator(".row > a", { hasText: "Rye" }).waitFor();
      await page.locator(".title-field").press("Enter");
      await page.getByText("It was named “Rye” elsewhere. Enter keeps yours, Esc theirs").waitFor();
      assert.equal(await page.locator(".title-field").inputValue(), "Sourdough");
      await assertAccessible(page, "a name that clashes");
      await page.locator(".title-field").press("Enter");
      await page.locator(".row > a", { hasText: "Sourdough" }).waitFor();
    });
  },
);

browserTest("a conversation is duplicated from its row", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await site.assistant.conversations.create({ title: "Bread" });
    await openStart(page, site);
    const row = page.locator(".row", { hasText: "Bread" });
    await row.hover();
    await row.locator("summary").click();
    await row.getByRole("button", { name: "Duplicate" }).click();
    await page.locator("h1.title", { hasText: "Copy of Bread" }).waitFor();
  });
});
