/**
 * The field a title is renamed in: Enter and leaving it keep, Escape drops.
 *
 * @module
 */
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** The longest title, in characters. */
const TITLE_LENGTH = 40;

export interface NameFieldProps {
  /** What it is called for those who cannot see where it stands. */
  readonly label: string;
  readonly class?: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onKeep: () => void;
  readonly onDrop: () => void;
}

export function NameField({ label, class: style, text, onText, onKeep, onDrop }: NameFieldProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  /** A field that goes away loses the focus too: that is not leaving it. */
  const over = useRef(false);
  useEffect(() => field.current?.select(), []);
  const end = (then: () => void) => {
    if (over.current) return;
    over.current = true;
    then();
  };
  return (
    <input
      ref={field}
      class={style}
      type="text"
      aria-label={label}
      maxLength={TITLE_LENGTH}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
      onBlur={() => end(onKeep)}
      onKeyDown={(event) => {
        if (event.isComposing) return;
        if (event.key === "Enter") end(onKeep);
        if (event.key === "Escape") {
          event.stopPropagation();
          end(onDrop);
        }
      }}
    />
  );
}
