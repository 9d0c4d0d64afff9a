/**
 * The sheet of the keys that work. A popover: Escape and a click elsewhere close it, and it opens without scripts.
 *
 * @module
 */
import type { VNode } from "preact";
import { Icon } from "./Icon.tsx";

/** Its id, for buttons that open it. */
export const KEY_SHEET = "keys";

/** Each key with what it does; an Apple keyboard has ⌘ and ⌥ in place of Ctrl and Alt. */
const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["Enter", "send"],
  ["Shift Enter", "new line"],
  ["/", "to the composer"],
  ["Esc", "close what is open, or stop the turn"],
  ["End", "to the newest text, and follow it"],
  ["Ctrl Shift O", "new conversation"],
  ["Alt ↑", "the conversation above"],
  ["Alt ↓", "the conversation below"],
  ["F2", "rename this conversation"],
  ["Ctrl Z", "undo, while its bar stands"],
  ["Ctrl B", "fold the side, or open it"],
  ["F6", "to the next part of the page"],
  ["?", "this sheet"],
];

export function KeySheet(): VNode {
  return (
    <div class="key-sheet" id={KEY_SHEET} popover="auto" role="dialog" aria-labelledby="keys-title">
      <div class="key-head">
        <h2 id="keys-title">Keys</h2>
        <button
          type="button"
          class="tool-button"
          aria-label="Close"
          popovertarget={KEY_SHEET}
          popovertargetaction="hide"
          autofocus
        >
          <Icon name="close" />
        </button>
      </div>
      <dl>
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>{keys.split(" ").map((key) => <kbd key={key} class="cap">{key}</kbd>)}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="help">
        On a Mac, ⌘ in place of Ctrl and ⌥ in place of Alt. While a field holds text, keys that stand alone are text.
      </p>
    </div>
  );
}

/** Opens the sheet, or closes it; the focus goes back to where it was. */
export function toggleKeySheet(): void {
  document.getElementById(KEY_SHEET)?.togglePopover();
}
