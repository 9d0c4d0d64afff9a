/** A long conversation: what is far from what is in view is put away, and nobody notices. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { browserTest, startChromium } from "../chromium.ts";
import { LOOSE, type Site, untilIdle, untilLive, withPage } from "./harness.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

const TURNS = 24;
const LINES = Array.from({ length: 40 }, (_, line) => `Line ${line} of what was said`).join("\n\n");

/** A conversation much higher than what is kept drawn, open and live. */
async function openLong(page: Page, site: Site): Promise<void> {
  const { id } = await site.assistant.conversations.create();
  for (let n = 0; n < TURNS; n++) {
    await site.assistant.turns.submit(id, { text: `Message ${n}\n\n${LINES}` });
    await untilIdle(site, id);
  }
  await page.goto(`${site.url}/c/${id}`);
  await untilLive(page);
  await untilAway(page, (away) => away > 0);
}

const awayCount = (page: Page) => page.locator(".turn.away").count();

async function untilAway(page: Page, holds: (away: number) => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!holds(await awayCount(page))) {
    assert.ok(Date.now() < deadline, "turns are not put away or drawn again");
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

const height = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight);

async function scrollToTop(page: Page): Promise<void> {
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator(".turn:not(.away) #turn-1").waitFor({ state: "attached" });
}

browserTest("turns far from what is in view are put away, and the page keeps its height", LOOSE, async () => {
  await withPage(browser, { model: "demo:echo;tps=0" }, async (page, site) => {
    await openLong(page, site);
    const before = await height(page);
    assert.ok(await awayCount(page) < TURNS, "what is in view is drawn");
    await scrollToTop(page);
    await untilAway(page, (away) => away > 0);
    assert.ok(Math.abs(await height(page) - before) <= 2, `${before} px, then ${await height(page)} px`);
    assert.equal(await page.locator(".turn").first().evaluate((turn) => turn.classList.contains("away")), false);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.locator(`.turn:not(.away) #turn-${TURNS}`).waitFor();
    assert.ok(Math.abs(await height(page) - before) <= 2);
  });
});

browserTest("a turn that was put away is reached by its address", LOOSE, async () => {
  await withPage(browser, { model: "demo:echo;tps=0" }, async (page, site) => {
    await openLong(page, site);
    await page.evaluate(() => location.hash = "#turn-2");
    await page.waitForFunction(() => {
      // Who is at the end is kept there by what is drawn in the same moment: the jump is asked for again.
      document.getElementById("turn-2")?.scrollIntoView();
      return document.querySelector(".turn:not(.away) #turn-2") !== null;
    });
    const { y } = (await page.locator("#turn-2").boundingBox())!;
    assert.ok(y >= 0 && y < 400, `${y}`);
  });
});

browserTest("a turn that holds the focus or a selection stays, and what is printed is the whole", LOOSE, async () => {
  await withPage(browser, { model: "demo:echo;tps=0" }, async (page, site) => {
    await openLong(page, site);
    await scrollToTop(page);
    await page.locator("#turn-1 a.folio").focus();
    await page.evaluate(() => {
      getSelection()!.selectAllChildren(document.querySelector("#turn-2")!);
      scrollTo(0, document.documentElement.scrollHeight);
    });
    await untilAway(page, (away) => away > 3);
    assert.equal(await page.locator(".turn:not(.away) #turn-1").count(), 1);
    assert.equal(await page.locator(".turn:not(.away) #turn-2").count(), 1);
    const away = await page.evaluate(async () => {
      dispatchEvent(new Event("beforeprint"));
      await Promise.resolve();
      await Promise.resolve();
      return document.querySelectorAll(".turn.away").length;
    });
    assert.equal(away, 0);
  });
});
