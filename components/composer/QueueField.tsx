/**
 * The field in which a message that waits is changed: Enter keeps, Escape drops.
 *
 * @module
 */
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export interface QueueFieldProps {
  readonly text: string;
  readonly onKeep: (text: string) => void;
  readonly onDrop: () => void;
}

export function QueueField({ text, onKeep, onDrop }: QueueFieldProps): VNode {
  const field = useRef<HTMLTextAreaElement>(null);
  // Before the next key can arrive, so that what is typed at once lands in the field.
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
    return () => queueMicrotask(giveBack);
  }, []);
  const keep = () => onKeep(field.current?.value ?? text);
  return (
    <>
      <textarea
        ref={field}
        class="field-box"
        rows={1}
        aria-label="The message that waits"
        defaultValue={text}
        onKeyDown={(event) => {
          if (event.isComposing || event.keyCode === 229) return;
          if (event.key !== "Escape" && (event.key !== "Enter" || event.shiftKey)) return;
          // Else the same press would go on to what gets the focus, or stop the turn.
          event.preventDefault();
          event.stopPropagation();
          if (event.key === "Enter") keep();
          else onDrop();
        }}
      />
      <span class="acts">
        <button type="button" class="link" onClick={keep}>Keep</button>
        <button type="button" class="link" onClick={onDrop}>Cancel</button>
      </span>
    </>
  );
}

/** The field is gone: what is written next goes into the composer. */
function giveBack(): void {
  if (document.activeElement === document.body) document.getElementById("say")?.focus();
}
