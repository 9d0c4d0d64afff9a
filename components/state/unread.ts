/**
 * What waits for the person, in the title of the document and its icon: `◆ (2) Bread · Malama`.
 *
 * @module
 */
import type { Page } from "./page.ts";

/** How many conversations have something unread, the one in view not counted. */
export function unreadIn(page: Page): number {
  const current = page.live.conversation.value?.id;
  return page.live.rows.value.filter((row) => row.unread && row.id !== current).length;
}

/** The conversations in which a question waits. */
export function askedIn(page: Page): ReadonlySet<string> {
  const current = page.live.conversation.value?.id;
  const listed = page.approvals.waiting.value.map(({ conversation }) => conversation).filter((id) => id !== current);
  return new Set(current !== undefined && page.asked.value.length > 0 ? [...listed, current] : listed);
}

/** A title with the count and the mark of a question before it, in place of those it may already have. */
export function entitled(title: string, { unread, asked }: { unread: number; asked: boolean }): string {
  const bare = title.replace(/^(?:◆ )?(?:\(\d+\) )?/, "");
  return `${asked ? "◆ " : ""}${unread === 0 ? "" : `(${unread}) `}${bare}`;
}

/** Puts the mark of a question on the icon of the document, or takes it off. */
export function markIcon(asked: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  const { asking, plain } = icon?.dataset ?? {};
  const next = asked ? asking : plain;
  if (icon && next && icon.getAttribute("href") !== next) icon.setAttribute("href", next);
}
