/**
 * The composer: the next section, already numbered. A plain form that scripts make better.
 *
 * @module
 */
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isSomethingOpen, isTyping, isWriting } from "../components/side/keys.ts";
import { KEY_SHEET } from "../components/shell/KeySheet.tsx";
import { Icon } from "../components/shell/Icon.tsx";
import type { Boot } from "../components/state/boot.ts";
import { type Page, pageOf } from "../components/state/page.ts";
import { draftKey } from "../components/state/store.ts";
import { Queue, toEnd } from "../components/transcript/mod.ts";
import { modelName } from "../components/words.ts";

/** An Enter this soon after a composition ended still belongs to it, in milliseconds. */
const COMPOSED = 100;

export default function Composer({ boot }: { boot: Boot }): VNode {
  const page = pageOf(boot);
  const field = useRef<HTMLTextAreaElement>(null);
  const composed = useRef(-Infinity);
  const conversation = page.live.conversation.value;
  const running = page.running.value;
  const queued = page.pending.value.length;
  const n = (page.live.transcript.value.turns.at(-1)?.turn.n ?? 0) + queued + 1;
  useEffect(() => {
    page.start();
    // Not as a property: Preact would listen for "CompositionEnd".
    field.current?.addEventListener("compositionend", (event) => composed.current = event.timeStamp);
  }, []);
  useDraft(page, field);
  useComposerKeys(page, field);

  const send = () => {
    const text = field.current?.value ?? "";
    if (text.trim() === "" || !field.current) return;
    field.current.value = "";
    page.store.set(draftKey(conversation?.id ?? null), null);
    fit(field.current);
    page.say(text.trim());
  };
  return (
    <form
      class="composer"
      method="post"
      action={conversation ? `${boot.basePath}/c/${conversation.id}` : `${boot.basePath}/`}
      aria-label="Write a message"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Jump page={page} />
      <Queue page={page} />
      <div class="box">
        <label class="sr" for="say">Message</label>
        <div class="say">
          <span class="folio" aria-hidden="true">
            <span class="n">{n}</span>
          </span>
          <textarea
            ref={field}
            id="say"
            name="text"
            rows={1}
            placeholder={placeholder(page)}
            autocomplete="off"
            onInput={(event) => {
              page.store.set(draftKey(conversation?.id ?? null), event.currentTarget.value);
              fit(event.currentTarget);
            }}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey || event.altKey) return;
              if (event.isComposing || event.keyCode === 229 || event.timeStamp - composed.current < COMPOSED) return;
              event.preventDefault();
              send();
            }}
          />
        </div>
        <div class="bar">
          <span class="pick model-name" title="The model that answers">
            {modelName(conversation?.model ?? boot.model)}
          </span>
          <span class="spring" />
          {running && (
            <button
              type="submit"
              class="button stop-button"
              name="do"
              value="stop"
              formNoValidate
              onClick={(event) => {
                event.preventDefault();
                page.stop();
              }}
            >
              <Icon name="stop" />
              <span class="label">Stop</span>
            </button>
          )}
          <button type="submit" class="send" aria-label="Send">
            <Icon name="send" />
          </button>
        </div>
      </div>
      <Hints page={page} />
    </form>
  );
}

function placeholder(page: Page): string {
  if (page.running.value) return "Write the next message";
  const begun = page.live.conversation.value !== null || page.pending.value.length > 0;
  return begun ? "Write a message" : "One of these, or anything";
}

function Hints({ page }: { page: Page }): VNode {
  if (page.connection.value.state === "waiting" && page.pending.value.length === 0) {
    return (
      <p class="hints offline" role="status">
        Not connected. What you send is kept here and goes out once, when the connection is back.
      </p>
    );
  }
  return (
    <p class="hints">
      <span aria-hidden="true">Enter sends</span>
      <span aria-hidden="true">Shift Enter, new line</span>
      <button type="button" popovertarget={KEY_SHEET}>
        <kbd>?</kbd> all keys
      </button>
    </p>
  );
}

/** Shown when there is text below what is in view. */
function Jump({ page }: { page: Page }): VNode | null {
  if (!page.below.value || page.live.conversation.value === null) return null;
  return (
    <button type="button" class="jump" onClick={toEnd}>
      {page.running.value ? "New text below" : "To the end"}
      <kbd>End</kbd>
    </button>
  );
}

/** What was written and not sent comes back: after a reload, from another conversation, after the server restarted. */
function useDraft(page: Page, field: { readonly current: HTMLTextAreaElement | null }): void {
  const id = page.live.conversation.value?.id ?? null;
  useEffect(() => {
    if (!field.current) return;
    if (field.current.value === "") field.current.value = page.store.get(draftKey(id)) ?? "";
    fit(field.current);
  }, [id]);
  const returned = page.returned.value;
  useEffect(() => {
    if (returned === null || !field.current) return;
    field.current.value = [returned, field.current.value].filter((text) => text !== "").join("\n\n");
    page.returned.value = null;
    page.store.set(draftKey(id), field.current.value);
    fit(field.current);
    field.current.focus();
  }, [returned]);
}

/** `/` comes here; End goes to the newest text; Escape stops the turn that runs, once nothing is open any more. */
function useComposerKeys(page: Page, field: { readonly current: HTMLTextAreaElement | null }): void {
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
        toEnd();
      } else if (event.key === "Escape" && page.running.value && !isSomethingOpen() && isOutside(event.target)) {
        page.stop();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

/** Grows the field with its text where the browser does not do that by itself. */
function fit(field: HTMLTextAreaElement): void {
  if (CSS.supports("field-sizing", "content")) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}
