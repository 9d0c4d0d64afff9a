/** Two tabs and a terminal on one conversation show the same, whatever happens to each of them in between. */
import assert from "node:assert/strict";
import { startFakeProvider } from "../providers/mod.ts";
import { browserTest, LOOSE, openTab, say, signIn, startChromium, type Tab, untilLive } from "./browser_tab.ts";
import { CuttableLine } from "./cuttable_line.ts";
import { startProduct } from "./product.ts";
import { sitDown } from "./terminal_seat.ts";
import { Valve } from "./valve.ts";

const browser = await startChromium();
const product = await startProduct({ model: "demo:echo;tps=0" });
Deno.test.afterAll(async () => {
  await browser.close();
  await product[Symbol.asyncDispose]();
});

const address = (id: string, url = product.url) => `${url}/c/${id}`;

/** The transcript without the time that still runs. */
async function standing(tab: Tab): Promise<string> {
  return (await tab.text()).replace(/Working, \d+:\d+/g, "Working");
}

async function assertSame(tabs: readonly Tab[]): Promise<void> {
  const [first, ...others] = await Promise.all(tabs.map((tab) => tab.main()));
  for (const other of others) assert.equal(other, first);
  const [markup, ...rest] = await Promise.all(tabs.map((tab) => tab.markup()));
  for (const other of rest) assert.equal(other, markup);
}

function times(text: string, piece: string): number {
  return text.split(piece).length - 1;
}

async function cutOff(line: CuttableLine, tab: Tab): Promise<void> {
  tab.isCutOff = true;
  line.cut();
  await tab.page.getByText("Not connected. What you send is kept here").waitFor();
}

async function backAgain(line: CuttableLine, tab: Tab): Promise<void> {
  line.mend();
  await tab.page.getByRole("button", { name: "Try now" }).click({ timeout: 1000 }).catch(() => {});
  await untilLive(tab.page);
  tab.isCutOff = false;
}

/** Answers in sixty words; the frames before them are two. */
const WORDS = Array.from({ length: 60 }, (_, n) => `word-${n} `);
const upToWord = (n: number) => n + 3;

browserTest(
  "a tab that comes late, one that reloads, one that was cut off, and a terminal show one stream",
  LOOSE,
  async () => {
    const valve = new Valve();
    await using provider = startFakeProvider("openai-chat", [{ text: WORDS, gate: valve.gate }]);
    await using line = new CuttableLine(product.url);
    const context = await signIn(browser, product);
    const elsewhere = await signIn(browser, product, line.url);
    const id = await product.conversation(provider.modelString);
    await using seat = sitDown(product, id);
    const one = await openTab(context, address(id));
    const away = await openTab(elsewhere, address(id, line.url));

    await say(one.page, "Go");
    valve.openTo(upToWord(9));
    for (const tab of [one, away]) await tab.shows(/word-9\b/);
    await seat.terminal.until(({ out }) => out.includes("word-9 "), "streamed");
    const late = await openTab(context, address(id));
    await late.shows(/word-9\b/);
    assert.equal(await standing(late), await standing(one));
    assert.equal(await standing(away), await standing(one));

    await cutOff(line, away);
    valve.openTo(upToWord(19));
    await late.shows(/word-19\b/);
    assert.equal(times(await away.text(), "word-19"), 0);
    await one.page.reload();
    await untilLive(one.page);
    await one.shows(/word-19\b/);
    assert.equal(await standing(one), await standing(late));

    valve.openTo(upToWord(29));
    await backAgain(line, away);
    await away.shows(/word-29\b/);
    await one.shows(/word-29\b/);
    assert.equal(await standing(away), await standing(one));

    valve.open();
    const tabs = [one, late, away];
    for (const tab of tabs) await tab.ended(1);
    await seat.terminal.until(({ status, out }) => status === null && out.includes("1 call"), "ended");
    const stored = (await product.of(id, "text")).map(({ data }) => data.text);
    assert.deepEqual(stored, [WORDS.join("")]);
    await assertSame(tabs);
    assert.equal(await one.page.locator("#log .prose").innerText(), WORDS.join("").trim());
    assert.equal(times(seat.terminal.out, WORDS.join("")), 1);
    for (const word of WORDS) assert.equal(times(seat.terminal.out, word), 1);
    for (const tab of tabs) tab.assertWellBehaved();
    await Promise.all([context.close(), elsewhere.close()]);
  },
);

browserTest(
  "what is said in the terminal, in one tab or while a tab is cut off, stands in all of them once",
  LOOSE,
  async () => {
    await using line = new CuttableLine(product.url);
    const context = await signIn(browser, product);
    const elsewhere = await signIn(browser, product, line.url);
    const id = await product.conversation();
    await using seat = sitDown(product, id);
    const [one, two, away] = [
      await openTab(context, address(id)),
      await openTab(context, address(id)),
      await openTab(elsewhere, address(id, line.url)),
    ] as const;
    const tabs = [one, two, away];
    const { terminal } = seat;

    terminal.type("Said in the terminal");
    for (const tab of tabs) await tab.ended(1);
    await assertSame(tabs);

    await say(two.page, "Said in a tab");
    for (const tab of tabs) await tab.ended(2);
    await terminal.until(({ out, status }) => times(out, "Said in a tab") === 2 && status === null, "heard of it");

    await cutOff(line, away);
    await say(away.page, "Said while away");
    await away.page.getByText("Said while away").waitFor();
    terminal.type("Said meanwhile");
    for (const tab of [one, two]) await tab.ended(3);
    assert.equal(times(await one.text(), "Said while away"), 0);
    await backAgain(line, away);
    for (const tab of tabs) await tab.ended(4);
    await terminal.until(({ out, status }) => times(out, "Said while away") === 2 && status === null, "heard of it");

    const said = ["Said in the terminal", "Said in a tab", "Said meanwhile", "Said while away"];
    assert.deepEqual((await product.of(id, "user")).map(({ data }) => data.text), said);
    assert.deepEqual((await product.of(id, "text")).map(({ data }) => data.text), said);
    await assertSame(tabs);
    for (const text of said) assert.equal(times(await one.text(), text), 2, "the message and its echo");
    for (const tab of tabs) tab.assertWellBehaved();
    await Promise.all([context.close(), elsewhere.close()]);
  },
);

/** Picks an action from the menu of a row of the list. */
async function choose({ page }: Tab, title: string, action: string): Promise<void> {
  // A tab behind another one draws seldom, and the browser's pointer waits for it to stand still.
  await page.bringToFront();
  const row = page.locator(".row", { hasText: title });
  await row.hover();
  await row.locator("summary").click();
  await row.getByRole("button", { name: action }).click();
}

async function rename({ page }: Tab, title: string): Promise<void> {
  await page.locator("body").press("F2");
  await page.locator(".title-field").fill(title);
  await page.locator(".title-field").press("Enter");
}

async function untilNamed({ page }: Tab, title: string): Promise<void> {
  await page.locator("h1.title", { hasText: title }).waitFor();
  await page.locator(".row > a", { hasText: title }).waitFor();
  await page.waitForFunction((title) => document.title.startsWith(title), title);
}

browserTest(
  "a new name, a deletion and its undo in one tab are seen in the other and in the terminal",
  LOOSE,
  async () => {
    const context = await signIn(browser, product);
    const id = await product.conversation();
    await product.ended(await product.say(id, "What is kept"));
    await using seat = sitDown(product, id);
    const [one, two] = [await openTab(context, address(id)), await openTab(context, address(id))] as const;
    await seat.terminal.until(({ out }) => out.includes("What is kept"), "opened");

    await rename(one, "Named in one tab");
    await untilNamed(two, "Named in one tab");
    await rename(two, "Named in the other");
    await untilNamed(one, "Named in the other");
    const kept = await two.text();

    await choose(one, "Named in the other", "Delete");
    await one.page.getByText("Deleted “Named in the other”.").waitFor();
    await two.page.waitForURL(`${product.url}/`);
    await untilLive(two.page);
    assert.equal(await two.page.locator(".row", { hasText: "Named in the other" }).count(), 0);
    await seat.terminal.until(({ notes }) => notes.includes("deleted elsewhere"), "told");

    await one.page.getByRole("button", { name: "Undo" }).click();
    for (const tab of [one, two]) await tab.page.locator(".row > a", { hasText: "Named in the other" }).waitFor();
    await two.page.locator(".row > a", { hasText: "Named in the other" }).click();
    await two.page.waitForURL(address(id));
    await untilLive(two.page);
    assert.equal(await two.text(), kept);
    await say(one.page, "It goes on");
    for (const tab of [one, two]) await tab.ended(2);
    await assertSame([one, two]);
    for (const tab of [one, two]) tab.assertWellBehaved();
    await context.close();
  },
);
