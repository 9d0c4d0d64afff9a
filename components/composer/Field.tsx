/**
 * The field a message is written in. Enter sends, but never one that belongs to an input method.
 *
 * @module
 */
import { effect } from "@preact/signals";
import type { RefObject, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useComposing } from "../shell/composing.ts";
import type { Page } from "../state/page.ts";
import { fit } from "./fit.ts";
import type { Sending } from "./sending.ts";

export interface FieldProps {
  readonly page: Page;
  readonly field: RefObject<HTMLTextAreaElement>;
  readonly sending: Sending;
}

export function Field({ page, field, sending }: FieldProps): VNode {
  const isComposing = useComposing(field);
  useDraft(page, field);
  useReturned(page, field);
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (isComposing(event)) return;
    if (key === "Enter" && !shiftKey) {
      event.preventDefault();
      sending.send(altKey ? "after" : "into");
    } else if (key === "ArrowUp" && !shiftKey && !ctrlKey && !metaKey && !altKey && field.current?.value === "") {
      if (page.versions.editLast()) event.preventDefault();
    }
  };
  return (
    <>
      <label class="sr" for="say">Message</label>
      <div class="say">
        <span class="folio" aria-hidden="true">
          <span class="n">{numberOf(page)}</span>
        </span>
        <textarea
          ref={field}
          id="say"
          name="text"
          rows={1}
          placeholder={placeholder(page)}
          autocomplete="off"
          enterkeyhint="send"
          onInput={({ currentTarget }) => {
            page.drafts.write(page.live.conversation.peek()?.id ?? null, currentTarget.value);
            sending.changed(currentTarget.value);
            fit(currentTarget);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
    </>
  );
}

/** The number the message will have, as far as that is known. */
function numberOf(page: Page): number {
  const last = page.live.transcript.value.turns.at(-1)?.turn.n ?? 0;
  const before = page.queue.items.value.filter(({ where }) => where !== "step").length;
  return last + before + (page.running.value ? 0 : page.pending.value.length) + 1;
}

function placeholder(page: Page): string {
  if (page.running.value) return "Add to this turn";
  const begun = page.live.conversation.value !== null || page.pending.value.length > 0;
  return begun ? "Write a message" : "One of these, or anything";
}

/** What was written and not sent comes back: after a reload, from another conversation or tab, after a restart. */
function useDraft(page: Page, field: RefObject<HTMLTextAreaElement>): void {
  const id = page.live.conversation.value?.id ?? null;
  const known = useRef(false);
  useEffect(() => {
    if (!field.current) return;
    const kept = page.drafts.read(id);
    // Words typed before the scripts ran stand in the field; those of another page are below them in the storage.
    if (!known.current) field.current.value = joined(kept, field.current.value);
    known.current = true;
    if (field.current.value !== kept) page.drafts.write(id, field.current.value);
    fit(field.current);
  }, [id]);
  useEffect(() =>
    effect(() => {
      const foreign = page.drafts.foreign.value;
      const own = page.live.conversation.peek()?.id ?? null;
      if (!field.current || foreign?.conversation !== own || field.current.value === foreign.text) return;
      const { selectionStart, selectionEnd } = field.current;
      field.current.value = foreign.text;
      field.current.setSelectionRange(selectionStart, selectionEnd);
      fit(field.current);
    }), []);
}

/** A text that comes back stands before what was written meanwhile. */
function useReturned(page: Page, field: RefObject<HTMLTextAreaElement>): void {
  const returned = page.returned.value;
  useEffect(() => {
    if (returned === null || !field.current) return;
    field.current.value = joined(returned, field.current.value);
    page.returned.value = null;
    page.drafts.write(page.live.conversation.peek()?.id ?? null, field.current.value);
    fit(field.current);
    field.current.focus();
  }, [returned]);
}

/** Both texts, the first before the second; the same words twice are once. */
function joined(first: string, second: string): string {
  if (first === "" || second.startsWith(first)) return second;
  return second === "" ? first : `${first}\n\n${second}`;
}
