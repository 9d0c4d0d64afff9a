/**
 * Where somebody reads, and what folds around a place.
 *
 * @module
 */

/** Whether the focus or a selection is in an element. */
export function hasReader(element: Element): boolean {
  const selection = getSelection();
  return element.contains(document.activeElement) ||
    (selection !== null && !selection.isCollapsed && selection.containsNode(element, true));
}

/** Opens everything that folds around an element. */
export function openAround(element: Element): void {
  for (let fold = element.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) {
    fold.open = true;
  }
}
