/**
 * The line under the field: what stands in the way of sending, how the connection is, which keys there are.
 *
 * @module
 */
import type { VNode } from "preact";
import { KEY_SHEET } from "../keys/sheet.ts";
import type { Page } from "../state/page.ts";
import { goToEnd } from "../transcript/mod.ts";
import { count, some } from "../words.ts";
import { MAX_TEXT, type Sending } from "./sending.ts";

export function Hints({ page, sending }: { page: Page; sending: Sending }): VNode {
  const said = whatIsInTheWay(page, sending);
  if (said !== null) {
    return (
      <p class="hints said-hint" role="status">
        <span>{said}</span>
        {sending.waits.value !== null && (
          <button type="button" class="link" onClick={() => sending.waits.value = null}>Not yet</button>
        )}
      </p>
    );
  }
  return (
    <p class="hints">
      <span aria-hidden="true">{page.running.value ? "Enter sends into this answer" : "Enter sends"}</span>
      {page.running.value
        ? <span aria-hidden="true">Alt Enter, after it</span>
        : <span aria-hidden="true">Shift Enter, new line</span>}
      <button type="button" popovertarget={KEY_SHEET}>
        <kbd>?</kbd> all keys
      </button>
    </p>
  );
}

/** What must be said before anything else, in a sentence; `null` when there is nothing. */
function whatIsInTheWay(page: Page, sending: Sending): string | null {
  const over = sending.over.value;
  if (over > 0) {
    return `${count(over)} characters: ${
      count(MAX_TEXT)
    } is the most one message may have. Shorten it, or attach it as ` +
      "a file";
  }
  if (sending.spoiled.value) return "A file above was not stored. Try it again or remove it, then send";
  if (sending.waits.value !== null) {
    const going = page.attachments.items.value.filter(({ state }) => state === "waiting" || state === "sending").length;
    return `It is sent when ${some(going, "file")} ${going === 1 ? "is" : "are"} stored`;
  }
  if (page.outbox.fleeting.value) {
    return "This browser’s storage is full. Keep the page open until what waits has been sent";
  }
  const drawn = !page.running.value && page.pending.value.length > 0;
  if (page.connection.value.state !== "waiting" || drawn) return null;
  return "Not connected. What you send is kept here and goes out once, when the connection is back.";
}

/** Shown when there is text below what is in view. */
export function Jump({ page }: { page: Page }): VNode | null {
  if (!page.below.value || page.live.conversation.value === null) return null;
  return (
    <button type="button" class="jump" onClick={() => goToEnd(page)}>
      {page.running.value ? "New text below" : "To the end"}
      <kbd>End</kbd>
    </button>
  );
}
