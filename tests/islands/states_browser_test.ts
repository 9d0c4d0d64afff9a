/**
 * Every page and state, in both themes, on a desk and on a phone: nothing for the automated rules of accessibility to find,
 * and no sideways scroll. `access_browser_test.ts` walks the plain way; here are the states beside it.
 */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { browserTest, startChromium } from "../chromium.ts";
import { png } from "../core/log/sample_pictures.ts";
import { assertAccessible } from "./axe.ts";
import {
  LOOSE,
  openFolds,
  openStart,
  say,
  type Site,
  type SiteOptions,
  untilAnswered,
  untilIdle,
  untilLive,
  withPage,
} from "./harness.ts";
import { answers, ASKING, COAST, SCOUT, WAITING } from "./script.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

const WINDOWS = [[1440, 900], [360, 780]] as const;
const THEMES = ["light", "dark"] as const;
/** The narrowest phone to the widest desk; 720 and 640 are a desk and a small laptop at 200 %. */
const WIDTHS = [320, 360, 640, 720, 768, 1024, 1280, 1440, 1920] as const;

async function sidewaysScroll(page: Page): Promise<number> {
  return await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

async function lookAt(page: Page, where: string): Promise<void> {
  await assertAccessible(page, where);
  assert.equal(await sidewaysScroll(page), 0, `sideways scroll: ${where}`);
}

async function open(page: Page, site: Site, path: string): Promise<void> {
  await page.goto(site.url + path);
  await untilLive(page);
}

/** A conversation whose first message has a picture and two answers. */
async function twoVersions(site: Site): Promise<string> {
  const { id } = await site.assistant.conversations.create({ title: "Two versions" });
  const stored = await fetch(`${site.url}/api/attachments?name=map.png`, {
    method: "POST",
    body: new Uint8Array(png(600, 400)),
  });
  const { ref, name, media_type, bytes, width, height } = await stored.json();
  const { turn } = await post(site, `/api/conversations/${id}/messages`, {
    text: "Look at this map",
    images: [{ ref, name, media_type, bytes, width, height }],
  });
  await untilIdle(site, id);
  await post(site, `/api/conversations/${id}/turns/${turn}/regenerate`, {});
  await untilIdle(site, id);
  return id;
}

async function post(site: Site, path: string, body: unknown) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(site.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return await answer.json();
}

type Walk = (page: Page, site: Site, narrow: boolean) => Promise<void>;

function inEveryWindow(
  name: string,
  script: typeof COAST,
  walk: Walk,
  options: Pick<SiteOptions, "confirm" | "workers"> = {},
): void {
  for (const [width, height] of WINDOWS) {
    for (const colorScheme of THEMES) {
      browserTest(`axe: ${name}, at ${width} in the ${colorScheme} theme`, LOOSE, async () => {
        const context = { viewport: { width, height }, colorScheme };
        await withPage(browser, { script, context, ...options }, (page, site) => walk(page, site, width < 500));
      });
    }
  }
}

inEveryWindow("versions, an edit, a picture, dialogs", answers(6), async (page, site) => {
  const id = await twoVersions(site);
  await open(page, site, `/c/${id}`);
  await page.getByRole("group", { name: "Version 2 of 2" }).waitFor();
  await lookAt(page, "version arrows and a picture");
  await page.locator("#turn-1").hover();
  await page.getByRole("button", { name: "Edit" }).first().click();
  await page.getByRole("textbox", { name: /message/i }).first().waitFor();
  await lookAt(page, "a message being edited");
  await page.keyboard.press("Escape");
  await page.locator("main a:has(img)").first().click();
  await page.locator("dialog[open]").waitFor();
  await lookAt(page, "the picture, large");
  await page.keyboard.press("Escape");
});

inEveryWindow("busy: a queue, a line being changed, the ways to send", WAITING, async (page, site) => {
  await openStart(page, site);
  await say(page, "Wait");
  await page.locator(".stop-button").waitFor();
  await say(page, "Into it");
  await page.locator(".queue li").waitFor();
  await lookAt(page, "a queue");
  await page.locator(".queue").getByRole("button", { name: "Edit" }).click();
  await lookAt(page, "a message of the queue being changed");
  await page.keyboard.press("Escape");
  await page.locator("#say").fill("More");
  await page.locator(".send-menu > summary").click();
  // Half of it lies under the open menu.
  await page.locator(".queue").evaluate((queue: HTMLElement) => queue.hidden = true);
  await lookAt(page, "the ways to send");
  await page.keyboard.press("Escape");
  await page.locator(".stop-button").click();
});

inEveryWindow("the palette, the keys, pickers, an attachment, the rounds", COAST, async (page, site, narrow) => {
  await openStart(page, site);
  await page.locator(".hints [popovertarget=keys]").click();
  await page.locator("#keys").waitFor();
  await lookAt(page, "the keys");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.locator("#find").fill("con");
  await page.getByRole("option").first().waitFor();
  await lookAt(page, "the palette");
  await page.keyboard.press("Escape");
  await page.locator(".palette").waitFor({ state: "hidden" });
  if (narrow) await page.locator(".pick.only-narrow").click();
  await page.locator(".picker.models, .models").first().locator("summary, button").first().click();
  await lookAt(page, "the list of models");
  await page.keyboard.press("Escape");
  if (narrow) await page.keyboard.press("Escape");
  const buffer = Buffer.from(png(40, 30));
  await page.setInputFiles(".composer input[type=file]", { name: "map.png", mimeType: "image/png", buffer });
  await page.waitForFunction(() => document.querySelectorAll(".attached .chip:not(:has(progress))").length === 1);
  await lookAt(page, "an attachment");
  await say(page, "Three days on the coast path");
  await untilAnswered(page);
  if (narrow) {
    await page.getByLabel("More for this conversation").click();
    await page.getByRole("button", { name: "Rounds" }).last().click();
  } else await page.locator(".head").getByRole("button", { name: "Rounds", exact: true }).click();
  await page.locator(".round-line").waitFor();
  await lookAt(page, "the rounds");
});

inEveryWindow(
  "cut off, with something that waits; the drawer; a page for no connection",
  answers(1),
  async (page, site, narrow) => {
    await openStart(page, site);
    await say(page, "Hello");
    await untilAnswered(page);
    if (narrow) {
      await page.getByRole("button", { name: "Open the side" }).click();
      await page.locator("#side:popover-open").waitFor();
      await lookAt(page, "the drawer");
      await page.keyboard.press("Escape");
    }
    await page.goto(`${site.url}/nowhere`);
    await lookAt(page, "a page that is not there");
    await page.goto(`${site.url}/api/../c/x%20y`);
    await lookAt(page, "a conversation that is not there");
    await page.route("**/healthz", (route) => route.abort());
    await page.goto(`${site.url}/offline`);
    await untilLive(page);
    await lookAt(page, "the page for no connection");
    await openStart(page, site);
    await site.server.close();
    await page.locator(".hints.said-hint").waitFor();
    await lookAt(page, "cut off");
    await say(page, "Kept");
    await page.getByText("Kept").first().waitFor();
    await lookAt(page, "cut off, with something that waits");
  },
);

inEveryWindow("questions, what is written to answer them, sub-agents, permissions", ASKING, async (page, site) => {
  const question = page.locator(".ask-card").first();
  await openStart(page, site);
  await say(page, "Go");
  await page.locator(".ask-card").nth(1).waitFor();
  await page.locator(".question").first().getByText("Exact JSON").click();
  await lookAt(page, "questions, one in a sub-agent's card");
  for (const width of [320, 360, 640]) {
    const { height } = page.viewportSize()!;
    const before = page.viewportSize()!;
    await page.setViewportSize({ width, height });
    assert.equal(await sidewaysScroll(page), 0, `questions at ${width}`);
    await page.setViewportSize(before);
  }
  await question.getByRole("button", { name: "Deny" }).click();
  await lookAt(page, "a reason being written");
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Edit arguments" }).click();
  await question.getByRole("textbox").fill("{");
  await question.getByRole("button", { name: "Allow once with these" }).click();
  await lookAt(page, "arguments that are no JSON");
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Always" }).click();
  await lookAt(page, "a rule before it is kept");
  await question.getByRole("button", { name: "Keep the rule and allow" }).click();
  await page.locator(".ask-card").first().getByRole("button", { name: "Allow once" }).click();
  await untilAnswered(page);
  await openFolds(page);
  await lookAt(page, "answered questions and a sub-agent's card, open");
  await open(page, site, "/permissions");
  await lookAt(page, "the permissions");
  await page.getByRole("button", { name: /Revoke/ }).click();
  await page.getByText("The rule was revoked").waitFor();
  await lookAt(page, "a revoked rule");
}, { confirm: ["bench.say_back", "bench.read_file"], workers: { scout: SCOUT } });

browserTest("no page scrolls sideways, from 320 to 1920 pixels and at 200 %", LOOSE, async () => {
  await withPage(browser, { script: COAST }, async (page, site) => {
    const id = await twoVersions(site);
    const long = await site.assistant.conversations.create({ title: "W".repeat(40) });
    await page.route("**/healthz", (route) => route.abort());
    for (
      const path of ["/", `/c/${id}`, `/c/${long.id}`, "/permissions", "/usage", "/settings", "/offline", "/nowhere"]
    ) {
      await page.goto(site.url + path);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        assert.equal(await sidewaysScroll(page), 0, `${path} at ${width}`);
      }
    }
  });
});

browserTest("the door does not scroll sideways either", LOOSE, async () => {
  await withPage(browser, { auth: "token" }, async (page, site) => {
    for (const path of ["/login", "/login?signed_out"]) {
      await page.goto(site.url + path);
      await lookAt(page, path);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        assert.equal(await sidewaysScroll(page), 0, `${path} at ${width}`);
      }
    }
  });
});
