import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { LOOSE, openFolds, openStart, say, untilAnswered, untilLive, withPage } from "./harness.ts";
import { PAYLOADS } from "./xss.ts";
import { browserTest, startChromium } from "../chromium.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

/** `withPage` sees that no other host was asked and no policy broken; this, that nothing ran and nothing was made of it. */
async function nothingRan(page: Page): Promise<void> {
  assert.equal(await page.evaluate(() => (globalThis as { pwned?: number }).pwned), undefined);
  const made = await page.evaluate(() =>
    [...document.querySelectorAll("#log *, .row *, h1.title *, .contents *")].flatMap((node) => {
      const bad = [...node.attributes].filter(({ name, value }) =>
        /^on/i.test(name) || /^\s*(javascript|data|vbscript):/i.test(value)
      );
      const kind = /^(script|iframe|object|embed|link|base|meta|form|style|template|portal|video|audio)$/i.test(
        node.localName,
      );
      return bad.length > 0 || (kind && !node.closest(".openings")) ? [node.outerHTML.slice(0, 120)] : [];
    })
  );
  assert.deepEqual(made, []);
}

browserTest("there are more than 200 payloads", () => {
  assert.ok(new Set(PAYLOADS).size > 200, String(new Set(PAYLOADS).size));
});

browserTest("no payload in an answer runs, while it streams or after", LOOSE, async () => {
  const text = PAYLOADS.join("\n\n");
  await withPage(browser, { script: [{ text, tps: 1500 }, { text: "Over." }] }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Say the worst");
    await untilAnswered(page);
    await nothingRan(page);
    await page.reload();
    await untilLive(page);
    await nothingRan(page);
    assert.match(await page.locator(".prose").innerText(), /onerror=/, "they are shown as the text they are");
  });
});

browserTest("no payload in a tool's result, arguments or name runs", LOOSE, async () => {
  const calls = PAYLOADS.map((text) => ({ name: "say_back", arguments: { text } }));
  await withPage(browser, { script: [{ tool_calls: calls }, { text: "Over." }] }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Pass it on");
    await untilAnswered(page);
    await openFolds(page);
    await nothingRan(page);
  });
});

browserTest("no payload in a message, a thought or a title runs", LOOSE, async () => {
  const script = [{ thinking: PAYLOADS.join("\n\n"), text: "Over." }];
  await withPage(browser, { script }, async (page, site) => {
    for (const title of PAYLOADS.filter((text) => text.trim() !== "").slice(0, 40)) {
      await site.assistant.conversations.create({ title });
    }
    await openStart(page, site);
    await nothingRan(page);
    await say(page, PAYLOADS.join("\n\n"));
    await untilAnswered(page);
    const id = page.url().split("/").at(-1)!;
    await site.assistant.conversations.update(id, { title: `<img src=x onerror="pwned=1">` });
    await page.locator("h1.title", { hasText: "onerror" }).waitFor();
    await nothingRan(page);
    await page.reload();
    await untilLive(page);
    await nothingRan(page);
  });
});
