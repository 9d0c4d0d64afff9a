import assert from "node:assert/strict";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { LOOSE, openStart, say, untilAnswered, untilLive, withPage } from "./harness.ts";
import { answers } from "./script.ts";
import { browserTest, startChromium } from "../chromium.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

const PHONE = { viewport: { width: 320, height: 700 }, hasTouch: true } as const;

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
const effort = (page: Page) => page.locator(".picker.effort > summary");
const models = (page: Page) => page.locator(".picker.models > summary");

/** The bodies of what the page asks of a path, in order. */
function watchBodies(page: Page, path: RegExp): Record<string, unknown>[] {
  const bodies: Record<string, unknown>[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET" && path.test(request.url())) bodies.push(JSON.parse(request.postData() ?? "{}"));
  });
  return bodies;
}

async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run(document.querySelector(".composer")!, { resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

browserTest(
  "the effort is chosen with keys, rides on messages until changed, and survives a reload",
  LOOSE,
  async () => {
    await withPage(browser, { script: answers(3) }, async (page, site) => {
      const bodies = watchBodies(page, /\/messages$/);
      await openStart(page, site);
      await effort(page).press("Enter");
      assert.match(await focused(page), /^default/);
      await page.keyboard.press("ArrowDown");
      assert.match(await focused(page), /^off/);
      await page.keyboard.press("End");
      assert.match(await focused(page), /^high/);
      await page.keyboard.press("m");
      assert.match(await focused(page), /^medium/);
      await page.keyboard.press("Enter");
      assert.equal(await focused(page), "Effort: medium");
      await say(page, "One");
      await untilAnswered(page);
      assert.equal(await effort(page).innerText(), "Effort: medium", "it goes along with the conversation that began");
      await page.reload();
      await untilLive(page);
      await effort(page).getByText("Effort: medium").waitFor();
      await say(page, "Two");
      await untilAnswered(page, 2);
      await effort(page).press("Enter");
      await page.getByRole("button", { name: "off answers at once" }).click();
      await say(page, "Three");
      await untilAnswered(page, 3);
      assert.deepEqual(bodies.map(({ thinking }) => thinking), ["medium", "medium", false]);
      await page.goto(`${site.url}/`);
      await effort(page).getByText("Effort: default").waitFor();
    });
  },
);

browserTest("Escape closes a picker and gives the focus back; a click elsewhere closes it too", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    await openStart(page, site);
    for (const opener of [effort(page), models(page)]) {
      await opener.press("ArrowDown");
      await page.locator(".picker[open]").waitFor();
      await page.keyboard.press("Escape");
      assert.equal(await page.locator(".picker[open]").count(), 0);
      assert.equal(await opener.evaluate((summary) => summary === document.activeElement), true);
    }
    await effort(page).click();
    await page.locator(".head").click({ position: { x: 600, y: 10 } });
    assert.equal(await page.locator(".picker[open]").count(), 0);
    await effort(page).press("Enter");
    await page.locator(".picker[open]").waitFor();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    assert.equal(await page.locator(".picker[open]").count(), 0, "left with Tab it closes");
  });
});

browserTest(
  "a model chosen for a new conversation begins it, and can be changed and given up later",
  LOOSE,
  async () => {
    await withPage(browser, { script: answers(1) }, async (page, site) => {
      const created = watchBodies(page, /\/api\/conversations$/);
      const changed = watchBodies(page, /\/api\/conversations\/[0-9A-Z]{26}$/);
      await openStart(page, site);
      await models(page).click();
      await page.getByRole("button", { name: /^demo:tour/ }).click();
      assert.equal(await models(page).innerText(), "demo:tour");
      await page.reload();
      await untilLive(page);
      assert.equal(await models(page).innerText(), "demo:tour", "kept over a reload");
      await say(page, "What time is it in Tokyo?");
      await untilAnswered(page);
      assert.deepEqual(created, [{ model: "demo:tour" }]);
      assert.match(await page.locator(".colophon").innerText(), /demo:tour/);
      await models(page).click();
      await page.getByRole("button", { name: /The agent’s own/ }).click();
      await page.waitForFunction(() =>
        document.querySelector(".picker.models > summary")?.textContent?.includes("script")
      );
      await say(page, "And by yours?");
      await untilAnswered(page, 2);
      assert.match(await page.locator(".colophon").last().innerText(), /demo:script/);
      assert.deepEqual(changed, [{ model: null }]);
      await page.goto(`${site.url}/`);
      await untilLive(page);
      assert.equal(await models(page).innerText(), "demo:script", "the next conversation begins with the agent's own");
    });
  },
);

browserTest(
  "a model that needs a key says which, and cannot be chosen; what nothing is called is said",
  LOOSE,
  async () => {
    const listed = [
      { string: "demo:tour", provider: "demo", id: "tour", source: "demo", thinking: true },
      { string: "ollama:qwen3:8b", provider: "ollama", id: "qwen3:8b", source: "local", context_window: 40_960 },
      ...["a", "b", "c", "d", "e"].map((id) => ({
        string: `openai:${id}`,
        provider: "openai",
        id,
        source: "catalogue",
        needs_key: "OPENAI_API_KEY",
        context_window: 1_000_000,
        price: { input: 2.5, output: 15 },
      })),
    ].map((model) => ({ images: false, tools: true, thinking: false, reachable: null, needs_key: null, ...model }));
    await withPage(browser, { model: "demo:tour" }, async (page, site) => {
      await page.route(/\/api\/models$/, (route) => route.fulfill({ json: { items: listed } }));
      await openStart(page, site);
      await models(page).click();
      const sheet = page.locator(".picker.models .sheet");
      await sheet.getByText("needs OPENAI_API_KEY").first().waitFor();
      const heads = await sheet.locator(".picker-head").allInnerTexts();
      assert.deepEqual(heads, ["On this machine", "Demonstration", "With a key"]);
      assert.match(await sheet.innerText(), /ollama · 41K · no cost/);
      assert.match(await sheet.innerText(), /openai · 1M · \$2\.5 in, \$15 out · needs OPENAI_API_KEY/);
      await sheet.locator('.choice[aria-disabled="true"]').first().click({ force: true });
      assert.equal(await models(page).innerText(), "demo:tour");
      assert.equal(await sheet.isVisible(), true);
      await page.getByLabel("Filter the models").fill("no such model");
      await sheet.getByText("No model is called so").waitFor();
      await page.getByLabel("Filter the models").fill("qwen");
      await page.keyboard.press("Enter");
      assert.equal(await models(page).innerText(), "qwen3:8b");
      assert.equal(await effort(page).count(), 0, "a model that cannot think is not asked to");
    });
  },
);

browserTest("plan first is there only where the agent declares planning, and is for one message", LOOSE, async () => {
  await withPage(browser, { script: answers(1) }, async (page, site) => {
    await openStart(page, site);
    await effort(page).waitFor();
    assert.equal(await page.getByLabel("Plan first").count(), 0);
    const agents = [{ name: "assistant", entry: true, toolsets: [{ name: "planning", resident: true }] }];
    await page.route(/\/api\/agents$/, (route) => route.fulfill({ json: { items: agents } }));
    const bodies = watchBodies(page, /\/messages$/);
    await page.route(/\/messages$/, (route) => route.fulfill({ status: 202, json: { fate: "turn", turn: "t" } }));
    await page.reload();
    await page.getByLabel("Plan first").check();
    await say(page, "A large thing");
    await page.waitForFunction(() => !(document.querySelector(".toggle input") as HTMLInputElement).checked);
    await page.waitForFunction(() => location.pathname.includes("/c/"));
    while (bodies.length === 0) await page.waitForRequest(/\/messages$/, { timeout: 2000 }).catch(() => {});
    assert.equal(bodies[0]!.plan, true);
  });
});

browserTest(
  "at 320 px everything folds into one button, stays inside the window, and can be touched",
  LOOSE,
  async () => {
    await withPage(browser, { script: answers(1), context: PHONE }, async (page, site) => {
      await openStart(page, site);
      assert.equal(await page.locator("button.only-narrow").isVisible(), false, "at rest it is one line");
      assert.ok((await page.locator(".composer .box").boundingBox())!.height <= 60);
      await page.locator("#say").focus();
      await page.getByRole("button", { name: "How to answer: demo:script" }).click();
      await page.locator(".options:popover-open").waitFor();
      for (const picker of [effort(page), models(page)]) {
        await picker.click();
        const sheet = await page.locator(".picker[open] .sheet").boundingBox();
        assert.ok(
          sheet && sheet.x >= 0 && sheet.x + sheet.width <= 320 && sheet.y + sheet.height <= 701,
          "in the window",
        );
        assert.deepEqual(await findings(page), []);
        await page.keyboard.press("Escape");
      }
      await effort(page).click();
      await page.getByRole("button", { name: /^high/ }).click();
      await page.keyboard.press("Escape");
      await page.locator(".options:popover-open").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "How to answer: demo:script, effort high" }).waitFor();
      const small = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>(".composer :is(button, summary)")]
          .map((button) => ({ name: button.getAttribute("aria-label"), box: button.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0 && (box.height < 43.5 || box.width < 43.5)).map(({ name }) => name)
      );
      assert.deepEqual(small, []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    });
  },
);

browserTest("open pickers pass the automated rules, light and dark", LOOSE, async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    await withPage(browser, { script: answers(1), context: { colorScheme } }, async (page, site) => {
      await openStart(page, site);
      await effort(page).click();
      assert.deepEqual(await findings(page), []);
      await models(page).click();
      await page.locator(".picker.models .choice").nth(2).waitFor();
      assert.deepEqual(await findings(page), []);
    });
  }
});
