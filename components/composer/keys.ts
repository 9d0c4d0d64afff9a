/**
 * Keys of the composer that work wherever the focus is: `/` comes here; End goes to the newest text; Escape stops the turn
 * that runs, once nothing is open any more.
 *
 * @module
 */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { isSomethingOpen, isTyping, isWriting } from "../side/keys.ts";
import type { Page } from "../state/page.ts";
import { goToEnd } from "../transcript/mod.ts";

export function useComposerKeys(page: Page, field: RefObject<HTMLTextAreaElement>): void {
  useEffect(() => {
    /** Of every field but this one. */
    const isOutside = (target: EventTarget | null) => target === field.current || !isTyping(target);
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key === "/" && plain && !isTyping(event.target)) {
        event.preventDefault();
        field.current?.focus();
      } else if (event.key === "End" && plain && !event.shiftKey && !isWriting(event.target)) {
        event.preventDefault();
        goToEnd(page);
      } else if (event.key === "Escape" && page.running.value && !isSomethingOpen() && isOutside(event.target)) {
        page.stop();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
