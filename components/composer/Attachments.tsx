/**
 * What is attached to the message being written: chips above the text, the button that picks files, and what makes the whole
 * column take files that are dropped or pasted.
 *
 * @module
 */
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { Icon } from "../shell/Icon.tsx";
import { type AttachedFile, MAX_PICTURES } from "../state/attachments.ts";
import type { Page } from "../state/page.ts";
import { clip, size } from "../words.ts";
import { keepFocus } from "./pressing.ts";

export { useDropAndPaste } from "./dropping.ts";

/** The chips, in the order the files were added; nothing when there are none. */
export function Attachments({ page }: { page: Page }): VNode | null {
  const { attachments } = page;
  const items = attachments.items.value;
  const dragging = attachments.dragging.value;
  if (items.length === 0 && !dragging) return null;
  const pictures = items.some(({ kind }) => kind === "image");
  return (
    <>
      {dragging && (
        <div class="drop-target" aria-hidden="true">
          <p>Drop pictures and text files here</p>
        </div>
      )}
      {items.length > 0 && (
        <ul class="attached" role="list" aria-label="Attached" onMouseDown={keepFocus}>
          {items.map((item) => <Chip key={item.id} page={page} item={item} />)}
        </ul>
      )}
      {pictures && attachments.unseen.value && (
        <p class="attached-note" role="status">
          The model of this conversation is not known to see pictures: they will be left out
        </p>
      )}
    </>
  );
}

function Chip({ page, item }: { page: Page; item: AttachedFile }): VNode {
  const { attachments } = page;
  const { id, name, preview, state } = item;
  const asText = () => page.attempt(() => attachments.asText(id));
  return (
    <li class={state === "refused" ? "chip refused" : "chip"} title={name}>
      {preview && <img class="chip-picture" src={preview} alt="" width={20} height={20} />}
      {!item.problem?.includes(name) && <span class="chip-name">{clip(name, 40)}</span>}
      <State item={item} />
      {item.pasted && state === "stored" && (
        <button type="button" class="link" onClick={asText}>Paste as text instead</button>
      )}
      {state === "refused" && attachments.canRetry(item) && (
        <button
          type="button"
          class="link"
          onClick={() => attachments.retry(id)}
        >
          Try again
        </button>
      )}
      <button
        type="button"
        class="tool-button"
        aria-label={`Remove ${name}`}
        onClick={(event) => {
          focusBeside(event.currentTarget);
          attachments.remove(id);
        }}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

function State({ item: { state, bytes, progress, problem, name } }: { item: AttachedFile }): VNode | null {
  switch (state) {
    case "waiting":
    case "sending":
      return <progress max={1} value={progress} aria-label={`Sending ${name}`} />;
    case "stored":
      return <span class="help">{size(bytes)}</span>;
    case "refused":
      return <span class="bad" role="alert">{problem}</span>;
    default:
      state satisfies never;
      return null;
  }
}

/** The focus stays in the row of chips, or goes to the field with the last of them. */
function focusBeside(button: HTMLElement): void {
  const chip = button.closest(".chip");
  const beside = chip?.nextElementSibling ?? chip?.previousElementSibling;
  const next = beside?.querySelector<HTMLElement>(".tool-button") ?? document.getElementById("say");
  next?.focus();
}

/** Picks files from this machine. */
export function AttachButton({ page }: { page: Page }): VNode {
  const input = useRef<HTMLInputElement>(null);
  const label = `Attach files: pictures and text, ${MAX_PICTURES} of each at most`;
  return (
    <>
      <button
        type="button"
        class="tool-button scripted"
        aria-label="Attach files"
        title={label}
        onClick={() => input.current?.click()}
      >
        <Icon name="clip" />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-hidden="true"
        onChange={({ currentTarget }) => {
          page.attachments.add([...currentTarget.files ?? []]);
          currentTarget.value = "";
        }}
      />
    </>
  );
}
