/**
 * F6 walks the landmarks of a page in the order of the page, and round; with Shift, backwards.
 *
 * @module
 */

/** The landmarks in the order of the page; what a page has not, or does not show now, is passed over. */
const LANDMARKS = ".side, .head, main, .composer, .contents, .panel, .alerts:has(.alert)";

/** Moves the focus to the landmark after the one it is in, or before it. */
export function walkLandmarks(by: 1 | -1): void {
  const shown = [...document.querySelectorAll<HTMLElement>(LANDMARKS)]
    .filter((one) => one.checkVisibility() && !one.closest("[inert]"));
  const at = shown.findIndex((landmark) => landmark.contains(document.activeElement));
  const next = shown.at(at < 0 ? (by > 0 ? 0 : -1) : (at + by) % shown.length);
  if (!next) return;
  const target = next.querySelector<HTMLElement>("textarea, [role=tab][aria-selected=true], .alert button") ?? next;
  if (target === next && !next.hasAttribute("tabindex")) next.tabIndex = -1;
  target.focus();
}
