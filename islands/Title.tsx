/**
 * The running head: the conversation's title, renamed in place (a click, or F2), how full the model's window is, the model
 * calls, and a menu.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Gauge } from "../components/shell/Gauge.tsx";
import { Menu, type MenuItem } from "../components/shell/Menu.tsx";
import { NameField } from "../components/side/NameField.tsx";
import { NAME_IT, NAMING } from "../components/side/naming.ts";
import type { Boot } from "../components/state/boot.ts";
import { type Page, pageOf } from "../components/state/page.ts";
import { lastReading, lastRounds } from "../components/state/rounds.ts";
import { askedIn, entitled, unreadIn } from "../components/state/unread.ts";
import type { Conversation } from "../core/log/entry.ts";

/** A second Enter this soon after the one that closed the field does not open it again, in milliseconds. */
const SECOND_PRESS = 500;

export default function Title({ boot, children }: { boot: Boot; children?: ComponentChildren }): VNode {
  const page = pageOf(boot);
  const row = page.live.conversation.value;
  const title = row?.title ?? "New conversation";
  useEffect(() => {
    document.title = entitled(`${title} · Malama`, { unread: unreadIn(page), asked: askedIn(page).size > 0 });
  }, [title]);
  useEffect(() => {
    if (!row) return;
    return page.commands.offer("rename", () => {
      const shown = page.live.conversation.value;
      if (shown) page.renaming.open(shown, "head");
    });
  }, [row === null]);
  return (
    <>
      <h1 class="title" id="title">
        {row === null ? <span>{title}</span> : <Name page={page} row={row} />}
      </h1>
      <span class="spring" />
      {children}
      {row && <Window page={page} />}
      {row && <RoundsButton page={page} />}
      {row && <Menu label="More for this conversation" items={itemsFor(page, row)} />}
    </>
  );
}

function Name({ page, row }: { page: Page; row: Conversation }): VNode {
  const { renaming } = page;
  const name = renaming.at("head", row.id);
  const button = useRef<HTMLButtonElement>(null);
  const left = useRef(-Infinity);
  if (name === null) {
    return (
      <button
        ref={button}
        type="button"
        title="Rename"
        onClick={(event) => {
          const isKey = event.detail === 0;
          if (!isKey || event.timeStamp - left.current > SECOND_PRESS) renaming.open(row, "head");
        }}
      >
        {page.naming.value === row ? NAMING : row.title}
      </button>
    );
  }
  return (
    <NameField
      key={name.now}
      label="New name for this conversation"
      class="title-field"
      text={name.text}
      now={name.now}
      onText={(next) => renaming.type(next)}
      onKeep={() => {
        left.current = performance.now();
        renaming.keep();
      }}
      onDrop={() => {
        left.current = performance.now();
        renaming.drop();
      }}
      home={() => button.current}
    />
  );
}

/** The gauge: what the last reported call read, of the window of the model it asked. */
function Window({ page }: { page: Page }): VNode | null {
  const reading = lastReading(page.live.transcript.value);
  const known = reading !== null;
  useEffect(() => {
    if (known) page.answering.load().catch(() => {});
  }, [known]);
  const model = page.answering.models.value.find(({ string }) => string === reading?.model);
  if (!reading || !model?.context_window) return null;
  return <Gauge used={reading.tokens} window={model.context_window} />;
}

function RoundsButton({ page }: { page: Page }): VNode | null {
  const last = lastRounds(page.live.transcript.value);
  if (last === null) return null;
  const open = page.panel.open.value !== null;
  return (
    <button
      type="button"
      class="tool-button wide-only scripted"
      aria-label="Rounds"
      title="What the model was asked"
      aria-expanded={open}
      onClick={() => open ? page.panel.close() : page.panel.openRounds(last.turn, last.index)}
    >
      {"{ }"}
    </button>
  );
}

function itemsFor(page: Page, row: Conversation): readonly MenuItem[] {
  const exports = `${page.boot.basePath}/api/conversations/${row.id}/export`;
  const last = lastRounds(page.live.transcript.value);
  return [
    { icon: "pen", label: "Rename", keys: "F2", onChoose: () => page.renaming.open(row, "head") },
    { icon: "again", label: NAME_IT, onChoose: () => page.nameFromContent(row) },
    { icon: "pin", label: row.pinned ? "Unpin" : "Pin", onChoose: () => page.pin(row) },
    { icon: "copy", label: "Duplicate", onChoose: () => page.duplicate(row) },
    ...last
      ? [{ icon: "dial", label: "Rounds", onChoose: () => page.panel.openRounds(last.turn, last.index) } as const]
      : [],
    { icon: "save", label: "Export as Markdown", href: `${exports}?format=md` },
    { icon: "save", label: "Export as JSONL", href: `${exports}?format=jsonl&full=true` },
    { icon: "close", label: "Delete", grave: true, onChoose: () => page.deletion.remove(row) },
  ];
}
