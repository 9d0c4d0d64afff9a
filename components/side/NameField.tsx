/**
 * The field a title is renamed in: Enter and leaving it keep, Escape drops. Left with a key it gives the focus back. Where
 * the title was changed elsewhere meanwhile, it says to what, and leaving it does nothing.
 *
 * @module
 */
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { isWriting } from "./keys.ts";

/** The longest title, in characters. */
const TITLE_LENGTH = 40;

export interface NameFieldProps {
  /** What it is called for those who cannot see where it stands. */
  readonly label: string;
  readonly class?: string;
  readonly text: string;
  /** What the title was changed to elsewhere; then only Enter keeps what is written here. */
  readonly now: string | null;
  readonly onText: (text: string) => void;
  readonly onKeep: () => void;
  readonly onDrop: () => void;
  /** What gets the focus after a key closed it, where what had it before is gone. */
  readonly home?: () => HTMLElement | null | undefined;
}

export function NameField({ label, class: style, text, now, onText, onKeep, onDrop, home }: NameFieldProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  /** A field that goes away loses the focus too: that is not leaving it. */
  const over = useRef(false);
  const byKey = useRef(false);
  // Before the next key can arrive, so that what is typed at once lands in the field.
  useLayoutEffect(() => {
    const before = document.activeElement;
    // One that comes back never takes the focus from a text that is being written.
    if (now === null || !isWriting(before)) field.current?.select();
    return () => {
      if (byKey.current) queueMicrotask(() => giveBack(before, home));
    };
  }, []);
  const end = (then: () => void) => {
    if (over.current) return;
    over.current = true;
    then();
  };
  return (
    <>
      <input
        ref={field}
        class={style}
        type="text"
        aria-label={label}
        aria-invalid={now !== null ? "true" : undefined}
        maxLength={TITLE_LENGTH}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
        onBlur={() => now === null && end(onKeep)}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key !== "Enter" && event.key !== "Escape") return;
          // Else the same press would go on to what gets the focus.
          event.preventDefault();
          event.stopPropagation();
          byKey.current = true;
          end(event.key === "Enter" ? onKeep : onDrop);
        }}
      />
      {now !== null && (
        <span class="name-now" role="alert">
          It was named “{now}” elsewhere. Enter keeps yours, Esc theirs
        </span>
      )}
    </>
  );
}

function giveBack(before: Element | null, home: NameFieldProps["home"]): void {
  if (document.activeElement !== document.body) return;
  const had = before instanceof HTMLElement && before !== document.body && before.isConnected ? before : null;
  (had ?? home?.())?.focus();
}
