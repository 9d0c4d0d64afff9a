import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { png } from "../core/log/sample_pictures.ts";
import { DESK, LOOSE, openStart, say, untilAnswered, untilLive, watchedPage, withPage } from "./harness.ts";
import { answers } from "./script.ts";
import { browserTest, startChromium } from "../chromium.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

const picture = (name: string, width = 400, height = 300) => ({
  name,
  mimeType: "image/png",
  buffer: Buffer.from(png(width, height)),
});
const words = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
const chips = (page: Page) => page.locator(".attached .chip");
const pick = (page: Page, files: Parameters<Page["setInputFiles"]>[1]) =>
  page.setInputFiles(".composer input[type=file]", files);

/** Waits until everything attached is on the server. */
async function untilStored(page: Page, count: number): Promise<void> {
  await page.waitForFunction((count) => {
    const chips = [...document.querySelectorAll(".attached .chip")];
    return chips.length === count && chips.every((chip) => !chip.querySelector("progress"));
  }, count);
}

/** Drops or pastes files as the browser would tell of it; `at` is where. */
async function give(
  page: Page,
  at: string,
  how: "paste" | "drop",
  files: readonly ReturnType<typeof words>[],
  text = "",
) {
  const given = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, data: buffer.toString("base64") }));
  await page.evaluate(({ at, how, given, text }) => {
    const data = new DataTransfer();
    for (const { name, mimeType, data: base64 } of given) {
      data.items.add(
        new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name, { type: mimeType }),
      );
    }
    if (text) data.setData("text/plain", text);
    const target = document.querySelector(at)!;
    const shared = { bubbles: true, cancelable: true };
    if (how === "paste") target.dispatchEvent(new ClipboardEvent("paste", { ...shared, clipboardData: data }));
    else {
      for (const type of ["dragenter", "dragover", "drop"]) {
        target.dispatchEvent(new DragEvent(type, { ...shared, dataTransfer: data }));
      }
    }
  }, { at, how, given, text });
}

browserTest(
  "pictures and files are picked, pasted, dropped and removed; sent, reloaded, and seen elsewhere",
  LOOSE,
  async () => {
    await withPage(browser, { script: answers(2) }, async (page, site) => {
      await openStart(page, site);
      await pick(page, [picture("picked.png"), words("notes.md", "# Notes\nThe ferry leaves at 09:12")]);
      await give(page, "#say", "paste", [picture("image.png")]);
      await give(page, "main", "drop", [picture("dropped.png", 900, 300), picture("unwanted.png")]);
      await untilStored(page, 5);
      assert.match(await chips(page).nth(2).innerText(), /^Pasted picture \d\d\.\d\d\.\d\d\.png/);
      await page.getByRole("button", { name: "Remove unwanted.png" }).click();
      assert.equal(await chips(page).count(), 4);

      await page.reload();
      await untilLive(page);
      await untilStored(page, 4);
      assert.match(
        await chips(page).first().innerText(),
        /picked\.png\s+[\d.]+ (bytes|KB)/,
        "what is stored survives a reload",
      );
      await say(page, "Look at these");
      await untilAnswered(page);
      assert.equal(await chips(page).count(), 0);

      const seen = async (where: Page) => {
        const thumbnails = where.locator(".said .pictures img");
        await thumbnails.last().waitFor();
        await where.waitForFunction(() =>
          [...document.querySelectorAll<HTMLImageElement>(".said .pictures img")].every((img) =>
            img.complete && img.naturalWidth
          )
        );
        return await thumbnails.evaluateAll((all) =>
          all.map((img) => [img.getAttribute("width"), img.getAttribute("height")])
        );
      };
      const sizes = [["267", "200"], ["267", "200"], ["320", "107"]];
      assert.deepEqual(await seen(page), sizes, "the place of each is kept before it is there");
      await page.reload();
      assert.deepEqual(await seen(page), sizes);

      const other = await browser.newContext(DESK);
      const elsewhere = (await watchedPage(other, site)).page;
      await elsewhere.goto(page.url());
      assert.deepEqual(await seen(elsewhere), sizes);
      await elsewhere.getByText("notes.md", { exact: true }).click();
      assert.equal(await elsewhere.locator(".file-text pre").innerText(), "# Notes\nThe ferry leaves at 09:12");
      await other.close();
    });
  },
);

browserTest("a picture opens large: arrows walk, Escape closes, and the focus comes back", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    await openStart(page, site);
    await pick(page, [picture("a.png"), picture("b.png", 1200, 900)]);
    await untilStored(page, 2);
    await say(page, "Two");
    await untilAnswered(page);
    const second = page.locator(".picture-link").nth(1);
    await second.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "b.png" });
    await dialog.waitFor();
    assert.match(await dialog.innerText(), /b\.png\s*2 of 2\s*1200 × 900/);
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Close");
    await page.keyboard.press("ArrowRight");
    await page.getByRole("dialog", { name: "a.png" }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await dialog.waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("link", { name: "Save" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "b.png");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await second.evaluate((link) => link === document.activeElement), true);
  });
});

browserTest("on a phone a chip is removed by one touch, though the composer grows and shrinks", LOOSE, async () => {
  const context = { viewport: { width: 360, height: 780 }, hasTouch: true };
  await withPage(browser, { context, script: answers(1) }, async (page, site) => {
    await openStart(page, site);
    await pick(page, [words("one.md", "One"), words("two.md", "Two"), words("three.md", "Three")]);
    await untilStored(page, 3);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.getByRole("button", { name: "Remove one.md" }).click();
    await untilStored(page, 2);
    await page.locator("#say").focus();
    await page.getByRole("button", { name: "Remove two.md" }).click();
    await untilStored(page, 1);
  });
});

browserTest("300 dropped pictures are one clear sentence, and the first 20 are kept", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    await openStart(page, site);
    await give(page, "main", "drop", Array.from({ length: 300 }, (_, n) => picture(`${n}.png`, 2, 2)));
    await untilStored(page, 20);
    const sentence = "A message takes 20 pictures: the first 20 are attached, 280 were left out";
    await page.getByText(sentence).waitFor();
    assert.equal(await page.getByText("were left out").count(), 1);
    assert.match(await chips(page).last().innerText(), /^19\.png/);
  });
});

browserTest(
  "SVG, HTML named .png and binaries are refused with a sentence, and go when they are removed",
  LOOSE,
  async () => {
    await withPage(browser, { script: answers(1) }, async (page, site) => {
      await openStart(page, site);
      await pick(page, [
        { name: "drawing.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") },
        { name: "cat.png", mimeType: "image/png", buffer: Buffer.from("<!doctype html><script>alert(1)</script>") },
        { name: "paper.pdf", mimeType: "application/pdf", buffer: Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 0xff]) },
      ]);
      await untilStored(page, 3);
      const said = await chips(page).allInnerTexts();
      assert.match(said[0]!, /SVG drawing/);
      assert.match(said[1]!, /no picture that can be sent/);
      assert.match(said[2]!, /neither a picture/);
      for (const name of ["cat.png", "paper.pdf", "drawing.svg"]) {
        await page.getByRole("button", { name: `Remove ${name}` }).click();
      }
      assert.equal(await chips(page).count(), 0);
      assert.equal(await page.evaluate(() => document.activeElement?.id), "say", "the focus is back in the field");
    });
  },
);

browserTest("a long text that is pasted becomes a file, and text again when it is asked for", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    await openStart(page, site);
    await page.locator("#say").fill("Before ");
    await give(page, "#say", "paste", [], "x".repeat(20_000));
    assert.equal(await chips(page).count(), 0, "20,000 characters are text");
    await give(page, "#say", "paste", [], "word ".repeat(5000));
    await untilStored(page, 1);
    assert.match(await chips(page).innerText(), /Pasted text\.txt\s+25 KB/);
    await page.reload();
    await untilLive(page);
    await page.getByRole("button", { name: "Paste as text instead" }).click();
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>("#say")!.value.length > 20_000);
    assert.equal(await page.locator("#say").inputValue(), `Before ${"word ".repeat(5000)}`);
    assert.equal(await chips(page).count(), 0);
    await page.reload();
    await untilLive(page);
    assert.equal((await page.locator("#say").inputValue()).length, 25_007, "it is a draft like any other");
  });
});

browserTest("a message may be nothing but a picture; a tool's picture opens too", LOOSE, async () => {
  const script = [{ tool_calls: [{ name: "draw", arguments: {} }] }, { text: "Here it is" }];
  await withPage(browser, { script }, async (page, site) => {
    await openStart(page, site);
    await pick(page, [picture("only.png")]);
    await untilStored(page, 1);
    await page.getByRole("button", { name: "Send" }).click();
    await untilAnswered(page);
    await page.getByText("The picture was left out").waitFor();
    await page.locator(".line-block summary").filter({ hasText: "draw" }).click();
    await page.locator(".line-block .picture-link").click();
    await page.getByRole("dialog", { name: "map.png" }).waitFor();
  });
});
