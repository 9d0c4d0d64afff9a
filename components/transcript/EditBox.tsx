/**
 * A message that is being written again, in its place. What is typed is kept over repaints and reloads.
 *
 * @module
 */
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { PathTurn } from "../../core/log/entry.ts";
import { useComposing } from "../shell/composing.ts";
import type { Versions } from "../state/versions.ts";

export interface EditBoxProps {
  readonly turn: PathTurn;
  /** The message as it stands. */
  readonly text: string;
  readonly versions: Versions;
}

export function EditBox({ turn, text, versions }: EditBoxProps): VNode {
  const field = useRef<HTMLTextAreaElement>(null);
  const isComposing = useComposing(field);
  const busy = versions.sending.value === turn.id;
  useLayoutEffect(() => {
    const { current } = field;
    if (!current) return;
    current.value = versions.draft(turn.id) ?? text;
    fit(current);
    current.focus();
    current.setSelectionRange(current.value.length, current.value.length);
  }, [turn.id]);
  const close = () => {
    versions.cancelEdit(turn.id);
    focusPen(turn.n);
  };
  const send = async () => {
    await versions.sendEdit(turn.id, field.current?.value ?? "");
    if (versions.editing.value !== turn.id) focusPen(turn.n);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && !event.shiftKey && !event.altKey) send();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <form
      class="edit-box"
      aria-label={`Edit message ${turn.n}`}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={field}
        class="field-box"
        rows={2}
        dir="auto"
        aria-label="Your message"
        readOnly={busy}
        onInput={({ currentTarget }) => {
          versions.keepDraft(turn.id, currentTarget.value);
          fit(currentTarget);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="acts">
        <button type="submit" class="button strong" aria-disabled={busy ? "true" : undefined}>
          {busy ? "Sending" : `Send as version ${turn.siblings.length + 1}`}
        </button>
        <button type="button" class="button" onClick={close}>
          Cancel <kbd>Esc</kbd>
        </button>
      </div>
    </form>
  );
}

/** The focus goes back to what opened the field. */
function focusPen(n: number): void {
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>(`#turn-${n} .edit-button`)?.focus({ preventScroll: true });
  });
}

/** Grows the field with its text where the browser does not do that by itself. */
function fit(field: HTMLTextAreaElement): void {
  if (CSS.supports("field-sizing", "content")) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}
