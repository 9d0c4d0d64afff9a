/**
 * A row of the side: a mark, a title, and what can be done with it. The title never moves; its menu comes over its end.
 *
 * @module
 */
import type { VNode } from "preact";
import type { Conversation } from "../../core/log/entry.ts";
import { Menu } from "../shell/Menu.tsx";
import type { Name } from "../state/renaming.ts";
import { NameField } from "./NameField.tsx";
import { NAME_IT, NAMING } from "./naming.ts";

export interface RowProps {
  readonly row: Conversation;
  readonly href: string;
  readonly current: boolean;
  /** Whether a question waits in it. */
  readonly asked: boolean;
  /** Whether a title from its content is on its way. */
  readonly naming: boolean;
  /** The name that is being written for it; `null` while it is not renamed. */
  readonly name: Name | null;
  /** Where its exports are; the format is still to be added. */
  readonly exports: string;
  readonly onOpenName: () => void;
  readonly onType: (text: string) => void;
  readonly onKeep: () => void;
  readonly onDrop: () => void;
  readonly onName: () => void;
  readonly onPin: () => void;
  readonly onDuplicate: () => void;
  readonly onDelete: () => void;
}

export function Row(props: RowProps): VNode {
  const { row, href, current, asked, naming, name, exports } = props;
  return (
    <li class="row">
      <Mark row={row} current={current} asked={asked} />
      {name === null
        ? (
          <>
            <a
              href={href}
              class={(row.unread || asked) && !current ? "unread" : undefined}
              aria-current={current ? "page" : undefined}
            >
              {naming ? NAMING : row.title}
              <Spoken row={row} current={current} asked={asked} />
            </a>
            <div class="slot">
              <Menu
                label={`Actions for ${row.title}`}
                items={[
                  { icon: "pen", label: "Rename", onChoose: props.onOpenName },
                  { icon: "again", label: NAME_IT, onChoose: props.onName },
                  { icon: "pin", label: row.pinned ? "Unpin" : "Pin", onChoose: props.onPin },
                  { icon: "copy", label: "Duplicate", onChoose: props.onDuplicate },
                  { icon: "save", label: "Export as Markdown", href: `${exports}?format=md` },
                  { icon: "save", label: "Export as JSONL", href: `${exports}?format=jsonl&full=true` },
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
        : <RowName {...props} name={name} />}
    </li>
  );
}

interface Standing {
  readonly row: Conversation;
  readonly current: boolean;
  readonly asked: boolean;
}

function Mark({ row, current, asked }: Standing): VNode | null {
  if (asked) return <span class="mark ask" />;
  if (row.running) return <span class="mark run" />;
  return row.unread && !current ? <span class="mark new" /> : null;
}

function Spoken({ row, current, asked }: Standing): VNode | null {
  if (asked) return <span class="sr">, waits for you</span>;
  if (row.running) return <span class="sr">, running</span>;
  return row.unread && !current ? <span class="sr">, unread</span> : null;
}

/** In place of the title. */
function RowName({ row, href, name, onType, onKeep, onDrop }: RowProps & { name: Name }): VNode {
  return (
    <NameField
      key={name.now}
      label={`New name for ${row.title}`}
      text={name.text}
      now={name.now}
      onText={onType}
      onKeep={onKeep}
      onDrop={onDrop}
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
