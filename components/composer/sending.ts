/**
 * What happens when a message is sent: what stands in its way is said, and what it takes along is taken.
 *
 * Invariants (tests/islands/composer_browser_test.ts pins each)
 * 1. Nothing leaves the field before it is kept in the outbox.
 * 2. What is still on its way to the server is waited for; what was refused by it is never left out unseen.
 *
 * @module
 */
import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Page } from "../state/page.ts";
import { fit } from "./fit.ts";

/** The most characters the server takes in one message (`core/turn/incoming.ts`). */
export const MAX_TEXT = 2_000_000;

/** How a message is sent while a turn runs: into it, or after it. */
export type Way = "into" | "after";

export interface Sending {
  /** Sends what stands in the field, or says why it cannot. */
  readonly send: (way: Way) => void;
  /** The way a message goes that waits for its files; `null` while none does. */
  readonly waits: Signal<Way | null>;
  /** How many characters there are, while they are too many; else 0. */
  readonly over: Signal<number>;
  /** Whether a file stands in the way that the server refused. */
  readonly spoiled: Signal<boolean>;
  /** The text was changed. */
  readonly changed: (text: string) => void;
}

/** The sending of one composer. */
export function useSending(page: Page, field: { readonly current: HTMLTextAreaElement | null }): Sending {
  const waits = useSignal<Way | null>(null);
  const over = useSignal(0);
  const spoiled = useSignal(false);
  const { attachments } = page;

  const send = (way: Way) => {
    const text = field.current?.value.trim() ?? "";
    const files = attachments.items.peek();
    if (!field.current || (text === "" && files.length === 0)) return;
    over.value = text.length > MAX_TEXT ? text.length : 0;
    spoiled.value = files.some(({ state }) => state === "refused");
    if (over.value > 0 || spoiled.value) return;
    waits.value = attachments.busy.peek() ? way : null;
    if (waits.value === null) dispatch(page, field.current, text, way);
  };
  const latest = useRef(send);
  latest.current = send;
  useSignalEffect(() => {
    const way = waits.value;
    if (way === null || attachments.busy.value) return;
    waits.value = null;
    queueMicrotask(() => latest.current(way));
  });
  useSignalEffect(() => {
    if (attachments.items.value.every(({ state }) => state !== "refused")) spoiled.value = false;
  });
  return {
    send,
    waits,
    over,
    spoiled,
    changed: (text) => over.value = text.length > MAX_TEXT ? text.length : 0,
  };
}

function dispatch(page: Page, field: HTMLTextAreaElement, text: string, way: Way): void {
  const conversation = page.live.conversation.peek()?.id ?? null;
  const { images, files } = page.attachments.take(conversation);
  page.say(text, {
    ...page.answering.take(),
    ...images.length > 0 && { images },
    ...files.length > 0 && { files },
    ...way === "after" && page.running.peek() && { queue: true },
  });
  field.value = "";
  page.drafts.write(page.live.conversation.peek()?.id ?? null, "");
  fit(field);
}

/** Whether what is sent now goes into the running turn: pictures and files go after it. */
export function goesInto(page: Page): boolean {
  return page.running.value && page.attachments.items.value.length === 0 && !page.answering.plan.value;
}
