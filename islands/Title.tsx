/**
 * The running head: the conversation's title, renamed in place (a click, or F2), what the page puts beside it, and a menu.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Menu } from "../components/shell/Menu.tsx";
import { NameField } from "../components/side/NameField.tsx";
import { NAME_IT, NAMING } from "../components/side/naming.ts";
import type { Boot } from "../components/state/boot.ts";
import { pageOf } from "../components/state/page.ts";

/** A second Enter this soon after the one that closed the field does not open it again, in milliseconds. */
const SECOND_PRESS = 500;

export default function Title({ boot, children }: { boot: Boot; children?: ComponentChildren }): VNode {
  const page = pageOf(boot);
  const text = useSignal<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const left = useRef(-Infinity);
  const row = page.live.conversation.value;
  const title = row?.title ?? "New conversation";
  const exports = `${boot.basePath}/api/conversations/${row?.id}/export`;
  useEffect(() => {
    document.title = `${title} · Malama`;
  }, [title]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "F2" || !page.live.conversation.value) return;
      event.preventDefault();
      text.value = page.live.conversation.value.title;
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const drop = () => {
    left.current = performance.now();
    text.value = null;
  };
  const keep = () => {
    if (row && text.value !== null) page.rename(row, text.value);
    drop();
  };
  return (
    <>
      <h1 class="title" id="title">
        {row === null ? <span>{title}</span> : text.value === null
          ? (
            <button
              ref={button}
              type="button"
              title="Rename"
              onClick={(event) => {
                const isKey = event.detail === 0;
                if (!isKey || event.timeStamp - left.current > SECOND_PRESS) text.value = row.title;
              }}
            >
              {page.naming.value === row ? NAMING : title}
            </button>
          )
          : (
            <NameField
              label="New name for this conversation"
              class="title-field"
              text={text.value}
              onText={(next) => text.value = next}
              onKeep={keep}
              onDrop={drop}
              home={() => button.current}
            />
          )}
      </h1>
      <span class="spring" />
      {children}
      {row && (
        <Menu
          label="More for this conversation"
          items={[
            { icon: "pen", label: "Rename", keys: "F2", onChoose: () => text.value = row.title },
            { icon: "again", label: NAME_IT, onChoose: () => page.nameFromContent(row) },
            { icon: "pin", label: row.pinned ? "Unpin" : "Pin", onChoose: () => page.pin(row) },
            { icon: "save", label: "Export as Markdown", href: `${exports}?format=md` },
            { icon: "save", label: "Export as JSONL", href: `${exports}?format=jsonl&full=true` },
            { icon: "close", label: "Delete", grave: true, onChoose: () => page.remove(row) },
          ]}
        />
      )}
    </>
  );
}
