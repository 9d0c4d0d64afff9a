/** Questions on the page: the real gate, the real page, a real browser (B.1, ARCHITECTURE section 12). */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { ScriptedTurn } from "../../core/model/mod.ts";
import { browserTest, startChromium } from "../chromium.ts";
import { LOOSE, openStart, say, type Site, type SiteOptions, untilAnswered, untilLive, withPage } from "./harness.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

const CONFIRM = ["bench.say_back", "bench.read_file"];
const call = (text: string, name = "say_back") => ({
  name,
  arguments: name === "say_back" ? { text } : { path: text },
});
/** Calls that ask, then an answer that repeats nothing. */
const asks = (...texts: string[]): readonly ScriptedTurn[] => [
  { tool_calls: texts.map((text) => call(text)) },
  { text: "Done with it." },
];

const cards = (page: Page) => page.locator(".ask-card");
const inFocus = (page: Page) => page.evaluate(() => document.activeElement?.closest(".ask-card") !== null);

/** Opens a site whose calls ask, and says something that leads to a question. */
async function withQuestion(
  options: SiteOptions & { readonly context?: Record<string, unknown> },
  run: (page: Page, site: Site) => Promise<void>,
): Promise<void> {
  await withPage(browser, { confirm: CONFIRM, script: asks("one"), ...options }, async (page, site) => {
    await openStart(page, site);
    await say(page, "Go");
    await cards(page).first().waitFor();
    await run(page, site);
  });
}

/** Puts the focus into the only card, as the key of the table does. */
async function goToCard(page: Page): Promise<void> {
  await page.keyboard.press("Control+'");
  await page.waitForFunction(() => document.activeElement?.classList.contains("ask-card"));
}

/** Waits for the next question. */
async function untilAsked({ assistant: { approvals } }: Site): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = approvals.subscribe((waiting) => waiting.length > 0 && resolve());
  await promise.finally(end);
}

function idOf(page: Page): string {
  return new URL(page.url()).pathname.split("/").at(-1)!;
}

browserTest(
  "a call waits with all that is to be known of it, runs when it is allowed, and leaves one line",
  LOOSE,
  async () => {
    await withQuestion({}, async (page) => {
      const card = cards(page);
      assert.match(await card.innerText(), /assistant asks to run say_back/);
      assert.match(await card.innerText(), /Says it back[\s\S]*text\s+one[\s\S]*From the toolset bench/);
      assert.match(await card.innerText(), /Denied by itself in 10 min/);
      await page.locator(".line", { hasText: "say_back" }).getByText("waiting for you").waitFor();
      await card.getByText("Exact JSON").click();
      assert.match(await card.locator("pre").innerText(), /\{\s+"text": "one"\s+\}/);
      await card.getByRole("button", { name: "Allow once" }).click();
      await untilAnswered(page);
      assert.equal(await cards(page).count(), 0);
      await page.getByText(/You allowed say_back, \d\d:\d\d/).waitFor();
      await page.getByText("Done with it.", { exact: true }).waitFor();
    });
  },
);

browserTest(
  "the focus stays with someone who writes, and letters meant for a message answer nothing",
  LOOSE,
  async () => {
    await withQuestion({}, async (page, site) => {
      assert.equal(await inFocus(page), false, "the composer had it");
      await page.keyboard.type("add a dot, too");
      assert.equal(await page.locator("#say").inputValue(), "add a dot, too");
      assert.equal(site.assistant.approvals.waiting().length, 1);
      await page.locator("#say").fill("");
    });
  },
);

browserTest("the focus comes to a card where nothing has it, and keys answer once it has settled", LOOSE, async () => {
  await withPage(browser, { confirm: CONFIRM, script: asks("one") }, async (page, site) => {
    const { id } = await site.assistant.conversations.create({ title: "Bread" });
    await page.goto(`${site.url}/c/${id}`);
    await untilLive(page);
    const atTime = (ms: number) => page.evaluate((now) => void (performance.now = () => now), ms);
    await atTime(10_000);
    await site.assistant.turns.submit(id, { text: "Go" });
    await page.waitForFunction(() => document.activeElement?.classList.contains("ask-card"));
    await atTime(10_500);
    await page.keyboard.press("t");
    await atTime(10_700);
    await page.keyboard.press("a");
    await untilAnswered(page);
    // Not "for this turn": the letter that was on its way answered nothing.
    await page.getByText(/You allowed say_back,/).waitFor();
  });
});

browserTest(
  "a rule that is shown comes into view with its buttons, none of them under the composer",
  LOOSE,
  async () => {
    const script = [{ tool_calls: [{ name: "execute_typescript", arguments: { code: "1 + 1" } }] }, { text: "Done" }];
    await withQuestion({ script, confirm: ["compute.execute_typescript"] }, async (page) => {
      await page.setViewportSize({ width: 1440, height: 640 });
      const always = cards(page).getByRole("button", { name: "Always" });
      await page.locator(".asking").waitFor();
      await always.evaluate((button) => {
        const bar = document.querySelector(".asking")?.getBoundingClientRect().top ?? 0;
        scrollBy(0, button.getBoundingClientRect().bottom - bar + 8);
      });
      await always.click();
      const keep = cards(page).getByRole("button", { name: "Keep the rule and allow" });
      await keep.waitFor();
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      const isSeen = await keep.evaluate((button) => {
        const { left, bottom } = button.getBoundingClientRect();
        return document.elementFromPoint(left + 12, bottom - 4)?.closest("button") === button;
      });
      assert.ok(isSeen);
    });
  },
);

browserTest("denying takes a reason, which the model reads", LOOSE, async () => {
  await withQuestion({}, async (page) => {
    await goToCard(page);
    await page.keyboard.press("d");
    await page.getByPlaceholder("Reason, if you like").waitFor();
    await page.keyboard.type("not a day for it");
    await page.keyboard.press("Enter");
    await untilAnswered(page);
    await page.getByText("You denied say_back: “not a day for it”").waitFor();
    const line = page.locator(".line-block", { hasText: "say_back" }).first();
    await line.locator("summary").click();
    assert.match(await line.innerText(), /denied[\s\S]*the person denied it and says: not a day for it/);
  });
});

browserTest("Escape leaves what was begun, not the card and not the turn", LOOSE, async () => {
  await withQuestion({}, async (page, site) => {
    await goToCard(page);
    await page.keyboard.press("d");
    await page.getByPlaceholder("Reason, if you like").waitFor();
    await page.keyboard.press("Escape");
    await cards(page).getByRole("button", { name: "Allow once" }).waitFor();
    assert.equal(await inFocus(page), true);
    assert.equal(site.assistant.turns.running().length, 1);
  });
});

browserTest(
  "arguments are edited as JSON: what is none, and what does not fit, is said; what fits runs",
  LOOSE,
  async () => {
    await withQuestion({}, async (page) => {
      await goToCard(page);
      await page.keyboard.press("e");
      const field = cards(page).getByRole("textbox");
      await field.fill("{ no");
      await cards(page).getByRole("button", { name: "Allow once with these" }).click();
      assert.match(await cards(page).getByRole("alert").innerText(), /^This is not JSON yet/);
      await field.fill('{ "text": 7, "other": true }');
      await cards(page).getByRole("button", { name: "Allow once with these" }).click();
      await cards(page).getByText(/do not fit say_back/).waitFor();
      await field.fill('{ "text": "two" }');
      await cards(page).getByRole("button", { name: "Allow once with these" }).click();
      await untilAnswered(page);
      const line = page.locator(".decided");
      assert.match(await line.innerText(), /You allowed say_back, with other arguments/);
      await line.getByText("More").click();
      assert.match(await line.innerText(), /with other arguments than the model gave/);
      await page.locator(".line", { hasText: "say_back" }).getByText("two").first().waitFor();
    });
  },
);

browserTest(
  "always shows its rule before it is kept; the page of permissions lists it, takes it back, and undoes that",
  LOOSE,
  async () => {
    const script = [...asks("one"), ...asks("two"), ...asks("three")];
    await withQuestion({ script }, async (page, site) => {
      await cards(page).getByRole("button", { name: "Always" }).click();
      assert.match(await cards(page).innerText(), /Always let assistant run say_back, whatever it is given/);
      assert.equal((await site.assistant.approvals.rules()).length, 0, "nothing is kept yet");
      await cards(page).getByRole("button", { name: "Keep the rule and allow" }).click();
      await untilAnswered(page);
      await page.getByText(/You allowed say_back from now on/).waitFor();
      await say(page, "Again");
      await untilAnswered(page, 2);
      await page.getByText(/A rule of yours allowed say_back/).waitFor();
      await page.goto(`${site.url}/permissions`);
      await page.getByText("Always let assistant run say_back, whatever it is given").waitFor();
      await page.getByText("or of [assistant.tools] where it has none of its own").waitFor();
      await page.getByRole("button", { name: /Revoke/ }).click();
      await page.getByText("The rule was revoked").waitFor();
      assert.equal((await site.assistant.approvals.rules()).length, 0);
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("button", { name: /Revoke/ }).waitFor();
      assert.equal((await site.assistant.approvals.rules()).length, 1);
    });
  },
);

browserTest(
  "several questions are counted, walked and answered in any order; the focus goes on to the next",
  LOOSE,
  async () => {
    await withQuestion({ script: asks("one", "two", "three") }, async (page) => {
      await cards(page).nth(2).waitFor();
      await page.locator(".asking").getByText("3 questions wait").waitFor();
      const at = () => page.evaluate(() => document.activeElement?.querySelector("dd")?.textContent ?? null);
      await goToCard(page);
      assert.equal(await at(), "one");
      await page.keyboard.press("Control+'");
      assert.equal(await at(), "two");
      await page.keyboard.press("a");
      await page.waitForFunction(() => document.querySelectorAll(".ask-card").length === 2);
      await page.waitForFunction(() => document.activeElement?.classList.contains("ask-card"));
      await page.locator(".asking").getByRole("button", { name: "Show" }).click();
      await page.locator(".asking").getByRole("button", { name: "Show" }).click();
      await page.keyboard.press("t");
      await untilAnswered(page);
      await page.locator(".asking").waitFor({ state: "detached" });
      assert.equal(await page.locator(".decided").count(), 3, "for this turn covered the last one too");
    });
  },
);

browserTest("a question is answered in a second tab, and the first one's card closes", LOOSE, async () => {
  await withQuestion({}, async (page, site) => {
    const other = await page.context().newPage();
    await other.goto(`${site.url}/c/${idOf(page)}`);
    await untilLive(other);
    await cards(other).getByRole("button", { name: "Allow once" }).click();
    await untilAnswered(page);
    await page.getByText(/You allowed say_back,/).waitFor();
    assert.equal(await cards(page).count(), 0);
    await other.close();
  });
});

browserTest("a question is there after a reload, drawn by the server, and can be answered", LOOSE, async () => {
  await withQuestion({}, async (page, site) => {
    const html = await (await fetch(page.url())).text();
    assert.match(html, /class="ask-card"[\s\S]*say_back/);
    await page.reload();
    await untilLive(page);
    await page.locator(".asking").waitFor();
    await cards(page).getByRole("button", { name: "Allow once" }).click();
    await untilAnswered(page);
    assert.equal(site.assistant.approvals.waiting().length, 0);
  });
});

browserTest(
  "a question elsewhere is an alert with a way there, and marks on the row, the title and the icon",
  LOOSE,
  async () => {
    await withPage(browser, { confirm: CONFIRM, script: asks("one") }, async (page, site) => {
      await openStart(page, site);
      const icon = () => page.locator("link[rel=icon]").getAttribute("href");
      const plain = await icon();
      const { id } = await site.assistant.conversations.create({ title: "Bread" });
      await site.assistant.turns.submit(id, { text: "Go" });
      await page.locator(".alert", { hasText: "Bread" }).getByRole("link", { name: "Open" }).waitFor();
      await page.locator(".row", { hasText: "Bread" }).locator(".mark.ask").waitFor();
      await page.waitForFunction(() => document.title.startsWith("◆ "));
      assert.notEqual(await icon(), plain);
      await page.locator(".alert", { hasText: "Bread" }).getByRole("link", { name: "Open" }).click();
      await cards(page).getByRole("button", { name: "Allow once" }).click();
      await untilAnswered(page);
      await page.waitForFunction(() => !document.title.includes("◆"));
      assert.equal(await icon(), plain);
    });
  },
);

browserTest(
  "without a connection a card says that it cannot be answered now, and keeps what it shows",
  LOOSE,
  async () => {
    await withQuestion({}, async (page, site) => {
      await site.server.close();
      await cards(page).getByText("Not connected. It can be answered when the connection is back").waitFor();
      assert.equal(await cards(page).getByRole("button", { name: "Allow once" }).getAttribute("aria-disabled"), "true");
      await cards(page).getByRole("button", { name: "Allow once" }).click({ force: true });
      assert.equal(await cards(page).count(), 1);
    });
  },
);

browserTest("a question whose time is up closes with its words", LOOSE, async () => {
  await withQuestion({ approvalTimeout: 1 }, async (page) => {
    await page.getByText("Nobody answered in time, so say_back was denied").waitFor();
    await untilAnswered(page);
  });
});

browserTest("a turn that is stopped closes its question", LOOSE, async () => {
  await withQuestion({}, async (page) => {
    await page.locator(".stop-button").click();
    await untilAnswered(page);
    await page.getByText("The turn ended before anybody answered: say_back did not run").waitFor();
    assert.equal(await page.locator(".asking").count(), 0);
  });
});

browserTest("without scripts a question can be read whole, allowed and denied", LOOSE, async () => {
  const script = [...asks("one"), ...asks("two")];
  await withPage(browser, { confirm: CONFIRM, script, context: { javaScriptEnabled: false } }, async (page, site) => {
    const { id } = await site.assistant.conversations.create({ title: "Bread" });
    for (const [answer, said] of [["Allow once", "You allowed say_back"], ["Deny", "You denied say_back"]] as const) {
      const asked = untilAsked(site);
      await site.assistant.turns.submit(id, { text: "Go" });
      await asked;
      await page.goto(`${site.url}/c/${id}`);
      assert.match(await cards(page).innerText(), /assistant asks to run say_back/);
      assert.equal(await cards(page).getByRole("button", { name: "Always" }).isVisible(), false);
      await cards(page).getByRole("button", { name: answer }).click();
      await page.getByText(said).waitFor();
    }
  });
});
