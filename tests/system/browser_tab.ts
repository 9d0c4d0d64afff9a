/**
 * Tabs of a real browser that signed in, and all they may not do written down.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { DESK, untilLive } from "../islands/harness.ts";

export { browserTest, startChromium } from "../chromium.ts";
export { LOOSE, say, untilLive } from "../islands/harness.ts";

/** What may be asked of the product a browser signs in to. */
interface Door {
  readonly url: string;
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
}

export class Tab {
  readonly #misdeeds: string[] = [];
  /** While it is cut off, its failed requests are what we want. */
  isCutOff = false;

  constructor(readonly page: Page, host: string) {
    page.on("console", (message) => {
      if (message.type() === "error" && !this.isCutOff) this.#misdeeds.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.#misdeeds.push(`threw: ${error}`));
    page.on("request", (request) => {
      const url = new URL(request.url());
      const own = url.host === host || url.protocol === "data:" || url.protocol === "blob:";
      if (!own) this.#misdeeds.push(`asked ${request.url()}`);
    });
  }

  /** The transcript as a reader sees it. */
  async text(): Promise<string> {
    return plain(await this.page.locator("#log").innerText());
  }

  /** All of the main part, but for the hints below the composer and what says how far down the page is. */
  async main(): Promise<string> {
    return plain(await this.page.locator("main").innerText());
  }

  /** The transcript's markup. A title that was taken away leaves an empty one, which says nothing. */
  async markup(): Promise<string> {
    return (await this.page.locator("#log").innerHTML()).replaceAll(' title=""', "");
  }

  /** Waits until the transcript shows it. */
  async shows(text: string | RegExp): Promise<void> {
    await this.page.locator("#log").getByText(text).first().waitFor({ state: "attached" });
  }

  /** Waits until so many turns have ended. */
  async ended(turns: number): Promise<void> {
    await this.page.locator(".colophon").nth(turns - 1).waitFor();
  }

  /** Whether the policy was broken, a script failed, or another host was asked for anything. */
  assertWellBehaved(): void {
    assert.deepEqual(this.#misdeeds, []);
  }
}

/** A browser with a session of its own. `url` where it reaches the product by another way. */
export async function signIn(browser: Browser, door: Door, url = door.url): Promise<BrowserContext> {
  const context = await browser.newContext(DESK);
  context.setDefaultTimeout(20_000);
  const code = new URL((await door.call<{ url: string }>("POST", "/api/login-codes")).url);
  const page = await context.newPage();
  await page.goto(url + code.pathname + code.search);
  await page.close();
  return context;
}

/** Opens a tab of that browser and waits until it is live. */
export async function openTab(context: BrowserContext, address: string): Promise<Tab> {
  const tab = new Tab(await context.newPage(), new URL(address).host);
  await tab.page.goto(address);
  await untilLive(tab.page);
  return tab;
}

function plain(text: string): string {
  return text.replace(/[^\S\n]+/g, " ").replace(/\n\s*/g, "\n").trim();
}
