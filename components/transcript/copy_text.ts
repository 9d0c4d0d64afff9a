/**
 * Copies a text out of a menu: done is only spoken, for there is nothing left to see; refused is said.
 *
 * @module
 */
import type { Page } from "../state/page.ts";
import { speak } from "./speech.ts";

/** `what` names it: "message", "link". */
export async function copyText(page: Page, what: string, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    speak(`Copied the ${what}`);
  } catch {
    page.alerts.say({ text: `The browser did not let this page copy the ${what}`, level: "warning" });
  }
}
