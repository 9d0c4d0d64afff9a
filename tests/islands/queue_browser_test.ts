import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import {
  DESK,
  LOOSE,
  openStart,
  say,
  type Site,
  startSite,
  untilAnswered,
  untilIdle,
  untilLive,
  withPage,
} from "./harness.ts";
import { answers, WAITING } from "./script.ts";
import type { ScriptedTurn } from "../../core/model/mod.ts";
import { browserTest, startChromium } from "../chromium.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

/** A call that takes so long, then an answer. */
const pause = (ms: number): readonly ScriptedTurn[] => [
  { tool_calls: [{ name: "wait_for", arguments: { ms } }] },
  { text: "Waited." },
];

const lines = (page: Page) => page.locator(".queue li");
const line = (page: Page, text: string) => lines(page).filter({ hasText: text });
const id = (page: Page) => page.url().split("/").at(-1)!;
const draft = (page: Page) => page.locator("#say").inputValue();
/** The field is drawn a moment after what it holds is known. */
const untilDraft = (page: Page, text: string) =>
  page.waitForFunction((text) => (document.getElementById("say") as HTMLTextAreaElement).value === text, text);

/** What the server has waiting. */
async function pending(page: Page, site: Site): Promise<readonly { text: string; joins: string | null }[]> {
  const response = await fetch(`${site.url}/api/conversations/${id(page)}/pending`);
  return (await response.json()).items;
}

/** Everything people said in the conversation, in order, by where it stands. */
async function said(page: Page, site: Site): Promise<readonly string[]> {
  const { items } = await site.assistant.log.entries(id(page));
  return items.flatMap((entry) =>
    entry.kind === "user" || entry.kind === "inbox" || entry.kind === "undelivered"
      ? [`${entry.kind}: ${entry.data.text}`]
      : []
  );
}

/** Begins a conversation whose turn is still running. */
async function begin(page: Page, site: Site): Promise<void> {
  await openStart(page, site);
  await say(page, "Hello");
  await page.locator(".stop-button").waitFor();
  await page.getByText("wait_for").first().waitFor();
}

async function sendAfter(page: Page, text: string): Promise<void> {
  await page.locator("#say").fill(text);
  await page.locator("#say").press("Alt+Enter");
}

browserTest(
  "Enter while an answer is written goes into it; until it is read it stands above the field",
  LOOSE,
  async () => {
    await withPage(browser, { script: [...pause(2500), ...answers(2)] }, async (page, site) => {
      await begin(page, site);
      assert.equal(await page.locator(".send").getAttribute("aria-label"), "Send into this answer");
      await say(page, "Into it");
      await line(page, "Into it").getByText("read at the next step").waitFor();
      assert.equal(await line(page, "Into it").locator(".kind").innerText(), "now");
      assert.equal(await draft(page), "");
      await untilAnswered(page);
      assert.equal(await lines(page).count(), 0);
      assert.deepEqual(await said(page, site), ["user: Hello", "inbox: Into it"]);
      assert.equal(await page.locator(".joined", { hasText: "Into it" }).count(), 1);
      assert.equal(await page.locator(".send").getAttribute("aria-label"), "Send");
      await page.waitForFunction(() => Object.keys(localStorage).every((key) => !key.includes("outbox")));
    });
  },
);

browserTest("Alt Enter sends after the answer: the next turn, never into this one", LOOSE, async () => {
  await withPage(browser, { script: [...pause(1500), ...answers(2)] }, async (page, site) => {
    await begin(page, site);
    await sendAfter(page, "After it");
    await line(page, "After it").getByText("next turn").waitFor();
    assert.equal(await line(page, "After it").locator(".kind").innerText(), "next");
    await untilAnswered(page, 2);
    assert.equal(await lines(page).count(), 0);
    assert.deepEqual(await said(page, site), ["user: Hello", "user: After it"]);
  });
});

browserTest("the menu on the send button says both ways, and is walked with keys", LOOSE, async () => {
  await withPage(browser, { script: WAITING }, async (page, site) => {
    await begin(page, site);
    await page.locator("#say").fill("By the menu");
    const opener = page.locator(".send-menu > summary");
    await opener.press("Enter");
    await page.getByRole("button", { name: "Send into this answer Enter" }).press("ArrowDown");
    await page.getByRole("button", { name: "Send after it Alt Enter" }).press("Escape");
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "How to send");
    assert.equal(await page.locator(".stop-button").count(), 1, "Escape closed the menu and stopped nothing");
    await opener.press("ArrowDown");
    await page.waitForFunction(() => document.activeElement?.textContent?.includes("into this answer"));
    await page.keyboard.press("s");
    await page.keyboard.press("Enter");
    await line(page, "By the menu").getByText("next turn").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), "say");
  });
});

browserTest("what waits can be changed in place and taken back into the composer", LOOSE, async () => {
  await withPage(browser, { script: WAITING }, async (page, site) => {
    await begin(page, site);
    await say(page, "First words");
    await line(page, "First words").getByRole("button", { name: "Edit" }).click();
    const field = page.getByLabel("The message that waits");
    await field.fill("Never mind");
    await field.press("Escape");
    assert.equal(await page.locator(".stop-button").count(), 1, "Escape dropped the edit and stopped nothing");
    await line(page, "First words").getByRole("button", { name: "Edit" }).click();
    await field.fill("Better words");
    await field.press("Enter");
    await line(page, "Better words").waitFor();
    assert.deepEqual((await pending(page, site)).map(({ text }) => text), ["Better words"]);
    await page.locator("#say").fill("A draft");
    await line(page, "Better words").getByRole("button", { name: "Take back into the composer" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".queue li").length === 0);
    await untilDraft(page, "Better words\n\nA draft");
    assert.deepEqual(await pending(page, site), []);
  });
});

browserTest(
  "Steer sends an older queued message instead: what is sent now goes first, the older stays in line",
  LOOSE,
  async () => {
    await withPage(browser, { script: [...pause(4000), ...answers(3)] }, async (page, site) => {
      await begin(page, site);
      await sendAfter(page, "The older");
      await line(page, "The older").getByText("next turn").waitFor();
      await sendAfter(page, "The newer");
      await line(page, "The newer").getByRole("button", { name: "Send now" }).click();
      await line(page, "The newer").getByText("read at the next step").waitFor();
      assert.match(await lines(page).first().innerText(), /The newer/);
      await untilAnswered(page, 2);
      assert.deepEqual(await said(page, site), ["user: Hello", "inbox: The newer", "user: The older"]);
    });
  },
);

browserTest(
  "a message that was read before it could be changed says so, and the new words are kept",
  LOOSE,
  async () => {
    await withPage(browser, { script: [...pause(2500), ...answers(1)] }, async (page, site) => {
      await begin(page, site);
      await say(page, "Into it");
      await line(page, "Into it").getByRole("button", { name: "Edit" }).click();
      const field = page.getByLabel("The message that waits");
      await field.fill("Changed too late");
      // The change is held back until the message has been read.
      await page.route(/\/pending\//, async (route) => {
        await untilIdle(site, id(page));
        await route.continue();
      });
      await field.press("Enter");
      const notice = page.locator(".queue-read");
      await notice.getByText("“Into it” was read a moment ago and stands as it was").waitFor();
      assert.equal(await draft(page), "Changed too late");
      await notice.getByRole("button", { name: "Show it" }).click();
      assert.equal(await notice.count(), 0);
      assert.equal(await page.locator(".joined", { hasText: "Into it" }).isVisible(), true);
      assert.deepEqual(await said(page, site), ["user: Hello", "inbox: Into it"]);
    });
  },
);

browserTest("what could not be sent while an answer is written can be changed, and goes out once", LOOSE, async () => {
  await withPage(browser, { script: WAITING }, async (page, site) => {
    await begin(page, site);
    await page.route(/\/messages$/, (route) => route.abort("internetdisconnected"));
    await say(page, "Into the void");
    const held = line(page, "Into the void");
    await held.getByText("not connected").waitFor();
    await page.getByText("What you send is kept here and goes out once").waitFor();
    await held.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("The message that waits").fill("Out of the void");
    await page.getByLabel("The message that waits").press("Enter");
    await line(page, "Out of the void").waitFor();
    await page.unroute(/\/messages$/);
    // It may have gone out by itself a moment before.
    const again = line(page, "Out of the void").getByRole("button", { name: "Try again" });
    await again.dispatchEvent("click", {}, { timeout: 1000 }).catch(() => {});
    await line(page, "Out of the void").getByText("read at the next step").waitFor();
    assert.deepEqual((await pending(page, site)).map(({ text }) => text), ["Out of the void"]);
    assert.equal(await lines(page).count(), 1);
  });
});

browserTest(
  "what waits is still there after a reload, and in another browser, and taken back there it is gone here",
  LOOSE,
  async () => {
    const site = await startSite({ script: WAITING });
    const [mine, theirs] = [await browser.newContext(DESK), await browser.newContext(DESK)];
    for (const context of [mine, theirs]) context.setDefaultTimeout(20_000);
    try {
      const page = await mine.newPage();
      await begin(page, site);
      await say(page, "Into it");
      await line(page, "Into it").getByText("read at the next step").waitFor();
      await page.reload();
      await line(page, "Into it").getByText("read at the next step").waitFor();
      const other = await theirs.newPage();
      await other.goto(page.url());
      await line(other, "Into it").getByRole("button", { name: "Take back into the composer" }).click();
      await page.waitForFunction(() => document.querySelectorAll(".queue li").length === 0);
      await untilDraft(other, "Into it");
      assert.equal(await draft(page), "");
      await page.waitForFunction(() => Object.keys(localStorage).every((key) => !key.includes("outbox")));
    } finally {
      await mine.close();
      await theirs.close();
      await site.close();
    }
  },
);

browserTest(
  "commands typed in the composer work while an answer is written, and their answers show",
  LOOSE,
  async () => {
    await withPage(browser, { script: WAITING }, async (page, site) => {
      await begin(page, site);
      await say(page, "/diag");
      await page.locator(".alert").first().waitFor();
      assert.ok((await page.locator(".alert").first().innerText()).length > 20);
      await say(page, "/stop");
      await page.getByText("You stopped this turn").first().waitFor();
      await untilIdle(site, id(page));
      assert.equal(await lines(page).count(), 0);
      assert.deepEqual(await said(page, site), ["user: Hello"]);
    });
  },
);

browserTest(
  "Steering message drained from the queue, then run stopped: it is back in the composer, and nowhere else",
  LOOSE,
  async () => {
    await withPage(browser, { script: WAITING }, async (page, site) => {
      await begin(page, site);
      await say(page, "Into it");
      await line(page, "Into it").getByText("read at the next step").waitFor();
      await page.locator(".stop-button").click();
      await page.getByText("You stopped this turn").first().waitFor();
      await page.waitForFunction(() => (document.getElementById("say") as HTMLTextAreaElement).value === "Into it");
      assert.equal(await lines(page).count(), 0);
      assert.equal(await page.locator(".said.pending").count(), 0);
      assert.deepEqual(await said(page, site), ["user: Hello", "undelivered: Into it"]);
      await page.reload();
      await untilLive(page);
      assert.equal(await draft(page), "Into it");
    });
  },
);
