/**
 * Keys that belong to no field: the side, a new conversation, the one above and below, undo, the landmarks, all keys.
 *
 * @module
 */
import { toggleKeySheet } from "../shell/KeySheet.tsx";
import { walkLandmarks } from "../shell/landmarks.ts";
import type { Page } from "../state/page.ts";
import { groupRows } from "../state/rows.ts";

/** Whether a key that was pressed there is text. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

/** Whether a key that was pressed there moves in, or changes, a text that is being written. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement ? target.value !== "" : isTyping(target);
}

/** Whether something stands open that Escape closes first. */
export function isSomethingOpen(): boolean {
  return document.querySelector("details.menu[open], :popover-open, dialog[open]") !== null;
}

/** Listens until the function it gives back is called. */
export function watchSideKeys(page: Page, toggleRail: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const { target, altKey, shiftKey } = event;
    const command = (event.ctrlKey || event.metaKey) && !altKey;
    const plain = !event.ctrlKey && !event.metaKey && !altKey;
    const key = event.key.toLowerCase();
    if (command && shiftKey && key === "o") location.assign(`${page.boot.basePath}/`);
    else if (command && !shiftKey && key === "b") toggleSide(toggleRail);
    else if (command && !shiftKey && key === "z" && page.deleted.value && !isWriting(target)) page.undo();
    else if (altKey && !command && (key === "arrowup" || key === "arrowdown") && !isWriting(target)) {
      step(page, key === "arrowup" ? -1 : 1);
    } else if (plain && key === "f6") walkLandmarks(shiftKey ? -1 : 1);
    else if (plain && key === "?" && !isTyping(target)) toggleKeySheet();
    else return;
    event.preventDefault();
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}

/** Where the side is a drawer it opens and closes; else it becomes the rail and back. */
function toggleSide(toggleRail: () => void): void {
  const side = document.getElementById("side");
  if (side && getComputedStyle(side).position === "fixed") side.togglePopover();
  else toggleRail();
}

/** Goes to the conversation above or below the one in view, as the side shows them. */
function step(page: Page, by: number): void {
  const rows = groupRows(page.live.rows.value, page.boot.now).flatMap((group) => group.rows);
  const at = rows.findIndex((row) => row.id === page.live.conversation.value?.id);
  const next = rows[at < 0 ? 0 : at + by];
  if (next) location.assign(`${page.boot.basePath}/c/${next.id}`);
}
