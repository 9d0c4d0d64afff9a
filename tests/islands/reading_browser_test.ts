import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { browserTest, startChromium } from "../chromium.ts";
import { LOOSE, openStart, say, type Site, untilIdle, untilLive, withPage } from "./harness.ts";
import { answers, COAST, slowly, WAITING } from "./script.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

const top = (page: Page, selector: string) =>
  page.locator(selector).first().evaluate((node) => node.getBoundingClientRect().top);

/** A conversation of so many turns that are written one after the other. */
async function filled(site: Site, turns: number): Promise<string> {
  const { id } = await site.assistant.conversations.create({ title: "Long" });
  for (let n = 1; n <= turns; n++) {
    await site.assistant.turns.submit(id, { text: `Message number ${n}`, queue: true });
  }
  await untilIdle(site, id);
  return id;
}

browserTest("a reader who scrolls up during a stream is not moved by a pixel", LOOSE, async () => {
  const first = { text: Array.from({ length: 60 }, (_, n) => `Paragraph ${n + 1}.`).join("\n\n") };
  await withPage(browser, { script: [first, ...slowly(40)] }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Much, please");
    await page.locator("#log").getByText("Paragraph 60.").waitFor();
    await page.locator(".colophon").waitFor();
    await say(page, "And slowly");
    await page.locator(".prose.live", { hasText: "Sentence number 1" }).waitFor();
    await page.mouse.move(700, 400);
    await page.mouse.wheel(0, -40);
    await page.waitForFunction(() => {
      const root = document.documentElement;
      return root.scrollHeight - root.clientHeight - root.scrollTop > 20;
    });
    const before = await page.evaluate(() => scrollY);
    await page.locator(".prose:not(.live)", { hasText: "Sentence number 12" }).waitFor();
    assert.equal(await page.evaluate(() => scrollY), before);
    await page.keyboard.press("End");
    await page.waitForFunction(() => {
      const root = document.documentElement;
      return root.scrollHeight - root.clientHeight - root.scrollTop < 2;
    });
  });
});

browserTest("earlier turns come above without moving what is read", LOOSE, async () => {
  await withPage(browser, { script: answers(120) }, async (page, site) => {
    const id = await filled(site, 120);
    await page.goto(`${site.url}/c/${id}`);
    await untilLive(page);
    const first = await page.locator("article.turn").first().getAttribute("aria-label");
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator('article.turn[aria-label="Turn 1"]').waitFor({ state: "attached" });
    const place = await top(page, `article.turn[aria-label="${first}"]`);
    assert.ok(place > 0 && place < 200, `${first} is at ${place}`);
    assert.equal(await page.locator("article.turn").count(), 120);
  });
});

browserTest("a page opened at an entry shows it, marked, and goes on in both directions", LOOSE, async () => {
  await withPage(browser, { script: answers(200) }, async (page, site) => {
    const id = await filled(site, 200);
    const { items } = await site.assistant.log.entries(id, { after: 0, limit: 500 });
    const entry = items.find((item) => item.kind === "text" && item.data.text === "Answer number 80.")!;
    await page.goto(`${site.url}/c/${id}?at=${entry.seq}`);
    await untilLive(page);
    const marked = page.locator("[data-at]");
    assert.equal((await marked.innerText()).trim(), "Answer number 80.");
    const place = await top(page, "[data-at]");
    assert.ok(place > 50 && place < 800, `it stands at ${place}`);
    assert.equal(await page.locator("#turn-200").count(), 0, "the end is not loaded");
    await page.getByRole("link", { name: "To the end" }).click();
    await page.locator("#turn-200").waitFor({ state: "visible" });
    await page.waitForFunction(() => document.querySelector("#turn-200")!.getBoundingClientRect().top < innerHeight);
    const numbers = await page.locator(".said .n").allInnerTexts();
    assert.deepEqual(
      numbers.map(Number),
      Array.from({ length: numbers.length }, (_, n) => 200 - numbers.length + 1 + n),
    );
    await say(page, "One more");
    await page.locator("#turn-201").waitFor();
  });
});

browserTest("a link to an entry of another branch shows that branch, also without scripts", LOOSE, async () => {
  await withPage(browser, { script: answers(1), context: { javaScriptEnabled: false } }, async (page, site) => {
    const id = await filled(site, 1);
    const { path } = await site.assistant.conversations.get(id);
    const { items } = await site.assistant.log.entries(id);
    await site.assistant.turns.edit(id, path[0]!.id, "Other words");
    await untilIdle(site, id);
    await page.goto(`${site.url}/c/${id}`);
    assert.equal(await page.locator(".said > p").innerText(), "Other words");
    await page.goto(`${site.url}/c/${id}?at=${items[0]!.seq}`);
    assert.equal(await page.locator(".said.marked > p").innerText(), "Message number 1");
  });
});

browserTest("without scripts, links lead through a long conversation", LOOSE, async () => {
  await withPage(browser, { script: answers(160), context: { javaScriptEnabled: false } }, async (page, site) => {
    const id = await filled(site, 160);
    await page.goto(`${site.url}/c/${id}`);
    assert.equal(await page.locator("#turn-160").count(), 1);
    while (await page.getByRole("link", { name: "Earlier" }).count() > 0) {
      await page.getByRole("link", { name: "Earlier" }).click();
    }
    assert.equal(await page.locator("#turn-1").count(), 1);
    while (await page.locator("#turn-160").count() === 0) await page.getByRole("link", { name: "Later" }).click();
  });
});

browserTest("a message that joined and was read stands in the turn, and nowhere else", LOOSE, async () => {
  const script = [{ tool_calls: [{ name: "wait_for", arguments: { ms: 1500 } }] }, { text: "Read both." }];
  await withPage(browser, { script }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Begin");
    await page.locator(".line-block", { hasText: "wait_for" }).waitFor();
    await say(page, "And boots");
    await page.locator(".joined", { hasText: "And boots" }).waitFor();
    await page.locator("#log").getByText("Read both.").waitFor();
    const check = async () => {
      assert.equal(await page.locator("#log").getByText("And boots").count(), 1);
      assert.match(await page.locator(".joined .kind").innerText(), /^you, \d\d:\d\d$/);
    };
    await check();
    await page.reload();
    await untilLive(page);
    await check();
  });
});

browserTest(
  "a message that a stop overtook comes back to the composer, once, and the page says so",
  LOOSE,
  async () => {
    await withPage(browser, { script: WAITING }, async (page, site) => {
      await openStart(page, site);
      await say(page, "Begin");
      await page.locator(".line-block", { hasText: "wait_for" }).waitFor();
      await say(page, "And boots");
      await page.locator(".queue", { hasText: "And boots" }).waitFor();
      await page.locator(".stop-button").click();
      const notice = page.locator(".notice", { hasText: "before “And boots” was read" });
      await notice.getByText("It is back in the composer").waitFor();
      await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>("#say")?.value === "And boots");
      await page.locator("#say").fill("");
      await page.reload();
      await untilLive(page);
      await notice.waitFor();
      assert.equal(await page.locator("#say").inputValue(), "");
      assert.equal(await page.locator(".queue").count(), 0);
    });
  },
);

browserTest("over a draft nothing is put: the notice offers the ways on, and each is taken once", LOOSE, async () => {
  await withPage(browser, { script: [...WAITING, { text: "Then." }] }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Begin");
    await page.locator(".line-block", { hasText: "wait_for" }).waitFor();
    await say(page, "And boots");
    await page.locator(".queue", { hasText: "And boots" }).waitFor();
    await page.locator("#say").fill("Half a thought");
    await page.locator(".stop-button").click();
    const notice = page.locator(".notice", { hasText: "before “And boots” was read" });
    await notice.getByRole("button", { name: "Send it now" }).click();
    await page.locator(".said", { hasText: "And boots" }).waitFor();
    await notice.getByText("You sent it again").waitFor();
    assert.equal(await page.locator("#say").inputValue(), "Half a thought");
    assert.equal(await notice.getByRole("button").count(), 0);
  });
});

browserTest("a message that the turn ended without reading becomes the next turn, and says why", LOOSE, async () => {
  await withPage(browser, { script: [...slowly(30), { text: "Yes, boots." }] }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Begin");
    await page.locator(".prose.live").waitFor();
    await say(page, "And boots");
    await page.locator("#turn-2", { hasText: "And boots" }).waitFor();
    await page.locator("#log").getByText("The turn before ended without reading this").waitFor();
    await page.locator("#log").getByText("Yes, boots.").waitFor();
    assert.equal(await page.locator("#log").getByText("And boots").count(), 1);
  });
});

browserTest("two megabytes on one line are folded and the page stays awake", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    const { id } = await site.assistant.conversations.create({ title: "Wide" });
    await site.assistant.turns.submit(id, { text: "x".repeat(1_900_000) });
    await untilIdle(site, id);
    await page.goto(`${site.url}/c/${id}`);
    await untilLive(page);
    await page.locator("#log").getByText("Show all 1,900,000 characters").waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(wide, 0);
    await page.locator("#say").fill("Still here");
  });
});

browserTest("the contents name the turn the page was opened at, before anything is scrolled", LOOSE, async () => {
  await withPage(browser, { script: [...COAST, ...answers(4)] }, async (page, site) => {
    const { id } = await site.assistant.conversations.create({});
    for (const text of ["Three days on the coast path", "Two", "Three"]) {
      await site.assistant.turns.submit(id, { text });
      await untilIdle(site, id);
    }
    const { items } = await site.assistant.log.entries(id);
    const answer = items.find((entry) => entry.kind === "text");
    await page.goto(`${site.url}/c/${id}?at=${answer!.seq}`);
    await page.locator(".contents [aria-current]", { hasText: "Three days" }).waitFor();
  });
});

browserTest("a conversation that is gone says so, not that there is no such page", LOOSE, async () => {
  await withPage(browser, {}, async (page, site) => {
    const response = await page.goto(`${site.url}/c/01ARZ3NDEKTSV4RRFFQ69G5FAV`);
    assert.equal(response!.status(), 404);
    await page.getByRole("heading", { name: "There is no such conversation" }).waitFor();
    await page.goto(`${site.url}/nowhere`);
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
  });
});
