/**
 * Where a key lands: in a text, or on the page; and what Escape has to close first.
 *
 * @module
 */

/** Whether a key that was pressed there is text. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

/** Whether a key that was pressed there moves in, or changes, a text that is being written. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement ? target.value !== "" : isTyping(target);
}

const OVER = "details.menu[open], :popover-open, dialog[open]";

/** Whether something stands open that Escape closes first; the panel beside the log unless only what is over the page counts. */
export function isSomethingOpen(where: "anywhere" | "over the page" = "anywhere"): boolean {
  return document.querySelector(where === "anywhere" ? `${OVER}, .shell > .panel` : OVER) !== null;
}

/** Where the side is a drawer it opens and closes; else it becomes the rail and back. */
export function toggleSide(toggleRail: () => void): void {
  const side = document.getElementById("side");
  if (side && getComputedStyle(side).position === "fixed") side.togglePopover();
  else toggleRail();
}
