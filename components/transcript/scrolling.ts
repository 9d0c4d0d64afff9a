/**
 * Where the page is scrolled to, measured and set.
 *
 * @module
 */
import type { Page } from "../state/page.ts";

/** How far the end of the page is below what is in view, in pixels. */
export function distanceToEnd(): number {
  const root = document.documentElement;
  return root.scrollHeight - root.clientHeight - root.scrollTop;
}

/** Goes to the end of what is loaded. */
export function toEnd(): void {
  scrollTo({ top: document.documentElement.scrollHeight });
}

/** Goes to the newest text, loading what is missing before it. */
export async function goToEnd(page: Page): Promise<void> {
  if (page.live.history.newer.value !== null) {
    await page.attempt(() => page.live.history.toEnd());
    await new Promise((drawn) => requestAnimationFrame(drawn));
  }
  toEnd();
}

/** A place that stays where it is while what is around it changes. */
export interface Anchor {
  readonly id: string;
  /** Pixels below the top of the window. */
  readonly top: number;
}

/** The message that is being used, if it is in view; else the first that is; else the one that is being read. */
export function findAnchor(): Anchor | null {
  const used = document.activeElement?.closest<HTMLElement>(".said[id]");
  if (used && isInView(used)) return anchorOf(used);
  const all = [...document.querySelectorAll<HTMLElement>("#log :is(.said, .turn.away)[id]")];
  const low = firstFrom(all, (said) => said.getBoundingClientRect().bottom > 0);
  const first = all[low];
  if (first && isInView(first)) return anchorOf(first);
  const read = all[low - 1] ?? first;
  return read ? anchorOf(read) : null;
}

/** Puts the anchor back where it was. Where the page is too short for that now, it is made longer. */
export function restoreAnchor(anchor: Anchor): void {
  const said = document.getElementById(anchor.id);
  const log = document.getElementById("log");
  if (!said || !log) return;
  log.style.minHeight = "";
  const off = () => said.getBoundingClientRect().top - anchor.top;
  const first = off();
  if (Math.abs(first) >= 0.5) scrollBy({ top: first });
  const left = off();
  if (left > -1) return;
  log.style.minHeight = `${log.offsetHeight - left}px`;
  scrollBy({ top: off() });
}

function anchorOf(said: HTMLElement): Anchor {
  return { id: said.id, top: said.getBoundingClientRect().top };
}

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/** Index of the first for which it holds, where it holds for all after that one too. */
function firstFrom<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
