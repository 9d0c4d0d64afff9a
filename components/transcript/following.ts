/**
 * Following the text: only while the reader is near its end, or has just sent something.
 *
 * @module
 */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Page } from "../state/page.ts";

/** Pixels from the end within which the text is followed, and where the jump button comes and goes. */
const NEAR = 64;
const BELOW = { shows: 200, hides: 60 } as const;

/** How far the end of the page is below what is in view, in pixels. */
function distance(): number {
  const root = document.documentElement;
  return root.scrollHeight - root.clientHeight - root.scrollTop;
}

/** Goes to the newest text. */
export function toEnd(): void {
  scrollTo({ top: document.documentElement.scrollHeight });
}

/** Keeps the end in view while it should be. Call it where the transcript is drawn. */
export function useFollowing(page: Page): void {
  const near = useRef(true);
  const sent = page.pending.value.length;
  useEffect(() => {
    if (page.live.conversation.value && location.hash === "" && !location.search.includes("before=")) toEnd();
    near.current = distance() <= NEAR;
    const look = () => {
      const left = distance();
      near.current = left <= NEAR;
      if (left > BELOW.shows) page.below.value = true;
      else if (left < BELOW.hides) page.below.value = false;
    };
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look, { passive: true });
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, []);
  useEffect(() => {
    if (sent > 0) toEnd();
  }, [sent]);
  useLayoutEffect(() => {
    if (near.current && page.live.conversation.peek()) toEnd();
    else if (distance() > BELOW.shows) page.below.value = true;
  }, [page.live.transcript.value]);
}
