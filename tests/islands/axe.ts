/**
 * The automated rules of accessibility, run on a page as it stands.
 *
 * @module
 */
import assert from "node:assert/strict";
import axe from "axe-core";
import type { Page } from "playwright-core";

/** Fails with what the rules find: A, AA and best practice. */
export async function assertAccessible(page: Page, where: string): Promise<void> {
  // What lies under the head or the composer as the page scrolls is not what is measured here.
  await page.evaluate(() => {
    const sheet = document.styleSheets[0]!;
    for (const rule of [".head, .dock { position: static !important }", ".jump { visibility: hidden !important }"]) {
      sheet.insertRule(rule, sheet.cssRules.length);
    }
  });
  await page.evaluate(axe.source);
  const findings = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run({
      resultTypes: ["violations"],
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    return violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.slice(0, 3).map((node) => node.html) }));
  });
  assert.deepEqual(findings, [], `axe on ${where}`);
}
