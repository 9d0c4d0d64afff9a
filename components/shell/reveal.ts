/**
 * Brings a line of a list into view by moving that list alone, never the page.
 *
 * @module
 */

/** A line that is hidden above or below comes to the middle of `list`; one in view, or a list that is not shown, stays. */
export function reveal(list: Element | null | undefined, line: Element | null | undefined): void {
  if (!list || !line) return;
  const view = list.getBoundingClientRect();
  const at = line.getBoundingClientRect();
  if (view.height === 0 || (at.top >= view.top && at.bottom <= view.bottom)) return;
  list.scrollTop += at.top + at.height / 2 - (view.top + view.height / 2);
}
