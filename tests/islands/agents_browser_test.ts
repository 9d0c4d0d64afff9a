/** Sub-agents' cards on the page: real delegation, a real browser (K-215 to K-220, K-284). */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import type { ScriptedTurn } from "../../core/model/mod.ts";
import { browserTest, startChromium } from "../chromium.ts";
import { LOOSE, openStart, say, untilAnswered, untilLive, withPage } from "./harness.ts";

const browser = await startChromium();
Deno.test.afterAll(() => browser.close());

/** Hands tasks to agents, all at once, then answers. */
const hands = (...tasks: readonly (readonly [agent: string, task: string])[]): readonly ScriptedTurn[] => [
  { tool_calls: tasks.map(([agent_type, task]) => ({ name: "spawn_subagent", arguments: { agent_type, task } })) },
  { text: "Both say so." },
];
const SCOUT: readonly ScriptedTurn[] = [
  { thinking: "First the file.", tool_calls: [{ name: "read_file", arguments: { path: "notes/ferry.md" } }] },
  { text: "One sailing, 17:40. Weather permitting." },
];
const WAITS: readonly ScriptedTurn[] = [{ tool_calls: [{ name: "wait_for", arguments: { ms: 60_000 } }] }, {
  text: "Late.",
}];

/** The card of the first agent of this name, on the page or inside another card. */
const card = (place: Page | Locator, name: string) =>
  place.locator(`details.line-block:has(> summary bdi.name:text-is("${name}#1"))`).first();
const isOpen = (place: Page | Locator, name: string) =>
  card(place, name).evaluate((fold) => (fold as HTMLDetailsElement).open);

browserTest(
  "a card stands open while its sub-agent works, and folds to its answer when it is done",
  LOOSE,
  async () => {
    const script = hands(["scout", "Find the ferry"], ["slow", "Take your time"]);
    await withPage(browser, { script, workers: { scout: SCOUT, slow: WAITS } }, async (page, site) => {
      await openStart(page, site);
      await say(page, "Go");
      await card(page, "slow").getByText("wait_for").waitFor();
      assert.equal(await isOpen(page, "slow"), true);
      await card(page, "scout").locator("> summary", { hasText: "One sailing, 17:40" }).waitFor();
      await page.waitForFunction(() => document.querySelectorAll("details.line-block[open] > .nested").length === 1);
      assert.equal(
        await page.locator(".line", { hasText: "spawn_subagent" }).count(),
        0,
        "the card is the call (K-219)",
      );
      await page.locator(".stop-button").click();
      await untilAnswered(page);
      await card(page, "slow").locator("> summary", { hasText: "stopped" }).waitFor();
      assert.equal(await isOpen(page, "slow"), false);
    });
  },
);

browserTest("a card that was turned by hand stays as it was left", LOOSE, async () => {
  const options = { script: hands(["scout", "Find it"]), workers: { scout: SCOUT }, confirm: ["bench.read_file"] };
  await withPage(browser, options, async (page, site) => {
    await openStart(page, site);
    await say(page, "Go");
    await card(page, "scout").locator(".ask-card").waitFor();
    await card(page, "scout").locator("> summary").click();
    await card(page, "scout").locator("> summary").click();
    await page.locator("#say").focus();
    const { approvals } = site.assistant;
    const [question] = approvals.waiting();
    await approvals.answer(question!.conversation, question!.seq, { decision: "allow" });
    await untilAnswered(page);
    assert.equal(await isOpen(page, "scout"), true);
  });
});

browserTest(
  "after a reload the folded card still holds what it did, with its model, its use and its calls",
  LOOSE,
  async () => {
    await withPage(
      browser,
      { script: hands(["scout", "Find the ferry"]), workers: { scout: SCOUT } },
      async (page, site) => {
        await openStart(page, site);
        await say(page, "Go");
        await untilAnswered(page);
        const live = (await card(page, "scout").textContent())!;
        await page.reload();
        await untilLive(page);
        assert.equal(await card(page, "scout").textContent(), live, "live and on replay the same");
        assert.equal(await isOpen(page, "scout"), false);
        await card(page, "scout").locator("> summary").click();
        const inside = await card(page, "scout").locator("> .nested").innerText();
        assert.match(inside, /^Find the ferry/);
        assert.match(inside, /First the file[\s\S]*read_file[\s\S]*One sailing, 17:40\. Weather permitting\./);
        assert.match(inside, /demo:script\S*[\s\S]*2 calls[\s\S]*no cost/);
        await card(page, "scout").getByRole("button", { name: /2 rounds/ }).click();
        const panel = page.getByRole("complementary", { name: "Turn 1, scout#1, rounds" });
        await panel.locator(".round-line").waitFor();
        assert.match(await panel.locator(".round-line").innerText(), /It stopped to call read_file/);
      },
    );
  },
);

browserTest(
  "a sub-agent's question stands in its card, and the bar above the composer leads to it",
  LOOSE,
  async () => {
    const options = {
      script: hands(["scout", "Find the ferry"]),
      workers: { scout: SCOUT },
      confirm: ["bench.read_file"],
    };
    await withPage(browser, options, async (page, site) => {
      await openStart(page, site);
      await say(page, "Go");
      const question = card(page, "scout").locator(".ask-card");
      await question.waitFor();
      assert.match(await question.innerText(), /scout asks to run read_file/);
      await card(page, "scout").locator("> summary").click();
      assert.equal(await question.isVisible(), false);
      await page.locator(".asking").getByRole("button", { name: "Show" }).click();
      assert.equal(await question.isVisible(), true);
      await page.waitForFunction(() => document.activeElement?.classList.contains("ask-card"));
      await page.keyboard.press("a");
      await untilAnswered(page);
    });
  },
);

browserTest("a sub-agent that fails says so and why", LOOSE, async () => {
  const options = {
    script: hands(["scout", "Find it"]),
    workers: { scout: [{ text: "I beg", fail: "unreachable" }] as const },
  };
  await withPage(browser, options, async (page, site) => {
    await openStart(page, site);
    await say(page, "Go");
    await untilAnswered(page);
    await card(page, "scout").locator("> summary", { hasText: "failed" }).waitFor();
    await card(page, "scout").locator("> summary").click();
    assert.match(
      await card(page, "scout").locator("> .nested").innerText(),
      /Failed\.\s*The scripted model did not answer/,
    );
  });
});

browserTest(
  "two levels of sub-agents, a message to a sibling and one that used all its calls look the same live and after a reload",
  LOOSE,
  async () => {
    const read: ScriptedTurn = { tool_calls: [{ name: "read_file", arguments: { path: "board.md" } }] };
    const options = {
      script: hands(["lead", "Plan the crossing"], ["scout", "Watch the tide"]),
      workers: {
        lead: {
          script: [
            { tool_calls: [{ name: "spawn_subagent", arguments: { agent_type: "reader", task: "Read the board" } }] },
            { text: "Cross at noon." },
          ],
          delegates_to: ["reader"],
        },
        scout: [
          { tool_calls: [{ name: "send_message", arguments: { to: "lead#1", text: "Low water at 11:31" } }] },
          { text: "Told the lead." },
        ],
        // It asks before its first call, so that the message is there when its caller goes on.
        reader: { script: [read, read, { text: "Half of the board." }], max_iterations: 2 },
      },
      confirm: ["bench.read_file"],
    };
    await withPage(browser, options, async (page, site) => {
      const lead = card(page, "lead");
      const told = () => Promise.all([lead, card(page, "scout")].map((each) => each.textContent()));
      await openStart(page, site);
      await say(page, "Go");
      await card(page, "scout").locator("> summary", { hasText: "Told the lead" }).waitFor();
      assert.deepEqual([await isOpen(page, "lead"), await isOpen(lead, "reader")], [true, true]);
      await card(lead, "reader").locator(".ask-card").getByRole("button", { name: "Allow once" }).click();
      await untilAnswered(page);
      const live = await told();
      await page.reload();
      await untilLive(page);
      assert.deepEqual(await told(), live);
      assert.equal(await page.locator("main details.line-block[open]").count(), 0);
      await lead.locator("> summary", { hasText: "Cross at noon" }).click();
      await card(lead, "reader").locator("> summary", { hasText: /Half of the board.*cut short/ }).click();
      const inside = await lead.locator("> .nested").innerText();
      assert.match(
        inside,
        /^Plan the crossing[^]*reader#1[^]*Read the board[^]*reached its limit of model calls[^]*scout#1\s+Low water at 11:31[^]*Cross at noon/,
      );
      await card(page, "scout").locator("> summary").click();
      assert.match(await card(page, "scout").locator("> .nested").innerText(), /send_message[^]*Told the lead/);
    });
  },
);
