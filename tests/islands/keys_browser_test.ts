import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { LOOSE, openStart, say, untilAnswered, untilLive, withPage } from "./harness.ts";
import { answers, SLOW } from "./script.ts";
import { browserTest, startChromium } from "../chromium.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

/** The landmark the focus is in. */
const landmark = (page: Page) =>
  page.evaluate(() => {
    const found = document.activeElement?.closest(".side, .head, main, .composer, .contents");
    return found?.className.split(" ")[0] ?? null;
  });

const isFolded = (page: Page) => page.locator(".shell").evaluate((shell) => shell.classList.contains("rail"));

browserTest(
  "? shows the keys that work, outside a field; Escape closes them and gives the focus back",
  LOOSE,
  async () => {
    await withPage(browser, {}, async (page, site) => {
      await openStart(page, site);
      await page.locator("#say").focus();
      await page.keyboard.press("?");
      assert.equal(await page.locator("#say").inputValue(), "?");
      const link = page.getByRole("link", { name: "Usage" });
      await link.focus();
      await page.keyboard.press("?");
      const sheet = page.getByRole("dialog", { name: "Keys" });
      await sheet.getByText("new conversation").waitFor();
      await page.keyboard.press("Escape");
      await sheet.waitFor({ state: "hidden" });
      assert.equal(await link.evaluate((element) => element === document.activeElement), true);
      await page.getByRole("button", { name: "all keys" }).click();
      await sheet.waitFor();
      await sheet.getByRole("button", { name: "Close" }).click();
      await sheet.waitFor({ state: "hidden" });
    });
  },
);

browserTest("Escape closes what is open and leaves the turn alone; the next one stops it", LOOSE, async () => {
  await withPage(browser, { script: SLOW }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Slowly");
    await page.locator(".prose.live").waitFor();
    await page.getByRole("button", { name: "all keys" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
    await page.locator(".head details.menu summary").click();
    await page.keyboard.press("Escape");
    await page.locator(".head details.menu[open]").waitFor({ state: "detached" });
    assert.equal(await page.locator(".working").count(), 1, "the turn goes on");
    await page.keyboard.press("Escape");
    await page.getByText("You stopped this turn").first().waitFor();
  });
});

browserTest("F6 walks the landmarks and round, with Shift backwards", LOOSE, async () => {
  await withPage(browser, { script: answers(2) }, async (page, site) => {
    await openStart(page, site);
    await say(page, "One");
    await untilAnswered(page);
    await say(page, "Two");
    await untilAnswered(page, 2);
    await page.locator("#say").blur();
    const walked: (string | null)[] = [];
    for (let n = 0; n < 6; n++) {
      await page.keyboard.press("F6");
      walked.push(await landmark(page));
    }
    assert.deepEqual(walked, ["side", "head", "log", "composer", "contents", "side"]);
    await page.keyboard.press("Shift+F6");
    assert.equal(await landmark(page), "contents");
    await page.keyboard.press("Shift+F6");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "say");
  });
});

browserTest("Alt and an arrow go to the conversation above and below, as the side shows them", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    const ids: string[] = [];
    for (const title of ["First", "Second", "Third"]) {
      ids.push((await site.assistant.conversations.create({ title })).id);
    }
    await site.assistant.conversations.update(ids[0]!, { pinned: true });
    const at = async (id: string) => {
      await page.waitForURL(`${site.url}/c/${id}`);
      await untilLive(page);
    };
    await page.goto(`${site.url}/c/${ids[0]}`);
    await untilLive(page);
    await page.keyboard.press("Alt+ArrowDown");
    await at(ids[2]!);
    await page.keyboard.press("Alt+ArrowDown");
    await at(ids[1]!);
    await page.keyboard.press("Alt+ArrowUp");
    await at(ids[2]!);
    await page.locator("#say").fill("A draft");
    await page.keyboard.press("Alt+ArrowUp");
    assert.match(page.url(), new RegExp(ids[2]!), "in a text the arrows are the text's");
    await page.keyboard.press("Control+Shift+O");
    await page.waitForURL(`${site.url}/`);
  });
});

browserTest("Ctrl B folds the side, and where it is a drawer opens and closes it", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await openStart(page, site);
    await page.keyboard.press("Control+b");
    assert.equal(await isFolded(page), true);
    await page.keyboard.press("Control+b");
    assert.equal(await isFolded(page), false);
    await page.setViewportSize({ width: 800, height: 800 });
    await page.keyboard.press("Control+b");
    await page.getByRole("link", { name: "New conversation" }).waitFor();
    await page.keyboard.press("Control+b");
    await page.getByRole("link", { name: "New conversation" }).waitFor({ state: "hidden" });
    assert.equal(await isFolded(page), false);
  });
});

browserTest("End in an empty composer goes to the newest text", LOOSE, async () => {
  const text = "A line of text.\n\n".repeat(120);
  await withPage(browser, { script: [{ text }] }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Much");
    await untilAnswered(page);
    const left = () =>
      page.evaluate(() => {
        const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
        return scrollHeight - clientHeight - scrollTop;
      });
    await page.evaluate(() => scrollTo({ top: 0 }));
    assert.ok(await left() > 1000);
    await page.locator("#say").fill("A draft");
    await page.locator("#say").press("End");
    assert.ok(await left() > 1000, "in a text it goes to the end of the line");
    await page.locator("#say").fill("");
    await page.locator("#say").press("End");
    assert.ok(await left() < 64);
  });
});

browserTest(
  "Ctrl Z brings a deleted conversation back while its bar stands, also from an empty composer",
  LOOSE,
  async () => {
    await withPage(browser, {}, async (page, site) => {
      await site.assistant.conversations.create({ title: "Bread" });
      await openStart(page, site);
      const row = page.locator(".row", { hasText: "Bread" });
      await row.hover();
      await row.locator("summary").click();
      await row.getByRole("button", { name: "Delete" }).click();
      await page.getByText("Deleted “Bread”.").waitFor();
      await page.locator("#say").focus();
      await page.keyboard.press("Control+z");
      await row.waitFor();
    });
  },
);

browserTest(
  "a name field takes what is typed at once, gives the focus back, and a second Enter changes nothing",
  LOOSE,
  async () => {
    await withPage(browser, { script: answers(1) }, async (page, site) => {
      const { id } = await site.assistant.conversations.create({ title: "Bread" });
      await page.goto(`${site.url}/c/${id}`);
      await untilLive(page);
      await page.locator("#say").focus();
      await page.keyboard.press("F2");
      await page.keyboard.type("Two words");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
      await page.locator(".row > a", { hasText: "Two words" }).waitFor();
      assert.equal(await page.evaluate(() => document.activeElement?.id), "say");
      assert.equal(await page.locator("#say").inputValue(), "");
      assert.equal(await page.locator(".said").count(), 0, "nothing was sent");
      await page.locator("h1.title button").click();
      await page.keyboard.type("Three words now");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
      await page.locator("h1.title button", { hasText: "Three words now" }).waitFor();
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Three words now");
      await page.keyboard.press("F2");
      await page.keyboard.type("Never");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      assert.equal(await page.locator("h1.title").innerText(), "Three words now");
    });
  },
);

browserTest(
  "with the keyboard alone a row is deleted, and the focus goes to the next one, the last to the one above",
  LOOSE,
  async () => {
    await withPage(browser, {}, async (page, site) => {
      for (const title of ["Third", "Second", "First"]) await site.assistant.conversations.create({ title });
      await openStart(page, site);
      const remove = async (title: string) => {
        await page.locator(".row summary", { has: page.locator(`xpath=self::*[contains(@aria-label,"${title}")]`) })
          .focus();
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Delete", exact: true }).focus();
        await page.keyboard.press("Enter");
        await page.locator(".row > a", { hasText: title }).waitFor({ state: "detached" });
        return await page.evaluate(() => document.activeElement?.textContent);
      };
      assert.equal(await remove("Second"), "Third");
      assert.equal(await remove("Third"), "First");
    });
  },
);

browserTest("the row in view is seen in a long list, also when the drawer opens", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    const { id } = await site.assistant.conversations.create({ title: "The oldest" });
    for (let n = 0; n < 40; n++) await site.assistant.conversations.create({ title: `Newer ${n}` });
    await page.goto(`${site.url}/c/${id}`);
    await untilLive(page);
    const row = page.getByRole("link", { name: "The oldest" });
    const isSeen = () =>
      row.evaluate((link) => {
        const view = link.closest(".side-list")!.getBoundingClientRect();
        const { top, bottom } = link.getBoundingClientRect();
        return top >= view.top && bottom <= view.bottom;
      });
    assert.equal(await isSeen(), true);
    await page.setViewportSize({ width: 400, height: 700 });
    await page.locator(".side-list").evaluate((list) => list.scrollTop = 0);
    await page.getByRole("button", { name: "Open the side" }).click();
    await row.waitFor();
    await page.waitForFunction(() => document.querySelector(".side-list")!.scrollTop > 0);
    assert.equal(await isSeen(), true);
  });
});

browserTest("the contents keep the turn in view in sight", LOOSE, async () => {
  await withPage(
    browser,
    { script: answers(14), context: { viewport: { width: 1440, height: 420 } } },
    async (page, site) => {
      await openStart(page, site);
      for (let n = 1; n <= 14; n++) {
        await say(page, `Message ${n}, which is long enough that its line in the contents takes two of them`);
        await untilAnswered(page, n);
      }
      await page.reload();
      await untilLive(page);
      const current = page.locator(".contents a[aria-current]");
      assert.match(await current.innerText(), /^Message 1[34]/);
      const inside = await current.evaluate((link) => {
        const view = link.closest(".margin")!.getBoundingClientRect();
        const { top, bottom } = link.getBoundingClientRect();
        return top >= view.top && bottom <= view.bottom;
      });
      assert.equal(inside, true);
    },
  );
});
