import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { assertAccessible } from "./axe.ts";
import { LOOSE, openStart, say, untilAnswered, untilLive, withPage } from "./harness.ts";
import { answers, COAST } from "./script.ts";
import { browserTest, startChromium } from "../chromium.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

const field = (page: Page) => page.getByRole("combobox", { name: "Find a conversation, an action or a page" });

/** The text of the option the field says is active. */
const active = (page: Page) =>
  page.evaluate(() => {
    const id = document.getElementById("find")?.getAttribute("aria-activedescendant");
    return id ? document.getElementById(id)?.querySelector(".t")?.textContent ?? null : null;
  });

browserTest("Ctrl K finds a title, the arrows choose, Enter goes there", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    for (const title of ["Bread that rises", "Lamps", "A bread knife"]) {
      await site.assistant.conversations.create({ title });
    }
    await openStart(page, site);
    await page.keyboard.press("Control+k");
    await field(page).waitFor();
    assert.equal(await active(page), "A bread knife", "recent first");
    await page.keyboard.type("bread");
    await page.getByRole("option", { name: "Bread that rises" }).waitFor();
    assert.equal(await active(page), "Bread that rises", "the one that begins so goes first");
    await page.keyboard.press("ArrowDown");
    assert.equal(await active(page), "A bread knife");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/c\//);
    await page.locator("h1.title", { hasText: "Bread that rises" }).waitFor();
  });
});

browserTest("what was said is found, marked, and opened at its place", LOOSE, async () => {
  await withPage(browser, { script: COAST }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Three days on the coast path");
    await untilAnswered(page);
    await page.getByRole("button", { name: "Search" }).click();
    await field(page).fill("causeway");
    const hit = page.getByRole("option").filter({ has: page.locator("mark", { hasText: /causeway/i }) }).first();
    await hit.waitFor();
    await assertAccessible(page, "the palette");
    await hit.click();
    await page.waitForURL(/\?at=\d+/);
    await untilLive(page);
  });
});

browserTest("Escape closes the palette, gives the focus back, and stops nothing", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await openStart(page, site);
    const link = page.getByRole("link", { name: "Usage" });
    await link.focus();
    await page.keyboard.press("Control+k");
    await field(page).waitFor();
    await page.keyboard.press("?");
    assert.equal(await field(page).inputValue(), "?", "keys are text there");
    await page.keyboard.press("Escape");
    await page.locator(".palette").waitFor({ state: "detached" });
    assert.equal(await link.evaluate((element) => element === document.activeElement), true);
    await page.keyboard.press("Control+k");
    await field(page).waitFor();
    await page.keyboard.press("Control+k");
    await page.locator(".palette").waitFor({ state: "detached" });
  });
});

browserTest("after > there are actions alone, and Enter does the one that is chosen", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Hello");
    await untilAnswered(page);
    await page.keyboard.press("Control+k");
    await field(page).fill("> rename");
    assert.deepEqual(await page.locator(".hits-name").allInnerTexts(), ["Actions"]);
    await page.keyboard.press("Enter");
    await page.locator(".title-field").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await field(page).fill(">pin");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Pinned" }).waitFor();
  });
});

browserTest("without a connection the titles that are held are still found, and it is said", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await site.assistant.conversations.create({ title: "Bread that rises" });
    await openStart(page, site);
    const loaded = () =>
      performance.getEntriesByType("resource").some(({ name }) => /palette\/mod|mod-\w+\.js/.test(name));
    await page.waitForFunction(loaded).catch(() => {});
    await page.keyboard.press("Control+k");
    await field(page).waitFor();
    await page.context().setOffline(true);
    await field(page).fill("bread");
    await page.getByRole("option", { name: "Bread that rises" }).waitFor();
    await page.getByText("Not connected: only the 1 title held here can be found").waitFor();
    await page.context().setOffline(false);
  });
});

browserTest("what was typed begins a conversation with it in the composer", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await openStart(page, site);
    await page.keyboard.press("Control+k");
    await field(page).fill("the evening ferry");
    await page.getByRole("option", { name: "New conversation about “the evening ferry”" }).click();
    await untilLive(page);
    await page.waitForFunction(() =>
      (document.getElementById("say") as HTMLTextAreaElement | null)?.value === "the evening ferry"
    );
  });
});

browserTest("on a phone the palette covers the page and can be closed", LOOSE, async () => {
  const context = { viewport: { width: 360, height: 780 }, hasTouch: true };
  await withPage(browser, { context }, async (page, site) => {
    await openStart(page, site);
    await page.getByRole("button", { name: "Open the side" }).click();
    await page.getByRole("button", { name: "Search" }).click();
    await field(page).waitFor();
    const box = (await page.locator(".palette").boundingBox())!;
    assert.deepEqual([box.x, box.width], [0, 360]);
    assert.equal(await page.locator("#side:popover-open").count(), 0, "the drawer went");
    await assertAccessible(page, "the palette on a phone");
    await page.getByRole("button", { name: "Esc, close" }).click();
    await page.locator(".palette").waitFor({ state: "detached" });
  });
});

browserTest("a file that is no export is refused with its line", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await page.goto(`${site.url}/settings`);
    const chooser = page.waitForEvent("filechooser");
    await untilLive(page);
    await page.getByRole("button", { name: "Import a conversation…" }).click();
    await (await chooser).setFiles({
      name: "notes.jsonl",
      mimeType: "application/jsonl",
      buffer: Buffer.from("{\n"),
    });
    await page.locator(".alert", { hasText: /notes\.jsonl was not imported\..*line 1/i }).waitFor();
  });
});

browserTest("an export comes back as a conversation", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    // Asked for early: the browser is told of it only some time later.
    const chooser = page.waitForEvent("filechooser");
    await openStart(page, site);
    await say(page, "Keep this");
    await untilAnswered(page);
    const id = page.url().split("/").at(-1)!;
    const text = await (await fetch(`${site.url}/api/conversations/${id}/export?format=jsonl&full=true`)).text();
    await page.keyboard.press("Control+k");
    await field(page).fill(">import");
    await page.keyboard.press("Enter");
    await (await chooser).setFiles({
      name: "a.jsonl",
      mimeType: "application/jsonl",
      buffer: Buffer.from(text),
    });
    await page.waitForURL((url) => /\/c\//.test(url.href) && !url.href.includes(id));
    await page.getByText("Answer number 1.").waitFor();
  });
});
