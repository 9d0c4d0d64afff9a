/**
 * A row of the side: a mark, a title, and what can be done with it. The title never moves; its menu comes over its end.
 *
 * @module
 */
import type { VNode } from "preact";
import type { Conversation } from "../../core/log/entry.ts";
import { Menu } from "../shell/Menu.tsx";
import { NameField } from "./NameField.tsx";
import { NAME_IT, NAMING } from "./naming.ts";

export interface RowProps {
  readonly row: Conversation;
  readonly href: string;
  readonly current: boolean;
  /** Whether a title from its content is on its way. */
  readonly naming: boolean;
  /** The text of its open name field; `null` while it is not renamed. */
  readonly renaming: string | null;
  readonly onRenaming: (text: string | null) => void;
  readonly onRename: (title: string) => void;
  readonly onName: () => void;
  readonly onPin: () => void;
  readonly onDelete: () => void;
}

export function Row(props: RowProps): VNode {
  const { row, href, current, naming, renaming } = props;
  return (
    <li class="row">
      <Mark row={row} current={current} />
      {renaming === null
        ? (
          <>
            <a
              href={href}
              class={row.unread && !current ? "unread" : undefined}
              aria-current={current ? "page" : undefined}
            >
              {naming ? NAMING : row.title}
              <Spoken row={row} current={current} />
            </a>
            <div class="slot">
              <Menu
                label={`Actions for ${row.title}`}
                items={[
                  { icon: "pen", label: "Rename", onChoose: () => props.onRenaming(row.title) },
                  { icon: "again", label: NAME_IT, onChoose: props.onName },
                  { icon: "pin", label: row.pinned ? "Unpin" : "Pin", onChoose: props.onPin },
                  {
                    icon: "close",
                    label: "Delete",
                    grave: true,
                    onChoose: () => {
                      focusNext(href);
                      props.onDelete();
                    },
                  },
                ]}
              />
            </div>
          </>
        )
        : <RowName {...props} text={renaming} />}
    </li>
  );
}

function Mark({ row, current }: { row: Conversation; current: boolean }): VNode | null {
  if (row.running) return <span class="mark run" />;
  return row.unread && !current ? <span class="mark new" /> : null;
}

function Spoken({ row, current }: { row: Conversation; current: boolean }): VNode | null {
  if (row.running) return <span class="sr">, running</span>;
  return row.unread && !current ? <span class="sr">, unread</span> : null;
}

/** In place of the title. */
function RowName({ row, href, text, onRenaming, onRename }: RowProps & { text: string }): VNode {
  return (
    <NameField
      label={`New name for ${row.title}`}
      text={text}
      onText={onRenaming}
      onKeep={() => {
        onRename(text);
        onRenaming(null);
      }}
      onDrop={() => onRenaming(null)}
      home={() => links().find((link) => link.getAttribute("href") === href)}
    />
  );
}

function links(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(".row > a")];
}

/** A row that goes gives the focus to the next one, the last to the one above. */
function focusNext(href: string): void {
  const all = links();
  const at = all.findIndex((link) => link.getAttribute("href") === href);
  (all[at + 1] ?? all[at - 1])?.focus();
}
