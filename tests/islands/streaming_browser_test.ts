/** What a person sees while an answer streams: nothing that is written moves, flickers or is drawn twice. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { browserTest, startChromium } from "../chromium.ts";
import { startFakeProvider } from "../providers/mod.ts";
import { LOOSE, openStart, say, untilAnswered, withPage } from "./harness.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

const PART = (n: number) =>
  `## Part ${n}\n\nA paragraph **number ${n}** with \`code\` and words that go on.\n\n- one\n- two of *${n}*\n\n` +
  `| n | what |\n|---|---|\n| ${n} | words |\n| ${n + 1} | more |\n\n` +
  `$$x_${n} = ${n}^2$$\n\n\`\`\`ts\nconst part = ${n}; // here\nreturn "text";\n\`\`\`\n\n> Quoted ${n}\n\n`;
const TEXT = [1, 2, 3, 4, 5, 6].map(PART).join("").trimEnd();
const PIECES = TEXT.match(/[\s\S]{1,9}/g)!;

interface Seen {
  readonly frames: number;
  /** Blocks that had ended and then stood elsewhere, had another size, or were another element. */
  readonly moved: readonly string[];
  /** Frames in which the answer held less text than before. */
  readonly shrunk: number;
  readonly shifts: number;
}

/** Looks at every frame from now on. A block has ended when two more have begun after it. */
async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = { frames: 0, moved: [] as string[], shrunk: 0, shifts: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) seen.shifts += entry.value;
      }
    }).observe({ type: "layout-shift", buffered: false });
    const ended = new Map<number, { element: Element; top: number; height: number }>();
    let length = 0;
    const look = () => {
      const prose = document.querySelector(".turn .prose");
      if (prose) {
        seen.frames++;
        const { top } = prose.getBoundingClientRect();
        const blocks = [...prose.children];
        for (const [index, element] of blocks.slice(0, -2).entries()) {
          const rect = element.getBoundingClientRect();
          const now = { element, top: Math.round(rect.top - top), height: Math.round(rect.height) };
          const was = ended.get(index);
          const isFormula = element.classList.contains("formula");
          if (was && (was.element !== element || was.top !== now.top || was.height !== now.height) && !isFormula) {
            seen.moved.push(`${index} ${element.tagName} ${was.top},${was.height} to ${now.top},${now.height}`);
          }
          ended.set(index, now);
        }
        const text = prose.textContent?.length ?? 0;
        // Marks that turn out to be marks go: a few characters, never a block.
        if (text < length - 12) seen.shrunk++;
        length = text;
      }
      if (!document.querySelector(".colophon")) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

browserTest(
  "an answer with lists, tables, formulas and listings streams without a flicker or a jump",
  LOOSE,
  async () => {
    await using provider = startFakeProvider("openai-chat", [{ text: PIECES, delayMs: 15 }]);
    await withPage(browser, { model: provider.modelString }, async (page, site) => {
      await openStart(page, site);
      await watchFrames(page);
      await say(page, "Go on");
      await untilAnswered(page);
      const seen = await page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);
      assert.ok(seen.frames > 20, `${seen.frames} frames`);
      assert.deepEqual(seen.moved, []);
      assert.equal(seen.shrunk, 0);
      // Keeping the end in view moves everything by what was added, which is not counted; a jump would be.
      assert.ok(seen.shifts < 0.1, `${seen.shifts}`);
      await page.locator(".prose .k").first().waitFor();
      await page.locator(".prose .katex").first().waitFor();
    });
  },
);

browserTest("neither KaTeX nor the words of languages are loaded before a text needs them", LOOSE, async () => {
  await using provider = startFakeProvider("openai-chat", [{ text: "Plain words" }, {
    text: "```js\nlet a = $1$\n```",
  }]);
  await withPage(browser, { model: provider.modelString }, async (page, site) => {
    const loaded: string[] = [];
    page.on("response", async (response) => {
      if (response.url().endsWith(".js")) loaded.push(await response.text().catch(() => ""));
    });
    await openStart(page, site);
    await say(page, "First");
    await untilAnswered(page);
    const has = (sign: string) => loaded.some((text) => text.includes(sign));
    assert.ok(loaded.length > 0);
    assert.ok(!has("katex-display") && !has("constexpr"), "nothing of either came with the first load");
    await say(page, "Then");
    await page.locator(".prose .k").first().waitFor();
    assert.ok(has("constexpr"), "the words of the languages came with the first listing");
    assert.ok(!has("katex-display"), "KaTeX did not");
  });
});

browserTest("formulas stay as they are written until their styles are there, each of them", LOOSE, async () => {
  const answers = ["$$x^2$$\n\nThen $y^2$\n\n$$z^2$$", "$w^2$ and $v^2$"];
  await using provider = startFakeProvider("openai-chat", answers.map((text) => ({ text })));
  await withPage(browser, { model: provider.modelString }, async (page, site) => {
    const styles = Promise.withResolvers<void>();
    let asked = 0;
    await page.route(/katex\.min.*\.css/, async (route) => {
      if (asked++ === 0) return await route.abort();
      await styles.promise;
      await route.continue();
    });
    const code = page.waitForResponse(async (response) =>
      response.url().endsWith(".js") && (await response.text()).includes("katex-display")
    );
    const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("katex"));
    await openStart(page, site);
    await say(page, "First");
    await untilAnswered(page);
    await Promise.all([code, failed]);
    // The styles could not be loaded: nothing is set. The next formula asks for them again.
    await page.waitForFunction(() => !document.querySelector("link[data-katex]"));
    assert.equal(await page.locator(".prose .katex").count(), 0);
    await say(page, "Then");
    await untilAnswered(page, 2);
    await page.waitForFunction(() => document.querySelector("link[data-katex]"));
    assert.equal(await page.locator(".prose .katex").count(), 0);
    assert.deepEqual(await page.locator(".prose .formula").allInnerTexts(), [
      "$$x^2$$",
      "$y^2$",
      "$$z^2$$",
      "$w^2$",
      "$v^2$",
    ]);
    styles.resolve();
    await page.locator(".prose .katex").nth(1).waitFor();
  });
});
