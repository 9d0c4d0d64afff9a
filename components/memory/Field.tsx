/**
 * Where a memory is written: Enter keeps it, Shift and Enter make a new line, Escape drops what was written.
 *
 * @module
 */
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useComposing } from "../shell/composing.ts";

/** The longest memory, in characters; the server refuses a longer one. */
const LENGTH = 8000;

export interface FieldProps {
  readonly label: string;
  readonly text: string;
  /** What the button that keeps it says. */
  readonly button: string;
  readonly busy: boolean;
  readonly onKeep: (text: string) => void;
  readonly onDrop: () => void;
}

export function Field({ label, text, button, busy, onKeep, onDrop }: FieldProps): VNode {
  const field = useRef<HTMLTextAreaElement>(null);
  const isComposing = useComposing(field);
  useLayoutEffect(() => {
    const { current } = field;
    if (!current) return;
    current.value = text;
    current.focus();
    current.setSelectionRange(text.length, text.length);
  }, []);
  const keep = () => {
    if (!busy) onKeep(field.current?.value ?? "");
  };
  return (
    <form
      class="edit-box"
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      <textarea
        ref={field}
        class="field-box"
        rows={2}
        dir="auto"
        maxLength={LENGTH}
        aria-label={label}
        readOnly={busy}
        onKeyDown={(event) => {
          if (isComposing(event)) return;
          if (event.key === "Escape") onDrop();
          else if (event.key === "Enter" && !event.shiftKey && !event.altKey) keep();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <div class="acts">
        <button type="submit" class="button strong" aria-disabled={busy ? "true" : undefined}>{button}</button>
        <button type="button" class="button" onClick={onDrop}>
          Cancel <kbd>Esc</kbd>
        </button>
      </div>
    </form>
  );
}
