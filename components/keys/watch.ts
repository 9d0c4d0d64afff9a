/**
 * The keys that belong to no field: told by the table, done here or by whoever offered to.
 *
 * @module
 */
import { isSomethingOpen, isTyping, isWriting } from "../side/keys.ts";
import { toggleKeySheet } from "./sheet.ts";
import { walkLandmarks } from "../shell/landmarks.ts";
import type { Page } from "../state/page.ts";
import { goToEnd, openAround } from "../transcript/mod.ts";
import { groupRows } from "../state/rows.ts";
import { type KeyId, keyOf } from "./table.ts";

/** Listens until the function it gives back is called. */
export function watchKeys(page: Page): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const key = keyOf(event);
    // Over a dialog nothing of the page behind it answers.
    if (key === null || (key !== "find" && document.querySelector("dialog:modal"))) return;
    if (press(page, key, event.target, event.shiftKey)) event.preventDefault();
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}

/** Whether the key did something here; else it may be text, or another's. */
function press(page: Page, key: KeyId, target: EventTarget | null, back: boolean): boolean {
  switch (key) {
    case "find":
      page.finding.value = page.finding.value === null ? "" : null;
      return true;
    case "new_conversation":
      location.assign(`${page.boot.basePath}/`);
      return true;
    case "above":
    case "below":
      return !isWriting(target) && step(page, key === "above" ? -1 : 1);
    case "side":
      return page.commands.run("side");
    case "decision":
      toDecision(page);
      return true;
    case "landmark":
      walkLandmarks(back ? -1 : 1);
      return true;
    case "rename":
      return page.commands.run("rename");
    case "undo":
      if (!page.deletion.deleted.value || isWriting(target)) return false;
      page.deletion.undo();
      return true;
    case "sheet":
      if (isTyping(target)) return false;
      toggleKeySheet();
      return true;
    case "close":
      if (page.panel.open.value === null || isSomethingOpen("over the page")) return false;
      page.panel.close();
      return true;
    case "allow_once":
    case "allow_turn":
    case "allow_conversation":
    case "deny":
    case "edit_call":
    case "send":
    case "send_after":
    case "new_line":
    case "edit_last":
    case "compose":
    case "newest":
    case "older_version":
    case "newer_version":
      return false;
    default:
      return key satisfies never;
  }
}

/** Goes to the conversation above or below the one in view, as the side shows them. */
function step(page: Page, by: number): boolean {
  const rows = groupRows(page.live.rows.value, page.boot.now).flatMap((group) => group.rows);
  const at = rows.findIndex((row) => row.id === page.live.conversation.value?.id);
  const next = rows[at < 0 ? 0 : at + by];
  if (next) location.assign(`${page.boot.basePath}/c/${next.id}`);
  return true;
}

/**
 * Goes to the oldest decision that waits in this conversation, or from one to the next; where none waits here, to the
 * conversation in which one does. Says so when none waits at all.
 */
export function toDecision(page: Page): void {
  const cards = [...document.querySelectorAll<HTMLElement>(".ask-card")];
  const focused = cards.findIndex((card) => card.contains(document.activeElement));
  // A press of a button takes the focus out of the card it led to.
  const at = focused >= 0 ? focused : cards.findIndex((card) => card.dataset.shown !== undefined);
  const card = cards[(at + 1) % cards.length];
  if (card) return showDecision(card);
  const here = page.live.conversation.peek()?.id;
  const listed = page.approvals.waiting.peek();
  if (listed.some(({ conversation }) => conversation === here)) {
    goToEnd(page).then(() => {
      const loaded = document.querySelector<HTMLElement>(".ask-card");
      if (loaded) showDecision(loaded);
    });
    return;
  }
  const elsewhere = listed[0];
  if (elsewhere) return location.assign(`${page.boot.basePath}/c/${elsewhere.conversation}`);
  page.alerts.say({ group: "decision", text: "No decision waits for you", level: "info" });
}

/** Opens what folds around a decision and goes there. */
function showDecision(card: HTMLElement): void {
  openAround(card);
  for (const other of document.querySelectorAll<HTMLElement>(".ask-card")) delete other.dataset.shown;
  card.dataset.shown = "";
  card.scrollIntoView({ block: card.offsetHeight > innerHeight / 2 ? "start" : "center" });
  card.focus({ preventScroll: true });
}
