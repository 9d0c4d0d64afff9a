import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { LOOSE, openStart, say, type Site, untilAnswered, untilLive, withPage } from "./harness.ts";
import { answers, COAST, SLOW } from "./script.ts";
import { browserTest, startChromium } from "../chromium.ts";
import { startFakeProvider } from "../providers/mod.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

/** Makes conversations with these titles, the last one newest. */
async function conversations(site: Site, ...titles: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const title of titles) ids.push((await site.assistant.conversations.create({ title })).id);
  return ids;
}

async function choose(page: Page, title: string, action: string): Promise<void> {
  const row = page.locator(".row", { hasText: title });
  await row.hover();
  await row.locator("summary").click();
  await row.getByRole("button", { name: action }).click();
}

const rows = (page: Page) => page.locator(".row > a").allInnerTexts();

browserTest("a row is renamed in place: Enter keeps, Escape drops", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await conversations(site, "Bread", "Lamps");
    await openStart(page, site);
    await choose(page, "Bread", "Rename");
    await page.locator(".row input").fill("Bread that rises");
    await page.locator(".row input").press("Enter");
    await page.locator(".row > a", { hasText: "Bread that rises" }).waitFor();
    await choose(page, "Lamps", "Rename");
    await page.locator(".row input").fill("Nothing of this");
    await page.locator(".row input").press("Escape");
    await page.locator(".row > a", { hasText: "Lamps" }).waitFor();
    await page.reload();
    await untilLive(page);
    assert.deepEqual((await rows(page)).toSorted(), ["Bread that rises", "Lamps"]);
  });
});

browserTest("a repaint never closes an open name field", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await conversations(site, "Bread");
    await openStart(page, site);
    await choose(page, "Bread", "Rename");
    await page.locator(".row input").fill("Half a na");
    const [id] = await conversations(site, "Another one");
    await page.locator(".row > a", { hasText: "Another one" }).waitFor();
    await site.assistant.conversations.update(id!, { pinned: true });
    await page.getByRole("heading", { name: "Pinned" }).waitFor();
    assert.equal(await page.locator(".row input").inputValue(), "Half a na");
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "INPUT");
  });
});

browserTest("the running head is renamed with F2, and the list follows", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Hello");
    await untilAnswered(page);
    await page.locator("h1.title button").waitFor();
    await page.locator("body").press("F2");
    await page.locator(".title-field").fill("Greetings");
    await page.locator(".title-field").press("Enter");
    await page.locator(".row > a", { hasText: "Greetings" }).waitFor();
    await page.waitForFunction(() => document.title === "Greetings · Malama");
  });
});

browserTest(
  "a title is asked for from the row and from the head, and each says so until it is there",
  LOOSE,
  async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await using provider = startFakeProvider("openai-chat", (_, n) => {
      if (n === 0) return { text: "Twice a day" };
      return { text: n === 1 ? "Feeding a starter" : "Starters in winter", gate: () => gates[n - 1]!.promise };
    });
    await withPage(browser, { model: provider.modelString }, async (page, site) => {
      await openStart(page, site);
      await say(page, "How often do I feed it?");
      await untilAnswered(page);
      await choose(page, "How often do I feed it?", "Name it from its content");
      await page.locator(".row > a", { hasText: "Naming it" }).waitFor();
      await page.locator("h1.title", { hasText: "Naming it" }).waitFor();
      gates[0]!.resolve();
      await page.locator(".row > a", { hasText: "Feeding a starter" }).waitFor();
      await page.getByLabel("More for this conversation").click();
      await page.getByRole("button", { name: "Name it from its content" }).click();
      await page.locator("h1.title", { hasText: "Naming it" }).waitFor();
      gates[1]!.resolve();
      await page.locator("h1.title", { hasText: "Starters in winter" }).waitFor();
      assert.deepEqual(await rows(page), ["Starters in winter"]);
    });
  },
);

browserTest("a title that did not come leaves the row as it was", LOOSE, async () => {
  await using provider = startFakeProvider("openai-chat", [{ text: "Twice a day" }, { status: { code: 400 } }]);
  await withPage(browser, { model: provider.modelString }, async (page, site) => {
    await openStart(page, site);
    await say(page, "How often do I feed it?");
    await untilAnswered(page);
    await choose(page, "How often", "Name it from its content");
    await provider.received(1);
    await page.locator(".row > a", { hasText: "How often do I feed it?" }).waitFor();
    await page.locator("h1.title", { hasText: "How often do I feed it?" }).waitFor();
  });
});

browserTest("pinning moves a row to its own group and back", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await conversations(site, "Bread", "Lamps");
    await openStart(page, site);
    await choose(page, "Bread", "Pin");
    await page.getByRole("heading", { name: "Pinned" }).waitFor();
    assert.deepEqual(await rows(page), ["Bread", "Lamps"]);
    await choose(page, "Bread", "Unpin");
    await page.getByRole("heading", { name: "Pinned" }).waitFor({ state: "detached" });
  });
});

browserTest("a deletion can be undone while its bar stands", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    const [bread] = await conversations(site, "Bread", "Lamps");
    await openStart(page, site);
    await choose(page, "Bread", "Delete");
    await page.getByText("Deleted “Bread”.").waitFor();
    assert.deepEqual(await rows(page), ["Lamps"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator(".row > a", { hasText: "Bread" }).waitFor();
    assert.equal((await site.assistant.conversations.get(bread!)).title, "Bread");
    await choose(page, "Lamps", "Delete");
    await page.getByText("Deleted “Lamps”.").waitFor();
    await page.locator("body").press("Control+z");
    await page.locator(".row > a", { hasText: "Lamps" }).waitFor();
  });
});

browserTest("what is undone before its deletion is answered comes back, and is left in view", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    const [bread] = await conversations(site, "Bread");
    const answer = Promise.withResolvers<void>();
    await page.route(/conversations\/[^/]+$/, async (route) => {
      if (route.request().method() === "DELETE") await answer.promise;
      await route.continue();
    });
    await page.goto(`${site.url}/c/${bread}`);
    await untilLive(page);
    await choose(page, "Bread", "Delete");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator(".toast").waitFor({ state: "detached" });
    answer.resolve();
    await page.locator(".row > a", { hasText: "Bread" }).waitFor();
    await say(page, "Is it still watched?");
    await untilAnswered(page);
    assert.equal((await site.assistant.conversations.get(bread!)).title, "Bread");
    assert.equal(page.url(), `${site.url}/c/${bread}`);
  });
});

browserTest("a conversation that is back is not left at the late news of its deletion", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    const [bread] = await conversations(site, "Bread");
    const news = Promise.withResolvers<() => void>();
    await page.routeWebSocket(/\/live$/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => {
        const isNews = JSON.parse(String(message)).op === "conversation_removed";
        if (isNews) news.resolve(() => socket.send(message));
        else socket.send(message);
      });
    });
    await page.goto(`${site.url}/c/${bread}`);
    await untilLive(page);
    await choose(page, "Bread", "Delete");
    const read = () =>
      page.waitForResponse((response) =>
        response.url().endsWith(`/api/conversations/${bread}`) && response.request().method() === "GET"
      );
    const back = read();
    await page.getByRole("button", { name: "Undo" }).click();
    await back;
    const again = read();
    (await news.promise)();
    await again;
    await page.locator(".row > a", { hasText: "Bread" }).waitFor();
    assert.equal(page.url(), `${site.url}/c/${bread}`);
  });
});

browserTest("the undo bar goes away by itself, and a deleted conversation in view is left", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    const [id] = await conversations(site, "Bread");
    await page.clock.install();
    await page.goto(`${site.url}/c/${id}`);
    await page.clock.runFor(1000);
    await untilLive(page);
    await choose(page, "Bread", "Delete");
    await page.getByText("Deleted “Bread”.").waitFor();
    assert.match(page.url(), /\/c\//);
    await page.clock.runFor(11_000);
    await page.waitForURL(`${site.url}/`);
    assert.equal(await page.locator(".toast").count(), 0);
  });
});

browserTest("rows say what runs and what is unread", LOOSE, async () => {
  await withPage(browser, { script: SLOW }, async (page, site) => {
    const [id] = await conversations(site, "In the back");
    await openStart(page, site);
    await site.assistant.turns.submit(id!, { text: "Slowly" });
    await page.locator(".row .mark.run").waitFor();
    await site.assistant.turns.stop(id!);
    await page.locator(".row .mark.new").waitFor();
    assert.match(await page.locator(".row > a").innerText(), /unread/);
  });
});

browserTest("a conversation deleted elsewhere disappears, and is left when it was in view", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    const [bread, lamps] = await conversations(site, "Bread", "Lamps");
    await page.goto(`${site.url}/c/${bread}`);
    await untilLive(page);
    await site.assistant.conversations.delete(lamps!);
    await page.locator(".row", { hasText: "Lamps" }).waitFor({ state: "detached" });
    await site.assistant.conversations.delete(bread!);
    await page.waitForURL(`${site.url}/`);
  });
});

browserTest("a long list loads as it is scrolled", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await conversations(site, ...Array.from({ length: 70 }, (_, n) => `Conversation ${n + 1}`));
    await openStart(page, site);
    const first = await page.locator(".row").count();
    assert.ok(first >= 50 && first < 70, `${first} rows at first`);
    await page.locator(".side-list").evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await page.getByRole("link", { name: "Conversation 1", exact: true }).waitFor({ state: "attached" });
    assert.equal(await page.locator(".row").count(), 70);
  });
});

browserTest("the theme is kept, and the server draws the next page in it", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await openStart(page, site);
    const button = page.getByRole("button", { name: /^Theme/ });
    await button.click();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    await button.click();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    const html = await (await page.context().request.get(site.url)).text();
    assert.match(html, /<html[^>]* data-theme="dark"/);
    await button.click();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), undefined);
    assert.doesNotMatch(await (await page.context().request.get(site.url)).text(), /<html[^>]* data-theme/);
  });
});

browserTest("the side becomes the rail and keeps its width, also on the next page", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    await openStart(page, site);
    const width = () => page.locator(".side").evaluate((side) => Math.round(side.getBoundingClientRect().width));
    assert.equal(await width(), 240);
    const grip = page.getByRole("separator", { name: "Width of the side" });
    await grip.focus();
    await grip.press("ArrowRight");
    assert.equal(await width(), 260);
    const box = (await grip.boundingBox())!;
    await page.mouse.move(box.x + 3, 300);
    await page.mouse.down();
    await page.mouse.move(341, 300);
    await page.mouse.up();
    assert.equal(await width(), 340);
    await page.reload();
    await untilLive(page);
    assert.equal(await width(), 340);
    await page.locator("body").press("Control+b");
    assert.equal(await width(), 48);
    await page.reload();
    assert.equal(await width(), 48);
    await page.getByRole("button", { name: "Expand the side" }).click();
    assert.equal(await width(), 340);
  });
});

browserTest("what was deleted in the drawer is brought back without closing it first", LOOSE, async () => {
  const context = { viewport: { width: 360, height: 780 }, hasTouch: true };
  await withPage(browser, { context }, async (page, site) => {
    await conversations(site, "Bread", "Lamps");
    await openStart(page, site);
    await page.getByRole("button", { name: "Open the side" }).click();
    await choose(page, "Bread", "Delete");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator(".row > a", { hasText: "Bread" }).waitFor({ state: "attached" });
  });
});

browserTest("the undo bar is not covered by the button that goes to the end", LOOSE, async () => {
  const context = { viewport: { width: 1440, height: 500 } };
  await withPage(browser, { context, script: COAST }, async (page, site) => {
    await conversations(site, "Bread");
    await openStart(page, site);
    await say(page, "Three days on the coast path");
    await untilAnswered(page);
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator(".jump").waitFor();
    await choose(page, "Bread", "Delete");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator(".row > a", { hasText: "Bread" }).waitFor();
  });
});

browserTest("on a phone the side is a drawer", LOOSE, async () => {
  await withPage(
    browser,
    { context: { viewport: { width: 360, height: 780 }, hasTouch: true } },
    async (page, site) => {
      await conversations(site, "Bread");
      await openStart(page, site);
      assert.equal(await page.locator(".row").isVisible(), false);
      await page.getByRole("button", { name: "Open the side" }).click();
      await page.locator(".row").waitFor();
      await page.locator(".row > a").click();
      await page.waitForURL(/\/c\//);
    },
  );
});

browserTest("a page that was shipped anew is loaded anew, once, and drafts stay", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    let greetings = 0;
    let close: (() => void) | null = null;
    await page.routeWebSocket(/\/live$/, (socket) => {
      const server = socket.connectToServer();
      close = () => socket.close({ code: 1001 }).then(() => server.close());
      server.onMessage((message) => {
        const frame = JSON.parse(String(message));
        if (frame.op === "hello") frame.page = greetings++ === 0 ? "old" : "new";
        socket.send(JSON.stringify(frame));
      });
    });
    await openStart(page, site);
    await page.locator("#say").fill("Kept");
    const reloaded = page.waitForEvent("load");
    close!();
    await reloaded;
    await untilLive(page);
    assert.equal(await page.locator("#say").inputValue(), "Kept");
    await page.waitForFunction(() => performance.now() > 1500);
    assert.equal(greetings, 3);
  });
});
