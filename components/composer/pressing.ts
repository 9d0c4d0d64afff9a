/**
 * Pressing on a phone, where the composer grows when the focus enters it and shrinks when it goes: a button would move away
 * between press and release, and nothing would be clicked. Both are pinned in tests/islands/attachments_browser_test.ts and
 * tests/islands/versions_browser_test.ts.
 *
 * @module
 */

/** For `onMouseDown` of what stands above the field: pressing a button there leaves the focus where it was. */
export function keepFocus(event: MouseEvent): void {
  if ((event.target as Element).closest("button")) event.preventDefault();
}

/** After a touch the browser sends its click this late, in milliseconds. */
const CLICK_COMES_WITHIN = 350;

/** While something is pressed a composer that has the focus keeps its size, wherever the focus goes. Gives the way to end it. */
export function holdWhilePressed(composer: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hold = () => {
    if (!composer.contains(document.activeElement)) return;
    clearTimeout(timer);
    composer.dataset.held = "";
  };
  const release = () => {
    clearTimeout(timer);
    timer = setTimeout(() => delete composer.dataset.held, CLICK_COMES_WITHIN);
  };
  addEventListener("pointerdown", hold, true);
  addEventListener("pointerup", release, true);
  addEventListener("pointercancel", release, true);
  return () => {
    clearTimeout(timer);
    removeEventListener("pointerdown", hold, true);
    removeEventListener("pointerup", release, true);
    removeEventListener("pointercancel", release, true);
  };
}
