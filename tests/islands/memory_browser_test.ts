import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { browserTest, startChromium } from "../chromium.ts";
import { assertAccessible } from "./axe.ts";
import { LOOSE, openStart, type Site, untilLive, withPage } from "./harness.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

async function openMemory(page: Page, site: Site): Promise<void> {
  await page.goto(`${site.url}/memory`);
  await untilLive(page);
}

const facts = (page: Page) => page.locator(".fact").allInnerTexts();
const remembered = async ({ assistant }: Site) => (await assistant.memories.list()).items.map(({ text }) => text);

browserTest("a memory is written, changed, forgotten and brought back with the keyboard alone", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await openMemory(page, site);
    await page.getByText("Nothing is remembered yet.").waitFor();
    await page.locator("#add-memory").press("Enter");
    await page.keyboard.type("The dog is called Biscuit");
    await page.keyboard.press("Enter");
    await page.locator(".fact").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), "add-memory");
    assert.deepEqual(await remembered(site), ["The dog is called Biscuit"]);

    await page.getByRole("button", { name: "Edit The dog is called Biscuit" }).press("Enter");
    await page.keyboard.type(" the Second");
    await page.keyboard.press("Enter");
    await page.getByText("The dog is called Biscuit the Second").waitFor();
    await page.getByRole("button", { name: "Edit" }).press("Enter");
    await page.keyboard.type(", never kept");
    await page.keyboard.press("Escape");
    assert.deepEqual(await facts(page), ["The dog is called Biscuit the Second"]);

    await page.getByRole("button", { name: "Forget" }).press("Enter");
    await page.getByText("Forgotten. For ten minutes").waitFor();
    assert.deepEqual(await remembered(site), []);
    await page.waitForFunction(() => document.activeElement?.textContent === "Undo");
    await page.keyboard.press("Enter");
    await page.locator(".fact").waitFor();
    assert.deepEqual(await remembered(site), ["The dog is called Biscuit the Second"]);
  });
});

browserTest("memories are searched while one types, by the address, and without scripts", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await site.assistant.memories.add("The dog is called Biscuit");
    await site.assistant.memories.add("Taxes are due in May");
    await openMemory(page, site);
    await page.getByRole("searchbox", { name: "Search the memories" }).fill("biscuit");
    await page.getByText("for “biscuit”").waitFor();
    assert.equal((await facts(page))[0], "The dog is called Biscuit");
    assert.match(page.url(), /\?q=biscuit$/);
    await page.reload();
    assert.equal((await facts(page))[0], "The dog is called Biscuit");
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const still = await plain.newPage();
    await still.goto(`${site.url}/memory`);
    await still.locator("input[type=search]").fill("taxes");
    await still.locator("input[type=search]").press("Enter");
    await still.getByText("for “taxes”").waitFor();
    assert.equal((await still.locator(".fact").allInnerTexts())[0], "Taxes are due in May");
    await plain.close();
  });
});

browserTest("an Enter that ends a word of an input method keeps no memory", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await openMemory(page, site);
    await page.locator("#add-memory").press("Enter");
    const field = page.getByRole("textbox", { name: "A fact to remember" });
    await field.fill("half a wo");
    const taken = await field.evaluate((field) => {
      const enter = { key: "Enter", bubbles: true, cancelable: true };
      field.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true }));
      return !field.dispatchEvent(new KeyboardEvent("keydown", enter));
    });
    assert.equal(taken, false);
    assert.deepEqual(await remembered(site), []);
    await field.fill("a whole word");
    await page.getByRole("button", { name: "Remember" }).click();
    await page.getByText("a whole word").waitFor();
    assert.deepEqual(await remembered(site), ["a whole word"]);
  });
});

browserTest("a change that another memory says already is refused, and what was written stays", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await site.assistant.memories.add("One");
    await site.assistant.memories.add("Two");
    await openMemory(page, site);
    await page.getByRole("button", { name: "Edit One" }).click();
    await page.getByRole("textbox", { name: "The fact" }).fill("Two");
    await page.keyboard.press("Enter");
    await page.locator(".alert", { hasText: "Another memory says exactly this already" }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: "The fact" }).inputValue(), "Two");
  });
});

browserTest("what a memory says is text and nothing else", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await site.assistant.memories.add("<img src=x onerror=alert(1)> [x](javascript:alert(1))");
    await site.assistant.documents.save("<b>.md", "<script>alert(1)</script>");
    await openMemory(page, site);
    assert.deepEqual(await facts(page), ["<img src=x onerror=alert(1)> [x](javascript:alert(1))"]);
    await page.getByRole("link", { name: "<b>.md" }).click();
    assert.equal(await page.locator("pre.document").innerText(), "<script>alert(1)</script>");
  });
});

browserTest("a long list goes on with older memories", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    for (let index = 0; index < 60; index++) await site.assistant.memories.add(`Fact ${index}`);
    await openMemory(page, site);
    assert.equal((await facts(page)).length, 50);
    await page.getByRole("link", { name: "Older memories" }).click();
    await page.getByText("Fact 0", { exact: true }).waitFor();
    assert.equal((await facts(page)).length, 60);
  });
});

browserTest("the palette leads to the memory page", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await openStart(page, site);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("memory");
    await page.getByRole("option", { name: "Memory", exact: true }).click();
    await page.waitForURL(/\/memory$/);
  });
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [320, 1280]) {
    browserTest(`the memory page passes axe and fits ${width} px, ${colorScheme}`, LOOSE, async () => {
      await withPage(browser, { context: { colorScheme, viewport: { width, height: 800 } } }, async (page, site) => {
        const { memories, documents } = site.assistant;
        for (const text of ["One", "ביסקוויט", "x".repeat(300), "Four"]) await memories.add(text);
        await documents.save("travel/coast.md", "# Coast\n");
        await openMemory(page, site);
        await page.getByRole("button", { name: "Forget One" }).click();
        await page.getByText("Forgotten. For ten minutes").waitFor();
        await page.getByRole("button", { name: "Edit Four" }).click();
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        await assertAccessible(page, "the memory page");
        await page.goto(`${site.url}/memory/travel/coast.md`);
        await untilLive(page);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        await assertAccessible(page, "a document");
      });
    });
  }
}
