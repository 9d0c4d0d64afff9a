/**
 * What waits to be read, in the title of the document: `(2) Bread · Malama`.
 *
 * @module
 */
import type { Page } from "./page.ts";

/** How many conversations have something unread, the one in view not counted. */
export function unreadIn(page: Page): number {
  const current = page.live.conversation.value?.id;
  return page.live.rows.value.filter((row) => row.unread && row.id !== current).length;
}

/** A title with the count before it, in place of the count it may already have. */
export function entitled(title: string, unread: number): string {
  const bare = title.replace(/^\(\d+\) /, "");
  return unread === 0 ? bare : `(${unread}) ${bare}`;
}
