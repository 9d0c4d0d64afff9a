import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { ScriptedTurn } from "../../core/model/mod.ts";
import { browserTest, startChromium } from "../chromium.ts";
import { LOOSE, openStart, say, type Site, untilAnswered, untilIdle, untilLive, withPage } from "./harness.ts";
import { answers, BROKEN, SLOW } from "./script.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

const group = (page: Page, name: string) => page.getByRole("group", { name });

/** A conversation of so many turns, without a page. */
async function conversation(site: Site, turns: number): Promise<string> {
  const { id } = await site.assistant.conversations.create({ title: "Six" });
  for (let n = 1; n <= turns; n++) {
    await site.assistant.turns.submit(id, { text: `Message number ${n}` });
    await untilIdle(site, id);
  }
  return id;
}

/** What the model says from now on, whatever it is asked. */
async function answerWith(site: Site, turn: ScriptedTurn): Promise<void> {
  await Deno.writeTextFile(join(site.dataDir, "script.json"), JSON.stringify(Array(12).fill(turn)));
}

async function open(page: Page, site: Site, id: string, query = ""): Promise<void> {
  await page.goto(`${site.url}/c/${id}${query}`);
  await untilLive(page);
}

/** The messages in view, in order. */
const said = (page: Page) => page.locator("#log .said > p").allInnerTexts();
const answered = (page: Page) => page.locator("#log .prose").allInnerTexts();

browserTest(
  "Edit / regenerate of an earlier message deletes the rest: nothing goes, both versions stay",
  LOOSE,
  async () => {
    await withPage(browser, { script: answers(6) }, async (page, site) => {
      const id = await conversation(site, 6);
      await open(page, site, id);
      await answerWith(site, { text: "Another answer to two." });
      await page.locator("article.turn").nth(1).getByRole("button", { name: "Answer again" }).click();
      await group(page, "Version 2 of 2").waitFor();
      await page.locator("#log").getByText("Another answer to two.").waitFor();
      assert.deepEqual(await said(page), ["Message number 1", "Message number 2"]);
      await page.locator("#turn-2").hover();
      await page.getByRole("button", { name: "Previous version" }).click();
      await group(page, "Version 1 of 2").waitFor();
      await page.locator("#log").getByText("Answer number 6.").waitFor();
      assert.equal((await said(page)).length, 6);
      await page.reload();
      await untilLive(page);
      assert.equal((await said(page)).length, 6);
      const exported =
        await (await page.context().request.get(`${site.url}/api/conversations/${id}/export?format=jsonl`))
          .text();
      assert.match(exported, /Another answer to two/);
      assert.match(exported, /Answer number 6/);
    });
  },
);

browserTest("First user message cannot be edited: it can, like any other", LOOSE, async () => {
  await withPage(browser, { script: answers(2) }, async (page, site) => {
    const id = await conversation(site, 2);
    await open(page, site, id);
    await page.locator("#turn-1").hover();
    await page.getByRole("button", { name: "Edit message 1" }).click();
    const field = page.getByRole("textbox", { name: "Your message" });
    assert.equal(await field.inputValue(), "Message number 1");
    await field.fill("Other words");
    await answerWith(site, { text: "To the other words." });
    await page.getByRole("button", { name: "Send as version 2" }).click();
    await page.locator("#log").getByText("To the other words.").waitFor();
    assert.deepEqual(await said(page), ["Other words"]);
    await group(page, "Version 2 of 2").waitFor();
    await page.locator("#turn-1 .folio").focus();
    await page.keyboard.press("[");
    await page.locator("#log").getByText("Answer number 2.").waitFor();
    assert.deepEqual(await said(page), ["Message number 1", "Message number 2"]);
    await page.keyboard.press("]");
    await page.locator("#log").getByText("To the other words.").waitFor();
  });
});

browserTest(
  "Escape leaves a message as it was, Enter sends it, and what was typed outlives a repaint",
  LOOSE,
  async () => {
    await withPage(browser, { script: [...answers(1), ...SLOW] }, async (page, site) => {
      const id = await conversation(site, 1);
      await open(page, site, id);
      await page.locator("#turn-1").hover();
      const pen = page.getByRole("button", { name: "Edit message 1" });
      await pen.click();
      const field = page.getByRole("textbox", { name: "Your message" });
      await field.fill("Given up");
      await field.press("Escape");
      assert.deepEqual(await said(page), ["Message number 1"]);
      await page.waitForFunction(() => document.activeElement?.classList.contains("edit-button"));
      await pen.click();
      assert.equal(await field.inputValue(), "Message number 1", "what was given up is gone");
      await field.fill("While another answer comes");
      await site.assistant.turns.submit(id, { text: "From elsewhere" });
      await page.locator(".prose.live").waitFor();
      assert.equal(await field.inputValue(), "While another answer comes");
      await page.locator(".stop-button").click();
      await page.locator("#log").getByText("You stopped this turn").waitFor();
      assert.equal(await field.inputValue(), "While another answer comes");
      await answerWith(site, { text: "Once more." });
      await field.press("Enter");
      await page.locator("#log").getByText("Once more.").waitFor();
      assert.deepEqual(await said(page), ["While another answer comes"]);
      assert.equal(await field.count(), 0);
    });
  },
);

browserTest("going to another version keeps the message where it is, and the focus on the arrow", LOOSE, async () => {
  const long = Array.from({ length: 30 }, (_, n) => `Paragraph ${n + 1} of a long answer.`).join("\n\n");
  await withPage(browser, { script: [{ text: long }, { text: long }] }, async (page, site) => {
    const id = await conversation(site, 2);
    await open(page, site, id);
    await answerWith(site, { text: "Short." });
    await page.locator("article.turn").nth(1).getByRole("button", { name: "Answer again" }).click();
    await page.locator("#log").getByText("Short.").waitFor();
    await page.locator("#turn-2").scrollIntoViewIfNeeded();
    const place = () => page.locator("#turn-2").evaluate((node) => Math.round(node.getBoundingClientRect().top));
    const before = await place();
    await page.getByRole("button", { name: "Previous version" }).focus();
    await page.keyboard.press("Enter");
    await group(page, "Version 1 of 2").waitFor();
    assert.ok(Math.abs(await place() - before) <= 1, `moved from ${before} to ${await place()}`);
    const focus = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    assert.equal(await focus(), "Previous version");
    await page.getByRole("button", { name: "Next version" }).focus();
    await page.keyboard.press("Enter");
    await group(page, "Version 2 of 2").waitFor();
    await page.locator("#log").getByText("Short.").waitFor();
    assert.ok(Math.abs(await place() - before) <= 1, `moved from ${before} to ${await place()}`);
    assert.equal(await focus(), "Next version");
  });
});

browserTest("a version that is answered now goes on live when it is put in view again", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    const id = await conversation(site, 1);
    await open(page, site, id);
    await answerWith(site, SLOW[0]!);
    await page.getByRole("button", { name: "Answer again" }).click();
    await page.locator(".prose.live", { hasText: "Sentence number 1" }).waitFor();
    await page.getByRole("button", { name: "Previous version" }).click();
    await page.locator("#log").getByText("Answer number 1.").waitFor();
    assert.equal(await page.locator(".prose.live").count(), 0);
    await page.getByRole("button", { name: "Next version" }).click();
    await page.locator(".prose.live").waitFor();
    await page.locator(".prose:not(.live)", { hasText: "Sentence number 12" }).waitFor();
    const text = await page.locator(".prose").innerText();
    assert.equal(text.match(/Sentence number \d+/g)?.length, 12);
  });
});

browserTest(
  "Switching conversation while streaming loses / freezes the reply: it is all there on return",
  LOOSE,
  async () => {
    await withPage(browser, { script: [...SLOW, ...answers(1)] }, async (page, site) => {
      const other = await site.assistant.conversations.create({ title: "The other one" });
      await openStart(page, site);
      await say(page, "Say it slowly");
      await page.locator(".prose.live", { hasText: "Sentence number 1" }).waitFor();
      const url = page.url();
      await open(page, site, other.id);
      await page.goto(url);
      await page.locator(".prose.live", { hasText: "Sentence number 2" }).waitFor();
      await untilLive(page);
      await page.locator(".prose:not(.live)", { hasText: "Sentence number 12" }).waitFor();
      const stored = await site.assistant.log.entries(url.split("/").at(-1)!);
      const entry = stored.items.find((item) => item.kind === "text");
      assert.equal(
        await page.locator(".prose").innerText(),
        (entry?.data as { text: string }).text.replaceAll("**", ""),
      );
    });
  },
);

browserTest("deleting from a turn on asks first, with the focus on the safe answer", LOOSE, async () => {
  await withPage(browser, { script: answers(3) }, async (page, site) => {
    const id = await conversation(site, 3);
    await open(page, site, id);
    const menu = page.locator("#turn-2 summary[aria-label='More for message 2']");
    const choose = async () => {
      await menu.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Delete from here" }).click();
    };
    await choose();
    const dialog = page.getByRole("dialog", { name: "Delete turn 2 and what follows?" });
    assert.match(await dialog.innerText(), /Two turns go\. Files they wrote stay\. This cannot be undone/);
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Keep");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await menu.evaluate((node) => node === document.activeElement), true, "the focus comes back");
    assert.equal((await said(page)).length, 3);
    await choose();
    await page.getByRole("button", { name: "Delete two turns" }).click();
    await page.locator("#turn-2").waitFor({ state: "detached" });
    assert.deepEqual(await said(page), ["Message number 1"]);
    await page.waitForFunction(() => document.activeElement?.id === "say");
    await page.reload();
    await untilLive(page);
    assert.deepEqual(await said(page), ["Message number 1"]);
  });
});

browserTest("deleting one version leaves the others, also in another tab", LOOSE, async () => {
  await withPage(browser, { script: answers(3) }, async (page, site) => {
    const id = await conversation(site, 1);
    await open(page, site, id);
    await answerWith(site, { text: "Answer number 2." });
    await page.getByRole("button", { name: "Answer again" }).click();
    await page.locator("#log").getByText("Answer number 2.").waitFor();
    await group(page, "Version 2 of 2").waitFor();
    const other = await page.context().newPage();
    await open(other, site, id);
    await group(other, "Version 2 of 2").waitFor();
    await page.locator("#turn-1").hover();
    await page.locator("#turn-1 summary").click();
    await page.getByRole("button", { name: "Delete from here" }).click();
    assert.match(await page.getByRole("dialog").innerText(), /One turn goes\. The other versions of turn 1 stay\./);
    await page.getByRole("button", { name: "Delete one turn" }).click();
    for (const tab of [page, other]) {
      await tab.locator("#log").getByText("Answer number 1.").waitFor();
      await tab.locator(".siblings").waitFor({ state: "detached" });
      assert.deepEqual(await answered(tab), ["Answer number 1."]);
    }
  });
});

browserTest("a branch is a conversation of its own, and the page goes there", LOOSE, async () => {
  await withPage(browser, { script: answers(3) }, async (page, site) => {
    const id = await conversation(site, 3);
    await open(page, site, id);
    await page.locator("#turn-2").hover();
    await page.locator("#turn-2 summary").click();
    await page.getByRole("button", { name: "Branch from here" }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/c/") && !url.pathname.endsWith(id));
    await page.getByRole("heading", { name: "Branch of Six" }).waitFor();
    assert.deepEqual(await said(page), ["Message number 1", "Message number 2"]);
  });
});

browserTest("a failed answer can be asked of another model", LOOSE, async () => {
  await withPage(browser, { script: BROKEN }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Please break off");
    await untilAnswered(page);
    await page.getByRole("button", { name: "Use another model" }).click();
    const dialog = page.getByRole("dialog", { name: "Answer turn 1 again with" });
    await dialog.getByRole("button", { name: /demo:tour/ }).click();
    await group(page, "Version 2 of 2").waitFor();
    await page.locator(".colophon", { hasText: "demo:tour" }).waitFor();
  });
});

browserTest(
  "on a phone an answer is asked for again by one touch while the composer has the focus",
  LOOSE,
  async () => {
    const context = { viewport: { width: 360, height: 780 }, hasTouch: true };
    await withPage(browser, { context, script: answers(6) }, async (page, site) => {
      await open(page, site, await conversation(site, 3));
      await answerWith(site, { text: "Once more." });
      await page.locator("#say").focus();
      await page.locator("article.turn").last().getByRole("button", { name: "Answer again" }).click();
      await group(page, "Version 2 of 2").waitFor();
      await page.waitForFunction(() => !document.querySelector(".composer[data-held]"));
    });
  },
);

browserTest("a menu at the foot of the window opens upward, where all of it can be reached", LOOSE, async () => {
  await withPage(browser, { script: answers(6) }, async (page, site) => {
    await open(page, site, await conversation(site, 6));
    const menu = page.locator("article.turn").last().locator(".colophon .menu");
    await menu.locator("summary").click();
    await menu.getByRole("button", { name: "Answer again with another model" }).waitFor();
    await page.waitForFunction(() => {
      const sheet = document.querySelector(".colophon .menu[open] .sheet")!.getBoundingClientRect();
      return sheet.top >= 0 && sheet.bottom <= innerHeight;
    });
  });
});

browserTest("a turn that goes on without a message keeps its time and its kind word apart", LOOSE, async () => {
  await withPage(browser, { script: [...BROKEN, { text: "The rest." }] }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Begin");
    await page.getByRole("button", { name: "Try again" }).click();
    await untilAnswered(page, 2);
    const boxes = await page.locator("article.turn").last().evaluate((turn) =>
      [".folio", ".line .kind"].map((part) => turn.querySelector(part)!.getBoundingClientRect())
        .map(({ top, bottom }) => ({ top, bottom }))
    );
    assert.ok(boxes[0]!.bottom <= boxes[1]!.top + 1, JSON.stringify(boxes));
  });
});

browserTest("what the server refuses is said, and the field keeps the words", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    const id = await conversation(site, 1);
    await open(page, site, id);
    await page.route("**/edit", (route) =>
      route.fulfill({
        status: 400,
        contentType: "application/problem+json",
        body: JSON.stringify({ title: "No", detail: "This message cannot be edited" }),
      }));
    await page.locator("#turn-1").hover();
    await page.getByRole("button", { name: "Edit message 1" }).click();
    await page.getByRole("textbox", { name: "Your message" }).fill("Kept");
    await page.getByRole("textbox", { name: "Your message" }).press("Control+Enter");
    await page.locator(".alert", { hasText: "This message cannot be edited" }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Your message" }).inputValue(), "Kept");
  });
});

browserTest("versions are walked without scripts too", LOOSE, async () => {
  await withPage(browser, { script: answers(3), context: { javaScriptEnabled: false } }, async (page, site) => {
    const id = await conversation(site, 1);
    const { path } = await site.assistant.conversations.get(id);
    await answerWith(site, { text: "Answer number 2." });
    await site.assistant.turns.regenerate(id, path[0]!.id);
    await untilIdle(site, id);
    await page.goto(`${site.url}/c/${id}`);
    assert.deepEqual(await answered(page), ["Answer number 2."]);
    await page.getByRole("button", { name: "Previous version" }).click();
    assert.deepEqual(await answered(page), ["Answer number 1."]);
    assert.match(page.url(), /#turn-1$/);
  });
});
