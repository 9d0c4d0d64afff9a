/**
 * Keys that belong to no field: the side, a new conversation, the one above and below, undo.
 *
 * @module
 */
import type { Page } from "../state/page.ts";

/** Whether a key that was pressed there is text. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

/** Listens until the function it gives back is called. */
export function watchSideKeys(page: Page, toggleRail: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const command = (event.ctrlKey || event.metaKey) && !event.altKey;
    const key = event.key.toLowerCase();
    if (command && event.shiftKey && key === "o") location.assign(`${page.boot.basePath}/`);
    else if (command && !event.shiftKey && key === "b") toggleRail();
    else if (command && !event.shiftKey && key === "z" && page.deleted.value && !isTyping(event.target)) page.undo();
    else if (event.altKey && !command && (key === "arrowup" || key === "arrowdown")) {
      step(page, key === "arrowup" ? -1 : 1);
    } else return;
    event.preventDefault();
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}

/** Goes to the conversation above or below the one in view. */
function step(page: Page, by: number): void {
  const rows = page.live.rows.value;
  const at = rows.findIndex((row) => row.id === page.live.conversation.value?.id);
  const next = rows[at < 0 ? 0 : at + by];
  if (next) location.assign(`${page.boot.basePath}/c/${next.id}`);
}
