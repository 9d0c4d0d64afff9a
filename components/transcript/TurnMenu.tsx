/**
 * A menu of a turn. Its sheet is made when it opens: a long conversation has hundreds of them.
 *
 * @module
 */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../shell/Icon.tsx";
import { type MenuItem, MenuSheet } from "../shell/Menu.tsx";

export interface TurnMenuProps {
  readonly label: string;
  readonly items: () => readonly MenuItem[];
  /** Called when it opens, for what it must ask for first. */
  readonly onOpen?: () => void;
}

export function TurnMenu({ label, items, onOpen }: TurnMenuProps): VNode {
  const [open, setOpen] = useState(false);
  return (
    <details
      class="menu scripted"
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        if (currentTarget.open) onOpen?.();
      }}
    >
      <summary class="tool-button" aria-label={label} title={label}>
        <Icon name="more" />
      </summary>
      {open && <MenuSheet items={items()} />}
    </details>
  );
}
