/**
 * Pictures of the page in all its states, to be looked at: `deno run -A tests/islands/preview.ts <folder>`.
 *
 * @module
 */
import type { Page } from "playwright-core";
import { say, startSite, untilAnswered, untilLive } from "./harness.ts";
import { answers, ASKING, BROKEN, COAST, DAYS, MANY, SCOUT, SLOW } from "./script.ts";
import { startChromium } from "../chromium.ts";

const folder = Deno.args[0] ?? "preview";
await Deno.mkdir(folder, { recursive: true });
const browser = await startChromium();

async function shoot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${folder}/${name}.png` });
}

async function walk(name: string, width: number, height: number, colorScheme: "light" | "dark"): Promise<void> {
  const site = await startSite({ script: [...COAST, ...DAYS, ...MANY, ...SLOW, ...answers(1), ...BROKEN] });
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    hasTouch: width < 500,
    deviceScaleFactor: 1,
  });
  const page = await context.newPage();
  page.on("console", (message) => console.log(name, message.type(), message.text()));
  page.on("pageerror", (error) => console.log(name, error));
  await page.goto(site.url);
  await untilLive(page);
  await shoot(page, `${name}-1-empty`);
  await say(
    page,
    "Three days on the coast path in October, two of us, under 400 all in. Our notes are in notes/coast.md.",
  );
  await untilAnswered(page);
  await page.evaluate(() => scrollTo(0, 0));
  await shoot(page, `${name}-2-tools`);
  await say(page, "How long is each day really?");
  await untilAnswered(page, 2);
  await page.waitForTimeout(1200);
  await shoot(page, `${name}-3-answer`);
  await page.locator(".line-block summary").nth(1).click();
  await page.locator(".line-block summary").nth(0).click();
  await shoot(page, `${name}-4-open`);
  await say(page, "Now many calls");
  await untilAnswered(page, 3);
  await say(page, "And slowly, please");
  await page.locator(".prose.live").waitFor();
  await page.waitForTimeout(1500);
  await shoot(page, `${name}-5-streaming`);
  await say(page, "This one waits its turn");
  await page.waitForTimeout(300);
  await shoot(page, `${name}-6-queued`);
  await page.locator(".stop-button").click();
  await untilAnswered(page, 5);
  await say(page, "Please break off");
  await untilAnswered(page, 6);
  await shoot(page, `${name}-7-failed`);
  if (width < 500) {
    await page.getByRole("button", { name: "Open the side" }).click();
    await shoot(page, `${name}-8-side`);
  } else {
    await page.locator(".row").first().hover();
    await page.locator(".row summary").first().click();
    await shoot(page, `${name}-8-menu`);
  }
  for (const path of ["usage", "settings", "nowhere"]) {
    await page.goto(`${site.url}/${path}`);
    await shoot(page, `${name}-9-${path}`);
  }
  await page.goto(site.url);
  await untilLive(page);
  await page.locator("#say").fill("A draft, written while the server goes away");
  await site.close();
  await page.locator(".hints.said-hint").waitFor();
  await page.locator("#say").press("Enter");
  await page.waitForTimeout(300);
  await shoot(page, `${name}-10-offline`);
  await context.close();
}

/** Questions, sub-agents and the permissions. */
async function ask(name: string, width: number, height: number, colorScheme: "light" | "dark"): Promise<void> {
  const confirm = ["bench.say_back", "bench.read_file"];
  const site = await startSite({ script: ASKING, workers: { scout: SCOUT }, confirm });
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, hasTouch: width < 500 });
  const page = await context.newPage();
  await page.goto(site.url);
  await untilLive(page);
  await say(page, "Write it down, and look the ferry up");
  await page.locator(".ask-card").nth(1).waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  await shoot(page, `${name}-11-questions`);
  await page.locator(".asking button").click();
  await page.locator(".ask-card").first().getByRole("button", { name: "Edit arguments" }).click();
  await shoot(page, `${name}-12-edit`);
  await page.keyboard.press("Escape");
  await page.locator(".ask-card").first().getByRole("button", { name: "Always" }).click();
  await shoot(page, `${name}-13-always`);
  await page.getByRole("button", { name: "Keep the rule and allow" }).click();
  await page.locator(".ask-card").getByRole("button", { name: "Allow once" }).last().click();
  await untilAnswered(page);
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll<HTMLDetailsElement>("main details.line-block")) fold.open = true;
  });
  await page.screenshot({ path: `${folder}/${name}-14-answered.png`, fullPage: true });
  await page.goto(`${site.url}/permissions`);
  await shoot(page, `${name}-15-permissions`);
  await context.close();
  await site.close();
}

for (
  const [name, width, height, scheme] of [
    ["light", 1440, 900, "light"],
    ["dark", 1440, 900, "dark"],
    ["phone", 360, 780, "light"],
  ] as const
) {
  await walk(name, width, height, scheme);
  await ask(name, width, height, scheme);
}
const locked = await startSite({ auth: "token" });
const door = await browser.newPage({ viewport: { width: 1000, height: 700 } });
await door.goto(`${locked.url}/login?code=wrong`);
await shoot(door, "door");
await locked.close();
await browser.close();
