/**
 * Whether a key belongs to an input method that puts a word together: an Enter there ends the word, and keeps or sends nothing.
 *
 * @module
 */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** An Enter this soon after a composition ended still belongs to it, in milliseconds. */
const COMPOSED = 100;

/** Watches a field; the answer is for the keys that are pressed in it. */
export function useComposing(field: RefObject<HTMLElement>): (event: KeyboardEvent) => boolean {
  const ended = useRef(-Infinity);
  useEffect(() => {
    // Not as a property: Preact would listen for "CompositionEnd".
    field.current?.addEventListener("compositionend", (event) => ended.current = event.timeStamp);
  }, []);
  return (event) => event.isComposing || event.keyCode === 229 || event.timeStamp - ended.current < COMPOSED;
}
