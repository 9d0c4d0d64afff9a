import assert from "node:assert/strict";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { LOOSE, openFolds, openStart, say, type Site, untilAnswered, untilLive, withPage } from "./harness.ts";
import { answers, BROKEN, COAST, DAYS, MANY, SLOW, slowly } from "./script.ts";
import { browserTest, startChromium } from "../chromium.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly string[];
}

/** What the automated rules find: A, AA and best practice. */
async function findings(page: Page): Promise<readonly Finding[]> {
  await page.evaluate(axe.source);
  return await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run({
      resultTypes: ["violations"],
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    return violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.slice(0, 3).map((node) => node.html) }));
  });
}

async function sidewaysScroll(page: Page): Promise<number> {
  return await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

async function lookAt(page: Page, where: string): Promise<void> {
  // What slides under the head, the composer or its button as the page scrolls, or lies under an open menu, is not what
  // is measured here.
  await page.evaluate(() => {
    const rules = ".head, .dock { position: static !important } .jump { visibility: hidden !important } " +
      "body:has(.head .menu[open]) .margin { visibility: hidden !important }";
    const sheet = document.styleSheets[0]!;
    for (const rule of rules.split(/(?<=\})\s+/)) sheet.insertRule(rule, sheet.cssRules.length);
  });
  assert.deepEqual(await findings(page), [], `axe on ${where}`);
  assert.equal(await sidewaysScroll(page), 0, `sideways scroll on ${where}`);
}

/** Walks through every page in one window and one theme. */
async function walk(page: Page, site: Site): Promise<void> {
  await openStart(page, site);
  await lookAt(page, "the start page");
  await say(page, "Three days on the coast path");
  await untilAnswered(page);
  await say(page, "How long is each day?");
  await untilAnswered(page, 2);
  await say(page, "Many calls");
  await untilAnswered(page, 3);
  await page.locator(".formula .katex").nth(1).waitFor();
  await openFolds(page);
  await lookAt(page, "an open conversation");
  await say(page, "Slowly");
  await page.locator(".prose.live").waitFor();
  await lookAt(page, "a streaming answer");
  await page.locator(".stop-button").click();
  await untilAnswered(page, 4);
  await say(page, "Break off");
  await untilAnswered(page, 5);
  await page.locator(".head details.menu summary").click();
  await lookAt(page, "a failed turn and an open menu");
  for (const path of ["/usage", "/settings", "/c/01K7Q2M0000000000000000000"]) {
    await page.goto(site.url + path);
    await lookAt(page, path);
  }
}

const script = [...COAST, ...DAYS, ...MANY, ...SLOW, ...BROKEN, ...answers(1)];

for (const [width, height] of [[1440, 900], [360, 780]] as const) {
  for (const colorScheme of ["light", "dark"] as const) {
    browserTest(`axe finds nothing at ${width} in the ${colorScheme} theme`, LOOSE, async () => {
      await withPage(browser, { script, context: { viewport: { width, height }, colorScheme } }, walk);
    });
  }
}

browserTest("the page is narrow without scrolling sideways, down to 320", LOOSE, async () => {
  await withPage(browser, { script, context: { viewport: { width: 320, height: 640 } } }, async (page, site) => {
    await openStart(page, site);
    assert.equal(await sidewaysScroll(page), 0);
    await say(page, "Three days on the coast path");
    await untilAnswered(page);
    await say(page, "How long is each day?");
    await untilAnswered(page, 2);
    for (const width of [320, 360, 768, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await sidewaysScroll(page), 0, `at ${width}`);
    }
  });
});

browserTest("landmarks, headings and the focus come in the order of the page", LOOSE, async () => {
  await withPage(browser, { script: COAST }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Three days on the coast path");
    await untilAnswered(page);
    await page.reload();
    await untilLive(page);
    await page.keyboard.press("Tab");
    assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ""), /^Skip to the/);
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => location.hash), "#log");
    assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
    assert.match(await page.getByRole("heading", { level: 2, name: /^Turn 1\s*,/ }).innerText(), /1/);
    assert.equal(await page.getByRole("navigation", { name: "Conversations and pages" }).count(), 1);
    assert.equal(await page.getByRole("main").count(), 1);
    assert.equal(await page.getByRole("form", { name: "Write a message" }).count(), 1);
    assert.equal(await page.getByRole("article", { name: "Turn 1" }).count(), 1);
  });
});

browserTest("sentences are spoken as they end, then that the answer is finished", LOOSE, async () => {
  await withPage(browser, { script: slowly(60) }, async (page, site) => {
    await openStart(page, site);
    await page.evaluate(() => {
      const spoken: string[] = [];
      Object.assign(globalThis, { spoken });
      new MutationObserver(() => spoken.push(document.getElementById("spoken")!.textContent!))
        .observe(document.getElementById("spoken")!, { childList: true, characterData: true, subtree: true });
    });
    await say(page, "Slowly");
    await untilAnswered(page);
    await page.waitForFunction(() =>
      (globalThis as unknown as { spoken: string[] }).spoken.at(-1)?.includes("Answer finished")
    );
    const spoken = await page.evaluate(() => (globalThis as unknown as { spoken: string[] }).spoken);
    assert.ok(spoken.length > 3, "in several pieces");
    for (const piece of spoken.slice(0, -1)) assert.match(piece, /[.]$/, "whole sentences only");
    const all = spoken.join(" ");
    for (let n = 1; n <= 12; n++) {
      assert.equal(
        all.split(`Sentence number ${n} is written slowly, with some weight in it.`).length,
        2,
        `sentence ${n} once`,
      );
    }
  });
});

browserTest("with motion reduced nothing moves, on paper only the book is left", LOOSE, async () => {
  await withPage(browser, { script: SLOW }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Slowly");
    await page.locator(".prose.live").waitFor();
    assert.equal(await page.locator(".working .mark").evaluate((mark) => getComputedStyle(mark).animationName), "none");
    await page.locator(".stop-button").click();
    await untilAnswered(page);
    await page.emulateMedia({ media: "print" });
    for (const part of [".side", ".head", ".dock", ".colophon .acts"]) {
      assert.equal(await page.locator(part).isVisible(), false, `${part} is not printed`);
    }
    assert.equal(await page.locator(".prose").isVisible(), true);
  });
});

browserTest("the door and its refusals are title pages that a reader can use", LOOSE, async () => {
  await withPage(browser, { auth: "token" }, async (page, site) => {
    await page.goto(site.url);
    await page.getByRole("heading", { name: "Mālama is locked" }).waitFor();
    await lookAt(page, "the door");
    await page.getByLabel("Code").fill("no-such-code");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("That code was already used, or is older than ten minutes.").waitFor();
    await lookAt(page, "a wrong code");
    await page.getByLabel("Code").fill(new URL(site.server.loginUrl).searchParams.get("code")!);
    await page.getByRole("button", { name: "Open" }).click();
    await untilLive(page);
    assert.equal(new URL(page.url()).search, "");
  });
});

browserTest("a damaged store is a page that says what to do, never an empty list", LOOSE, async () => {
  await withPage(browser, { damaged: true }, async (page, site) => {
    const { id } = await site.assistant.conversations.create({ title: "Still readable" });
    const response = await page.goto(site.url);
    assert.equal(response?.status(), 503);
    await page.getByRole("heading", { name: "The store is damaged" }).waitFor();
    assert.match(await page.locator("main").innerText(), /Put the backup back\./);
    await lookAt(page, "the page of a damaged store");
    await page.getByRole("link", { name: "Still readable" }).click();
    await page.locator(".banner", { hasText: "opened for reading only" }).waitFor();
    assert.match(page.url(), new RegExp(id));
    await lookAt(page, "a conversation of a damaged store");
  });
});
